"""The whole game tree of a small deck, by the engine alone: the second answer to everything that the table solvers say.

Nothing is shared with the solvers but the engine. A decision is known by everything that its owner has seen, in the order in which it was
seen (less the cards that are not remembered where card counts alone are); a strategy is asked for probabilities by what matters of it. Values and best replies are sums over single histories.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

from croupier.banluck.engine import (
    Action,
    ActionKind,
    BanluckRules,
    GameState,
    Phase,
    act,
    legal_actions,
    new_hand,
)
from croupier.banluck.solvers.table.strategy import Information
from croupier.cards import point_class

DEALER = -1

#: Both players at once, with a common purse and open cards between them.
TEAM = -2


@dataclass(slots=True)
class Node:
    """A history: over, a chance card, or a decision of somebody."""

    state: GameState | None = None
    units: tuple[float, ...] = ()
    owner: int | None = None
    seen: tuple[Any, ...] = ()
    actions: tuple[Action, ...] = ()
    chances: tuple[float, ...] = ()
    children: list["Node"] = field(default_factory=list)


Chooser = Callable[[GameState, tuple[Action, ...]], list[float]]


class FullTree:
    """Every history of a hand between some players and a dealer, from a small deck of real cards."""

    def __init__(
        self, rules: BanluckRules, deck: tuple[int, ...], players: int, information: Information = "full"
    ) -> None:
        self.rules = rules
        self.players = players
        self.information = information
        self.deck = tuple(sorted(deck))
        self.count = 0
        self.root = self._deals(new_hand(rules, players))

    def _new(self, **facts: Any) -> Node:
        self.count += 1
        return Node(**facts)

    def _deals(self, state: GameState) -> Node:
        root = self._new()
        chances = []
        for cards, probability in self._dealt(self.players + 1, self.deck):
            chances.append(probability)
            root.children.append(self._node(act(state, Action(ActionKind.DEAL, cards=cards))))
        root.chances = tuple(chances)
        return root

    def _dealt(self, hands: int, deck: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
        """List the deals of two cards each, one for all deals of the same ranks, with their probabilities."""
        if hands == 0:
            yield (), 1.0
            return
        classes = [point_class(card) for card in deck]
        for first, second in combinations_with_replacement(sorted(set(classes)), 2):
            held = classes.count(first)
            ways = held * (held - 1) if first == second else 2 * held * classes.count(second)
            if ways == 0:
                continue
            cards = _take(deck, (first, second))
            rest = tuple(card for card in deck if card not in cards)
            for others, probability in self._dealt(hands - 1, rest):
                yield (*cards, *others), probability * ways / (len(deck) * (len(deck) - 1))

    def _node(self, state: GameState) -> Node:
        legal = legal_actions(state)
        if not legal:
            return self._new(units=tuple(units or 0.0 for units in state.results))
        if state.phase is Phase.SPECIALS:
            return self._node(act(state, legal[0]))
        owner = state.turn if state.phase is Phase.PLAYER else DEALER
        assert owner is not None
        node = self._new(
            state=state, owner=owner, seen=seen_by(state, owner, self.information), actions=legal
        )
        for action in legal:
            takes_card = action.kind in (ActionKind.HIT, ActionKind.DRAW)
            node.children.append(self._card(state, action) if takes_card else self._node(act(state, action)))
        return node

    def _card(self, state: GameState, action: Action) -> Node:
        left = [card for card in self.deck if card not in state.dealt_cards]
        node = self._new()
        chances = []
        for point in sorted({point_class(card) for card in left}):
            same = [card for card in left if point_class(card) == point]
            chances.append(len(same) / len(left))
            node.children.append(self._node(act(state, Action(action.kind, action.seat, (same[0],)))))
        node.chances = tuple(chances)
        return node

    def play_by(self, choose: Chooser) -> None:
        """Let everybody play by a strategy from now on."""
        open_nodes = [self.root]
        while open_nodes:
            node = open_nodes.pop()
            if node.state is not None:
                node.chances = tuple(choose(node.state, node.actions))
            open_nodes += node.children

    def values(self) -> list[float]:
        """Return every seat's units when everybody plays by the strategy."""
        return list(self._values(self.root))

    def _values(self, node: Node) -> tuple[float, ...]:
        if node.units:
            return node.units
        total = [0.0] * self.players
        for chance, child in zip(node.chances, node.children, strict=True):
            if chance > 0.0:
                for seat, units in enumerate(self._values(child)):
                    total[seat] += chance * units
        return tuple(total)

    def best_reply(self, owner: int) -> float:
        """Return the most that a seat, the dealer or the team can get while the others play by the strategy."""
        return _BestReply(self, owner).value


