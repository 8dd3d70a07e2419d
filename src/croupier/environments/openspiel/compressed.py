"""Banluck as a tree that OpenSpiel's own algorithms solve, and our strategies as OpenSpiel's policies."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyspiel

from croupier.banluck.engine.multisets import PACK_COUNTS, multiset_index, parse_multiset
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.environments.openspiel.banluck_tree import DEALER, GO, PLAYER, STOP, BanluckTree

#: The actions by OpenSpiel's numbers: stand, surrender; hit, draw, keep.
ACTIONS = (STOP, GO)


@dataclass(frozen=True)
class CompressedBanluck:
    """Heads-up Banluck as OpenSpiel's ``efg_game``; :mod:`~croupier.environments.openspiel.banluck_tree` says why nothing is lost.

    Attributes
    ----------
    tree
        The tree.
    """

    tree: BanluckTree

    @cached_property
    def game(self) -> Any:
        """The game as OpenSpiel holds it, in C++."""
        return pyspiel.load_efg_game(self.tree.text)

    def policy(self, player: PlayerStrategy, dealer: DealerStrategy) -> Any:
        """Return strategies of both sides as one policy of OpenSpiel's.

        Examples
        --------
        >>> from croupier import banluck
        >>> small = compressed_banluck(pack=(0, 0, 0, 0, 4, 4, 4, 0, 4, 4))
        >>> solution = banluck.solve()
        >>> policy = small.policy(solution.player, solution.dealer)
        >>> 0 < pyspiel.exploitability(small.game, policy) < 1  # a strategy for the whole pack
        True
        """
        go: list[dict[str, float]] = [
            {name: float(player.hit[_place(name)]) for name in self.tree.infosets[PLAYER]},
            {name: self._dealer_goes(name, dealer) for name in self.tree.infosets[DEALER]},
        ]
        stop, go_on = (ACTIONS.index(name) for name in (STOP, GO))
        table = {
            self.infoset(side, name): [(stop, 1.0 - share), (go_on, share)]
            for side, shares in enumerate(go)
            for name, share in shares.items()
        }
        return pyspiel.TabularPolicy(table)

    def infoset(self, player: int, name: str) -> str:
        """Return what OpenSpiel calls an information set, which has a name in the tree."""
        number = self.tree.infosets[player][name]
        return f"{player}-{player}-{number}-{name}"

    def _dealer_goes(self, name: str, dealer: DealerStrategy) -> float:
        if name.startswith("surrender "):
            hand, _, shown = name.removeprefix("surrender ").partition(" ")
            return 1.0 - float(dealer.surrender[_place(hand), Shown[shown] if shown else Shown.NOTHING])
        hand, _, count = name.partition(" against ")
        column = PLAYER_CARD_COUNTS.index(int(count)) if count else 0
        return float(dealer.draw[_place(hand), column])


def compressed_banluck(
    rules: str | BanluckRules = "reference", pack: tuple[int, ...] = PACK_COUNTS
) -> CompressedBanluck:
    """Return heads-up Banluck as a small tree.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    pack
        How many cards of each point class the pack holds; a small pack makes a small game.

    Examples
    --------
    >>> small = compressed_banluck(pack=(0, 0, 0, 0, 4, 4, 4, 0, 4, 4))
    >>> round(pyspiel.exploitability(small.game, pyspiel.UniformRandomPolicy(small.game)), 4)
    0.1698
    """
    chosen = BANLUCK.rules(rules) if isinstance(rules, str) else rules
    return CompressedBanluck(BanluckTree(chosen, pack))


def _place(hand: str) -> int:
    return multiset_index(parse_multiset(hand))
