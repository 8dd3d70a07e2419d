import subprocess
import sys
from pathlib import Path

import pytest

from croupier.durak.arena.log import GameLog, LogIndex, check_log, problems, read_log, verify_log_file
from croupier.durak.arena.player import PolicyPlayer
from croupier.durak.arena.referee import PlayedGame, play_game
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.record import GameRecord, format_record
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


@pytest.mark.parametrize("cut", [1, 4, 40, 61, 62, 63, 500, 2000])
def test_a_record_torn_by_a_crash_is_removed_and_nothing_else(log: Path, game: PlayedGame, cut: int) -> None:
    whole = OLD_GAMES.read_bytes()
    start = whole.rindex(b"####2026")
    log.write_bytes(whole[: start + cut])
    with GameLog(log) as book:
        book.append(game.record())
    assert log.read_bytes() == whole[:start] + format_record(game.record()).encode()
    assert list(problems(read_log(log))) == []


def test_a_last_game_that_lacks_only_its_line_end_is_kept(log: Path, game: PlayedGame) -> None:
    log.write_bytes(OLD_GAMES.read_bytes().rstrip(b"\n"))
    with GameLog(log) as book:
        book.append(game.record())
    assert log.read_bytes() == OLD_GAMES.read_bytes() + format_record(game.record()).encode()


def test_a_game_that_the_disk_refuses_leaves_the_log_as_it_was(log: Path, game: PlayedGame) -> None:
    size = log.stat().st_size
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from croupier.durak.arena.append_file import AppendFile\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))\n"
        "AppendFile(Path(sys.argv[1]), 'log').append('x' * 1000 + '\\n')\n"
    )
    full = subprocess.run(
        [sys.executable, "-c", script, log, str(size + 300)], capture_output=True, text=True, check=False
    )
    assert "cannot be written (File too large)" in full.stderr
    assert log.read_bytes() == OLD_GAMES.read_bytes()


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, b"# notes\n\n#### a heading\n"]
)
def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(content)
    for attempt in (GameLog, read_log, verify_log_file, LogIndex, lambda path: list(check_log(path))):
        with pytest.raises(FileError, match=r"cat\.png': not a durak log"):
            attempt(picture)
    assert picture.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"\n", b"##", b"####2026-1"])
def test_an_empty_log_and_one_torn_in_its_first_header_are_logs(
    tmp_path: Path, content: bytes, game: PlayedGame
) -> None:
    path = tmp_path / "games.log"
    path.write_bytes(content)
    with GameLog(path) as book:
        book.append(game.record())
    (only,) = read_log(path)
    assert isinstance(only, GameRecord)


def test_an_index_finds_every_game_as_reading_the_whole_log_does(log: Path) -> None:
    lines = log.read_text().splitlines()
    lines[3] = lines[3][:700]
    del lines[6]
    lines[9:9] = ["", "stray"]
    log.write_text("\r\n".join(lines))
    games = read_log(log)
    index = LogIndex(log)
    for _ in index.scan():
        pass
    assert len(index) == len(games)
    assert tuple(index.game(number) for number in range(1, len(index) + 1)) == games


def test_a_long_log_is_checked_compiled_with_the_same_findings(log: Path) -> None:
    lines = OLD_GAMES.read_text().splitlines()
    wrong = lines[1].replace('"moves_and_responds": ["6C"', '"moves_and_responds": ["6H"', 1)
    log.write_text("\n".join([*lines * 30, lines[0], wrong, *lines, "####torn"]) + "\n")
    found = {game.number: game.problem for game in check_log(log) if game.problem is not None}
    assert found == dict(problems(read_log(log)))
    assert list(found) == [601, 622]


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
