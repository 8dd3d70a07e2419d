"""The simulator's kernels play as the readable engine does: card by card, over random rules, charts, counts and seats."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from croupier.blackjack.engine import (
    Action,
    ActionKind,
    BlackjackRules,
    BlackjackShoe,
    Phase,
    RoundState,
    SideBets,
    Table,
    evaluate,
    legal_actions,
    pack_of,
)
from croupier.blackjack.engine.legality import why_not
from croupier.blackjack.engine.moves import MOVES, Move
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.simulation import round_terms as kernel
from croupier.blackjack.simulation import shoe_kernel as shoes
from croupier.blackjack.simulation import table_kernel
from croupier.blackjack.simulation.chart_play import Deviation
from croupier.blackjack.simulation.counted_play import ALWAYS, CountedPlay
from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.single_seat import (
    add_counts,
    count_of,
    dealing_of,
    empty_counts,
    is_simple,
    never_runs_out,
    paths_of,
)
from croupier.blackjack.simulation.single_seat_kernel import General, play_alone
from croupier.blackjack.simulation.table_setup import PACK, Seating, setup_of, shoe_of
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import DEALER_TOTALS, PAIR_ROWS, ROWS, Chart, Code
from croupier.blackjack.solvers.chart_moves import columns_for
from croupier.blackjack.solvers.doubled_hands import doubled_plan
from croupier.cards import CardError, parse_card, point_class, rank_of
from tests.blackjack.rule_sets import USUAL, rule_sets

HIT, STAND, DOUBLE, SPLIT, SURRENDER = (
    ActionKind.HIT,
    ActionKind.STAND,
    ActionKind.DOUBLE,
    ActionKind.SPLIT,
    ActionKind.SURRENDER,
)

#: The table of codes in the words of ``chart``; None: ask the row of the total.
WORDS: dict[Code, tuple[ActionKind | None, ...]] = {
    Code.HIT: (HIT, STAND),
    Code.STAND: (STAND,),
    Code.DOUBLE: (DOUBLE, HIT, STAND),
    Code.DOUBLE_OR_STAND: (DOUBLE, STAND),
    Code.SPLIT: (SPLIT, None),
    Code.SPLIT_OR_HIT: (SPLIT, HIT, STAND),
    Code.SPLIT_OR_STAND: (SPLIT, STAND),
    Code.SURRENDER: (SURRENDER, HIT, STAND),
    Code.SURRENDER_OR_STAND: (SURRENDER, STAND),
    Code.SURRENDER_OR_SPLIT: (SURRENDER, SPLIT, None),
}
ON_TOTALS = [code for code in Code if code not in (Code.SPLIT, Code.SURRENDER_OR_SPLIT)]


@dataclass(frozen=True, slots=True)
class OrderedShoe(BlackjackShoe):
    """A shoe whose discards are used again in the order in which they lie."""

    def _refilled(self) -> "OrderedShoe":
        assert not self.is_infinite, "the test gives an infinite shoe cards enough"
        return replace(
            self,
            order=self.order[self.round_start :] + self.discards,
            dealt=self.dealt - self.round_start,
            round_start=0,
            refills=self.refills + 1,
            reused=self.reused + self.round_start,
        )


def shown_column(state: RoundState) -> int:
    """Return the chart's column: of the up-card, or of the dealer's total where both cards lie open."""
    assert state.up_card is not None
    if state.rules.hole_card != "open":
        return point_class(state.up_card)
    value = evaluate(state.dealer_cards[:2])
    return DEALER_TOTALS.index(f"soft {value.total}" if value.is_soft else f"{value.total}")


@dataclass(frozen=True, slots=True)
class EnginePlayer:
    """Plays a chart by the count of what has been seen."""

    table: Chart
    play: CountedPlay

    def rounds(
        self, rules: BlackjackRules, shoe: OrderedShoe, seats: int
    ) -> Iterator[tuple[RoundState, OrderedShoe, int, int]]:
        """Play a shoe to its end: each round's last state, the shoe after it, the running count, and the bet."""
        while not shoe.needs_shuffle:
            bet = self._bet(self._count_before(shoe), len(shoe.undealt))
            table = Table.opened(rules, shoe, [bet] * seats, [SideBets(1, 1, 1, 1, 1, 1, 1)] * seats)
            while legal := legal_actions(table.state):
                table = table.act(self._choose(table, legal))
            assert isinstance(table.shoe, OrderedShoe)
            shoe = table.shoe
            yield table.state, shoe, self._count(table), bet

    def _choose(self, table: Table, legal: tuple[Action, ...]) -> Action:
        actions = {action.kind: action for action in legal}
        state = table.state
        if len(actions) == 1:
            return legal[0]
        if state.phase is Phase.INSURANCE:
            index = self.play.insurance_at
            takes = index is not None and (index == ALWAYS or self._measure(table) >= index)
            return actions[ActionKind.INSURE if takes else ActionKind.DECLINE]
        assert state.turn is not None
        doubles = state.seats[state.turn.seat].hands[state.turn.hand].doubles
        if doubles:
            return actions[self._doubled_move(state, doubles)]
        is_early = state.phase is Phase.EARLY_SURRENDER
        possible = self._possible_later(state) if is_early else set(actions)
        for row in self._rows(state):
            code = self._code(row, table)
            wishes = WORDS[code]
            if code in (Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND) and not state.rules.double_after_split:
                wishes = wishes[1:]
            wish = next(wish for wish in wishes if wish is None or wish in possible)
            if is_early and wish is not None:
                return actions[SURRENDER if wish is SURRENDER else ActionKind.KEEP]
            if wish is not None:
                return actions[wish]
        raise AssertionError("the row of a total always knows what to do")

    def _doubled_move(self, state: RoundState, doubles: int) -> ActionKind:
        """Return what the plan for doubled hands does."""
        assert state.turn is not None
        assert state.up_card is not None
        value = state.hand_value(*state.turn)
        plan = doubled_plan(state.rules)[doubles - 1, value.total + 32 * value.is_soft]
        return ActionKind(MOVES[plan[shown_column(state)]].value)

    def _possible_later(self, state: RoundState) -> set[ActionKind]:
        """Tell what a player who is asked early to surrender could do instead, as far as it decides the answer."""
        assert state.turn is not None
        splits = {SPLIT} if why_not(state, state.turn, Move.SPLIT) is None else set()
        return {SURRENDER, HIT, STAND, DOUBLE} | splits

    def _rows(self, state: RoundState) -> Iterator[str]:
        """Yield the row of the hand, and for a pair the row of its total behind it."""
        assert state.turn is not None
        cards = state.seats[state.turn.seat].hands[state.turn.hand].cards
        value = state.hand_value(*state.turn)
        if len(cards) == 2 and point_class(cards[0]) == point_class(cards[1]):
            yield PAIR_ROWS[point_class(cards[0])]
        yield f"soft {value.total}" if value.is_soft else str(value.total)

    def _code(self, row: str, table: Table) -> Code:
        up_card = self.table.columns[shown_column(table.state)]
        reached = [
            deviation
            for deviation in self.play.deviations
            if (deviation.row, deviation.up_card) == (row, up_card)
            and self._measure(table) >= deviation.at_least
        ]
        if reached:
            return max(reached, key=lambda deviation: deviation.at_least).code
        return self.table[row, up_card]

    def _bet(self, running: int, unseen: int) -> int:
        ramp = self.play.ramp
        place = self._divided(running, unseen) - self.play.ramp_start
        return ramp[min(max(place, 0), len(ramp) - 1)]

    def _measure(self, table: Table) -> int:
        hidden = len(table.state.dealer_cards) - len(table.state.visible_dealer_cards)
        return self._divided(self._count(table), len(table.shoe.undealt) + hidden)

    def _divided(self, running: int, unseen: int) -> int:
        if not self.play.is_true:
            return running
        step = self.play.estimate
        packs = max(math.floor(unseen / step + 0.5), 1) * step / 52
        quotient = running / packs
        match self.play.rounding:
            case "floor":
                return math.floor(quotient)
            case "truncate":
                return math.trunc(quotient)
            case "nearest":
                return math.floor(quotient + 0.5)

    def _count_before(self, shoe: BlackjackShoe) -> int:
        return self._tags(shoe.order[: shoe.dealt])

    def _count(self, table: Table) -> int:
        """Count the discards and what lies open on the table."""
        state = table.state
        players = [card for seat in state.seats for hand in seat.hands for card in hand.cards]
        return self._tags((*table.shoe.discards, *players, *state.visible_dealer_cards))

    def _tags(self, cards: tuple[int, ...]) -> int:
        return self.play.initial + sum(self.play.tags[rank_of(card)] for card in cards)


