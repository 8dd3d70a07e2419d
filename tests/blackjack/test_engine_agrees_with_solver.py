"""The readable engine, played out over every order of the cards of tiny shoes, earns exactly what the solver says."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from croupier.blackjack.engine import (
    Action,
    ActionKind,
    BlackjackRules,
    RoundState,
    act,
    cards_needed,
    forced_action,
    legal_actions,
    start_round,
)
from croupier.blackjack.engine.moves import DOUBLE, HIT, MOVES, STAND, SURRENDER
from croupier.blackjack.solvers.exact import Analysis, HandAnalysis, analyse, up_card_table
from croupier.blackjack.solvers.hands import Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.cards import RANK_LETTERS, point_class

Counts = tuple[int, ...]
KINDS = {
    STAND: ActionKind.STAND,
    HIT: ActionKind.HIT,
    DOUBLE: ActionKind.DOUBLE,
    SURRENDER: ActionKind.SURRENDER,
}
FIRST = {
    "stand": ActionKind.STAND,
    "hit": ActionKind.HIT,
    "double": ActionKind.DOUBLE,
    "split": ActionKind.SPLIT,
    "surrender": ActionKind.SURRENDER,
}


def shown_in(hand: HandAnalysis) -> tuple[int, ...]:
    return (hand.up_card,) if hand.hole_card is None else (hand.up_card, hand.hole_card)


class Policy:
    """The solver's composition-dependent decisions, as a player at the engine's table would take them."""

    def __init__(self, rules: BlackjackRules, shoe: ShoeCounts, analysis: Analysis) -> None:
        self._rules, self._shoe, self._analysis = rules, shoe, analysis
        self._table, self._after_split = cache(self._make_table), cache(self._decisions_after_split)

    def __call__(self, state: RoundState) -> Action:
        assert state.turn is not None
        assert state.up_card is not None
        legal = {action.kind: action for action in legal_actions(state)}
        if len(legal) == 1:
            return next(iter(legal.values()))
        hand = state.seats[0].hands[state.turn.hand]
        up_card = tuple(sorted(point_class(card) for card in state.visible_dealer_cards))
        classes = tuple(sorted(point_class(card) for card in hand.cards))
        if not hand.from_split and len(classes) == 2:
            return self._first_decision(legal, classes, up_card)
        table, decision, _ = self._table(up_card)
        index = table.space.find(classes)
        if hand.is_doubled:
            return legal[ActionKind(MOVES[table.doubled_moves[hand.doubles - 1, index]].value)]
        if hand.from_split:
            pair = classes[0] == classes[-1] == point_class(hand.cards[0])
            if pair and ActionKind.SPLIT in legal:
                return legal[ActionKind.SPLIT]  # a pair that was split is split as long as it may be
            decision = self._after_split(up_card, point_class(hand.cards[0]))
        return legal[KINDS[int(decision[index])]]

    def _first_decision(
        self, legal: dict[ActionKind, Action], classes: tuple[int, ...], up_card: tuple[int, ...]
    ) -> Action:
        hands = [h for h in self._analysis.hands if h.hand == classes and shown_in(h) == up_card]
        assert len(hands) == 1
        if ActionKind.KEEP in legal:
            surrenders = hands[0].value == -float(self._rules.surrender_loss) and hands[0].best == "surrender"
            return legal[ActionKind.SURRENDER if surrenders else ActionKind.KEEP]
        playable = {name: worth for name, worth in hands[0].actions.items() if FIRST[name] in legal}
        return legal[FIRST[max(playable, key=lambda name: playable[name])]]

    def _decisions_after_split(self, up_card: tuple[int, ...], split: int) -> Integers:
        table, decision, hit_or_stand = self._table(up_card)
        return table.decisions_after_split(split, decision, hit_or_stand)

    def _make_table(self, up_card: tuple[int, ...]) -> tuple[UpCard, Integers, Integers]:
        hole_card = up_card[1] if len(up_card) > 1 else None
        table = up_card_table(self._rules, self._shoe, up_card[0], hole_card)
        return table, table.best_decisions(), table.hits_or_stands()


def expected_result(state: RoundState, left: Counts, choose: Callable[[RoundState], Action]) -> float:
    """Play a round out over every next card."""
    if state.is_over:
        assert state.results[0] is not None
        return state.results[0]
    action = forced_action(state) or choose(state)
    needed = cards_needed(state, action)
    assert needed <= sum(left), "the shoe runs out: the case proves nothing"
    total = 0.0
    for ranks, chance, rest in draws(left, needed):
        total += chance * expected_result(
            act(state, Action(action.kind, action.seat, cards_of(ranks))), rest, choose
        )
    return total


@cache
def draws(left: Counts, number: int) -> tuple[tuple[tuple[int, ...], float, Counts], ...]:
    """Return every sequence of ranks with its chance and what it leaves."""
    if number == 0:
        return (((), 1.0, left),)
    return tuple(
        ((rank, *ranks), chance * count / sum(left), after)
        for rank, count in enumerate(left)
        if count
        for ranks, chance, after in draws((*left[:rank], count - 1, *left[rank + 1 :]), number - 1)
    )


def cards_of(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Choose real cards of the ranks: with eight packs, any suit will do."""
    return tuple(4 * rank for rank in ranks)


