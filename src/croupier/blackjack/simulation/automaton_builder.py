"""Building the automaton of a single player's round: every state that rules and charts can lead to, and where each card leads from there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.engine.permissions import (
    HandFacts,
    dealer_draws,
    most_hands,
    surrenders_early,
    why_not_double,
    why_not_hit,
    why_not_surrender,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.simulation.count_kernel import FIRST_CHOICE
from croupier.blackjack.simulation.round_automaton import (
    DEALER_DONE,
    FIRST_STATE,
    HAND_DONE,
    POINTS,
    SPLIT,
    Arrows,
    Choice,
    Ending,
    RoundAutomaton,
    row_of_two,
)
from croupier.blackjack.simulation.round_terms import SOFT, hands_after_cards
from croupier.blackjack.simulation.split_states import (
    FLAG_SHIFT,
    SEVERAL_HANDS,
    DealerCode,
    HandCode,
    SplitCardWaits,
    SplitHandWaits,
    dealer_code,
    hand_code,
    settlements,
)
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart
from croupier.blackjack.solvers.chart_moves import first_move, move_of, row_of_hand
from croupier.cards import ACE_CLASS, TEN_CLASS

#: Plain lists: looked up far faster than arrays, one number at a time.
_AFTER: list[list[int]] = hands_after_cards().tolist()

#: What a hand waits for, beside a total to compare: the news whether the dealer has a natural.
_NATURAL, _SURRENDERED, _BUST = "natural", "surrendered", "bust"

#: The stake in the dealer's states after a split: each hand has its own.
_NO_STAKE = 0

#: Totals below 17 win and lose alike.
_LOWEST_TOTAL = 16

#: The moves of a cell, each with the count from which it is made; the first is made at any count below.
_Moves = tuple[tuple[int, Move], ...]
_ANY_COUNT = -(2**15)


@dataclass(frozen=True, slots=True)
class _PlayerWaits:
    """A card for the player; ``dealer`` is the dealer's hand with the hole card, 0 where there is none."""

    doubles: bool
    hand: int
    up_card: int
    dealer: int


@dataclass(frozen=True, slots=True)
class _UpCardWaits:
    """The dealer's second card, at a table without a hole card."""

    fate: int | str
    stake: int
    up_card: int


@dataclass(frozen=True, slots=True)
class _DealerWaits:
    """A further card for the dealer."""

    fate: int
    stake: int
    dealer: int


_State = _PlayerWaits | _UpCardWaits | _DealerWaits | SplitCardWaits | SplitHandWaits


def merge_states(targets: NDArray[np.int64]) -> tuple[Arrows, Arrows]:
    """Give one number to states from which the same cards always lead to the same endings; fewer states stay in faster memory.

    States are told apart by where their arrows lead, again and again until no more are. (E. F. Moore, "Gedanken-experiments on
    sequential machines", Automata Studies, 1956.)

    Returns
    -------
    renumbered, step
        The new arrow for each old one, and the arrows of the new states in the form of ``RoundAutomaton.step``.

    Examples
    --------
    >>> first, second, other = (FIRST_STATE + POINTS * place for place in range(3))
    >>> renumbered, step = merge_states(np.array([[1] * 10, [1] * 10, [2] * 10]))
    >>> bool(renumbered[first] == renumbered[second] != renumbered[other]), len(step) - FIRST_STATE
    (True, 20)
    """
    renumbered = np.arange(2**16)
    renumbered[FIRST_STATE : FIRST_STATE + targets.size] = FIRST_STATE
    count, is_finer = 0, True
    while is_finer:
        lines, places, states = np.unique(renumbered[targets], axis=0, return_index=True, return_inverse=True)
        renumbered[FIRST_STATE : FIRST_STATE + targets.size] = np.repeat(
            FIRST_STATE + POINTS * states.reshape(-1), POINTS
        )
        is_finer, count = len(lines) > count, len(lines)
    step = np.concatenate([np.zeros(FIRST_STATE, dtype=np.int64), renumbered[targets[places]].reshape(-1)])
    return renumbered.astype(np.uint16), step.astype(np.uint16)


def build_automaton(
    rules: BlackjackRules, chart: Chart, by_count: tuple[tuple[int, Chart], ...] = ()
) -> RoundAutomaton:
    """Work out every state that a single player's round can come to; ``by_count`` are charts that replace the first one from a count on.

    Examples
    --------
    >>> stand = Chart.uniform("S")
    >>> automaton = build_automaton(BlackjackRules(), stand)
    >>> automaton.endings[automaton.deal[8_8_9_8]]  # the player has ten and ace, the dealer two tens
    Ending(outcome=<Outcome.NATURAL: 'natural'>, stake=1, won=1.5)
    """
    return _Builder(rules, chart, by_count).build()


