"""The runs of the blackjack simulator, without a browser: shown as they go, stopped, and saved as the command line saves them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding
from croupier.blackjack.evolution.runs import EvolutionPlan
from croupier.blackjack.play.cells import SECTIONS, chart_book
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.runs import SimulationPlan
from croupier.blackjack.simulation.simulator import simulate
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.hand_values import hand_values, parse_ranks
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.errors import InputError
from croupier.runs.run import RunStatus
from croupier.runs.store import open_store
from croupier.web.jobs import Job, Lane, Report, Status
from croupier.web.models.blackjack_plots import evolution_plot, simulation_plot
from croupier.web.models.blackjack_simulator import (
    EvolutionShow,
    SimulationShow,
    cut_card_note,
    run_evolution,
    run_simulation,
    saved_evolution,
    saved_simulation,
)
from tests.cli.calling import call

INFINITE = BlackjackRules(decks="infinite")
BLOCK = 2**20


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "lab.sqlite")


def test_the_book_is_the_solvers_chart_and_value() -> None:
    rules = BLACKJACK.preset("european").rules
    steps: list[str] = []
    book = chart_book(rules, steps.append)
    best = solve_total_dependent(rules)
    assert (book.analysis.chart_edge, book.analysis.edge) == (best.value, analyse(rules).value)
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
    plan = SimulationPlan(INFINITE, length=Length(rounds=3 * BLOCK), seed=5)
    end = run_simulation(plan, store, shows.append, bet=10)
    book = chart_book(INFINITE)
    alone = simulate(INFINITE, book.analysis.chart, rounds=3 * BLOCK, seed=5, workers=1)
    assert end.result == alone
    assert [point.rounds for point in end.points] == [BLOCK, 2 * BLOCK, 3 * BLOCK]
    assert [show.share for show in shows] == [0, 1 / 3, 2 / 3, 1]
    assert end.exact == book.analysis.chart_edge
    assert all(point.low < point.value < point.high for point in end.points)
    data = simulation_plot(end)["data"]
    assert data[2]["y"][-1] == pytest.approx(100 * alone.value)
    assert data[3]["y"] == [100 * book.analysis.chart_edge] * 2
    with open_store(store) as runs:
        (run,) = runs.runs()
    assert run.result is not None
    assert (run.kind, run.status, run.seed, run.result["value"]) == (
        "blackjack simulate",
        RunStatus.FINISHED,
        5,
        alone.value,
    )


def test_a_simulation_from_shoes_says_why_it_differs_from_the_exact_value() -> None:
    rules = BlackjackRules(decks=1, penetration=0.5)
    result = simulate(rules, chart_book(INFINITE).analysis.chart, rounds=BLOCK, seed=5, workers=1)
    low, high = result.interval
    note = cut_card_note(rules, result, exact=0.001)
    assert "cut-card effect" in note
    for figure in (result.value - 0.001, low - 0.001, high - 0.001):
        assert f"{100 * figure:+.4f}".replace("-", "−") in note
    assert cut_card_note(INFINITE, result, exact=0.001) == ""
    assert cut_card_note(rules.replaced({"shuffle": "continuous"}), result, exact=0.001) == ""


def stopped(work: Callable[[Report], object], is_enough: Callable[[Any], bool]) -> Job[Any]:
    """Run work as a page does, and stop it as soon as it has shown enough."""
    job: Job[Any] = Job("stopped", "other", Lane.LONG)

    def watched(report: Report) -> object:
        def show(shown: object) -> None:
            if is_enough(shown):
                job.stop()
            report(shown)

        return work(show)

    job.run(watched)
    assert job.state.status is Status.STOPPED
    return job


def result_of(*words: str) -> dict[str, Any]:
    process = call("blackjack", *words, "--json")
    assert process.returncode == 0, process.stderr
    data: dict[str, Any] = json.loads(process.stdout)
    return data


def interrupted(monkeypatch: pytest.MonkeyPatch, module: str, show: str, reports: int, *words: str) -> None:
    """Run a command that is interrupted at a report of its progress, as by Ctrl-C."""
    left = iter(range(reports - 1, -1, -1))

    @contextmanager
    def interrupting(*_: object, **__: object) -> Iterator[Callable[..., None]]:
        def report(*_: object) -> None:
            if next(left) == 0:
                raise KeyboardInterrupt

        yield report

    with monkeypatch.context() as patch:
        patch.setattr(f"croupier.cli.{module}.{show}", interrupting)
        process = call("blackjack", *words)
    assert process.returncode == 130
    assert f"resume with: croupier blackjack {words[0]} --resume 1" in process.stderr


@pytest.mark.verify
def test_a_simulation_that_is_stopped_in_the_web_resumes_in_the_terminal(store: str) -> None:
    plan = SimulationPlan(INFINITE, length=Length(rounds=3 * BLOCK), seed=5)
    job = stopped(lambda report: run_simulation(plan, store, report), lambda show: show.result is not None)
    assert job.state.latest.result.rounds == BLOCK
    resumed = result_of("simulate", "--resume", "1", "--store", store, "--workers", "1")
    assert resumed["value"] == plan.run(workers=1).value
    assert resumed["rounds"] == 3 * BLOCK


def test_a_simulation_that_is_interrupted_in_the_terminal_resumes_in_the_web(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (
        "simulate",
        "--set",
        "decks=infinite",
        "--rounds",
        str(3 * BLOCK),
        "--seed",
        "5",
        "--workers",
        "1",
    )
    interrupted(monkeypatch, "progress", "progress_bar", 2, *words, "--save", "--store", store)
    shows: list[SimulationShow] = []
    plan = saved_simulation(store, 1)
    end = run_simulation(plan, store, shows.append, resume=1)
    assert [show.result.rounds for show in shows if show.result is not None] == [3 * BLOCK]
    assert end.result is not None
    assert end.exact == pytest.approx(chart_book(INFINITE).analysis.chart_edge)
    assert end.result.value == result_of(*words)["value"]
    with pytest.raises(InputError, match="run 1 is finished"):
        saved_simulation(store, 1)


def test_an_evolution_that_is_stopped_in_the_web_resumes_in_the_terminal(store: str) -> None:
    plan = EvolutionPlan(INFINITE, breeding=Breeding(population=8, generations=5), seed=3)
    stopped(lambda report: run_evolution(plan, store, report), lambda show: len(show.generations) == 2)
    resumed = result_of("evolve", "--resume", "1", "--store", store, "--workers", "2")
    whole = plan.run(workers=1)
    assert (resumed["value"], resumed["generations"]) == (whole.value, 5)


@pytest.mark.verify
def test_an_evolution_that_is_interrupted_in_the_terminal_resumes_in_the_web(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("evolve", "--set", "decks=infinite", "--population", "8", "--generations", "5", "--seed", "3")
    interrupted(monkeypatch, "blackjack_evolution", "_live_view", 3, *words, "--save", "--store", store)
    shows: list[EvolutionShow] = []
    end = run_evolution(saved_evolution(store, 1), store, shows.append, resume=1)
    assert [len(show.generations) for show in shows] == [0, 3, 4, 5]
    assert end.report is not None
    assert end.report.value == result_of(*words)["value"]


def test_a_run_that_was_saved_with_something_else_is_not_resumed(store: str) -> None:
    plan = SimulationPlan(INFINITE, length=Length(rounds=3 * BLOCK), seed=5)
    stopped(lambda report: run_simulation(plan, store, report), lambda show: show.result is not None)
    saved = saved_simulation(store, 1)
    assert saved.chart is not None
    other = replace(saved, chart=saved.chart.replace({("12", "3"): "S"}))
    with pytest.raises(InputError, match=r"^run 1 was saved with a different chart; start a new run$"):
        run_simulation(other, store, lambda _: None, resume=1)


def test_an_evolution_shows_every_generation_and_ends_with_an_exact_report(store: str) -> None:
    shows: list[EvolutionShow] = []
    plan = EvolutionPlan(INFINITE, breeding=Breeding(population=8, generations=4), seed=3)
    end = run_evolution(plan, store, shows.append)
    assert [len(show.generations) for show in shows] == [0, 1, 2, 3, 4]
    assert end.report is not None
    assert end.optimum == pytest.approx(chart_book(INFINITE).analysis.chart_edge)
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
        (SimulationPlan(INFINITE, length=Length(rounds=-1), seed=1), "rounds = -1"),
        (SimulationPlan(INFINITE, length=Length(rounds=10**12), seed=1), "at most 10000000000"),
        (SimulationPlan(INFINITE, length=Length(rounds=10), seed=-1), "seed = -1"),
        (SimulationPlan(INFINITE.replaced({"minimum_bet": 5}), seed=1), "a bet of 1"),
        (EvolutionPlan(INFINITE, "luck", seed=1), "fitness 'luck'"),
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
