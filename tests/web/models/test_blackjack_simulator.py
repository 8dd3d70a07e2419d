"""The runs of the blackjack simulator, without a browser: shown as they go, stopped, and saved as the command line saves them."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.cells import SECTIONS, chart_book, solve_book
from croupier.blackjack.simulation.simulator import simulate
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.hand_values import hand_values, parse_ranks
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.errors import InputError
from croupier.runs.run import RunStatus
from croupier.runs.store import open_store
from croupier.web.jobs import Job, Report, Status
from croupier.web.models.blackjack_plots import evolution_plot, simulation_plot
from croupier.web.models.blackjack_simulator import (
    EvolutionPlan,
    EvolutionShow,
    SimulationPlan,
    SimulationShow,
    run_evolution,
    run_simulation,
)

INFINITE = BlackjackRules(decks="infinite")
BLOCK = 2**20


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "lab.sqlite")


def test_the_book_is_the_solvers_chart_and_value() -> None:
    rules = BLACKJACK.preset("european").rules
    steps: list[str] = []
    book = solve_book(rules, steps.append)
    best = solve_total_dependent(rules)
    assert (book.total_dependent, book.composition_dependent) == (best.value, analyse(rules).value)
    table = best.chart
    assert all(book.cells[row, up].code == table[row, up].value for row in ROWS for up in UP_CARDS)
    assert len(steps) == 4
    dealt = sum(cell.probability for cell in book.cells.values())
    assert dealt == pytest.approx(1 - 2 * (96 / 312) * (24 / 311))  # all first hands but the naturals


def test_a_cell_holds_the_exact_values_of_its_hands() -> None:
    cell = chart_book(INFINITE).cells["16", "T"]
    assert {hand.cards for hand in cell.hands} == {(4, 8), (5, 7)}  # 6 with ten, 7 with 9
    for hand, text in zip(cell.hands, ("6,T", "7,9"), strict=True):
        assert hand.worths == pytest.approx(
            hand_values(INFINITE, parse_ranks(text), parse_ranks("T")[0]).actions
        )


def test_every_shown_cell_with_first_hands_has_a_price() -> None:
    for preset in BLACKJACK.presets[:2]:
        book = chart_book(preset.rules)
        for rows in SECTIONS.values():
            for row in rows:
                for up_card in UP_CARDS:
                    cell = book.cells[row, up_card]
                    assert not cell.hands or {"hit", "stand"} <= set(cell.worths)


def test_a_simulation_is_shown_block_by_block_and_saved(store: str) -> None:
    shows: list[SimulationShow] = []
    plan = SimulationPlan(INFINITE, rounds=3 * BLOCK, seed=5, bet=10)
    end = run_simulation(plan, store, shows.append)
    book = chart_book(INFINITE)
    alone = simulate(INFINITE, book.table, rounds=3 * BLOCK, seed=5, workers=1)
    assert end.result == alone
    assert [point.rounds for point in end.points] == [BLOCK, 2 * BLOCK, 3 * BLOCK]
    assert [show.share for show in shows] == [0, 1 / 3, 2 / 3, 1]
    assert end.exact == book.total_dependent
    assert all(point.low < point.value < point.high for point in end.points)
    data = simulation_plot(end)["data"]
    assert data[2]["y"][-1] == pytest.approx(100 * alone.value)
    assert data[3]["y"] == [100 * book.total_dependent] * 2
    with open_store(store) as runs:
        (run,) = runs.runs()
    assert run.result is not None
    assert (run.kind, run.status, run.seed, run.result["value"]) == (
        "blackjack simulate",
        RunStatus.FINISHED,
        5,
        alone.value,
    )


def test_a_stopped_simulation_can_be_gone_on_with_in_the_terminal(store: str) -> None:
    job: Job[SimulationShow] = Job("blackjack-simulate")
    plan = SimulationPlan(INFINITE, rounds=4 * BLOCK, seed=5)

    def work(report: Report) -> SimulationShow:
        def stop_after_one(show: SimulationShow) -> None:
            if show.points:
                job.stop()
            report(show)

        return run_simulation(plan, store, stop_after_one)

    job.run(work)
    assert job.state.status is Status.STOPPED
    assert job.state.latest.result.rounds == BLOCK
    program = str(Path(sys.executable).with_name("croupier"))
    command = [
        program,
        "blackjack",
        "simulate",
        "--resume",
        "1",
        "--store",
        store,
        "--json",
        "--workers",
        "1",
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    whole = simulate(INFINITE, chart_book(INFINITE).table, rounds=4 * BLOCK, seed=5, workers=1)
    assert json.loads(finished.stdout)["value"] == whole.value


def test_an_evolution_shows_every_generation_and_ends_with_an_exact_report(store: str) -> None:
    shows: list[EvolutionShow] = []
    plan = EvolutionPlan(INFINITE, "exact", seed=3, population=8, generations=4)
    end = run_evolution(plan, store, shows.append)
    assert [len(show.generations) for show in shows] == [0, 1, 2, 3, 4]
    assert end.report is not None
    assert end.optimum == pytest.approx(chart_book(INFINITE).total_dependent)
    assert end.report.loss == pytest.approx(end.generations[-1].loss)
    assert end.report.loss > 0
    places = {(difference.row, difference.up_card) for difference in end.report.differences}
    assert places <= end.differing
    assert len(end.differing) == len(places) + end.report.free_differences
    losses = [generation.loss for generation in end.generations]
    assert losses == sorted(losses, reverse=True)
    assert len(evolution_plot(end)["data"]) == 3
    with open_store(store) as runs:
        (run,) = runs.runs()
    assert run.result is not None
    assert (run.kind, run.status, run.result["loss"]) == (
        "blackjack evolve",
        RunStatus.FINISHED,
        end.report.loss,
    )


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        (SimulationPlan(INFINITE, rounds=-1, seed=1), "rounds = -1"),
        (SimulationPlan(INFINITE, rounds=10**12, seed=1), "at most 10000000000"),
        (SimulationPlan(INFINITE, rounds=10, seed=-1), "seed = -1"),
        (SimulationPlan(INFINITE, rounds=10, seed=1, bet=0), "a bet of 0"),
        (EvolutionPlan(INFINITE, "luck", seed=1), "fitness 'luck'"),
        (EvolutionPlan(INFINITE, "exact", seed=1, population=2), "population 2"),
        (EvolutionPlan(INFINITE, "exact", seed=1, generations=0), "generations 0"),
        (EvolutionPlan(INFINITE, "exact", seed=-2), "seed = -2"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_before_anything_is_saved(
    plan: SimulationPlan | EvolutionPlan, complaint: str, store: str
) -> None:
    if isinstance(plan, SimulationPlan):
        run: Callable[[], object] = partial(run_simulation, plan, store, lambda _: None)
    else:
        run = partial(run_evolution, plan, store, lambda _: None)
    with pytest.raises(InputError, match=complaint):
        run()
    assert not Path(store).exists()