def random_rules(chance: random.Random, **fixed: object) -> BlackjackRules:
    """Deal every option at random, so that what is rare at real tables comes up too."""
    return next(rule_sets(chance.random(), **fixed))


def random_table(chance: random.Random, rules: BlackjackRules) -> Chart:
    """Choose every code at random, pairs split more often than not, and small totals drawn to."""
    cells = {}
    for row in ROWS:
        for up_card in columns_for(rules):
            if row in PAIR_ROWS:
                cells[row, up_card] = chance.choice([*Code, Code.SPLIT, Code.SPLIT, Code.SPLIT])
            elif row.isdecimal() and int(row) < 12:
                cells[row, up_card] = chance.choice([Code.HIT, Code.DOUBLE, Code.SURRENDER, *ON_TOTALS])
            else:
                cells[row, up_card] = chance.choice(ON_TOTALS)
    return Chart.from_cells(cells)


def random_play(chance: random.Random, rules: BlackjackRules) -> CountedPlay:
    """Choose a count, bets and deviations."""
    deviations = tuple(
        Deviation(row, chance.choice(columns_for(rules)), chance.randint(-4, 4), chance.choice(ON_TOTALS))
        for row in chance.choices(ROWS, k=chance.choice((0, 30, 90)))
    )
    return CountedPlay(
        tags=tuple(chance.randint(-2, 2) for _ in range(13)),
        initial=chance.choice((0, -4, -20)),
        is_true=chance.choice((True, True, False)),
        rounding=chance.choice(("floor", "truncate", "nearest")),
        estimate=chance.choice((1, 26, 52)),
        ramp=chance.choice(((1,), (3,), (1, 2, 4), (2, 1, 8, 10))),
        ramp_start=chance.choice((-2, 0, 1)),
        insurance_at=chance.choice((None, ALWAYS, -1, 0, 2)),
        deviations=tuple({(d.row, d.up_card, d.at_least): d for d in deviations}.values()),
    )


