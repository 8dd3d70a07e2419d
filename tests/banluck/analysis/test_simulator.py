"""The simulator: the same game as the readable engine, dealt fairly, the same on any number of workers."""

import json
import math
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import croupier
from croupier.banluck.analysis import simulation_kernel as kernel
from croupier.banluck.analysis.dealing import BLOCK_HANDS
from croupier.banluck.analysis.simulator import OUTCOME_OF_ROW, SimulationResult, simulate_strategies
from croupier.banluck.engine.hand import evaluate
from croupier.banluck.engine.multisets import MULTISETS, multiset_index, multiset_of, parse_multiset
from croupier.banluck.engine.permissions import may_surrender
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.engine.settlement import VOID, Outcome, Settlement, settle, settle_bust
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy, Shown
from croupier.cards import format_cards, parse_cards, rank_of
from croupier.errors import InputError
from tests.banluck.rule_sets import drawn

REFERENCE = BanluckRules()


class ReferenceStream:
    """xoshiro256++ in plain Python, after the C source of its authors."""

    def __init__(self, state: list[int]) -> None:
        self.state = list(state)

    def next_word(self) -> int:
        first, second, third, fourth = self.state
        word = (_rotated(first + fourth, 23) + first) % 2**64
        third ^= first
        fourth ^= second
        self.state = [
            first ^ fourth,
            second ^ third,
            third ^ (second << 17) % 2**64,
            _rotated(fourth, 45),
        ]
        return word

    def decides(self, probability: float) -> bool:
        if probability in (0, 1):
            return probability == 1
        return (self.next_word() >> 11) / 2**53 < probability


def _rotated(word: int, places: int) -> int:
    word %= 2**64
    return (word << places | word >> (64 - places)) % 2**64


def played_slowly(
    cards: list[int],
    rules: BanluckRules,
    player: PlayerStrategy,
    dealer: DealerStrategy,
    stream: ReferenceStream,
) -> Settlement:
    """Play a hand with the readable engine: two cards for the player, two for the dealer, then as they are drawn."""
    shoe = iter(cards)
    own, other = [next(shoe), next(shoe)], [next(shoe), next(shoe)]
    player_hand, dealer_hand = evaluate(own, rules), evaluate(other, rules)
    if may_surrender(multiset_of(tuple(other)), rules):
        shown = Shown.NOTHING
        if rules.surrender == "after_specials" and player_hand.is_ban:
            shown = Shown.BAN_BAN if str(player_hand) == "Ban Ban" else Shown.BAN_LUCK
        if stream.decides(dealer.surrender[_index(other), shown]):
            return VOID
    if player_hand.is_ban or dealer_hand.is_ban:
        return settle(player_hand, dealer_hand, rules)
    while player_hand.card_count < 5 and player_hand.total < 21:
        is_forced = rules.below_minimum == "must_hit" and player_hand.total < rules.player_minimum
        if not is_forced and not stream.decides(player.hit[_index(own)]):
            break
        own.append(next(shoe))
        player_hand = evaluate(own, rules)
    if player_hand.is_bust and rules.both_bust == "player_loses":
        return settle_bust(player_hand, rules)
    while dealer_hand.card_count < 5 and dealer_hand.total <= max(
        rules.dealer_minimum - 1, rules.dealer_choice_max
    ):
        if rules.dealer_minimum <= dealer_hand.total <= rules.dealer_choice_max:
            is_opened = rules.reveal == "mandatory" and len(own) >= rules.reveal_from
            if is_opened or not stream.decides(dealer.draw[_index(other), len(own) - 2]):
                break
        other.append(next(shoe))
        dealer_hand = evaluate(other, rules)
    return settle(player_hand, dealer_hand, rules)


def _index(cards: list[int]) -> int:
    return multiset_index(multiset_of(tuple(cards)))


