"""From rules, chart, seats and count to what the kernels read, and a shoe for them to deal from."""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import lcm

import numpy as np

from croupier.blackjack.engine.betting import MAX_SEATS
from croupier.blackjack.engine.moves import Allowed
from croupier.blackjack.engine.permissions import (
    HandFacts,
    charlie_cards,
    dealer_draws,
    most_hands,
    surrenders_early,
    why_not_double,
    why_not_hit,
    why_not_split,
    why_not_surrender,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import BlackjackShoe, pack_of
from croupier.blackjack.simulation import round_terms as rounds
from croupier.blackjack.simulation import shoe_kernel as shoes
from croupier.blackjack.simulation.chart_play import Deviation, plan_of, remarks_on
from croupier.blackjack.simulation.counted_play import FLAT, CountedPlay, verify_counted_play
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart
from croupier.blackjack.solvers.doubled_hands import doubled_plan, goes_on
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN, TEN_CLASS, point_class, rank_of, suit_of
from croupier.errors import InputError

#: Cards shuffled at a time: part of what a seed means. The last is more than any shoe holds.
_SHOE_STRIDE = 64
_CONTINUOUS_STRIDE = 8
_WHOLE_SHOE = 512

#: Places behind the last card that shuffling may touch.
_SPARE_PLACES = 4

#: Places for the cards of an infinite shoe: those in front of the cut card, and more than a round can take.
_INFINITE_PLACES = 4096

_BONUSES = {
    "none": rounds.NO_BONUS,
    "spanish-21": rounds.SPANISH_21,
    "super-fun-21": rounds.SUPER_FUN_21,
}

_ROUNDINGS = {"floor": rounds.FLOOR, "truncate": rounds.TRUNCATE, "nearest": rounds.NEAREST}


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays what where: rules, chart, seats, and bets.

    Attributes
    ----------
    rules
        The rules of the table.
    chart
        What everybody plays.
    seats
        How many players, who all play alike.
    play
        Bets, count, index plays.
    is_paired
        Whether two charts see the same cards: then every round (of a continuous shuffle) or shoe (to a cut card) begins with the
        same cards whatever was played before. It costs speed.
    counts_side_bets
        Whether the side bets are counted, as bets of one unit each. It costs speed.

    Examples
    --------
    >>> seating = Seating(BlackjackRules(), Chart.uniform("S"))
    >>> seating.cut, seating.scale
    (234, 2)
    """

    rules: BlackjackRules
    chart: Chart
    seats: int = 1
    play: CountedPlay = FLAT
    is_paired: bool = False
    counts_side_bets: bool = False

    @property
    def scale(self) -> int:
        """A bet of one unit as a whole number, so that half a bet, a surrender and a natural's pay are whole numbers too."""
        return lcm(2, self.rules.natural_fraction.denominator, self.rules.surrender_loss.denominator)

    @property
    def cut(self) -> int:
        """How many cards lie in front of the cut card."""
        return _cut_of(self.rules)


@lru_cache(maxsize=16)
def _cut_of(rules: BlackjackRules) -> int:
    return BlackjackShoe.shuffled(rules, seed=0).cut


def verify_seating(seating: Seating) -> None:
    """Raise unless the seats, the chart and the bets are possible under the rules."""
    if not 1 <= seating.seats <= MAX_SEATS:
        raise InputError(f"seats = {seating.seats}: a table seats 1 to {MAX_SEATS} players")
    verify_counted_play(seating.play, seating.rules)
    remarks_on(seating.chart, seating.rules, seating.play.deviations)


@lru_cache(maxsize=16)
def setup_of(seating: Seating) -> rounds.Setup:
    """Write a seating in the form that compiled code reads."""
    rules, play = seating.rules, seating.play
    layers = _deviation_layers(play.deviations)
    plans = [plan_of(seating.chart, rules)]
    columns = seating.chart.columns
    indices = np.full((max(len(layers), 1), len(ROWS), len(columns)), rounds.NEVER, dtype=np.int16)
    for number, layer in enumerate(layers):
        codes = {(deviation.row, deviation.up_card): deviation.code for deviation in layer}
        plans.append(plan_of(seating.chart.replace(codes), rules))
        for deviation in layer:
            place = ROWS.index(deviation.row), columns.index(deviation.up_card)
            indices[number, *place] = deviation.at_least
    counting = rounds.Counting(
        is_true=play.is_true,
        rounding=_ROUNDINGS[play.rounding],
        cards_a_step=play.estimate,
        lowest_in_ramp=play.ramp_start,
        insurance_index=rounds.NEVER if play.insurance_at is None else play.insurance_at,
        layers=len(layers),
    )
    tags = np.zeros(256, dtype=np.int8)
    tags[PACK] = np.repeat(np.array(play.tags, dtype=np.int8), DECK_SIZE // len(play.tags))
    return rounds.Setup(
        _terms(seating), counting, np.array(plans), indices, np.array(play.ramp, dtype=np.int64), tags,
        _hand_table(rules), doubled_plan(rules).copy(),
    )  # fmt: skip


def _deviation_layers(deviations: tuple[Deviation, ...]) -> list[list[Deviation]]:
    """Sort deviations so that each layer has a cell once, those of lower counts first."""
    of_cell: dict[tuple[str, str], list[Deviation]] = defaultdict(list)
    for deviation in sorted(deviations, key=lambda deviation: deviation.at_least):
        of_cell[deviation.row, deviation.up_card].append(deviation)
    most = max((len(changes) for changes in of_cell.values()), default=0)
    return [[changes[depth] for changes in of_cell.values() if depth < len(changes)] for depth in range(most)]


def _hand_table(rules: BlackjackRules) -> rounds.Table:
    """Tabulate hands: what a card makes of them, and whether two cards may be hit and doubled."""
    table = rounds.hands_after_cards()
    for hand in range(rounds.HAND_STATES):
        facts = HandFacts(hand % rounds.SOFT, hand >= rounds.SOFT)
        split = facts._replace(from_split=True)
        table[hand, rounds.ALLOWED_FIRST] = _by_length(rules, facts)
        table[hand, rounds.ALLOWED_AFTER_SPLIT] = _by_length(rules, split)
        table[hand, rounds.ALLOWED_WITH_SPLIT_ACE] = _by_length(rules, split._replace(is_split_ace=True))
    for point in range(len(UP_CARDS)):
        table[point, rounds.HANDS_OF_PAIR] = most_hands(rules, point)
        if why_not_surrender(rules, against_ace=point == ACE_CLASS) is None:
            table[point, rounds.ALLOWED_AGAINST] = Allowed.SURRENDER
    return table


def _in_play(rules: BlackjackRules, hand: HandFacts) -> Allowed:
    """Return what is allowed with a hand in its turn; whether first two cards may be given up depends on the up-card."""
    allowed = Allowed.HIT if why_not_hit(rules, hand) is None else Allowed.NOTHING
    if why_not_double(rules, hand) is None:
        allowed |= Allowed.DOUBLE
    if rules.surrender_any_cards and why_not_surrender(rules, hand, against_ace=False) is None:
        allowed |= Allowed.SURRENDER
    return allowed


def _by_length(rules: BlackjackRules, hand: HandFacts) -> int:
    """Return what is allowed with two cards and, in higher bits, with more of the same total."""
    longer = _in_play(rules, hand._replace(card_count=3))
    return int(_in_play(rules, hand)) | int(longer) << rounds.LONGER_HANDS


def _terms(seating: Seating) -> rounds.Terms:
    rules = seating.rules
    return rounds.Terms(
        seats=seating.seats,
        scale=seating.scale,
        natural_pays=int(rules.natural_fraction * seating.scale),
        natural_beats_21=rules.natural_beats_21,
        peeks=rules.sees_natural_first,
        shows_both=rules.hole_card == "open",
        takes_original_bet_only=rules.hole_card == "no-peek-original-bet",
        hits_soft_17=dealer_draws(rules, 17, True),
        pair_mask=shoes.RANK_MASK if why_not_split(rules, TEN, TEN + 1) is not None else shoes.POINT_MASK,
        surrenders_late=not surrenders_early(rules),
        surrender_costs=int(rules.surrender_loss * seating.scale),
        offers_insurance=rules.insurance and rules.hole_card != "open",
        pays_21=rules.twenty_one_pays_at_once,
        charlie=charlie_cards(rules),
        pushes_22=rules.dealer_22_pushes,
        ties_lose=int(rules.ties_lose),
        natural_always_wins=rules.natural_always_wins,
        bonus=_BONUSES[rules.bonus_21],
        longer_hands_choose=rules.double_any_cards or rules.surrender_any_cards,
        goes_on_doubled=goes_on(rules),
        free_doubles=rules.free_doubles,
        free_splits=rules.free_splits,
    )


def card_byte(card: int) -> int:
    """Write a card code as the kernels do: point class, suit, and which ten-value card it is.

    >>> from croupier.cards import parse_card
    >>> [hex(card_byte(parse_card(text))) for text in ("2C", "TH", "KS", "AC")]
    ['0x0', '0x28', '0xf8', '0x9']
    """
    point = point_class(card)
    which_ten = rank_of(card) - TEN if point == TEN_CLASS else 0
    return point | suit_of(card) << 4 | which_ten << 6


#: A pack in the order of the card codes.
PACK: shoes.Bytes = np.array([card_byte(card) for card in range(DECK_SIZE)], dtype=np.uint8)


def shoe_of(seating: Seating) -> tuple[shoes.Bytes, shoes.Shoe]:
    """Put the packs of a table together, unshuffled."""
    decks = seating.rules.decks
    is_continuous = seating.rules.shuffle == "continuous"
    record = np.zeros(shoes.SHOE_FIELDS, dtype=np.int64)
    record[shoes.HOLE_CARD] = -1
    record[shoes.INITIAL_COUNT] = seating.play.initial
    record[shoes.STRIDE] = _CONTINUOUS_STRIDE * seating.seats if is_continuous else _SHOE_STRIDE
    pack = PACK[pack_of(seating.rules)]
    record[shoes.PACK_SIZE] = len(pack)
    if decks == "infinite":
        record[shoes.SIZE], record[shoes.IS_INFINITE] = _INFINITE_PLACES, 1
        cards = np.concatenate([np.zeros(_INFINITE_PLACES, dtype=np.uint8), pack])
    else:
        record[shoes.SIZE] = decks * len(pack)
        cards = np.concatenate([np.tile(pack, decks), np.zeros(_SPARE_PLACES, dtype=np.uint8)])
    if seating.is_paired:
        record[shoes.STRIDE] = _SHOE_STRIDE * seating.seats if is_continuous else _WHOLE_SHOE
    return cards, record