def random_order(rules: BlackjackRules, chance: random.Random) -> tuple[int, ...]:
    """Shuffle the packs of a table; of an infinite shoe, give more cards than it can take."""
    if rules.decks == "infinite":
        return tuple(chance.choices(pack_of(rules), k=1500))
    cards = pack_of(rules) * rules.decks
    chance.shuffle(cards)
    return tuple(cards)


def stacked_shoe(rules: BlackjackRules, order: tuple[int, ...]) -> OrderedShoe:
    """Put cards into a shoe in this order."""
    cut = BlackjackShoe.shuffled(rules, seed=0).cut
    return OrderedShoe(order, cut, seed=0, is_infinite=rules.decks == "infinite")


@dataclass
class KernelTable:
    """The general kernel at a table whose shoe lies in a given order."""

    seating: Seating
    order: tuple[int, ...]

    def __post_init__(self) -> None:
        self.cards, self.shoe = shoe_of(self.seating)
        self.cards[: len(self.order)] = PACK[list(self.order)]
        self.shoe[shoes.STRIDE] = 0
        shoes.open_shoe(self.shoe)
        self.seats, self.hands, self.waiting = kernel.empty_records(self.seating.seats)
        self.stream = np.array([1, 2, 3, 4], dtype=np.uint64)
        self.outcomes = np.zeros((kernel.OUTCOME_COUNT, 2), dtype=np.int64)
        self.side_kinds = np.zeros(table_kernel.SIDE_KINDS, dtype=np.int64)

    def play_round(self) -> int:
        """Play a round; return the up-card's point class."""
        self.outcomes[:], self.side_kinds[:] = 0, 0
        up_card = play_round(
            self.cards, self.shoe, self.stream, self.seats, self.hands, self.waiting, self.outcomes,
            setup_of(self.seating),
        )  # fmt: skip
        table_kernel.record_side_bets(self.cards, self.shoe, setup_of(self.seating).terms, self.side_kinds)
        return up_card


