"""The compiled table of several plays as the engine does, and finds what was sampled."""

import numpy as np
import pytest

from croupier.banluck.analysis import seats_kernel, table_kernel
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.engine import BanluckRules, DealtHand
from croupier.banluck.solvers.table.counts_certificate import certify_counts
from croupier.banluck.solvers.table.counts_play import CountsPlay
from croupier.cards import Shoe, format_cards
from croupier.runs.executors import open_executor
from tests.banluck.rule_sets import random_rules
from tests.banluck.solvers.table.counts_tables import heads_up_table, random_counts
from tests.banluck.test_agreement import deck_order

HANDS = 40

#: Random rule sets: each way to reveal and to surrender, and both ways to settle busts.
DRAWN = (0, 4, 15)


def by_the_engine(order: list[int], rules: BanluckRules, play: CountsPlay, players: int) -> list[float]:
    """Play a hand at the engine's table; ``order`` is two cards for each, the dealer last, then as they are drawn."""
    both = 2 * (players + 1)
    dealt = [*order[0:both:2], *order[1:both:2], *order[both:]]
    hand = DealtHand.opened(rules, Shoe.stacked(dealt, seed=0), players)
    while not hand.state.is_over:
        chances = play.probabilities(hand.state)
        hand = hand.act(max(chances, key=chances.__getitem__))
    return [units or 0.0 for units in hand.state.results]


@pytest.mark.parametrize("players", [3, 7])
@pytest.mark.parametrize("number", DRAWN)
def test_the_kernel_plays_every_hand_as_the_engine_does(number: int, players: int) -> None:
    rules = random_rules(number)
    strategy = random_counts(rules, players, number, pure=True)
    play = CountsPlay(rules, strategy)
    setup, policy = table_kernel.table_setup(rules), seats_kernel.seats_policy(strategy, rules)
    prices, room = setup[0].prices, seats_kernel.seats_room(players)
    source = np.random.default_rng(number)
    for _ in range(HANDS):
        order = deck_order(source)
        cards = np.array(order, dtype=np.int8)
        seats_kernel.play_seats(cards, room, *setup, policy, np.ones(4, dtype=np.uint64))
        units = [-prices[-price] if price < 0 else prices[price] for price in room.prices]
        assert units == by_the_engine(order, rules, play, players), format_cards(order[:40])


def nothing(done: int, sides: int) -> None:
    """Tell nobody."""


@pytest.mark.parametrize(
    "number", [DRAWN[1], *(pytest.param(number, marks=pytest.mark.verify) for number in (DRAWN[0], DRAWN[2]))]
)
def test_every_seat_earns_what_was_sampled(number: int) -> None:
    rules = random_rules(number)
    strategy = random_counts(rules, 4, number, pure=False)
    table = heads_up_table(rules, 4, 8192)
    with open_executor(1) as executor:
        sampled = certify_counts(table, strategy, 4, executor, nothing)
    result = simulate_table(strategy, rules, hands=200_000, seed=3, workers=2)
    for value, found, error in zip(sampled.values, result.values, result.stderrs, strict=True):
        assert abs(value.mean - found) < 4 * np.hypot(error, value.stderr)
    assert result == simulate_table(strategy, rules, hands=200_000, seed=3, workers=1)
