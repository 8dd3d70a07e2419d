"""What 0.1 left is taken over: its runs can be looked at, compared and removed, and its tables are played on.

``tests/data/stores/0.1.sql`` is the dump of a store that Croupier 0.1.0 wrote: runs of every kind, finished and interrupted, and one
visitor's tables, each in the middle of a hand.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from croupier.banluck.play.table import BanluckTable
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.solana_table import SolanaTable
from croupier.web.preferences import Preferences
from croupier.web.sessions import TableSessions
from croupier.web.settings import Settings
from tests.cli.calling import call

DUMP = Path(__file__).parents[1] / "data" / "stores" / "0.1.sql"
FINISHED, INTERRUPTED = range(1, 6), range(6, 10)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text(encoding="utf-8"))
    connection.close()
    return path


def listed(store: Path) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(call("runs", "list", "--store", store, "--json").stdout)["runs"]
    return runs


def test_old_runs_are_listed_and_shown(store: Path) -> None:
    runs = listed(store)
    kinds = {"blackjack simulate", "blackjack count", "blackjack evolve", "banluck simulate"}
    for numbers, status in ((FINISHED, "finished"), (INTERRUPTED, "interrupted")):
        some = [run for run in runs if run["status"] == status]
        assert [run["id"] for run in some] == [*numbers]
        assert {run["kind"] for run in some} == kinds
    assert {run["version"] for run in runs} == {"0.1.0"}
    text = call("runs", "list", "--store", store)
    assert (text.returncode, text.stderr) == (0, "")
    assert len(text.stdout.splitlines()) == len(runs) + 1
    for run in runs:
        shown = call("runs", "show", str(run["id"]), "--store", store)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert f"{run['seed']}" in shown.stdout
        assert json.loads(call("runs", "show", str(run["id"]), "--store", store, "--json").stdout) == run


def test_old_runs_are_compared_with_each_other_and_with_new_ones(store: Path) -> None:
    words = ("--player", "stand-on-16", "--dealer", "classic", "--hands", "1000", "--seed", "1")
    assert call("banluck", "simulate", *words, "--save", "--store", store).returncode == 0
    (new,) = (run for run in listed(store) if run["version"] != "0.1.0")
    text = call("runs", "compare", "4", "5", str(new["id"]), "--store", store)
    assert (text.returncode, text.stderr) == (0, "")
    data = json.loads(call("runs", "compare", "4", "5", str(new["id"]), "--store", store, "--json").stdout)
    assert data["settings"]["version"] == ["0.1.0", "0.1.0", new["version"]]
    assert data["settings"]["player"] == ["stand-on-16", "stand-on-17", "stand-on-16"]
    assert [entry["difference"] for entry in data["differences"]] == pytest.approx(
        [0.0001, new["result"]["value"] + 0.02215, new["result"]["value"] + 0.02205]
    )


def test_an_old_run_is_removed_and_the_others_stay(store: Path) -> None:
    before = listed(store)
    assert call("runs", "remove", "3", "--yes", "--store", store).returncode == 0
    assert listed(store) == [run for run in before if run["id"] != 3]


@pytest.mark.parametrize("number", INTERRUPTED)
def test_an_old_run_is_not_resumed_and_says_why(store: Path, number: int) -> None:
    (run,) = (run for run in listed(store) if run["id"] == number)
    refused = call(*run["kind"].split(), "--resume", str(number), "--store", store)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1
    assert f"run {number} was started by Croupier 0.1.0 and cannot be resumed" in refused.stderr
    assert refused.stderr.endswith("start a new run\n")
    assert run in listed(store)


@pytest.fixture
def seats() -> Iterator[EngineSeats]:
    opened = EngineSeats()
    yield opened
    opened.close()


def reopened(store: Path, name: str, restore: Callable[[Mapping[str, Any]], Any]) -> Any:
    """Open a visitor's session as a page does; a fresh table in the place of the old one is a failure."""

    def fresh() -> Any:
        pytest.fail(f"the saved {name} gave way to a fresh one")

    async def enter() -> Any:
        session = await TableSessions(SessionStore(engine)).open("ann", name, fresh, restore)
        return session.model

    with open_database(str(store), create=True) as engine:
        return asyncio.run(enter())


def test_an_old_banluck_table_is_played_on(store: Path) -> None:
    table = reopened(store, "banluck", BanluckTable.from_state)
    view = table.view
    assert (view.bankroll, view.number, view.bet, view.seats[0].cards) == (90, 4, 10, (2, 0))
    assert [(record.number, record.won) for record in view.history] == [(1, 0), (2, -5), (3, -5)]
    assert (view.totals.decisions, view.totals.right) == (2, 1)
    table.act("hit")
    assert len(table.view.seats[0].cards) == 3


def test_an_old_blackjack_table_is_played_on(store: Path) -> None:
    table = reopened(store, "blackjack", BlackjackTable.from_state)
    view = table.view
    assert (view.bankroll, view.on_table, view.bets, view.coach) == (926, 34, (10, 20), True)
    assert [seat.hands[0].cards for seat in view.seats] == [(13, 33), (17, 9)]
    assert (view.rules.decks, view.dealer.cards) == (4, (18, None))
    assert view.count is not None
    table.act("stand")
    assert table.view.seats[1].hands[0].is_active


def test_an_old_trainer_goes_on_asking(store: Path) -> None:
    trainer = reopened(store, "blackjack-trainer", BlackjackTrainer.from_state)
    view = trainer.view()
    assert (view.score.answered, view.score.right, view.cards, view.dealer_card) == (4, 0, (4, 14), 24)
    assert view.score.cost == pytest.approx(1.99074, abs=1e-5)
    trainer.go_on()
    assert trainer.view().verdict is None


def test_an_old_durak_table_is_played_on(store: Path, seats: EngineSeats, tmp_path: Path) -> None:
    engines = EngineList(Settings(folder=tmp_path))
    table = reopened(store, "durak", lambda state: DurakTable.from_state(state, engines, seats))
    view = table.view()
    assert (view.number, len(view.moves), view.deck_count, view.score) == (2, 6, 20, (0, 0, 1))
    assert [card.card for card in view.hand if card.is_playable] == [45, 42, 50]
    assert view.has_coach
    table.play([45])
    table.let_opponent_move()
    assert len(table.view().moves) == 8


def test_an_old_table_on_the_chain_is_played_on(store: Path) -> None:
    table = reopened(store, "solana", SolanaTable.from_state)
    view = table.view()
    assert (view.player.cards, view.dealer.cards, view.decks) == ((48, 27), (35,), 1)
    assert "You have 19 against 10" in view.prompt
    table.act("stand")
    assert "new" in [choice.name for choice in table.view().choices]


def test_old_preferences_are_kept(store: Path) -> None:
    assert reopened(store, "preferences", Preferences.from_state) == Preferences("ru", dark=True)


def test_a_store_of_this_version_is_opened_again(tmp_path: Path) -> None:
    store = tmp_path / "new.sqlite"
    words = ("--player", "stand-on-16", "--dealer", "classic", "--hands", "1000", "--seed", "1")
    for _ in range(2):
        assert call("banluck", "simulate", *words, "--save", "--store", store).returncode == 0
    first, second = listed(store)
    assert first["result"]["value"] == second["result"]["value"]
    with open_database(str(store)) as engine:
        SessionStore(engine).save("ann", "preferences", Preferences("ru").to_state())
    assert reopened(store, "preferences", Preferences.from_state) == Preferences("ru")