class _Builder:
    """Numbers states and endings as it comes to them."""

    def __init__(self, rules: BlackjackRules, chart: Chart, by_count: tuple[tuple[int, Chart], ...]) -> None:
        self.rules, self.chart, self.by_count = rules, chart, by_count
        self.endings: dict[Ending, int] = {}
        self.numbers: dict[_State, int] = {}
        self.waiting: list[_State] = []
        self.choices: dict[Choice, int] = {}
        self.first_moves = cache(self._find_first_moves)
        self.later_moves = cache(self._find_later_moves)

    def build(self) -> RoundAutomaton:
        peeks = self.rules.hole_card == "peek"
        size = 4 if peeks else 3
        deal = np.zeros(POINTS**size, dtype=np.uint16)
        for place, points in enumerate(np.ndindex(*[POINTS] * size)):
            deal[place] = self._dealt(*points)
        split, dealer = self._split_tables()
        arrows: dict[int, list[int]] = {}
        while self.waiting:
            state = self.waiting.pop()
            arrows[self.numbers[state]] = [self._after(state, point) for point in range(POINTS)]
        targets = np.array([arrows[number] for number in sorted(arrows)]).reshape(-1, POINTS)
        renumbered, step = merge_states(targets)
        settle = settlements(self.rules, self._end)
        hands = np.array([most_hands(self.rules, point) for point in range(POINTS)], dtype=np.uint8)
        choices = tuple(
            choice._replace(below=int(renumbered[choice.below]), reached=int(renumbered[choice.reached]))
            for choice in self.choices
        )
        return RoundAutomaton(
            renumbered[deal], step, renumbered[split], renumbered[dealer], settle, hands, tuple(self.endings),
            self._table_of_first_moves(), choices,
        )  # fmt: skip

    def _split_tables(self) -> tuple[Arrows, Arrows]:
        """Tabulate where the hands of a split begin, and where the dealer does after them."""
        split = np.zeros((POINTS, POINTS, 2), dtype=np.uint16)
        for pair, up_card, again in np.ndindex(split.shape):
            if Move.SPLIT in dict(self.first_moves(pair, pair, up_card)).values():
                split[pair, up_card, again] = self._number(SplitCardWaits(pair, up_card, bool(again)))
        dealer = np.full((POINTS, 4, POINTS), DEALER_DONE + DealerCode.BUST, dtype=np.uint16)
        if not split.any():
            return split.reshape(-1), dealer.reshape(-1)
        for up_card, flags, hole_card in np.ndindex(dealer.shape):
            waits = HandCode(flags << FLAG_SHIFT)
            if self.rules.hole_card != "peek" and waits & HandCode.WAITS:
                fate = SEVERAL_HANDS if waits & HandCode.LIVE else _BUST
                state = _UpCardWaits(fate, _NO_STAKE, up_card)
                dealer[up_card, flags, hole_card] = self._number(state)
            elif waits & HandCode.LIVE:
                hand = _AFTER[_AFTER[0][up_card]][hole_card]
                dealer[up_card, flags, hole_card] = self._dealers_turn(SEVERAL_HANDS, _NO_STAKE, hand)
        return split.reshape(-1), dealer.reshape(-1)

    def _dealt(self, first: int, up_card: int, second: int, hole_card: int | None = None) -> int:
        hand, rules = _AFTER[_AFTER[0][first]][second], self.rules
        is_21 = hand == 21 + SOFT
        natural = is_21 and rules.natural_beats_21
        dealer = 0 if hole_card is None else _AFTER[_AFTER[0][up_card]][hole_card]
        dealer_natural = dealer == 21 + SOFT and rules.natural_beats_21
        if natural and dealer_natural:
            return self._end(Outcome.PUSH, 1, 0)
        if natural:
            is_open = hole_card is None and self._may_be_natural(up_card)
            if is_open and not rules.twenty_one_pays_at_once:
                return self._number(_UpCardWaits(_NATURAL, 1, up_card))
            return self._natural()

        def follow(move: Move) -> int:
            if dealer_natural and not (move is Move.SURRENDER and surrenders_early(rules)):
                return self._end(Outcome.DEALER_NATURAL, 1, -1)
            return self._after_first_move(move, hand, up_card, dealer)

        moves = ((_ANY_COUNT, Move.NONE),) if is_21 else self.first_moves(first, second, up_card)
        return self._by_count(moves, follow, is_first=True)

    def _after_first_move(self, move: Move, hand: int, up_card: int, dealer: int) -> int:
        match move:
            case Move.SURRENDER:
                return self._surrendered(up_card)
            case Move.SPLIT:
                return SPLIT
            case Move.HIT | Move.DOUBLE:
                return self._number(_PlayerWaits(move is Move.DOUBLE, hand, up_card, dealer))
            case _:
                return self._stood(hand, 1, up_card, dealer)

    def _after(self, state: _State, point: int) -> int:
        match state:
            case _PlayerWaits():
                return self._after_players_card(state, _AFTER[state.hand][point])
            case _UpCardWaits():
                return self._after_second_card(state, point)
            case _DealerWaits():
                return self._dealers_turn(state.fate, state.stake, _AFTER[state.dealer][point])
            case SplitCardWaits():
                return self._after_split_card(state, point)
            case SplitHandWaits():
                hand = _AFTER[state.hand][point]
                return self._split_hand_goes_on(hand, state.up_card, doubled=state.doubles)

    def _after_players_card(self, state: _PlayerWaits, hand: int) -> int:
        stake = 2 if state.doubles else 1
        total = hand % SOFT
        if total > 21:
            keeps_second_bet = self.rules.hole_card == "no-peek-original-bet" and stake == 2
            if keeps_second_bet and self._may_be_natural(state.up_card):
                return self._number(_UpCardWaits(_BUST, stake, state.up_card))
            return self._end(Outcome.BUST, stake, -stake)
        if total == 21 or state.doubles:
            return self._stood(hand, stake, state.up_card, state.dealer)
        return self._by_count(
            self.later_moves(hand, state.up_card),
            lambda move: (
                self._number(_PlayerWaits(False, hand, state.up_card, state.dealer))
                if move is Move.HIT
                else self._stood(hand, stake, state.up_card, state.dealer)
            ),
        )

    def _after_split_card(self, state: SplitCardWaits, point: int) -> int:
        """Follow a hand of a split that has got its second card."""
        pair, up_card = state.pair, state.up_card
        hand = _AFTER[_AFTER[0][pair]][point]
        facts = HandFacts(hand % SOFT, hand > SOFT, from_split=True, is_split_ace=pair == ACE_CLASS)
        allowed = Allowed.NOTHING
        if why_not_hit(self.rules, facts) is None:
            allowed |= Allowed.HIT
        if why_not_double(self.rules, facts) is None:
            allowed |= Allowed.DOUBLE
        if point == pair and state.may_split:
            allowed |= Allowed.SPLIT
        if not allowed:
            return self._split_hand_ends(hand, 1, up_card)

        def follow(move: Move) -> int:
            match move:
                case Move.SPLIT:
                    return SPLIT
                case Move.HIT | Move.DOUBLE:
                    return self._number(SplitHandWaits(move is Move.DOUBLE, hand, up_card))
                case _:
                    return self._split_hand_ends(hand, 1, up_card)

        return self._by_count(
            self._moves(lambda chart: self._first_move_by(chart, pair, point, up_card, allowed)), follow
        )

    def _split_hand_goes_on(self, hand: int, up_card: int, *, doubled: bool) -> int:
        if hand % SOFT >= 21 or doubled:
            return self._split_hand_ends(hand, 2 if doubled else 1, up_card)
        return self._by_count(
            self.later_moves(hand, up_card),
            lambda move: (
                self._number(SplitHandWaits(False, hand, up_card))
                if move is Move.HIT
                else self._split_hand_ends(hand, 1, up_card)
            ),
        )

    def _split_hand_ends(self, hand: int, stake: int, up_card: int) -> int:
        natural = self._may_be_natural(up_card)
        return HAND_DONE + hand_code(hand % SOFT, stake, self.rules, may_be_natural=natural)

    def _stood(self, hand: int, stake: int, up_card: int, dealer: int) -> int:
        total = hand % SOFT
        if total == 21 and self.rules.twenty_one_pays_at_once:
            return self._end(Outcome.TWENTY_ONE, stake, stake)
        fate = max(total, _LOWEST_TOTAL)
        if dealer == 0:
            return self._number(_UpCardWaits(fate, stake, up_card))
        return self._dealers_turn(fate, stake, dealer)

    def _after_second_card(self, state: _UpCardWaits, point: int) -> int:
        dealer = _AFTER[_AFTER[0][state.up_card]][point]
        if dealer == 21 + SOFT and self.rules.natural_beats_21:
            if state.stake == _NO_STAKE:
                return DEALER_DONE + DealerCode.NATURAL
            if state.fate == _NATURAL:
                return self._end(Outcome.PUSH, 1, 0)
            lost = 1 if self.rules.hole_card == "no-peek-original-bet" else state.stake
            return self._end(Outcome.DEALER_NATURAL, state.stake, -lost)
        if isinstance(state.fate, int):
            return self._dealers_turn(state.fate, state.stake, dealer)
        if state.fate == _NATURAL:
            return self._natural()
        if state.fate == _BUST and state.stake == _NO_STAKE:
            return DEALER_DONE + DealerCode.BUST
        if state.fate == _BUST:
            return self._end(Outcome.BUST, state.stake, -state.stake)
        return self._end(Outcome.SURRENDER, 1, -float(self.rules.surrender_loss))

    def _dealers_turn(self, fate: int, stake: int, dealer: int) -> int:
        total = dealer % SOFT
        if dealer_draws(self.rules, total, dealer > SOFT):
            return self._number(_DealerWaits(fate, stake, dealer))
        if fate == SEVERAL_HANDS:
            return DEALER_DONE + dealer_code(total, self.rules)
        pushes = total == 22 and self.rules.dealer_22_pushes
        if total > 21 and not pushes:
            return self._end(Outcome.DEALER_BUST, stake, stake)
        if fate == total or pushes:
            return self._end(Outcome.PUSH, stake, 0)
        return (
            self._end(Outcome.WIN, stake, stake) if fate > total else self._end(Outcome.LOSS, stake, -stake)
        )

    def _surrendered(self, up_card: int) -> int:
        hears_first = self.rules.hole_card != "peek" and not surrenders_early(self.rules)
        if hears_first and self._may_be_natural(up_card):
            return self._number(_UpCardWaits(_SURRENDERED, 1, up_card))
        return self._end(Outcome.SURRENDER, 1, -float(self.rules.surrender_loss))

    def _natural(self) -> int:
        return self._end(Outcome.NATURAL, 1, float(self.rules.natural_fraction))

    def _may_be_natural(self, up_card: int) -> bool:
        return self.rules.natural_beats_21 and up_card in (TEN_CLASS, ACE_CLASS)

    def _table_of_first_moves(self) -> NDArray[np.uint8]:
        variants = max((choice.variant for choice in self.choices), default=0) + 1
        moves = np.zeros((variants, len(ROWS), POINTS), dtype=np.uint8)
        for first, second, up_card in np.ndindex(POINTS, POINTS, POINTS):
            if _AFTER[_AFTER[0][first]][second] != 21 + SOFT:
                for variant, (_, move) in enumerate(self.first_moves(first, second, up_card)):
                    moves[variant, row_of_two(first, second), up_card] = move.number
        return moves

    def _by_count(self, moves: _Moves, follow: Callable[[Move], int], *, is_first: bool = False) -> int:
        """Return the arrow that follows a move, or a choice between those that follow several."""
        arrow = before = follow(moves[0][1])
        for variant, (index, move) in enumerate(moves[1:], 1):
            reached = follow(move)
            if reached != before:
                choice = Choice(index, arrow, reached, variant if is_first else 0)
                arrow = self.choices.setdefault(choice, FIRST_CHOICE + len(self.choices))
            before = reached
        return arrow

    def _moves(self, find: Callable[[Chart], Move]) -> _Moves:
        """List the moves that charts make, each with the count from which it is made."""
        moves = [(_ANY_COUNT, find(self.chart))]
        for index, chart in self.by_count:
            move = find(chart)
            if move is not moves[-1][1]:
                moves.append((index, move))
        return tuple(moves)

    def _find_later_moves(self, hand: int, up_card: int) -> _Moves:
        cell = ROWS[row_of_hand(hand % SOFT, hand > SOFT)], UP_CARDS[up_card]
        return self._moves(lambda chart: move_of(chart[cell], Allowed.HIT, self.rules) or Move.STAND)

    def _find_first_moves(self, first: int, second: int, up_card: int) -> _Moves:
        allowed = self._allowed(first, second, up_card)
        return self._moves(lambda chart: self._first_move_by(chart, first, second, up_card, allowed))

    def _first_move_by(self, chart: Chart, first: int, second: int, up_card: int, allowed: Allowed) -> Move:
        return first_move(chart, first, second, up_card, allowed, self.rules)

    def _allowed(self, first: int, second: int, up_card: int) -> Allowed:
        rules, hand = self.rules, _AFTER[_AFTER[0][first]][second]
        allowed = Allowed.HIT
        if why_not_double(rules, HandFacts(hand % SOFT, hand > SOFT)) is None:
            allowed |= Allowed.DOUBLE
        if first == second and most_hands(rules, first) > 1:
            allowed |= Allowed.SPLIT
        if why_not_surrender(rules, against_ace=up_card == ACE_CLASS) is None:
            allowed |= Allowed.SURRENDER
        return allowed

    def _number(self, state: _State) -> int:
        number = self.numbers.get(state)
        if number is None:
            number = self.numbers[state] = FIRST_STATE + POINTS * len(self.numbers)
            self.waiting.append(state)
        return number

    def _end(self, outcome: Outcome, stake: int, won: float) -> int:
        return self.endings.setdefault(Ending(outcome, stake, won), len(self.endings))
