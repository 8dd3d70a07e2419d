"""The compiled table of two plays as the engine does, and finds what the solver says."""

from pathlib import Path

import numpy as np
import pytest

from croupier import banluck
from croupier.banluck.analysis import table_kernel as kernel
from croupier.banluck.analysis.solving import solve_table
from croupier.banluck.engine import BanluckRules, DealtHand
from croupier.banluck.solvers.table.choice import TablePlay
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.cards import Shoe, format_cards
from croupier.errors import InputError
from tests.banluck.rule_sets import random_rules
from tests.banluck.solvers.table.random_strategies import random_strategy
from tests.banluck.test_agreement import deck_order

HANDS = 150

#: Random rule sets: each way to reveal and to surrender, and both ways to settle busts.
DRAWN = (0, 4, 15)

#: A dealer with few hands is solved in a few seconds.
SHORT = BanluckRules(dealer_minimum=12, dealer_choice_max=13, both_bust="push")


def pure(strategy: TableStrategy) -> TableStrategy:
    """Return strategies that need no luck: what is done more often is done always."""
    closed = np.zeros_like(strategy.dealer.closed)
    np.put_along_axis(closed, strategy.dealer.closed.argmax(axis=3)[..., None], 1.0, axis=3)
    return TableStrategy(
        SeatPlay(np.round(strategy.seats.first), np.round(strategy.seats.second)),
        DealerPolicy(
            closed,
            tuple(np.round(draw) for draw in strategy.dealer.first_known),
            tuple(np.round(draw) for draw in strategy.dealer.second_known),
        ),
        np.round(strategy.surrender),
        {known: (np.round(hit), np.round(draw)) for known, (hit, draw) in strategy.remaining.items()},
    )


def by_the_engine(order: list[int], rules: BanluckRules, play: TablePlay) -> list[float]:
    """Play a hand at the engine's table; ``order`` is two cards for each, the dealer last, then as they are drawn."""
    dealt = [*order[0:6:2], *order[1:6:2], *order[6:]]
    hand = DealtHand.opened(rules, Shoe.stacked(dealt, seed=0), 2)
    while not hand.state.is_over:
        chances = play.probabilities(hand.state)
        hand = hand.act(max(chances, key=chances.__getitem__))
    return [units or 0.0 for units in hand.state.results]


@pytest.mark.parametrize("number", DRAWN)
def test_the_kernel_plays_every_hand_as_the_engine_does(number: int) -> None:
    rules = random_rules(number)
    strategy = pure(random_strategy(TwoPlayerGame(rules), seed=number))
    play = TablePlay(rules, strategy)
    setup, policy = kernel.table_setup(rules), kernel.table_policy(strategy, rules)
    prices = setup[0].prices
    source = np.random.default_rng(number)
    for _ in range(HANDS):
        order = deck_order(source)
        paid = kernel.play_two(np.array(order, dtype=np.int8), *setup, policy, np.ones(4, dtype=np.uint64))
        units = [-prices[-price] if price < 0 else prices[price] for price in paid]
        assert units == by_the_engine(order, rules, play), format_cards(order[:15])


@pytest.mark.verify
def test_a_solved_table_earns_what_it_says() -> None:
    solution = banluck.solve(SHORT, players=2)
    assert isinstance(solution, banluck.TableSolution)
    assert solution.largest_gain <= 1e-6
    assert min(*solution.gains, solution.dealer_gain) > -1e-12
    assert solution.dealer_value == pytest.approx(-sum(solution.values), abs=1e-12)
    result = banluck.simulate(solution, hands=400_000, seed=3, workers=2)
    for value, found, error in zip(solution.values, result.values, result.stderrs, strict=True):
        assert abs(value - found) < 4 * error
    assert abs(solution.dealer_value - result.dealer_value) < 4 * result.dealer_stderr
    assert result == banluck.simulate(solution, hands=400_000, seed=3, workers=1)
    assert "Player 2" in str(solution)
    assert "Player 2" in str(result)
    assert "<table" in solution._repr_html_()
    assert [row["side"] for row in solution.to_frame().to_dict("records")] == [
        "player 1",
        "player 2",
        "dealer",
    ]


def test_what_a_table_of_several_does_not_take_is_refused() -> None:
    with pytest.raises(InputError, match="8 players: tables of 1 to 7 players are solved"):
        banluck.solve(SHORT, players=8)
    with pytest.raises(InputError, match="two players are solved exactly"):
        banluck.solve(SHORT, players=2, seed=1)
    with pytest.raises(InputError, match="are for three players and more"):
        banluck.solve(SHORT, players=1, seed=1)
    with pytest.raises(InputError, match="are for one player"):
        banluck.solve(SHORT, players=2, algorithm="lp")
    with pytest.raises(InputError, match="information 'full' is solved for two players; 3 go by card counts"):
        banluck.solve(SHORT, players=3, information="full")
    with pytest.raises(InputError, match="information 'all': choose full or counts"):
        banluck.solve(SHORT, players=2, information="all")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="information is for two players and more"):
        banluck.solve(SHORT, players=1, information="full")


@pytest.mark.verify
def test_a_solve_that_is_stopped_is_resumed_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"

    def stop_late(stage: str, gain: float) -> None:
        if stage.startswith("one player left"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_table(SHORT, 2, information="counts", save=path, progress=stop_late)
    assert path.exists()
    resumed = solve_table(SHORT, 2, information="counts", save=path)
    whole = solve_table(SHORT, 2, information="counts")
    assert resumed.information == "counts"
    # What is computed again is added up in another order.
    for found, expected in zip(
        (*resumed.values, *resumed.gains, resumed.dealer_gain),
        (*whole.values, *whole.gains, whole.dealer_gain),
        strict=True,
    ):
        assert found == pytest.approx(expected, abs=1e-14)
    with pytest.raises(InputError, match="is of information 'counts', not 'full'"):
        solve_table(SHORT, 2, save=path)
    with pytest.raises(InputError, match="there is no such folder"):
        solve_table(SHORT, 2, save=tmp_path / "nowhere" / "table.npz")
