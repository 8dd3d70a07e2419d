from pathlib import Path

import pytest

from croupier.durak.arena.log import GameLog, problems, read_log
from croupier.durak.arena.player import PolicyPlayer
from croupier.durak.arena.referee import PlayedGame, play_game
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.players.dummy import dummy_policy
from croupier.files import FileError

OLD_GAMES = Path(__file__).parents[2] / "data" / "durak" / "old-games.log"


@pytest.fixture
def game() -> PlayedGame:
    deal = deal_of_pair(seed=1, pair=1)
    return play_game(
        [PolicyPlayer(name, lambda: dummy_policy) for name in ("a", "b")], deal.deck, deal.leader
    )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "games.log"
    path.write_bytes(OLD_GAMES.read_bytes())
    return path


def test_the_old_games_open_and_every_one_replays() -> None:
    games = read_log(OLD_GAMES)
    assert len(games) == 20
    assert list(problems(games)) == []


def test_a_game_is_appended_behind_the_old_ones_and_they_stay_as_they_are(
    log: Path, game: PlayedGame
) -> None:
    with GameLog(log, durable=True) as book:
        book.append(game.record({"seed": 1}))
    assert log.read_bytes().startswith(OLD_GAMES.read_bytes())
    last = read_log(log)[-1]
    assert isinstance(last, GameRecord)
    assert (last.player1_name, last.player2_name, last.result) == ("a", "b", game.result)
    assert last.extra["seed"] == 1


@pytest.mark.parametrize("cut", [1, 40, 61, 62, 63, 500, 2000])
def test_a_game_torn_by_a_crash_spoils_no_other(log: Path, game: PlayedGame, cut: int) -> None:
    whole = OLD_GAMES.read_bytes()
    start = (
        whole.rindex(b"####2026", 0, whole.rindex(b"####2026")) if cut == 40 else whole.rindex(b"####2026")
    )
    log.write_bytes(whole[: start + cut])
    with GameLog(log) as book:
        book.append(game.record())
    games = read_log(log)
    assert isinstance(games[-1], GameRecord)
    assert games[-1].player1_name == "a"
    assert isinstance(games[-2], BrokenGame)
    assert all(isinstance(entry, GameRecord) for entry in games[:-2])
    assert [number for number, _ in problems(games)] == [len(games) - 1]


def test_bytes_that_are_not_utf8_spoil_one_game(log: Path) -> None:
    data = log.read_bytes()
    log.write_bytes(data.replace(b'"to_move"', b'"to_m\xffve"', 1))
    games = read_log(log)
    assert len(games) == 20
    assert [number for number, _ in problems(games)] == [1]


def test_a_changed_card_and_a_changed_result_do_not_fit(log: Path) -> None:
    lines = log.read_text().splitlines()
    lines[1] = lines[1].replace('"moves_and_responds": ["6C"', '"moves_and_responds": ["6H"', 1)
    lines[3] = lines[3].replace('"result": "s-s"', '"result": "1-0"')
    log.write_text("\n".join(lines) + "\n")
    assert [number for number, _ in problems(read_log(log))] == [1, 2]


def test_a_log_that_cannot_be_written_or_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"log '.*/no/games.log': cannot be written \(No such file"):
        GameLog(tmp_path / "no" / "games.log")
    with pytest.raises(FileError, match="there is no such file"):
        read_log(tmp_path / "games.log")
    with pytest.raises(FileError, match="directory"):
        GameLog(tmp_path)