def shoe_of(text: str) -> tuple[Counts, ShoeCounts]:
    counts = tuple(text.count(letter) for letter in RANK_LETTERS)
    return counts, ShoeCounts(np.array(counts, dtype=float))


CASES: list[tuple[str, dict[str, object]]] = [
    ("8 8 8 8 T T T T 9 9 9 9", {}),
    ("8 8 8 8 T T T T 9 9 9 9", {"split_hands": 3, "double_after_split": False}),
    ("A A A T T T T T T 9 9 9 9 9 9 9", {"resplit_aces": True}),
    ("A A T T T T T 9 9 9 9 8 8 8", {"hole_card": "no-peek"}),
    ("A A T T T T T 9 9 9 9 8 8 8", {"hole_card": "no-peek-original-bet"}),
    ("A T T T T T 6 6 9 9 9 9 9", {"surrender": "late", "soft17": "hit"}),
    ("A T T T T T 6 6 9 9 9 9 9", {"surrender": "early"}),
    ("A T T T T T 6 6 9 9 9 9 9", {"surrender": "late", "surrender_returns": "1/4"}),
    ("6 6 6 T T T T T T T 9 9 9 9", {"double": "9-11", "split_hands": 3}),
    (
        "A A A 9 9 9 9 9 T T T T T 8 8 8",
        {"hit_split_aces": True, "double_split_aces": True, "split_hands": 2},
    ),
    ("A A T T T 7 7 7 7 9 9 9", {"twenty_one_pays_at_once": True}),
    ("A A T T T 7 7 7 7 9 9 9", {"natural_beats_21": False, "hole_card": "no-peek"}),
    ("A T T T T T 6 6 6 6 9 9 8", {"dealer_22_pushes": True}),
    ("2 3 4 5 6 T T T T 9 9", {"double_any_cards": True, "double_rescue": True, "split_hands": 1}),
    ("2 3 4 5 5 T T T T 9 9", {"redoubles": 2, "hole_card": "no-peek", "split_hands": 1}),
    ("8 8 8 3 3 2 T T T T 9 9 9", {"double_rescue": True, "hole_card": "no-peek", "split_hands": 3}),
    ("8 8 8 3 2 A T T T T 9 9 9", {"free_doubles": True, "free_splits": True, "dealer_22_pushes": True}),
    ("A A T T T T 9 9 9 8", {"natural_always_wins": True, "split_hands": 1}),
    ("2 2 3 3 4 4 5 T T T 9", {"bonus_21": "spanish-21", "split_hands": 1}),
    ("8 8 8 A A 6 T T T T 9 9 9", {"hole_card": "open", "ties_lose": True, "split_hands": 3}),
    ("8 8 A A 7 T T T T 9 9 9", {"hole_card": "open", "surrender": "late", "natural_always_wins": True}),
    ("8 8 8 3 2 6 T T T T 9 9 9", {"surrender": "late", "surrender_any_cards": True, "split_hands": 3}),
    (
        "8 8 8 5 A T T T T T 9 9 9",
        {
            "surrender": "late",
            "surrender_any_cards": True,
            "hole_card": "no-peek",
            "surrender_returns": "2/3",
        },
    ),
]

#: Cases with the most rounds, whose rules other cases come close to.
LONG_CASES = ("resplit_aces", "no-peek-original-bet", "early")


def case(text: str, options: dict[str, object]) -> object:
    is_long = any(word in str(options) for word in LONG_CASES)
    return pytest.param(text, options, marks=[pytest.mark.verify] * is_long, id=f"{text} {options}")


@pytest.mark.parametrize(("text", "options"), [case(*given) for given in CASES])
def test_the_engine_earns_what_the_solver_says(text: str, options: dict[str, object]) -> None:
    rules = BlackjackRules.create({"decks": 8, "insurance": False, **options})
    counts, shoe = shoe_of(text)
    analysis = analyse(rules, shoe)
    policy = Policy(rules, shoe, analysis)
    played = expected_result(start_round(rules, bets=[1]), counts, policy)
    assert played == pytest.approx(analysis.value, abs=1e-12)
