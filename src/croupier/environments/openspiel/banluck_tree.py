"""Heads-up Banluck as a small extensive-form game: rank multisets, and chance wherever nobody has a choice.

OpenSpiel's CFR and best responses walk through a game history by history. Card by card, Banluck has far too many. This tree holds the
same game with a few million nodes, and nothing is lost:

- Only point classes are dealt. The player's cards come first; the dealer's follow when the player has finished, by their probabilities
  given the player's cards. Nobody has seen them before, so the order of the deal does not matter. That the dealer holds no Ban hand,
  which the player knows when playing, is part of these probabilities.
- A hand's history is its multiset: in which order its cards came changes neither what follows nor what it wins.
- A dealer who has nothing to decide is chance. All the ways in which the dealer's hand ends without a decision are one outcome,
  worth what they win on average; the others lead to the dealer's first decision.
- A player's hand that is over (21, bust, five cards) leaves nothing to decide for the player, so all such hands after one hit are one
  outcome, too. What they win at each end of the dealer's play is their average.
- Where nothing that the dealer can still do changes the result (a bust, a forfeit), the dealer does not decide.

The tree is built from the engine's permissions and settlement, and not from the payoff matrices of
:mod:`croupier.banluck.solvers`: that OpenSpiel finds the solver's value in it is a check of the solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.hand import HandValue, evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS, Multiset, format_multiset
from croupier.banluck.engine.permissions import (
    may_surrender,
    player_may_act,
    player_must_hit,
)
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import settle
from croupier.environments.openspiel.dealer_ways import (
    DealerHands,
    DealerWays,
    Floats,
    two_card_probabilities,
)

#: The players of the tree, and the names of the two actions of every decision, in the order of their numbers.
PLAYER, DEALER = 0, 1
STOP, GO = "stop", "go"


class Final(NamedTuple):
    """A player's hand that is over, and how likely it is."""

    weight: float
    hand: Multiset