class _BestReply:
    def __init__(self, tree: FullTree, owner: int) -> None:
        self.owner = owner
        self.sets: dict[tuple[Any, ...], list[tuple[Node, float]]] = {}
        self.chosen: dict[tuple[Any, ...], int] = {}
        self.known: dict[int, float] = {}
        self._collect(tree.root, 1.0)
        self.value = self._value(tree.root)

    def _collect(self, node: Node, reach: float) -> None:
        is_own = self._is_own(node)
        if is_own:
            self.sets.setdefault(self._seen(node), []).append((node, reach))
        for chance, child in zip(node.chances, node.children, strict=True):
            if is_own or chance > 0.0:
                self._collect(child, reach if is_own else reach * chance)

    def _is_own(self, node: Node) -> bool:
        if self.owner == TEAM:
            return node.owner is not None and node.owner != DEALER
        return node.owner == self.owner

    def _seen(self, node: Node) -> tuple[Any, ...]:
        if self.owner != TEAM:
            return node.seen
        assert node.state is not None
        return (node.owner, *(_in_order(seat.cards) for seat in node.state.seats))

    def _value(self, node: Node) -> float:
        if id(node) not in self.known:
            self.known[id(node)] = self._worked_out(node)
        return self.known[id(node)]

    def _worked_out(self, node: Node) -> float:
        if node.units:
            if self.owner == TEAM:
                return sum(node.units)
            return -sum(node.units) if self.owner == DEALER else node.units[self.owner]
        if self._is_own(node):
            return self._value(node.children[self._choice(self._seen(node))])
        return sum(
            chance * self._value(child)
            for chance, child in zip(node.chances, node.children, strict=True)
            if chance > 0.0
        )

    def _choice(self, seen: tuple[Any, ...]) -> int:
        if seen not in self.chosen:
            members = self.sets[seen]
            worth = [
                sum(reach * self._value(node.children[action]) for node, reach in members)
                for action in range(len(members[0][0].children))
            ]
            self.chosen[seen] = max(range(len(worth)), key=worth.__getitem__)
        return self.chosen[seen]


def seen_by(state: GameState, owner: int, information: Information) -> tuple[Any, ...]:
    """Return everything that a seat or the dealer has seen and goes by, in the order in which it happened."""
    own = state.dealer_cards if owner == DEALER else state.seats[owner].cards
    story: list[Any] = [owner, _in_order(own)]
    blind = owner == DEALER and state.phase is Phase.SURRENDER and not state.specials_shown
    if blind:
        return tuple(story)
    hides_counts = owner == DEALER and state.rules.reveal == "none"
    for number, seat in enumerate(state.seats):
        is_ban = state.specials_shown and _is_ban(state, number)
        is_shown = seat.settlement is not None or is_ban
        cards: tuple[Any, ...] = ("closed", 0 if hides_counts else len(seat.cards))
        if is_shown:
            is_known = is_ban or information == "full"
            cards = _classes(seat.cards) if is_known else ("shown", len(seat.cards))
        story.append((number, cards, _opened_at(state, number)))
    return tuple(story)


def _is_ban(state: GameState, seat: int) -> bool:
    return len(state.seats[seat].cards) == 2 and state.hand_value(seat).is_ban


def _opened_at(state: GameState, seat: int) -> int:
    """Return how many cards the dealer held when a seat was opened; the dealer remembers it."""
    held = 2
    for action in state.history:
        held += action.kind is ActionKind.DRAW
        if action.kind is ActionKind.REVEAL and action.seat == seat:
            return held
    return 0


def _in_order(cards: tuple[int, ...]) -> tuple[Any, ...]:
    return (_classes(cards[:2]), tuple(point_class(card) for card in cards[2:]))


def _classes(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(point_class(card) for card in cards))


def _take(deck: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    taken: list[int] = []
    for point in points:
        taken.append(next(card for card in deck if point_class(card) == point and card not in taken))
    return tuple(taken)
