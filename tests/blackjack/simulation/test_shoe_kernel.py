"""The simulator's shoe: fair choices, no card lost or dealt twice."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from croupier.blackjack.simulation import shoe_kernel as shoes
from croupier.blackjack.simulation.simulator import block_stream
from croupier.blackjack.simulation.table_setup import PACK, card_byte
from croupier.cards import DECK_SIZE, point_class, rank_of, suit_of


def test_the_stream_of_a_block_is_for_good() -> None:
    assert block_stream(2024, 3).tolist() == [
        int(word) for word in np.random.SeedSequence(2024, spawn_key=(3,)).generate_state(4, np.uint64)
    ]


def test_every_order_of_a_small_shoe_comes_equally_often() -> None:
    stream = block_stream(5, 0)
    orders: Counter[tuple[int, ...]] = Counter()
    cards = np.zeros(4 + 4, dtype=np.uint8)
    draws = 24 * 4000
    for _ in range(draws):
        cards[:4] = (0, 1, 2, 3)
        shoes.choose_cards(cards, 0, 4, 4, stream)
        orders[tuple(cards[:4].tolist())] += 1
    assert set(orders) == set(permutations(range(4)))
    chi_squared = sum((count - 4000) ** 2 / 4000 for count in orders.values())
    assert chi_squared < 49.7  # 23 degrees of freedom: one seed in a thousand lies above


@pytest.mark.parametrize("start", range(9))
def test_a_shoe_is_shuffled_to_its_last_card_wherever_it_stands(start: int) -> None:
    size = 9
    stream = block_stream(6, start)
    seen: list[Counter[int]] = [Counter() for _ in range(size)]
    for _ in range(500):
        cards = np.concatenate([np.arange(size), [90, 91, 92, 93]]).astype(np.uint8)
        assert shoes.choose_cards(cards, start, size, size, stream) == size
        assert cards[:start].tolist() == list(range(start))
        assert sorted(cards[start:size].tolist()) == list(range(start, size))
        assert cards[size:].tolist() == [90, 91, 92, 93]
        for place in range(start, size):
            seen[place][int(cards[place])] += 1
    assert all(len(seen[place]) == size - start for place in range(start, size))


def shoe_record(size: int, position: int, chosen_up_to: int, round_start: int) -> shoes.Shoe:
    record = np.zeros(shoes.SHOE_FIELDS, dtype=np.int64)
    record[shoes.SIZE], record[shoes.POSITION], record[shoes.CHOSEN] = size, position, chosen_up_to
    record[shoes.ROUND_START], record[shoes.STRIDE], record[shoes.HOLE_CARD] = round_start, 8, -1
    return record


def test_a_shoe_that_runs_out_deals_its_rest_first_and_then_the_discards() -> None:
    cards = np.concatenate([np.arange(20), np.zeros(4)]).astype(np.uint8)
    tags = np.arange(256).astype(np.int8)
    shoe = shoe_record(20, position=18, chosen_up_to=20, round_start=15)
    shoes.prepare_cards(cards, shoe, block_stream(1, 1), tags, 4)
    assert cards[:5].tolist() == [15, 16, 17, 18, 19]
    assert sorted(cards[5:20].tolist()) == list(range(15))
    assert (shoe[shoes.POSITION], shoe[shoes.ROUND_START], shoe[shoes.REUSED]) == (3, 0, 15)
    assert shoe[shoes.RUNNING_COUNT] == 15 + 16 + 17
    assert shoe[shoes.CHOSEN] >= 7
    assert shoes.needs_shuffle(shoe, 1000)


def test_a_shoe_without_discards_is_marked_as_exhausted() -> None:
    shoe = shoe_record(20, position=20, chosen_up_to=20, round_start=0)
    cards = np.zeros(24, dtype=np.uint8)
    shoes.prepare_cards(cards, shoe, block_stream(1, 1), np.zeros(256, dtype=np.int8), 1)
    assert shoe[shoes.IS_EXHAUSTED]


def test_infinite_packs_give_every_card_equally_often() -> None:
    size, rounds = 52 * 4000, 52 * 4000
    cards = np.concatenate([np.zeros(size), PACK]).astype(np.uint8)
    shoes.invent_cards(cards, 0, rounds, size, block_stream(9, 9))
    counts = Counter(cards[:size].tolist())
    assert set(counts) == set(PACK.tolist())
    chi_squared = sum((count - 4000) ** 2 / 4000 for count in counts.values())
    assert chi_squared < 87.97  # 51 degrees of freedom: one seed in a thousand lies above


def test_a_card_is_one_byte_and_no_two_cards_are_the_same() -> None:
    assert len({card_byte(card) for card in range(DECK_SIZE)}) == DECK_SIZE
    for card in range(DECK_SIZE):
        byte = card_byte(card)
        assert byte & shoes.POINT_MASK == point_class(card)
        assert byte >> 4 & 3 == suit_of(card)
        for other in range(DECK_SIZE):
            same_rank = (byte ^ card_byte(other)) & shoes.RANK_MASK == 0
            assert same_rank == (rank_of(card) == rank_of(other))
