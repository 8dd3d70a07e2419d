"""Every information set of both sides: what each action is worth, how often it is taken, what a mistake costs.

Expected values are conditional on the decision being there to take, and on best play of the same side afterwards
against the opponent's strategy. The player's are in player's units, the dealer's in dealer's units: more is always
better for whoever decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from croupier.banluck.engine.hand import HandValue
from croupier.banluck.engine.multisets import (
    MULTISETS,
    PACK_COUNTS,
    Multiset,
    format_multiset,
    multiset_index,
    parse_multiset,
)
from croupier.banluck.engine.permissions import may_be_opened
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.best_response import best_dealer, best_player
from croupier.banluck.solvers.dealer_play import DealerPlay
from croupier.banluck.solvers.graph_kernels import action_values
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Floats, deals, hand_table, joint_probability
from croupier.banluck.solvers.payoff_kernel import GO, STOP, fill_weights
from croupier.banluck.solvers.plans import best_reply, dealer_policy, plan_of, player_policy
from croupier.banluck.solvers.sequence_game import DealerNode, DecisionGraph, SequenceGame, sequence_game
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy, Shown
from croupier.errors import InputError
from croupier.texts import say

#: Frequencies this close to 0 or 1 are pure for a person.
_PURE = 1e-4


@dataclass(frozen=True, slots=True)
class Advice:
    """One decision: stop (stand, reveal, surrender) or go on (hit, draw, keep).

    Attributes
    ----------
    stop, go
        The names of the two actions.
    ev_stop, ev_go
        Expected units of the side that decides; None where the rules forbid the action.
    go_frequency
        How often the strategy goes on.
    reach
        How often the decision comes up, per hand dealt.
    """

    hand: Multiset
    value: HandValue
    stop: str
    go: str
    ev_stop: float | None
    ev_go: float
    go_frequency: float
    reach: float
    against: str = ""

    @property
    def best(self) -> str:
        """The name of the better action."""
        return self.go if self.ev_stop is None or self.ev_go > self.ev_stop else self.stop

    @property
    def cost_of_mistake(self) -> float:
        """What the worse action costs, in units each time; 0 where there is no choice."""
        return 0.0 if self.ev_stop is None else abs(self.ev_go - self.ev_stop)

    @property
    def advice(self) -> str:
        """What the strategy does, in a word: an action, or a mix with its frequency."""
        if self.go_frequency >= 1 - _PURE:
            return self.go
        if self.go_frequency <= _PURE:
            return self.stop
        return f"{self.go} {self.go_frequency:.0%}"

    @property
    def hit(self) -> float:
        """What a hit is worth to the player.

        >>> from croupier import banluck
        >>> decision = banluck.solve().book["T-6"]
        >>> f"{decision.hit:.3f} {decision.stand:.3f}"
        '-0.487 -0.451'
        """
        return self.expected("hit")

    @property
    def stand(self) -> float:
        """What standing is worth."""
        return self.expected("stand")

    @property
    def draw(self) -> float:
        """What a draw is worth to the dealer."""
        return self.expected("draw")

    @property
    def reveal(self) -> float:
        """What opening the player is worth to the dealer."""
        return self.expected("reveal")

    def expected(self, action: str) -> float:
        """Return what an action is worth."""
        value = {self.stop: self.ev_stop, self.go: self.ev_go}.get(action)
        if value is None:
            raise InputError(
                f"'{action}' is not possible with {format_multiset(self.hand)}; it is {self.stop} or {self.go}"
            )
        return value

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain data, a column an entry."""
        return {
            "hand": format_multiset(self.hand),
            "cards": self.value.card_count,
            "total": self.value.total,
            "soft": self.value.is_soft,
            "against": self.against,
            "stop": self.stop,
            "go": self.go,
            "ev_stop": self.ev_stop,
            "ev_go": self.ev_go,
            "go_frequency": self.go_frequency,
            "advice": self.advice,
            "best": self.best,
            "cost_of_mistake": self.cost_of_mistake,
            "reach": self.reach,
        }