def compare_round(state: RoundState, shoe: BlackjackShoe, running: int, bet: int, table: KernelTable) -> None:
    """Check everything that both know of a round."""
    scale = table.seating.scale
    assert table.play_round() == shown_column(state)
    for number, seat in enumerate(state.seats):
        result, record = state.seat_result(number), table.seats[number]
        assert result is not None
        assert record[kernel.RESULT] / scale == pytest.approx(result - state.side_result(number), abs=1e-9)
        assert record[kernel.STAKED] / scale == seat.total_bets - seat.side_bets.total
        assert record[kernel.PREMIUM] / scale == (seat.insurance or 0)
        assert (record[kernel.BET], record[kernel.HANDS]) == (bet, len(seat.hands))
        assert ROWS[record[kernel.ROW]] == first_row(state, number)
    ended = Counter(hand.settlement.outcome for seat in state.seats for hand in seat.hands if hand.settlement)
    assert dict(zip(Outcome, table.outcomes[:, 0].tolist(), strict=True)) == {o: ended[o] for o in Outcome}
    assert side_units(table) == sum(state.side_result(number) for number in range(len(state.seats)))
    assert (table.shoe[shoes.POSITION], table.shoe[shoes.REUSED]) == (shoe.dealt, shoe.reused)
    assert table.shoe[shoes.RUNNING_COUNT] == running
    assert shoes.needs_shuffle(table.shoe, table.seating.cut) == shoe.needs_shuffle


def first_row(state: RoundState, seat: int) -> str:
    """Return the row of a seat's first two cards, which lie in the deal."""
    first, second = state.history[0].cards[2 * seat : 2 * seat + 2]
    if point_class(first) == point_class(second):
        return PAIR_ROWS[point_class(first)]
    value = evaluate((first, second))
    return f"soft {value.total}" if value.is_soft else str(value.total)


def side_units(table: KernelTable) -> float:
    """Price what the kernel counted for side bets of one unit each."""
    rules = table.seating.rules
    over, under = rules.over_under_13
    prizes = (
        *(0, *rules.perfect_pairs, 0, *rules.twenty_one_plus_three, 0, *rules.lucky_ladies),
        *(0, *rules.royal_match, 0, over, 0, under, 0, *rules.lucky_lucky),
    )
    counts = table.side_kinds.tolist()
    return sum(count * (pays or -1) for count, pays in zip(counts, prizes, strict=True))


def play_both(seating: Seating, chance: random.Random, order: tuple[int, ...] = ()) -> int:
    """Play a shoe with the engine and with the kernel; return how many rounds were alike: all of them."""
    order = order or random_order(seating.rules, chance)
    table = KernelTable(seating, order)
    player = EnginePlayer(seating.chart, seating.play)
    played = 0
    try:
        for state, shoe, running, bet in player.rounds(
            seating.rules, stacked_shoe(seating.rules, order), seating.seats
        ):
            compare_round(state, shoe, running, bet, table)
            played += 1
    except CardError:  # more seats than cards: the kernel says so too
        table.play_round()
        assert table.shoe[shoes.IS_EXHAUSTED]
    return played


def fast_shoe(seating: Seating, order: tuple[int, ...], *, has_general: bool) -> Tally:
    """Play a shoe in a given order with the kernel of a single player, with or without the general kernel for its last rounds."""
    table, tally = KernelTable(seating, order), Tally.empty()
    count = count_of(seating)
    counts = empty_counts(tally, count)
    general = General(
        table.seats, table.hands, table.waiting, tally.outcomes, tally.cells, tally.squares, setup_of(seating)
    )
    play_alone(
        10**9,
        1,
        dealing_of(seating),
        paths_of(seating),
        counts,
        table.cards,
        table.shoe,
        table.stream,
        general if has_general else None,
        count,
        None,
    )
    add_counts(tally, counts, seating)
    return tally


