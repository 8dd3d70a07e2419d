"""Solve a rule set, change the best chart, and see what the change costs: exactly, and over simulated rounds."""

from croupier import blackjack

rules = blackjack.Rules(decks=6, soft17="hit")  # or blackjack.rules("vegas-strip", decks=2)
best = blackjack.analyse(rules)
print(best)
print(best.chart)
print(best.values("T-6", up="T", seen="5,5,A"))

mine = best.chart.replace({("12", "3"): "S", ("16", "T"): "S"})
print(blackjack.price(rules, mine))

result = blackjack.simulate(rules, mine, rounds=2_000_000, seed=1)
print(result)