def random_strategies(seed: int) -> tuple[PlayerStrategy, DealerStrategy]:
    """Return strategies that hit a lot, of which a third of the entries are mixed."""
    generator = np.random.default_rng(seed)

    def probabilities(*shape: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.clip(generator.uniform(-0.8, 2.2, size=shape), 0, 1)

    hands = len(MULTISETS)
    return PlayerStrategy(probabilities(hands)), DealerStrategy(
        probabilities(hands, 4), probabilities(hands, 3)
    )


def random_order(chance: random.Random) -> list[int]:
    """Shuffle a deck; half of the time with cards on top that make the rare hands."""
    deck = list(range(52))
    chance.shuffle(deck)
    if chance.random() < 0.5:
        favoured = set(chance.sample((0, 1, 2, 5, 5, 8, 12), 4))
        deck.sort(key=lambda card: rank_of(card) not in favoured)
    return deck


def test_kernel_settles_every_hand_as_the_readable_engine_does() -> None:
    chance = random.Random(20240817)
    seen: set[tuple[int, int]] = set()
    for trial in range(80):
        rules, (player, dealer) = drawn(chance), random_strategies(trial)
        table = kernel.setup_of(rules, player, dealer)
        for _ in range(500):
            order, state = random_order(chance), [chance.getrandbits(64) for _ in range(4)]
            stream, reference = np.array(state, dtype=np.uint64), ReferenceStream(state)
            row, price = kernel.play_hand(np.array(order, dtype=np.int8), *table, stream)
            units = math.copysign(table.options.prices[abs(price)], price) if price else 0.0
            expected = played_slowly(order, rules, player, dealer, reference)
            where = f"{format_cards(order[:10])} under {rules.changes()}"
            assert Settlement(units, OUTCOME_OF_ROW[row]) == expected, where
            assert stream.tolist() == reference.state, where
            seen.add((row, price))
    assert seen >= ALL_RESULTS, "the deals were too tame to compare everything"


#: Every way to end a hand at every price that the rules can bring.
ALL_RESULTS = {
    (kernel.VOID, 0),
    (kernel.BOTH_BUST, 0),
    (kernel.PUSH, 0),
    *((kernel.BAN, price) for price in (5, 6, -1, -5, -6)),
    *((kernel.BUST, -price) for price in (1, 2, 3, 4, kernel.PLAYER_FIFTH_BUST)),
    *((kernel.FORFEIT, -price) for price in (1, 2, 3, 4)),
    *((kernel.DEALER_BUST, price) for price in (1, 2, 3, 4, kernel.DEALER_FIFTH_BUST)),
    *((kernel.WIN, price) for price in (1, 2, 3, 4)),
    *((kernel.LOSS, -price) for price in (1, 2, 3, 4)),
}


@pytest.mark.parametrize(
    ("cards", "options", "outcome", "units"),
    [
        ("AS AH 9C 6D", {}, Outcome.VOID, 0),  # a blind surrender voids even Ban Ban
        ("AS AH 9C 6D", {"surrender": "none"}, Outcome.BAN, 3),
        ("AS KH AC AD", {"dealer_collects_multiples": True}, Outcome.BAN, -3),
        ("AS KH AC QD", {}, Outcome.PUSH, 0),
        ("7C 7D TS TH 7H", {}, Outcome.WIN, 7),
        ("TC 5D TS 3H TD 9H", {}, Outcome.BUST, -1),
        ("TC 5D TS 7H TD KD", {"both_bust": "push"}, Outcome.BUST, -1),
        ("TC 5D TS 6H TD KD", {"both_bust": "push", "dealer_minimum": 17}, Outcome.BOTH_BUST, 0),
        ("2C 3D TS 2H 2D 3C 5D 3S TD", {"player_minimum": 15}, Outcome.DEALER_BUST, 2),
        ("2C 2D TS TH 2H 3C 3D", {}, Outcome.FORFEIT, -1),  # five cards of 12
        ("2C 2D TS TH 2H 3C 3D", {"five_card_below_minimum": "counts"}, Outcome.WIN, 2),
    ],
)
def test_hands_from_the_rule_book_end_as_the_rule_book_says(
    cards: str, options: dict[str, Any], outcome: Outcome, units: float
) -> None:
    rules = REFERENCE.replaced(options)
    table = kernel.setup_of(rules, stand_on(16, rules), classic_dealer(rules))
    row, price = kernel.play_hand(
        np.array(parse_cards(cards), dtype=np.int8), *table, np.ones(4, dtype=np.uint64)
    )
    assert OUTCOME_OF_ROW[row] is outcome
    assert math.copysign(table.options.prices[abs(price)], price) == units


def run(
    rules: BanluckRules, *, hands: int = 300_000, seed: int = 1, workers: int | None = None
) -> SimulationResult:
    return simulate_strategies(
        stand_on(16, rules), classic_dealer(rules), rules, hands=hands, seed=seed, workers=workers
    )


def probability(result: SimulationResult, outcome: Outcome) -> float:
    return sum(row.probability for row in result.outcomes if row.outcome is outcome)


def is_within_four_errors(found: float, exact: float, hands: int) -> bool:
    return abs(found - exact) < 4 * math.sqrt(exact * (1 - exact) / hands)


def test_one_worker_and_two_find_the_same() -> None:
    hands = 5 * BLOCK_HANDS + 17
    assert (
        run(REFERENCE, hands=hands, workers=1)
        == run(REFERENCE, hands=hands, workers=2)
        == run(REFERENCE, hands=hands, workers=5)
    )


def test_another_seed_deals_other_hands() -> None:
    first, second = run(REFERENCE, seed=1), run(REFERENCE, seed=2)
    assert first.outcomes != second.outcomes
    assert abs(first.value - second.value) < 4 * math.hypot(first.stderr, second.stderr)


def test_every_block_has_a_stream_of_its_own() -> None:
    one, two = run(REFERENCE, hands=BLOCK_HANDS), run(REFERENCE, hands=2 * BLOCK_HANDS)
    assert [2 * row.count for row in one.outcomes] != [row.count for row in two.outcomes]


def test_classic_dealer_against_stand_on_16_is_reproduced() -> None:
    result = run(REFERENCE, hands=1_000_000, seed=1)
    assert {str(row.outcome): row.count for row in result.outcomes} == {
        "void": 72_412,
        "ban": 97_334,
        "bust": 173_410,
        "forfeit": 976,
        "dealer bust": 181_361,
        "win": 158_306,
        "loss": 237_839,
        "push": 78_362,
    }
    assert result.value == pytest.approx(-0.015348, abs=1e-12)
    assert result.std == pytest.approx(1.023437, abs=1e-6)


@pytest.mark.parametrize("preset", BANLUCK.presets, ids=lambda preset: preset.name)
def test_result_is_consistent_under_every_preset(preset: Any) -> None:
    result = run(preset.rules)
    assert sum(row.count for row in result.outcomes) == result.hands == 300_000
    assert math.fsum(row.probability for row in result.outcomes) == pytest.approx(1, abs=1e-12)
    value = math.fsum(row.probability * row.mean_units for row in result.outcomes)
    assert result.value == pytest.approx(value, abs=1e-12)
    assert result.stderr == pytest.approx(result.std / math.sqrt(300_000))
    assert 0.9 < result.std < 1.5


def test_dealt_ban_hands_come_as_often_as_they_should() -> None:
    # Prices tell the hands apart: 6 of the 1326 deals are Ban Ban, 64 are Ban Luck; the other side is left 50 cards.
    rules = REFERENCE.replaced({"surrender": "none", "dealer_collects_multiples": True})
    table = kernel.setup_of(rules, stand_on(16, rules), classic_dealer(rules))
    hands = 3_000_000
    histogram = kernel.play_block(hands, *table, np.array([11, 22, 33, 44], dtype=np.uint64))
    ban_ban = 6 / 1326 * (1 - 1 / 1225)
    ban_luck = 64 / 1326 * (1 - (3 * 15 + 3) / 1225)
    for price, exact in ((kernel.BAN_BAN, ban_ban), (kernel.BAN_LUCK, ban_luck)):
        for column in (kernel.EVEN + price, kernel.EVEN - price):
            assert is_within_four_errors(histogram[kernel.BAN, column] / hands, exact, hands)


def test_blind_surrender_voids_every_hard_fifteen() -> None:
    # 9-6 and 8-7 come in 16 ways each, a ten-value card with a five in 64.
    result = run(REFERENCE, hands=3_000_000, seed=5)
    assert is_within_four_errors(probability(result, Outcome.VOID), 96 / 1326, result.hands)


def test_surrender_after_specials_looks_at_what_the_player_shows() -> None:
    rules = REFERENCE.replaced({"surrender": "after_specials"})
    dealer = classic_dealer(rules)
    dealer.surrender[:, Shown.BAN_LUCK] = dealer.surrender[:, Shown.BAN_BAN] = 0
    result = simulate_strategies(stand_on(16, rules), dealer, rules, hands=3_000_000, seed=6)
    player_ban = {32: 6 + 4 * 16, 64: 6 + 4 * 15}
    exact = sum(ways / 1326 * (1 - ban / 1225) for ways, ban in player_ban.items())
    assert is_within_four_errors(probability(result, Outcome.VOID), exact, result.hands)


def test_two_cards_against_two_cards_is_a_fair_game() -> None:
    rules = REFERENCE.replaced(
        {
            "player_minimum": 2,
            "dealer_minimum": 2,
            "dealer_choice_max": 1,
            "surrender": "none",
            "dealer_collects_multiples": True,
        }
    )
    result = simulate_strategies(stand_on(2, rules), classic_dealer(rules), rules, hands=2_000_000, seed=7)
    assert {row.outcome for row in result.outcomes} == {Outcome.BAN, Outcome.WIN, Outcome.LOSS, Outcome.PUSH}
    assert abs(result.value) < 4 * result.stderr


def test_mixed_decision_is_taken_as_often_as_the_strategy_says() -> None:
    dealer = classic_dealer(REFERENCE)
    dealer.surrender[dealer.surrender == 1] = 0.3
    result = simulate_strategies(stand_on(16, REFERENCE), dealer, REFERENCE, hands=3_000_000, seed=8)
    assert is_within_four_errors(probability(result, Outcome.VOID), 0.3 * 96 / 1326, result.hands)


def test_mandatory_reveal_binds_a_dealer_who_would_draw() -> None:
    always = DealerStrategy(np.ones((len(MULTISETS), 4)), np.zeros((len(MULTISETS), 3)))
    against_two = DealerStrategy(always.draw * [1, 0, 0, 0], always.surrender)
    player, literal = stand_on(16, REFERENCE), REFERENCE.replaced({"reveal": "mandatory"})
    bound = simulate_strategies(player, always, literal, hands=200_000, seed=9)
    free = simulate_strategies(player, always, REFERENCE, hands=200_000, seed=9)
    polite = simulate_strategies(player, against_two, REFERENCE, hands=200_000, seed=9)
    assert bound.outcomes == polite.outcomes != free.outcomes


def test_must_hit_binds_a_player_who_would_stand() -> None:
    rules = REFERENCE.replaced({"below_minimum": "must_hit"})
    idle = simulate_strategies(stand_on(2, rules), classic_dealer(rules), rules, hands=200_000, seed=10)
    forced = simulate_strategies(stand_on(16, rules), classic_dealer(rules), rules, hands=200_000, seed=10)
    assert idle.outcomes == forced.outcomes


def test_cards_are_dealt_uniformly() -> None:
    deck, stream = np.arange(52).astype(np.int8), np.random.SeedSequence(3).generate_state(4, np.uint64)
    deals = np.empty((300_000, kernel.CARDS_NEEDED), dtype=np.int8)
    for tops in deals:
        kernel.deal(deck, kernel.CARDS_NEEDED, stream.view(np.uint64))
        tops[:] = deck[: kernel.CARDS_NEEDED]
    assert sorted(deck) == list(range(52))
    for place in range(kernel.CARDS_NEEDED):
        assert chi_square_in_deviations(np.bincount(deals[:, place], minlength=52)) < 4
    for first, second in pairwise(range(kernel.CARDS_NEEDED)):
        pairs = np.bincount(52 * deals[:, first].astype(np.int64) + deals[:, second], minlength=52 * 52)
        assert not pairs[:: 52 + 1].any()
        assert chi_square_in_deviations(np.delete(pairs, slice(None, None, 52 + 1))) < 4
    in_a_row = np.bincount(52 * deals[:-1, 0].astype(np.int64) + deals[1:, 0], minlength=52 * 52)
    assert abs(chi_square_in_deviations(in_a_row)) < 4


def chi_square_in_deviations(counts: "np.ndarray[Any, np.dtype[np.int64]]") -> float:
    """Return how far the chi-square of equal shares lies above its mean, in standard deviations."""
    expected, freedom = counts.sum() / len(counts), len(counts) - 1
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    return (chi_square - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": 0}, "hands = 0: at least 1 hand"),
        ({"seed": -1}, "seed = -1: a seed is a whole number from 0 on"),
        ({"workers": 0}, "workers = 0: at least 1 worker"),
    ],
)
def test_number_out_of_range_is_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(REFERENCE, **arguments)


