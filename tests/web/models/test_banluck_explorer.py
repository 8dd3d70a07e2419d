"""The explorer without a browser: solved games and their cache, charts, questions and their addresses, studies, files."""

import csv
import io
import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.banluck.analysis.decision_tables import decisions_csv
from croupier.banluck.analysis.sensitivity import ALTERNATIVES, game_value, sensitivity
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.play.solutions import SOLUTIONS, Method, SolutionCache
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.banluck.solvers.fixed import stand_on
from croupier.banluck.solvers.opponent import Role
from croupier.errors import InputError
from croupier.rulebook import RulesError
from croupier.web.jobs import Job, Lane, Report, Status, Stopped
from croupier.web.models.banluck_charts import dealer_grids, player_grid
from croupier.web.models.banluck_question import Address, Question, asked
from croupier.web.models.banluck_research import (
    KEPT_REPORTS,
    Progress,
    prices_figure,
    report_file,
    report_path,
)
from croupier.web.models.banluck_solving import solve_live
from croupier.web.models.banluck_study import study

PRESETS = [preset.name for preset in BANLUCK.presets]


def solved(preset: str = "reference") -> Solution:
    return SOLUTIONS.solve_for_table(BANLUCK.preset(preset).rules)


# Solved games


def test_a_live_solve_reports_its_curve_and_ends_within_the_accuracy() -> None:
    curves: list[tuple[CurvePoint, ...]] = []
    game = solve_live(BanluckRules(), Method(tolerance=1e-8), curves.append, SolutionCache())  # type: ignore[arg-type]
    assert curves[0] == ()
    assert [len(curve) for curve in curves] == list(range(len(curves)))
    assert game.curve == curves[-1]
    assert game.exploitability <= 1e-8
    assert game.value == pytest.approx(game_value(BanluckRules()), abs=1e-7)


def test_a_game_that_was_solved_is_there_at_once_for_the_next_visitor() -> None:
    cache = SolutionCache()
    method = Method(tolerance=1e-6)
    first = solve_live(BanluckRules(), method, cache=cache)

    def must_not_be_asked(_: object) -> None:
        pytest.fail("solved again")

    assert solve_live(BanluckRules(), method, must_not_be_asked, cache) is first
    assert cache.find(BanluckRules(pays_777=8), method) is None


def test_a_solve_that_is_stopped_keeps_what_it_has_reached_and_is_not_cached() -> None:
    cache = SolutionCache()
    method = Method(Algorithm.CFR, 1e-10)

    def stop_soon(curve: object) -> None:
        if isinstance(curve, tuple) and len(curve) == 3:
            raise Stopped

    game = solve_live(BanluckRules(), method, stop_soon, cache)
    assert len(game.curve) == 3
    assert not game.converged
    assert game.lower < game_value(BanluckRules()) < game.upper
    assert cache.find(BanluckRules(), method) is None


def test_a_solve_in_a_job_can_be_stopped() -> None:
    job: Job[Solution] = Job("banluck-solve", "other", Lane.SHORT)
    cache = SolutionCache()

    def work(report: Report) -> Solution:
        def stop_itself(curve: object) -> None:
            if curve:
                job.stop()
            report(curve)

        return solve_live(BanluckRules(), Method(Algorithm.CFR, 1e-10), stop_itself, cache)

    job.run(work)
    assert job.state.status is Status.DONE
    assert job.state.result is not None
    assert len(job.state.result.curve) == 1


def test_the_linear_program_agrees() -> None:
    game = solve_live(BanluckRules(), Method(Algorithm.LP, 1e-10), cache=SolutionCache())
    assert game.exploitability <= 1e-10
    assert game.value == pytest.approx(game_value(BanluckRules()), abs=1e-7)


def test_tables_play_by_what_the_explorer_has_solved() -> None:
    cache = SolutionCache()
    assert cache.find_for_table(BanluckRules()) is None
    game = solve_live(BanluckRules(), Method(), cache=cache)
    assert cache.solve_for_table(BanluckRules()) is game


@pytest.mark.parametrize(
    ("algorithm", "accuracy"), [("lp ", "1e-9"), ("cfr", "0"), ("cfr", "1e-09"), ("", "")]
)
def test_a_method_that_is_not_offered_is_refused(algorithm: str, accuracy: str) -> None:
    with pytest.raises(InputError, match="choose"):
        Method.parsed(algorithm, accuracy)


# Charts and studies


