"""An engine as a real process: it answers line by line, ends when the game or the input ends, and forgives odd spacing."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.protocol import CommandError, notices, opening, parse_answer, question
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.base import Engine, FunctionEngine

SCRIPTS = Path(sys.executable).parent


def engine_of_the_documentation() -> str:
    """The complete engine that the page on writing engines shows."""
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "durak-engine.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(from croupier import durak\n\n\nclass .*?)```", page, flags=re.DOTALL)
    assert example is not None
    return example.group(1)


def conversation(text: str) -> str:
    """What an engine that plays its first card answers to a text."""
    output = io.StringIO()
    FunctionEngine(lambda seen: seen.hand[:1]).run(io.StringIO(text), output)
    return output.getvalue()


class Talk:
    """A conversation with an engine process, line by line."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=buffered
        )

    def ask(self, line: str) -> str:
        self.tell(line)
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


@pytest.mark.parametrize("name", ["durak-dummy", "durak-random", "written"])
def test_two_processes_play_whole_games(name: str, tmp_path: Path) -> None:
    written = tmp_path / "careless.py"
    written.write_text(engine_of_the_documentation(), encoding="utf-8")
    command: list[str | Path] = [sys.executable, written] if name == "written" else [SCRIPTS / name]
    for seed in range(2):
        engines = [Talk(command), Talk([SCRIPTS / "durak-dummy"])]
        state = start(DurakRules(), shuffle(PACK, seed), leader=seed)
        for notice in opening(state):
            assert engines[notice.seat].ask(notice.line) == "ok"
        while (asked := question(state)) is not None:
            text = engines[asked.seat].ask(asked.line)
            before, state = state, answer(state, parse_answer(text, state.phase))
            for notice in notices(before, state):
                if notice.line == "game_end":
                    engines[notice.seat].tell(notice.line)
                else:
                    assert engines[notice.seat].ask(notice.line) == "ok"
        assert state.is_over
        assert [engine.end() for engine in engines] == [0, 0]


def test_an_engine_leaves_at_game_end_though_the_input_stays_open() -> None:
    engine = Talk([SCRIPTS / "durak-dummy"])
    assert engine.ask("init 8H") == "ok"
    engine.tell("game_end")
    assert engine.process.wait(timeout=60) == 0
    engine.end()


@pytest.mark.parametrize("name", ["durak-dummy", "durak-random"])
def test_an_engine_that_is_asked_to_stays_for_the_next_game(name: str) -> None:
    arguments = ["--seed", "3"] if name == "durak-random" else []
    game = "init 8H\ndeal 9C KC AC ## {}\nmove  ## {}\ngame_end\n"
    run = subprocess.run(
        [SCRIPTS / name, *arguments],
        input=3 * game,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"DURAK_KEEP_ALIVE": "1"},
    )
    answers = run.stdout.splitlines()
    assert answers == 3 * answers[:3]
    assert answers[:2] == ["ok", "ok"]


def test_a_command_between_two_games_is_refused() -> None:
    with pytest.raises(CommandError, match="'move' before 'init'"):
        FunctionEngine(lambda seen: seen.hand[:1]).run(
            io.StringIO("init 8H\ngame_end\nmove\n"), io.StringIO(), keeps_alive=True
        )