class StrategyBook:
    """A pair of strategies, decision by decision.

    Examples
    --------
    >>> from croupier import banluck
    >>> book = banluck.solve().book
    >>> book["T-6"].advice, book["T-7", 3].advice
    ('stand', 'reveal')
    """

    def __init__(self, player: PlayerStrategy, dealer: DealerStrategy, rules: BanluckRules) -> None:
        self.rules = rules
        self.player = player
        self.dealer = dealer
        game = sequence_game(rules)
        self._table = hand_table(rules)
        self._play = DealerPlay.of(dealer, rules)
        self._player_plan = plan_of(game.player, player_policy(game, player))
        self._dealer_plan = plan_of(game.dealer, dealer_policy(game, dealer))
        self._player_advice = {advice.hand: advice for advice in self._player_decisions(game)}
        self._dealer_advice: dict[tuple[Multiset, int], Advice] = {}
        self._surrender_advice: dict[tuple[Multiset, Shown], Advice] = {}
        for node, advice in self._dealer_decisions(game):
            if node.shown is not None:
                self._surrender_advice[advice.hand, node.shown] = advice
            for count in node.card_counts:
                self._dealer_advice[advice.hand, count] = advice

    def __getitem__(self, place: str | tuple[str, int]) -> Advice:
        """Look up a hand: the player's by itself, the dealer's together with the player's number of cards.

        Examples
        --------
        >>> from croupier import banluck
        >>> book = banluck.solve().book
        >>> book["KS 6H"] is book["T-6"]
        True
        """
        if isinstance(place, str):
            return self.player_advice(parse_multiset(place))
        hand, player_cards = place
        return self.dealer_advice(parse_multiset(hand), player_cards)

    def player_advice(self, hand: Multiset) -> Advice:
        """Look up the player's decision with a hand."""
        return _found(self._player_advice.get(hand), hand, self.rules, say("banluck.asking.player"))

    def dealer_advice(self, hand: Multiset, player_cards: int) -> Advice:
        """Look up the dealer's decision with a hand against a player of some cards."""
        who = say("banluck.asking.dealer", cards=player_cards)
        return _found(self._dealer_advice.get((hand, player_cards)), hand, self.rules, who)

    def surrender_advice(self, hand: Multiset, shown: Shown = Shown.NOTHING) -> Advice:
        """Look up the dealer's decision on the surrender of a hard 15."""
        who = say("banluck.asking.surrender")
        return _found(self._surrender_advice.get((hand, shown)), hand, self.rules, who)

    @property
    def player_decisions(self) -> tuple[Advice, ...]:
        """All decisions of the player."""
        return tuple(self._player_advice.values())

    @property
    def dealer_decisions(self) -> tuple[Advice, ...]:
        """All decisions of the dealer, the surrenders first; one that serves several card counts comes once."""
        unique = dict.fromkeys(self._dealer_advice.values())
        return (*self._surrender_advice.values(), *unique)

    @property
    def dealer_lookup(self) -> dict[tuple[Multiset, int], Advice]:
        """The dealer's decisions by hand and player's card count."""
        return dict(self._dealer_advice)

    @cached_property
    def best_player_reply(self) -> PlayerStrategy:
        """The player's best play against this dealer: what the values of hits assume afterwards."""
        return best_player(self.dealer, self.rules)[1]

    @cached_property
    def best_dealer_reply(self) -> DealerStrategy:
        """The dealer's best play against this player: what the values of draws assume afterwards."""
        return best_dealer(self.player, self.rules)[1]

    def player_worth_against(self, dealer: DealerStrategy, hand: Multiset) -> float:
        """Return what the player's best play of a hand is worth against another dealer who surrenders alike."""
        game = sequence_game(self.rules)
        plan = plan_of(game.dealer, dealer_policy(game, dealer))
        values = _values_of_best_play(game.player, game.player_gradient(plan))
        node = game.player_nodes.index(multiset_index(hand))
        return float(values[node][game.player.legal[node]].max()) / self._player_weight(multiset_index(hand))

    def player_hands_against(self, dealer_hand: Multiset, card_counts: tuple[int, ...]) -> Floats:
        """Return how likely each final hand of the player is, for a dealer who holds a hand and sees a card count."""
        weights = self._weights_against(multiset_index(dealer_hand), card_counts)
        total = weights.sum()
        return weights / total if total > 0 else weights

    def _player_decisions(self, game: SequenceGame) -> Iterator[Advice]:
        gradient = game.player_gradient(self._dealer_plan)
        values = _values_of_best_play(game.player, gradient)
        masses = self._player_plan[1:].reshape(-1, 2)
        for node, hand in enumerate(game.player_nodes):
            weight = self._player_weight(hand)
            may_stand = bool(game.player.legal[node, STOP])
            yield Advice(
                hand=MULTISETS[hand],
                value=self._table.values[hand],
                stop="stand",
                go="hit",
                ev_stop=float(values[node, STOP] / weight) if may_stand else None,
                ev_go=float(values[node, GO] / weight),
                go_frequency=float(self.player.hit[hand]) if may_stand else 1.0,
                reach=float(masses[node].sum() * weight),
            )

    def _player_weight(self, hand: int) -> float:
        """Return how likely one order of the player's cards is together with a dealer who plays the hand on."""
        return joint_probability(deals().counts[hand]) * float(self._play.survives(hand).sum())

    def _dealer_decisions(self, game: SequenceGame) -> Iterator[tuple[DealerNode, Advice]]:
        gradient = -game.dealer_gradient(self._player_plan)
        values = _values_of_best_play(game.dealer, gradient)
        policy = dealer_policy(game, self.dealer)
        masses = self._dealer_plan[1:].reshape(-1, 2)
        for place, node in enumerate(game.dealer_nodes):
            weight = self._dealer_weight(node)
            with np.errstate(invalid="ignore", divide="ignore"):
                expected = (
                    values[place] + self._settled_whatever_happens(node)
                ) / weight + 0.0  # no negative zero
            stop, go, against = _dealer_words(node, self.rules)
            advice = Advice(
                hand=MULTISETS[node.multiset],
                value=self._table.values[node.multiset],
                stop=stop,
                go=go,
                ev_stop=float(expected[STOP]),
                ev_go=float(expected[GO]),
                go_frequency=float(policy[place, GO]),
                reach=float(masses[place].sum() * weight),
                against=against,
            )
            yield node, advice

    def _dealer_weight(self, node: DealerNode) -> float:
        """Return how likely the dealer's cards are together with what the dealer knows of the player.

        A plan counts orders at draws, but surrenders a two-card hand as a whole, in both its orders.
        """
        if node.shown is None:
            return float(self._weights_against(node.multiset, node.card_counts).sum())
        weights = (
            deals().orders[node.multiset] * _weights_with(node.multiset)[:TWO_CARD_HANDS] * deals().orders
        )
        if self.rules.surrender == "blind":
            return float(weights.sum())
        names = [value.hand_class.name for value in self._table.values[:TWO_CARD_HANDS]]
        shown = np.array([name if name in Shown.__members__ else "NOTHING" for name in names])
        return float(weights[shown == node.shown.name].sum())

    def _settled_whatever_happens(self, node: DealerNode) -> float:
        """Return the dealer's units from hands that are lost already: the game pays these at the deal, not here."""
        if node.shown is not None:
            return 0.0
        return -float(
            self._weights_against(node.multiset, node.card_counts) @ np.nan_to_num(self._table.lost)
        )

    def _weights_against(self, dealer_hand: int, card_counts: tuple[int, ...]) -> Floats:
        seen = np.isin(deals().card_count, card_counts)
        return _weights_with(dealer_hand) * self._final_masses * seen

    @cached_property
    def _final_masses(self) -> Floats:
        """The mass with which the player ends with each multiset and the dealer still has to play."""
        game = sequence_game(self.rules)
        final = np.zeros(len(MULTISETS))
        is_node = np.zeros(len(MULTISETS), dtype=np.bool_)
        is_node[list(game.player_nodes)] = True
        for node, hand in enumerate(game.player_nodes):
            final[hand] += self._player_plan[1 + 2 * node + STOP]
            after = deals().child[hand]
            after = after[after >= 0]
            final[after[~is_node[after]]] += self._player_plan[1 + 2 * node + GO]
        if self.rules.both_bust == "player_loses":
            final[[value.is_bust for value in self._table.values]] = 0.0
        return final


