"""Play twenty hands by a rule of one's own, with a coach who counts the mistakes."""

from croupier import banluck

with banluck.table(seed=7, coach=True) as table:
    for _ in range(20):
        table.bet(5)
        while table.view.is_playing:
            table.act("hit" if table.view.seats[0].total < 17 else "stand")
    view = table.view

print(view)
print(f"{view.totals.hands} hands, won {view.totals.won:+g}; mistakes cost {view.totals.cost:.3f} units")
