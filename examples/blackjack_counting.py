"""Count cards: what a bet spread wins, and how large a bankroll it takes. Then breed a chart without a teacher."""

from croupier import blackjack

rules = blackjack.rules("downtown", penetration=0.8)
for spread in (1, 4, 8):
    counted = blackjack.count(rules, system="hi-lo", spread=spread, rounds=1_000_000, seed=1)
    low, high = (100 * bound for bound in counted.interval)
    print(
        f"1 to {spread}: {100 * counted.value:+.2f} units per 100 rounds (95 %: {low:+.2f} to {high:+.2f}), "
        f"ruin with 500 units: {counted.risk_of_ruin(500):.1%}"
    )

evolved = blackjack.evolve(rules, population=20, generations=15, seed=1)
print(evolved)