@dataclass
class BanluckTree:
    """Writes the tree as text in Gambit's extensive-form format (``.efg``).

    Parameters
    ----------
    rules
        The rules of the game.
    pack
        How many cards of each point class the pack holds; a small pack makes a small game.

    Examples
    --------
    >>> tree = BanluckTree(BanluckRules(surrender="none"), pack=(0, 0, 0, 0, 4, 4, 0, 0, 4, 0))
    >>> tree.nodes, len(tree.infosets[0]), len(tree.infosets[1])
    (100, 9, 4)
    """

    rules: BanluckRules
    pack: tuple[int, ...] = PACK_COUNTS

    def __post_init__(self) -> None:
        self._infosets: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._turns: dict[Multiset, str] = {}
        self._shares: dict[Multiset, float] = {}
        self._hands = DealerHands(self.rules, self.pack)

    @cached_property
    def text(self) -> str:
        """The whole tree."""
        parts = [
            (probability, self._ban_dealt(hand) if self._value(hand).is_ban else self._dealt(hand))
            for hand, probability in self._two_cards(())
        ]
        return 'EFG 2 R "Banluck" { "player" "dealer" }\n' + _chance(parts)

    @property
    def infosets(self) -> tuple[dict[str, int], dict[str, int]]:
        """The information sets of each player by name, numbered from 1 as the text has them."""
        assert self.text, "writing the tree numbers them"
        return self._infosets

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return self.text.count("\n") - 1

    def _value(self, hand: Multiset) -> HandValue:
        return evaluate_classes(hand, self.rules)

    def _units(self, player: Multiset, dealer: Multiset) -> float:
        return settle(self._value(player), self._value(dealer), self.rules).units

    def _two_cards(self, removed: Multiset) -> list[tuple[Multiset, float]]:
        """List the two-card hands that can come from a pack without some cards, and their probabilities."""
        probabilities = two_card_probabilities(self._hands.left(removed)).tolist()
        return [(MULTISETS[place], share) for place, share in enumerate(probabilities) if share > 0]

    def _without_ban(self, hand: Multiset) -> float:
        """Return the probability that the dealer holds no Ban hand, given the player's cards."""
        if hand not in self._shares:
            deals = self._two_cards(hand)
            self._shares[hand] = sum(share for dealer, share in deals if not self._value(dealer).is_ban)
        return self._shares[hand]

    def _decision(self, player: int, name: str, stop: str, go: str) -> str:
        names = self._infosets[player]
        number = names.setdefault(name, len(names) + 1)
        return f'p "" {player + 1} {number} "{name}" {{ "{STOP}" "{GO}" }} 0\n{stop}{go}'

    def _ban_dealt(self, hand: Multiset) -> str:
        """Return what follows a player's Ban hand: nothing, unless the dealer surrenders."""
        shown = self._value(hand).hand_class.name if self.rules.surrender == "after_specials" else ""
        units, mass, parts = 0.0, 0.0, []
        for dealer, probability in self._two_cards(hand):
            paid = self._units(hand, dealer)
            if may_surrender(dealer, self.rules):
                parts.append((probability, self._surrender(dealer, _terminal(paid), shown)))
            else:
                units, mass = units + probability * paid, mass + probability
        return _chance([(mass, _terminal(units / mass)), *parts] if mass else parts)

    def _dealt(self, hand: Multiset) -> str:
        """Return what follows an ordinary deal of the player: a Ban hand of the dealer, or play."""
        units, mass = 0.0, 0.0
        for dealer, probability in self._two_cards(hand):
            if self._value(dealer).is_ban:
                units, mass = units + probability * self._units(hand, dealer), mass + probability
        if mass == 1.0:
            return _terminal(units)
        played = self._turn(hand) if player_may_act(self._value(hand)) else self._ending([Final(1.0, hand)])
        return _chance([(mass, _terminal(units / mass)), (1.0 - mass, played)]) if mass else played

    def _turn(self, hand: Multiset) -> str:
        """Return the player's turn; the same from every history of a hand, so it is worked out once."""
        if hand not in self._turns:
            self._turns[hand] = self._new_turn(hand)
        return self._turns[hand]

    def _new_turn(self, hand: Multiset) -> str:
        go = self._hit(hand)
        if player_must_hit(self._value(hand), self.rules):
            return go
        return self._decision(PLAYER, format_multiset(hand), self._ending([Final(1.0, hand)]), go)

    def _hit(self, hand: Multiset) -> str:
        """Return what follows a hit: one outcome for all hands that are over, and further turns."""
        left, before = self._hands.left(hand), self._without_ban(hand)
        over, parts = [], []
        for point in np.flatnonzero(left).tolist():
            after = tuple(sorted((*hand, point)))
            weight = float(left[point]) / float(left.sum()) * self._without_ban(after) / before
            if player_may_act(self._value(after)):
                parts.append((weight, self._turn(after)))
            else:
                over.append(Final(weight, after))
        if mass := sum(final.weight for final in over):
            finals = [Final(final.weight / mass, final.hand) for final in over]
            parts.insert(0, (mass, self._ending(finals)))
        return _chance(parts)

    def _ending(self, finals: Sequence[Final]) -> str:
        """Return the dealer's play against hands that are over, of one card count."""
        ways = [self._hands.ways(final.hand) for final in finals]
        scales = [final.weight / self._without_ban(final.hand) for final in finals]
        dealt = np.stack([scale * way.dealt for scale, way in zip(scales, ways, strict=True)])
        parts = []
        for hand in self._hands.surrendered:
            kept = np.stack(
                [
                    scale * way.two_cards[hand] * way.rows[hand]
                    for scale, way in zip(scales, ways, strict=True)
                ]
            )
            mass = sum(scale * float(way.two_cards[hand]) for scale, way in zip(scales, ways, strict=True))
            if mass > 0:
                parts.append((mass, self._surrender(MULTISETS[hand], self._played(ways, kept, mass))))
        return self._played(ways, dealt, 1.0, parts)

    def _surrender(self, dealer: Multiset, kept: str, shown: str = "") -> str:
        name = f"{format_multiset(dealer)} {shown}".strip()
        return self._decision(DEALER, f"surrender {name}", _terminal(0.0), kept)

    def _played(
        self,
        ways: Sequence[DealerWays],
        masses: Floats,
        total: float,
        others: Sequence[tuple[float, str]] = (),
    ) -> str:
        """Return chance between an end without a decision, the dealer's decisions, and other parts.

        Parameters
        ----------
        ways
            The dealer's ways against each final hand.
        masses
            A row a final hand: what it is paid without a decision, and the joint probability of each decision.
        total
            The joint probability of everything that can happen here.
        others
            Further parts and their joint probabilities.
        """
        joint = masses.sum(axis=0)
        parts = [
            (float(joint[column]), self._choice(column, ways, masses[:, column]))
            for column in np.flatnonzero(joint[1:] > 0).tolist()
            for column in (column + 1,)
        ]
        parts += others
        rest = total - sum(mass for mass, _ in parts)
        if rest > 1e-12 * total:
            parts.insert(0, (rest, _terminal(float(joint[0]) / rest)))
        return _chance(parts)

    def _choice(self, column: int, ways: Sequence[DealerWays], masses: Floats) -> str:
        """Return the dealer's decision against final hands of some joint probabilities."""
        total, place = float(masses.sum()), column - 1
        stand = sum(mass * way.paid[place] for mass, way in zip(masses.tolist(), ways, strict=True)) / total
        drawn = np.stack([mass * way.drawn[place] for mass, way in zip(masses, ways, strict=True)])
        known = "" if self.rules.reveal == "none" else f" against {ways[0].card_count}"
        name = format_multiset(MULTISETS[self._hands.choices(ways[0].card_count)[place]]) + known
        return self._decision(DEALER, name, _terminal(float(stand)), self._played(ways, drawn, total))


def _terminal(units: float) -> str:
    return f't "" 1 "" {{ {units!r} {-units!r} }}\n'


def _chance(parts: Sequence[tuple[float, str]]) -> str:
    """Return a chance node; its outcomes are named by their places, so that their numbers ascend in every node, as OpenSpiel needs."""
    if len(parts) == 1:
        return parts[0][1]
    total = sum(probability for probability, _ in parts)
    outcomes = " ".join(f'"{place}" {probability / total!r}' for place, (probability, _) in enumerate(parts))
    return f'c "" 1 "" {{ {outcomes} }} 0\n' + "".join(part for _, part in parts)
