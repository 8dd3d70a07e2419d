import os
from datetime import datetime
from pathlib import Path

import pytest

from croupier.durak.arena.log import GameLog
from croupier.durak.engine.record import GameRecord
from croupier.durak.play.refusal import DurakRefusal
from croupier.files import FileError
from croupier.web.models.durak_logs import (
    LARGEST_MB,
    LARGEST_OPENED_MB,
    MOST_MATCHES,
    MOST_UPLOADS,
    LogFolder,
    Place,
)
from tests.web.models.durak_services import OLD_GAMES

LOG = OLD_GAMES.read_bytes()
ONE_GAME = b"\n".join(LOG.splitlines()[:2]) + b"\n"


def titles(logs: LogFolder, visitor: str) -> list[str]:
    return [log.title for log in logs.listed(visitor)]


def test_an_uploaded_log_is_read_again_and_listed_for_its_owner_alone(tmp_path: Path) -> None:
    logs = LogFolder(tmp_path)
    name = logs.upload("ann", "old games (1).log", LOG)
    assert len(logs.read(name)) == 20
    assert titles(logs, "ann") == ["old-games-1"]
    assert titles(logs, "bob") == []
    assert logs.upload("ann", "old games (1).log", LOG) == name
    assert len(LogFolder(tmp_path).read(name)) == 20


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no game in it can be read"),
        (b"rubbish\n" * 100, "no game in it can be read"),
        (b"####a - b (1-0)####\n{}\n", "no game in it can be read"),
        (b"\xff\xfe" + LOG, "not a text file"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "not a text file"),
        (b" " * (LARGEST_MB * 2**20 + 1), f"larger than {LARGEST_MB} MB"),
    ],
)
def test_what_is_no_log_is_refused_and_leaves_no_file(tmp_path: Path, data: bytes, reason: str) -> None:
    logs = LogFolder(tmp_path)
    with pytest.raises(DurakRefusal, match=reason):
        logs.upload("ann", "x.log", data)
    assert list(tmp_path.rglob("*.log")) == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../secret.log",
        "/etc/passwd",
        "a/b.log",
        "none.log",
        ".hidden.log",
        "a\0.log",
        "secret.log\n",
        "x" * 500,
    ],
)
def test_a_log_is_asked_for_by_name_and_never_by_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "durak" / "logs").mkdir(parents=True)
    (tmp_path / "durak" / "secret.log").write_bytes(LOG)
    (tmp_path / "durak" / "logs" / ".hidden.log").write_bytes(LOG)
    with pytest.raises(DurakRefusal, match="There is no log"):
        LogFolder(tmp_path).read(name)


@pytest.mark.parametrize(
    "name", ["../../../evil.log", "..\\evil.log", "....", "", "имя.log", "a" * 300, "x.log.log"]
)
def test_a_file_may_be_called_anything(tmp_path: Path, name: str) -> None:
    logs = LogFolder(tmp_path)
    kept = logs.upload("ann", name, ONE_GAME)
    assert len(logs.read(kept)) == 1
    assert [path.parent for path in tmp_path.rglob("*.log")] == [tmp_path / "durak" / "logs"]


def test_only_so_many_uploads_are_kept_the_oldest_goes_and_matches_stay(tmp_path: Path) -> None:
    logs = LogFolder(tmp_path)
    with GameLog(logs.new_match(("a", "b"), datetime(2026, 1, 1))):
        pass
    kept = [logs.upload("ann", "games.log", ONE_GAME + b"\n" * number) for number in range(MOST_UPLOADS)]
    os.utime(tmp_path / "durak" / "logs" / kept[40], (1, 1))
    kept.append(logs.upload("ann", "games.log", LOG))
    gone = kept.pop(40)
    with pytest.raises(DurakRefusal):
        logs.read(gone)
    assert {log.name for log in logs.listed("ann")} == {*kept, "20260101-000000-a-b.log"}


def test_only_so_many_matches_are_kept(tmp_path: Path) -> None:
    logs = LogFolder(tmp_path)
    kept = logs.upload("ann", "games.log", ONE_GAME)
    for minute in range(MOST_MATCHES + 1):
        path = logs.new_match(("a", "b"), datetime(2026, 1, 1 + minute // 60, 0, minute % 60))
        os.utime(path, (minute, minute))
    names = {log.name for log in logs.listed("ann")}
    assert len(names) == MOST_MATCHES + 1
    assert kept in names
    assert "20260101-000000-a-b.log" not in names


def test_a_log_that_is_too_large_to_be_shown_is_not_read(tmp_path: Path) -> None:
    logs = LogFolder(tmp_path)
    path = logs.new_match(("a", "b"), datetime(2026, 1, 1))
    os.truncate(path, LARGEST_OPENED_MB * 2**20 + 1)
    with pytest.raises(DurakRefusal, match=f"larger than {LARGEST_OPENED_MB} MB"):
        logs.read(path.name)


def test_matches_are_for_everybody_and_never_share_a_file(tmp_path: Path) -> None:
    logs, now = LogFolder(tmp_path), datetime(2026, 11, 15, 13, 0, 0)
    names = []
    for _ in range(3):
        path = logs.new_match(("durak-master 5", "../evil", "c", "d"), now)
        with GameLog(path):
            names.append(path.name)
    assert names[0] == "20261115-130000-durak-master-5-evil-c.log"
    assert len(set(names)) == 3
    assert {log.name for log in logs.listed("anybody")} == set(names)


def test_a_log_of_this_machine_is_copied(tmp_path: Path) -> None:
    logs = LogFolder(tmp_path)
    name = logs.adopt(OLD_GAMES)
    assert name == logs.adopt(OLD_GAMES)
    assert all(isinstance(game, GameRecord) for game in logs.read(name))
    assert titles(logs, "anybody") == ["old-games"]
    with pytest.raises(FileError, match="there is no such file"):
        logs.adopt(tmp_path / "none.log")


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({}, Place("", 0, 1)),
        ({"log": "a.log", "game": "2", "step": "7"}, Place("a.log", 2, 7)),
        ({"log": "a.log", "game": "-2", "step": "1e9"}, Place("a.log", 0, 1)),
        ({"game": "²", "step": "9" * 50}, Place("", 0, 1)),
    ],
)
def test_a_link_is_read_as_far_as_it_makes_sense(query: dict[str, str], place: Place) -> None:
    assert Place.from_query(query) == place
