"""Write a durak engine and find out how good it is.

The same file is a program for the protocol: `croupier durak match "python durak_engine.py --serve" durak-dummy`.
"""

import sys

from croupier import durak


class Cautious(durak.Engine):
    """Plays its cheapest card, and beats with a trump only when the stock is nearly gone."""

    def choose_attack(self, seen: durak.Observation) -> list[int]:
        """Attack with the cheapest card that fits."""
        return seen.by_cost(seen.playable)[:1]

    def choose_defence(self, seen: durak.Observation) -> list[int]:
        """Beat with the cheapest card, or take rather than spend a trump early."""
        plain = [card for card in seen.playable if not seen.is_trump(card)]
        return seen.by_cost(plain if seen.deck_count > 6 else seen.playable)[:1]


if __name__ == "__main__":
    if "--serve" in sys.argv:
        durak.serve(Cautious())
    else:
        print(durak.match(Cautious(), "durak-dummy", pairs=25, seed=1))