def compare_shoe(tally: Tally, rounds: Sequence[tuple[RoundState, BlackjackShoe]], scale: int) -> None:
    """Check everything that the fast kernel knows of a shoe."""
    states, last = [state for state, _ in rounds], rounds[-1][1]
    ended = Counter(
        hand.settlement.outcome for state in states for hand in state.seats[0].hands if hand.settlement
    )
    assert dict(zip(Outcome, tally.outcomes[:, 0].tolist(), strict=True)) == {o: ended[o] for o in Outcome}
    assert tally.sums[table_kernel.FULL_SHOE_ROUNDS] == len(states)
    assert tally.sums[table_kernel.FULL_SHOE_CARDS] == last.cards_used
    assert tally.sums[table_kernel.TABLE_STAKED] / scale == sum(
        state.seats[0].total_bets - 7 for state in states
    )
    won: Counter[tuple[str, int]] = Counter()
    for state in states:
        result = state.seat_result(0)
        assert result is not None
        won[first_row(state, 0), point_class(state.dealer_cards[0])] += round(
            scale * (result - state.side_result(0))
        )
    results = tally.cells[..., table_kernel.CELL_RESULT].sum(axis=2)
    assert {(ROWS[row], up): int(results[row, up]) for row, up in np.argwhere(results)} == {
        cell: units for cell, units in won.items() if units
    }


def test_the_fast_kernel_plays_as_the_engine_does() -> None:
    chance = random.Random("fast")
    played = 0
    while played < 600:
        rules = random_rules(chance, **USUAL)
        table = random_table(chance, rules)
        seating = Seating(rules, table)
        if is_simple(seating):
            order = random_order(rules, chance)
            player = EnginePlayer(seating.chart, seating.play)
            rounds = [
                (state, shoe) for state, shoe, _, _ in player.rounds(rules, stacked_shoe(rules, order), 1)
            ]
            compare_shoe(fast_shoe(seating, order, has_general=True), rounds, seating.scale)
            if never_runs_out(rules, seating.cut):
                compare_shoe(fast_shoe(seating, order, has_general=False), rounds, seating.scale)
            played += len(rounds)


@pytest.mark.parametrize("part", range(4))
def test_the_general_kernel_plays_as_the_engine_does(part: int) -> None:
    chance = random.Random(f"general {part}")
    rounds = 0
    while rounds < 500:
        seats = chance.choice((1, 1, 2, 3, 5, 7))
        rules = random_rules(chance)
        table, play = random_table(chance, rules), random_play(chance, rules)
        if rules.decks == "infinite":
            play = replace(play, ramp=(2,), insurance_at=None, deviations=())
        rounds += play_both(Seating(rules, table, seats, play), chance)


@pytest.mark.parametrize("part", range(2))
def test_it_does_so_with_shoes_full_of_pairs_aces_and_small_cards(part: int) -> None:
    """Four ranks only: splits to the last hand, charlies and naturals come up all the time."""
    chance = random.Random(f"few ranks {part}")
    rounds = 0
    while rounds < 400:
        rules = random_rules(chance, decks="infinite", shuffle="shoe", charlie=chance.choice(("off", 5, 6)))
        tens = [8] if rules.ten_spots else []
        ranks = [12, 11, *chance.choices([*range(8), *range(9, 13), *tens], k=2)]
        order = tuple(4 * chance.choice(ranks) + chance.randrange(4) for _ in range(2000))
        play = CountedPlay(ramp=(2,), insurance_at=chance.choice((None, ALWAYS)))
        seating = Seating(rules, random_table(chance, rules), chance.choice((1, 2, 4)), play)
        rounds += play_both(seating, chance, order)


@pytest.mark.parametrize(
    ("dealer", "options", "place"),
    [
        ("AC KD", {}, 1),
        ("KD AC", {"hole_card": "open"}, 1),
        ("AC 9D", {}, 2),
        ("AC KD", {"natural_beats_21": False}, 2),
        ("AC KD", {"hole_card": "no-peek"}, 2),
    ],
)
def test_queens_of_hearts_against_a_natural_are_paid_as_the_engine_pays_them(
    dealer: str, options: dict[str, object], place: int
) -> None:
    """Random shoes hardly ever bring them."""
    rules = BlackjackRules.create({"decks": 6, "insurance": False, **options})
    queen, up_card, hole_card = parse_card("QH"), *map(parse_card, dealer.split())
    pack = pack_of(rules) * 6
    for card in (queen, queen, up_card, hole_card):
        pack.remove(card)
    order = (queen, up_card, queen, hole_card, *pack)
    seating = Seating(rules, Chart.uniform("S", columns_for(rules)))
    table = KernelTable(seating, order)
    table.play_round()
    assert table.side_kinds[table_kernel.LADIES_FROM + place] == 1
    assert play_both(seating, random.Random(1), order) > 0