@pytest.mark.parametrize("preset", PRESETS)
def test_every_decision_of_the_book_is_in_exactly_one_cell(preset: str) -> None:
    game = solved(preset)
    cells = [cell for _, row in player_grid(game).rows for cell in row if cell is not None]
    assert len({cell.mark for cell in cells}) == len(cells)
    values = {advice.value for advice in game.book.player_decisions}
    assert len(cells) == len(values)
    dealers = [
        cell for grid in dealer_grids(game) for _, row in grid.rows for cell in row if cell is not None
    ]
    decisions = {
        (advice.value, advice.against) for advice in game.book.dealer_decisions if advice.go == "draw"
    }
    assert len({cell.mark for cell in dealers}) == len(dealers) == len(decisions)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_cell_is_painted_by_the_better_action_and_its_letter_agrees(preset: str) -> None:
    game = solved(preset)
    heats = (game.player_heat, *game.dealer_heats)
    grids = (player_grid(game), *dealer_grids(game))
    for heat, grid in zip(heats, grids, strict=True):
        for name, row in grid.rows:
            for total, cell in zip(grid.totals, row, strict=True):
                if cell is None:
                    assert (name, total) not in heat.cells
                    continue
                average = heat.cells[name, total]
                better = "forced" if average.gain is None else "go" if average.gain > 0 else "stop"
                assert cell.shade.split("-")[0] == better
                assert cell.label == average.label
                assert cell.question.advice(game.book).value.total == total


def test_where_the_rules_force_a_hit_the_cell_says_so() -> None:
    grid = player_grid(solved("singapore"))
    cell = dict(grid.rows)["2 cards, hard"][grid.totals.index(12)]
    assert cell is not None
    assert cell.shade == "forced"
    assert "the rules say hit" in cell.spoken


@settings(max_examples=15)
@given(st.sampled_from(PRESETS), st.data())
def test_a_study_says_what_the_book_and_the_exact_outcomes_say(preset: str, data: st.DataObject) -> None:
    game = solved(preset)
    side = data.draw(st.sampled_from(Role))
    if side is Role.PLAYER:
        question = Question(side, data.draw(st.sampled_from(game.book.player_decisions)).hand)
    else:
        hand, count = data.draw(st.sampled_from(sorted(game.book.dealer_lookup)))
        question = Question(side, hand, count)
    found = study(game, question)
    advice = question.advice(game.book)
    for action in found.actions:
        worth = advice.expected(action.action)
        assert float(action.worth.replace("−", "-")) == pytest.approx(worth, abs=6e-5)
        assert action.is_best == (action.action == advice.best)
    for bars, action in zip(found.endings["data"], found.actions, strict=True):
        mean = sum(
            float(units.replace("−", "-")) * share for units, share in zip(bars["x"], bars["y"], strict=True)
        )
        assert mean == pytest.approx(advice.expected(action.action), abs=1e-6)
        assert sum(bars["y"]) == pytest.approx(1.0)
    for bars, action in zip(found.against["data"], found.actions, strict=True):
        assert sum(bars["y"]) == pytest.approx(advice.expected(action.action), abs=1e-6)
    assert question in [row.question for row in found.compositions]


def test_a_decision_that_the_other_side_never_lets_come_up_is_said_to_be_one() -> None:
    """A player who stands on anything never holds three cards."""
    rules = BanluckRules()
    game = replace(solved(), player=stand_on(2, rules))
    found = study(game, asked("T-6", "dealer", "3"))
    assert found.actions == ()
    assert found.cost == "unknown"
    assert "never" in found.sentences[0]
    assert study(game, asked("T-6", "dealer", "2")).actions


# Questions and addresses


@settings(max_examples=100)
@given(
    st.sampled_from(PRESETS),
    st.sets(st.sampled_from(sorted(ALTERNATIVES)), max_size=4),
    st.sampled_from(MULTISETS),
    st.sampled_from(Role),
    st.integers(2, 5),
    st.data(),
)
def test_an_address_leads_back_to_exactly_the_same_rules_and_hand(
    preset: str, changed: set[str], hand: tuple[int, ...], side: Role, cards: int, data: st.DataObject
) -> None:
    rules = BANLUCK.preset(preset).rules
    for option in sorted(changed):
        try:
            rules = rules.replaced({option: data.draw(st.sampled_from(ALTERNATIVES[option]))})
        except RulesError:
            continue
    question = Question(side, hand, cards if side is Role.DEALER else 2)
    for address in (Address(rules), Address(rules, question)):
        parts = parse_qs(address.query, keep_blank_values=True)
        read = Address.read(
            parts["preset"][0],
            parts.get("set", []),
            parts.get("hand", [""])[0],
            parts.get("side", ["player"])[0],
            parts.get("cards", ["2"])[0],
        )
        assert read == address