def test_dealer_who_counts_cards_is_refused_where_the_rules_forbid_it() -> None:
    rules = REFERENCE.replaced({"reveal": "none"})
    with pytest.raises(
        InputError, match=r"strategy at A-5: draws 1 against 2, 0 against 3.*reveal = \"none\""
    ):
        simulate_strategies(stand_on(16, rules), classic_dealer(REFERENCE), rules, hands=1, seed=1)


def test_card_count_may_show_where_the_dealer_has_no_choice() -> None:
    rules = REFERENCE.replaced({"reveal": "none"})
    dealer = classic_dealer(rules)
    for hand in ("T-8", "T-5", "T-A", "2-2-2-3-7"):
        dealer.draw[multiset_index(parse_multiset(hand)), 0] = 0.5
    assert simulate_strategies(stand_on(16, rules), dealer, rules, hands=1, seed=1).hands == 1


def test_progress_counts_up_to_all_hands() -> None:
    told: list[tuple[int, int]] = []
    hands = 3 * BLOCK_HANDS + 1
    simulate_strategies(
        stand_on(16, REFERENCE),
        classic_dealer(REFERENCE),
        REFERENCE,
        hands=hands,
        seed=1,
        progress=lambda *step: told.append(step),
    )
    assert len(told) == 4
    assert told == sorted(told)
    assert told[-1] == (hands, hands)


