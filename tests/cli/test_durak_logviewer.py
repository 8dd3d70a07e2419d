"""The log viewer itself, without a terminal: the real application, driven by Textual's own pilot."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList, Select, Static

from croupier.cli.durak_logviewer import GameList, GameView, LogViewer, positions
from croupier.durak.arena.log import read_log
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.record_steps import MALFORMED, GameEntry

OLD_GAMES = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
Steps = Callable[[Pilot[None]], Awaitable[None]]


def drive(logs: list[Path], steps: Steps) -> None:
    async def play() -> None:
        async with LogViewer(logs).run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(play())


def text_of(pilot: Pilot[None], place: str) -> str:
    return str(pilot.app.screen.query_one(place, Static).content)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


@pytest.fixture
def damaged_log(tmp_path: Path) -> Path:
    path = tmp_path / "damaged.log"
    lines = OLD_GAMES.read_text().splitlines()
    lines[3] = lines[3][:700]
    lines[5] = lines[5].replace('"to_move": "player1"', '"to_move": "player2"', 1)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_every_game_is_listed_and_steps_from_the_deal_to_the_end() -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app.screen, GameList)
        assert text_of(pilot, "#count") == "20 of 20 games"
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, GameView)
        assert "player 1: durak-dummy" in text_of(pilot, "#players")
        shown = text_of(pilot, "#position")
        for fact in (
            "24 cards, trump 8♦",
            "player 1  8♣ 8♥ 9♥ J♣ J♥ J♠",
            "player 2  6♣ 6♥ T♠ K♣ A♠ A♦",
            "table     empty",
        ):
            assert fact in shown
        await press(pilot, "right")
        assert "Player 2 plays 6♣." in text_of(pilot, "#position")
        assert "position 2 of 46" in text_of(pilot, "#position")
        await press(pilot, "left", "left", "left")
        assert "position 1 of 46" in text_of(pilot, "#position")
        await press(pilot, "end", "right")
        assert "position 46 of 46" in text_of(pilot, "#position")
        assert "layer 2 wins" in text_of(pilot, "#position")
        await press(pilot, "home")
        assert "position 1 of 46" in text_of(pilot, "#position")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, GameList)

    drive([OLD_GAMES], steps)


def test_the_buttons_step_as_the_keys_do() -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        for button, place in (("#last", 46), ("#previous", 45), ("#first", 1), ("#next", 2)):
            await pilot.click(button)
            await pilot.pause()
            assert f"position {place} of 46" in text_of(pilot, "#position")

    drive([OLD_GAMES], steps)


def test_games_are_found_by_result_and_by_words() -> None:
    games = [game for game in read_log(OLD_GAMES) if isinstance(game, GameRecord)]
    draws = sum(game.result == "s-s" for game in games)

    async def steps(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        screen.query_one("#kind", Select).value = "s-s"
        await pilot.pause()
        assert text_of(pilot, "#count") == f"{draws} of 20 games"
        await press(pilot, "slash", *"nobody")
        assert screen.query_one("#search", Input).value == "nobody"
        assert text_of(pilot, "#count") == "0 of 20 games"
        await press(pilot, *["backspace"] * 6, *"dummy", "enter")
        assert screen.query_one("#games", DataTable).has_focus
        await press(pilot, "enter")
        assert "s-s" in text_of(pilot, "#players")

    drive([OLD_GAMES], steps)


def test_malformed_games_are_shown_as_such_and_the_rest_opens(damaged_log: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert text_of(pilot, "#count") == "20 of 20 games"
        await press(pilot, "down", "enter")
        assert "malformed, line 3: not JSON" in text_of(pilot, "#position")
        await press(pilot, "right", "end", "escape", "down", "enter")
        assert "does not replay" in text_of(pilot, "#position")
        await press(pilot, "escape", "down", "enter")
        assert "position 1 of" in text_of(pilot, "#position")
        await press(pilot, "escape")
        pilot.app.screen.query_one("#kind", Select).value = MALFORMED
        await pilot.pause()
        assert text_of(pilot, "#count") == "1 of 20 games"

    drive([damaged_log], steps)


def test_a_log_is_chosen_among_several(damaged_log: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert pilot.app.screen.query_one("#logs", OptionList).option_count == 3
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, GameList)
        assert pilot.app.screen.sub_title == "damaged.log"
        await press(pilot, "escape")
        assert pilot.app.screen.query_one("#logs", OptionList).has_focus
        await press(pilot, "end", "enter")
        assert pilot.app.screen.query_one("#logs", OptionList).has_focus

    drive([OLD_GAMES, damaged_log, damaged_log.parent / "gone.log"], steps)


@pytest.mark.verify
def test_a_long_log_is_listed_and_searched_a_page_at_a_time(tmp_path: Path) -> None:
    long = tmp_path / "long.log"
    long.write_text(OLD_GAMES.read_text() * 30)

    async def steps(pilot: Pilot[None]) -> None:
        assert text_of(pilot, "#count") == "600 of 600 games, page 1 of 2 (keys n and p)"
        assert pilot.app.screen.query_one("#games", DataTable).row_count == 500
        await press(pilot, "n", "n")
        assert text_of(pilot, "#count") == "600 of 600 games, page 2 of 2 (keys n and p)"
        assert pilot.app.screen.query_one("#games", DataTable).row_count == 100
        await press(pilot, "enter")
        assert pilot.app.screen.sub_title == "game 501"
        await press(pilot, "escape", "p", "p", "slash", *"1-0")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        games = sum("(1-0)####" in line for line in long.read_text().splitlines())
        assert text_of(pilot, "#count") == f"{games} of 600 games"

    drive([long], steps)


def test_every_position_of_a_recorded_game_is_one_action_on() -> None:
    game = read_log(OLD_GAMES)[0]
    assert isinstance(game, GameRecord)
    states = [position.state for position in positions(game)]
    assert [len(state.history) for state in states] == list(range(len(states)))
    assert GameEntry(1, game).matches("DUMMY 0-1", "0-1")