@pytest.mark.parametrize("text", ["T-6", "T6", "10 6", "k, 6", "KS 6H", " 6-t "])
def test_a_hand_can_be_typed_in_many_ways(text: str) -> None:
    assert asked(text) == asked("T-6")


@pytest.mark.parametrize(
    "text", ["", " ", "X", "T", "1-6", "T-6-2-2-2-2", "6H 6H", "5 5 5 5 5", "<b>", "T-6" * 20, "♠", "T–6"]
)
def test_a_hand_that_cannot_be_gets_one_clear_line(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        asked(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(("side", "cards"), [("banker", "2"), ("dealer", "6"), ("dealer", "two"), ("", "2")])
def test_a_side_or_card_count_that_cannot_be_is_refused(side: str, cards: str) -> None:
    with pytest.raises(InputError, match="choose"):
        asked("T-6", side, cards)


def test_a_hand_without_a_decision_is_refused_with_the_reason() -> None:
    with pytest.raises(InputError, match=r"A-T \(Ban Luck\) leaves no decision to the player"):
        study(solved(), asked("A-T"))
    with pytest.raises(InputError, match=r"T-5 \(15\) leaves no decision to the dealer"):
        study(solved(), asked("T-5", "dealer", "3"))


# What takes a while


def test_the_table_of_decisions_holds_every_decision_to_the_last_digit() -> None:
    game = solved()
    rows = list(csv.DictReader(io.StringIO(decisions_csv(game.book, "player"))))
    assert [float(row["ev_go"]) for row in rows] == [advice.ev_go for advice in game.book.player_decisions]
    assert len(decisions_csv(game.book, "dealer").splitlines()) == 1 + len(game.book.dealer_decisions)


def test_rules_are_priced_with_progress() -> None:
    told: list[object] = []
    rules = BanluckRules(pays_777=8)
    bars = prices_figure(rules, told.append, ("surrender",))["data"][0]
    assert told == [
        Progress("changing one rule at a time", 1, 2),
        Progress("changing one rule at a time", 2, 2),
    ]
    rows = sensitivity(rules, options=["surrender"]).rows
    assert [row.value for row in rows] == ["after_specials", "none"]
    changes = {row.value: row.change for row in rows}
    assert dict(zip(bars["y"], bars["x"], strict=True)) == {
        "Giving up a hard 15: after Ban hands are shown": changes["after_specials"],
        "Giving up a hard 15: none": changes["none"],
    }


@pytest.mark.verify
def test_the_report_is_one_page_that_lies_ready_for_the_next_visitor(tmp_path: Path) -> None:
    stages: dict[str, Progress] = {}

    def report(progress: object) -> None:
        assert isinstance(progress, Progress)
        stages[progress.stage] = progress

    game = solved()
    path = report_file(game, tmp_path / "reports", report, ("surrender",))
    assert list(stages) == ["loading the plotting libraries", "writing the report"]
    page = path.read_text(encoding="utf-8")
    assert "Banluck solved: reference" in page
    assert "−0.011894" in page
    assert report_file(game, tmp_path / "reports", lambda _: pytest.fail("again"), ("surrender",)) == path


@pytest.mark.verify
def test_the_reports_that_nobody_has_asked_for_the_longest_make_room(tmp_path: Path) -> None:
    older = [tmp_path / f"banluck-{number}.html" for number in range(KEPT_REPORTS + 2)]
    for age, path in enumerate(reversed(older)):
        path.touch()
        os.utime(path, (1e9 - age, 1e9 - age))
    (tmp_path / "banluck-notes.txt").touch()
    game = solved()
    oldest = report_path(game, tmp_path, ("reveal",))
    older[0].rename(oldest)
    assert report_file(game, tmp_path, lambda _: pytest.fail("again"), ("reveal",)) == oldest
    path = report_file(game, tmp_path, lambda _: None, ("surrender",))
    assert set(tmp_path.glob("*.html")) == {path, oldest, *older[4:]}
    assert (tmp_path / "banluck-notes.txt").exists()


def test_a_report_that_is_stopped_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(_: object) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        report_file(solved(), tmp_path, stop)
    assert list(tmp_path.iterdir()) == []