def test_interruption_drops_the_blocks_that_have_not_begun() -> None:
    def interrupt(played: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_strategies(
            stand_on(16, REFERENCE),
            classic_dealer(REFERENCE),
            REFERENCE,
            hands=10**15,
            seed=1,
            progress=interrupt,
        )


def test_confidence_interval_widens_with_the_level() -> None:
    result = run(REFERENCE)
    low, high = result.confidence_interval()
    assert high - result.value == pytest.approx(1.959964 * result.stderr, rel=1e-6)
    assert result.value - low == pytest.approx(high - result.value)
    assert result.confidence_interval(0.99)[0] < low
    with pytest.raises(InputError, match="a level lies between 0 and 1"):
        result.confidence_interval(95)


def test_result_survives_json() -> None:
    result = run(REFERENCE)
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert read["value"] == result.value
    assert read["hands_per_second"] == pytest.approx(result.hands / result.seconds)
    assert read["version"] == croupier.__version__
    assert BanluckRules.create(read["rules"]) == REFERENCE
    assert [row["count"] for row in read["outcomes"]] == [row.count for row in result.outcomes]
    assert read["outcomes"][0]["outcome"] == "void"


def test_result_reads_as_a_table() -> None:
    result = run(REFERENCE)
    lines = str(result).splitlines()
    assert lines[0].startswith(f"value {result.value:+.6f} ± {result.stderr:.6f} units a hand")
    assert "300,000 hands, seed 1" in lines[2]
    assert len([line for line in lines if line.startswith("dealer bust")]) == 1
