import json
from pathlib import Path

import pytest

from croupier.durak.play.refusal import DurakRefusal
from croupier.web.models.durak_engines import LONGEST_COMMAND, LONGEST_NAME, MOST_ENGINES, EngineList
from croupier.web.settings import Settings


def opened(folder: Path, **settings: object) -> EngineList:
    return EngineList(Settings(folder=folder, **settings))  # type: ignore[arg-type]


def names(engines: EngineList) -> list[str]:
    return [entry.name for entry in engines.entries()]


BUILT_IN = [*(f"durak-master {level}" for level in range(1, 6)), "durak-dummy", "durak-random"]


def test_the_built_in_engines_are_always_there_and_can_be_started(tmp_path: Path) -> None:
    engines = opened(tmp_path)
    assert names(engines) == BUILT_IN
    for name in BUILT_IN:
        spec = engines.spec(name)
        assert spec.name == name
        assert spec.keep_alive


def test_an_added_engine_is_found_again_by_the_next_lab(tmp_path: Path) -> None:
    opened(tmp_path).add("  my   cat ", " cat -u ")
    engines = opened(tmp_path)
    assert names(engines) == [*BUILT_IN, "my cat"]
    assert engines.spec("my cat").command[1:] == ("-u",)
    assert not engines.spec("my cat").keep_alive
    engines.remove("my cat")
    assert names(opened(tmp_path)) == BUILT_IN


@pytest.mark.parametrize(
    ("name", "command", "reason"),
    [
        ("", "cat", "A name has"),
        ("x" * (LONGEST_NAME + 1), "cat", "A name has"),
        ("bad\x07bell", "cat", "A name has"),
        ("cat", "", "A command line has"),
        ("cat", "cat " + "x" * LONGEST_COMMAND, "A command line has"),
        ("cat", "cat\0", "A command line has"),
        ("cat", "no-such-program-anywhere", "cannot be started"),
        ("cat", "cat 'unclosed", "cannot be started"),
        ("cat", "/", "cannot be started"),
        ("cat", "engine.toml", "not an engine file"),
        ("DURAK-dummy", "cat", "There is an engine"),
    ],
)
def test_what_cannot_be_an_engine_is_refused_and_the_list_stays_as_it_is(
    tmp_path: Path, name: str, command: str, reason: str
) -> None:
    engines = opened(tmp_path)
    engines.add("first", "cat")
    with pytest.raises(DurakRefusal, match=reason):
        engines.add(name, command)
    assert names(engines) == [*BUILT_IN, "first"]


def test_only_so_many_engines_are_kept(tmp_path: Path) -> None:
    engines = opened(tmp_path)
    engines.add("cat", "cat")
    path = tmp_path / "durak" / "engines.json"
    data = json.loads(path.read_text())
    data["engines"] = [{"name": f"cat {number}", "command": "cat"} for number in range(MOST_ENGINES)]
    path.write_text(json.dumps(data))
    with pytest.raises(DurakRefusal, match=f"At most {MOST_ENGINES}"):
        engines.add("one more", "cat")


def test_a_built_in_engine_stays(tmp_path: Path) -> None:
    engines = opened(tmp_path)
    with pytest.raises(DurakRefusal, match="is built in"):
        engines.remove("durak-dummy")
    with pytest.raises(DurakRefusal, match="no engine 'nobody'"):
        engines.remove("nobody")


@pytest.mark.parametrize("token", [None, "", "x"])
def test_a_lab_that_others_can_reach_takes_no_engines_without_a_token(
    tmp_path: Path, token: str | None
) -> None:
    engines = opened(tmp_path, host="0.0.0.0")
    with pytest.raises(DurakRefusal, match="started without a token"):
        engines.add("cat", "cat", token)
    assert names(engines) == BUILT_IN


def test_a_lab_that_others_can_reach_takes_engines_from_who_knows_the_token(tmp_path: Path) -> None:
    engines = opened(tmp_path, host="0.0.0.0", token="слово")
    for wrong in (None, "", "слов", "слово "):
        with pytest.raises(DurakRefusal, match="token is not right"):
            engines.add("cat", "cat", wrong)
    engines.add("cat", "cat", "слово")
    with pytest.raises(DurakRefusal, match="token is not right"):
        engines.remove("cat", "?")
    assert names(engines) == [*BUILT_IN, "cat"]
    engines.remove("cat", "слово")
    assert names(engines) == BUILT_IN


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"format": "other"}', '{"format": 1, "engines": 2}', "[" * 9999]
)
def test_a_damaged_list_is_said_to_be_damaged(tmp_path: Path, text: str) -> None:
    (tmp_path / "durak").mkdir()
    (tmp_path / "durak" / "engines.json").write_text(text)
    with pytest.raises(DurakRefusal, match="damaged"):
        opened(tmp_path).entries()


def test_an_engine_whose_program_has_gone_is_not_started(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/cat\n")
    program.chmod(0o755)
    engines = opened(tmp_path)
    engines.add("mine", str(program))
    program.unlink()
    with pytest.raises(DurakRefusal, match="there is no such file"):
        engines.spec("mine")