@pytest.mark.parametrize(
    "text", ["", "init 8H\n", "init 8H\ndeal 9C ## {}\n", "init 8H\ndeal 9C ## {}\nmove  ## {}"]
)
def test_the_end_of_the_input_ends_the_engine_quietly(text: str) -> None:
    run = subprocess.run([SCRIPTS / "durak-dummy"], input=text, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert len(run.stdout.splitlines()) == text.count("init") + text.count("deal") + text.count("move")


def test_a_reader_who_has_gone_ends_the_engine_without_a_traceback() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.Popen(
        [SCRIPTS / "durak-dummy"], stdin=subprocess.PIPE, stdout=write_end, stderr=subprocess.PIPE, text=True
    )
    os.close(write_end)
    _, errors = process.communicate("init 8H\n")
    assert process.returncode == 1
    assert "Traceback" not in errors


def test_an_interrupt_ends_the_engine_without_a_traceback() -> None:
    process = subprocess.Popen(
        [SCRIPTS / "durak-dummy"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("init 8H\n")
    process.stdin.flush()
    assert process.stdout.readline() == "ok\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert errors == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "hello\n",
            "error: no command 'hello'; commands are init, deal, move, respond, give_more, game_end\n",
        ),
        ("move  ## {}\n", "error: command 'move' before 'init'\n"),
        ("init\n", "error: command 'init': 0 cards; it names the open trump\n"),
        (
            'init 8H\ndeal 9C ## {"discarded": 3}\n',
            "error: command 'deal': its data cannot be read ('int' object is not iterable)\n",
        ),
        (
            'init 8H\nmove ## {"deck_count": "many"}\n',
            "error: command 'move': its data cannot be read (invalid literal for int() with base 10: 'many')\n",
        ),
    ],
)
def test_a_broken_conversation_is_one_line_and_exit_code_2(text: str, message: str) -> None:
    run = subprocess.run([SCRIPTS / "durak-dummy"], input=text, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (2, message)


@pytest.mark.parametrize(
    "text",
    [
        "init 8H\ndeal 9C KC ## {}\nmove  ## {}\ngame_end\n",
        "init 8H\r\ndeal 9C KC ## {}\r\nmove  ## {}\r\ngame_end\r\n",
        "  init   8H \n\n\tdeal  9C   KC   ##   {}\n \nmove ##{}\n game_end",
        "init 8H\ndeal 9C KC\ndeal\nmove\ngame_end\nmove\n",
        "init 8H\ndeal 9C\ndeal  ## {}\ndeal KC ## {}\nmove\n",
    ],
)
def test_spaces_line_ends_and_empty_deals_are_as_they_like(text: str) -> None:
    assert conversation(text).split() == ["ok"] * (text.count("init") + text.count("deal")) + ["9C"]


def test_an_empty_answer_is_an_empty_line() -> None:
    output = io.StringIO()
    FunctionEngine(lambda _: ()).run(io.StringIO("init 8H\ndeal 9C\nrespond TC\n"), output)
    assert output.getvalue() == "ok\nok\n\n"


def test_a_new_init_begins_a_new_game() -> None:
    assert conversation("init 8H\ndeal 9C\ninit 7S\ndeal KC\nmove\n").split()[-1] == "KC"


def test_an_engine_answers_each_question_with_its_choice() -> None:
    class Told(Engine):
        def choose_attack(self, seen: Observation) -> Sequence[int]:
            return seen.hand[:1]

        def choose_defence(self, seen: Observation) -> Sequence[int]:
            return seen.hand[1:2]

        def choose_throw_in(self, seen: Observation) -> Sequence[int]:
            return seen.hand[2:4]

    lines = {"move": "6C", "respond 6S": "7C", "give_more 6S": "8C 9C"}
    for line, expected in lines.items():
        output = io.StringIO()
        Told().run(io.StringIO(f"init 8H\ndeal 6C 7C 8C 9C TC\n{line}\n"), output)
        assert output.getvalue().splitlines()[-1] == expected


def test_nothing_is_thrown_in_unless_the_author_says_so() -> None:
    class Eager(Engine):
        def choose_attack(self, seen: Observation) -> Sequence[int]:
            return seen.hand

        choose_defence = choose_attack

    output = io.StringIO()
    Eager().run(io.StringIO("init 8H\ndeal 6C 6S\ngive_more 6D\n"), output)
    assert output.getvalue() == "ok\nok\n\n"


def test_the_decisions_are_the_authors_to_write() -> None:
    with pytest.raises(TypeError, match="choose_attack, choose_defence"):
        Engine()  # type: ignore[abstract]


def test_a_played_card_has_left_the_hand() -> None:
    text = "init 8H\ndeal 9C KC AC\nmove\nmove 9C TC\nmove 9C TC KC AD\n"
    assert conversation(text).split()[2:] == ["9C", "KC", "AC"]


def test_the_first_mistake_of_a_referee_is_named() -> None:
    with pytest.raises(CommandError, match="no command 'go'"):
        conversation("init 8H\ngo\n")