def _values_of_best_play(graph: DecisionGraph, gradient: Floats) -> Floats:
    _, policy = best_reply(graph, gradient)
    values = np.empty((graph.node_count, 2))
    action_values(gradient, policy, graph.first_link, graph.link_node, graph.link_count, values)
    return values


def _weights_with(hand: int) -> Floats:
    """Return the probability of one order of a hand's cards together with one order of each other multiset's."""
    table = deals()
    weights = np.empty(len(MULTISETS))
    fill_weights(
        weights, hand, table.counts, table.card_count, table.parent, table.last_class, np.array(PACK_COUNTS)
    )
    return weights


def _dealer_words(node: DealerNode, rules: BanluckRules) -> tuple[str, str, str]:
    """Name the two actions of a dealer's node, and what the dealer knows of the player."""
    if node.shown is not None:
        shown = {
            Shown.NOTHING: "no Ban hand shown",
            Shown.BAN_LUCK: "Ban Luck shown",
            Shown.BAN_BAN: "Ban Ban shown",
        }
        return "surrender", "keep", "nothing seen" if rules.surrender == "blind" else shown[node.shown]
    if len(node.card_counts) > 1:
        return "stand", "draw", "any number of cards"
    count = node.card_counts[0]
    return ("reveal" if may_be_opened(count, rules) else "stand"), "draw", f"{count} cards"


def _found(advice: Advice | None, hand: Multiset, rules: BanluckRules, who: str) -> Advice:
    if advice is None:
        value = hand_table(rules).values[multiset_index(hand)]
        raise InputError(
            say("banluck.asking.no_decision", hand=format_multiset(hand), value=str(value), who=who)
        )
    return advice
