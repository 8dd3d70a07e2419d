"""Let a program play at the table: it follows the coach's advice, and makes every fifth choice at random."""

import random

from croupier import blackjack

choices = random.Random(7)
with blackjack.table(blackjack.rules("vegas-strip"), seed=7, bankroll=500) as table:
    for _ in range(20):
        table.bet(10)
        while not table.view.is_betting:
            advice, follows = table.advice, choices.random() < 0.8
            table.act(advice.best if advice is not None and follows else choices.choice(table.actions))
        print(table.view)
    totals = table.view.statistics
    print(f"{totals.right} of {totals.decisions} choices were right; the mistakes cost {totals.cost:.2f}.")
    print(f"Bankroll {table.view.bankroll:g} after {totals.rounds} rounds.")
