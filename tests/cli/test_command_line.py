import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from croupier import __version__
from croupier.banluck.engine import BANLUCK
from croupier.cli.main import app
from croupier.cli.numbers import WholeNumber
from croupier.cli.rules import RULE_BOOKS, Game
from croupier.runs.store import open_store
from tests.cli.calling import ENVIRONMENT, call

CROUPIER = str(Path(sys.executable).parent / "croupier")

NARROW = {"COLUMNS": "80"}

#: Runs the command as a person without special rights: root may read everything, so root becomes nobody first.
RUN_WITHOUT_RIGHTS = """
import os
from croupier.cli.main import main

if os.getuid() == 0:
    os.setuid(65534)
main()
"""


def run(*words: str | Path, command: tuple[str, ...] = (CROUPIER,)) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a process of its own."""
    return subprocess.run(
        [*command, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )


def verify_refused(process: subprocess.CompletedProcess[str], *clues: str) -> None:
    """Check for one clear line: what was wrong, on stderr, with exit code 2."""
    assert "Traceback" not in process.stderr
    assert process.stdout == ""
    assert process.stderr.startswith("croupier: error: ")
    assert process.stderr.endswith("\n")
    assert process.stderr.count("\n") == 1, process.stderr
    for clue in clues:
        assert clue in process.stderr
    assert process.returncode == 2


def commands() -> Iterator[tuple[str, ...]]:
    """Walk the real application: itself, its groups and their commands."""
    names: tuple[str, ...] = ()
    todo = [(names, typer.main.get_command(app))]
    while todo:
        names, command = todo.pop(0)
        yield names
        if isinstance(command, typer.core.TyperGroup):
            todo += [((*names, name), child) for name, child in command.commands.items()]


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """Give a directory that every user may enter; pytest's own belong to one user alone."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory


@pytest.mark.parametrize(
    ("line", "clues"),
    [
        ("banluck play --set reveal=perhaps", ["'reveal'", "perhaps", '"optional", "mandatory", "none"']),
        ("banluck play --set revael=none", ["'revael'", "did you mean 'reveal'?"]),
        ("banluck play --set nonsense", ["'nonsense'", "no '='", "key=value"]),
        ("banluck play --set dealer_minimum=19", ["dealer_choice_max", "18 to 20"]),
        ("banluck play --preset singapur", ["'singapur'", "did you mean 'singapore'?", "mandatory-reveal"]),
        ("banluck watch --preset ''", ["unknown preset ''"]),
        ("banluck play --rules /no/such/table.toml", ["'/no/such/table.toml'", "there is no such file"]),
        ("banluck watch --cards 'AS KD AS 9C'", ["card 'AS' is given twice"]),
        ("banluck play --cards 'AS 1X'", ["card '1X'", "no rank '1'", "no suit 'X'"]),
        ("banluck watch --players 9", ["--players", "7"]),
        ("banluck play --players 0", ["--players", "1"]),
        ("banluck play --players two", ["--players"]),
        ("banluck watch --seed x", ["--seed"]),
        ("banluck watch --seed -1", ["--seed", "0"]),
        ("banluck watch --hands 0", ["--hands", "1"]),
        ("banluck play --bet 0", ["--bet"]),
        ("banluck play --bankroll nan", ["--bankroll"]),
        ("banluck play --bankroll inf", ["--bankroll"]),
        ("banluck play --as king", ["--as", "king", "player", "dealer"]),
        ("banluck play --speed 3", ["--speed"]),
        ("banluck play --seed", ["--seed"]),
        ("banluck play now", ["now"]),
        ("banluck shuffle", ["'shuffle'"]),
        ("blackjak", ["'blackjak'"]),
        ("--loud", ["--loud"]),
        ("rules", ["game"]),
        ("rules chess", ["chess", "banluck"]),
    ],
)
def test_bad_input_is_answered_by_one_line_and_exit_code_2(line: str, clues: list[str]) -> None:
    verify_refused(call(*shlex.split(line)), *clues)


@pytest.mark.parametrize(
    ("content", "clues"),
    [
        ('revael = "none"\n', ["unknown option 'revael'", "did you mean 'reveal'?"]),
        ('reveal = "perhaps"\n', ["option 'reveal'", '"perhaps"', '"mandatory"']),
        ("player_minimum = true\n", ["option 'player_minimum'", "true", "from 2 to 21"]),
        ('reveal = "none\nplayer_minimum = 16\n', ["is not TOML", "line 1"]),
        ("[banluck]\nreveal = 'none'\n", ["unknown option 'banluck'"]),
        ("preset = 'nobody'\n", ["unknown preset 'nobody'"]),
        ("\udcff", ["not UTF-8"]),
    ],
)
def test_a_bad_rule_file_is_named_in_one_line(tmp_path: Path, content: str, clues: list[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text(content, encoding="utf-8", errors="surrogateescape")
    verify_refused(call("banluck", "watch", "--rules", file), f"'{file}'", *clues)


def test_a_directory_instead_of_a_rule_file_is_refused(tmp_path: Path) -> None:
    verify_refused(
        call("rules", "banluck", "--rules", tmp_path), f"rule file '{tmp_path}'", "it is a directory"
    )


def test_a_rule_file_without_permission_is_refused(open_directory: Path) -> None:
    file = open_directory / "table.toml"
    file.write_text('reveal = "none"\n')
    file.chmod(0)
    python = (sys.executable, "-c", RUN_WITHOUT_RIGHTS)
    process = run("banluck", "watch", "--rules", file, command=python)
    verify_refused(process, f"'{file}'", "read")


#: Commands whose examples read what a match has written, and the options of that match.
READING_GAMES = {("durak", "ratings"), ("durak", "review")}
GAME_FILES = ("--log", "games.log", "--ratings", "engines.ratings")

#: Commands whose examples take seconds; `make verify` runs these.
LONG_EXAMPLES = {
    ("banluck", "report"),
    ("banluck", "research"),
    ("blackjack", "bets"),
    ("blackjack", "compare"),
    ("blackjack", "count"),
    ("blackjack", "evolve"),
    ("blackjack", "mistakes"),
    ("blackjack", "profile"),
    ("durak", "suite"),
    ("prepare",),
}


def command_cases() -> Iterator[object]:
    for words in commands():
        is_long = words in LONG_EXAMPLES
        yield pytest.param(words, marks=[pytest.mark.verify] * is_long, id=" ".join(("croupier", *words)))


@pytest.mark.parametrize("words", list(command_cases()))
def test_every_command_has_help_with_an_example_that_runs(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(ENVIRONMENT, "CROUPIER_STORE", str(tmp_path / "runs.sqlite"))
    with open_store(str(tmp_path / "runs.sqlite"), create=True) as store:
        for seed in (1, 2):
            with store.begin("banluck simulate", rules={}, parameters={}, seed=seed):
                pass
    shown = call(*words, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Usage: " + " ".join(("croupier", *words)) in shown.stdout
    (example,) = [line.strip() for line in shown.stdout.splitlines() if "Example: " in line]
    program, *arguments = shlex.split(example.removeprefix("Example: "))
    assert program == "croupier"
    assert tuple(arguments[: len(words)]) == words
    if words == ("serve",):
        return  # it serves until it is ended: tests/browser starts and ends it
    if words[:1] == ("solana",) and words[-1] not in ("solana", "demo", "build"):
        return  # they need a chain: tests/cli/test_solana.py runs these examples in the order of a game
    if words in READING_GAMES:
        played = call(
            "durak", "match", "durak-dummy", "durak-random", "--pairs", "2", "--seed", "1", *GAME_FILES
        )
        assert played.returncode == 0
    if words == ("blackjack", "bets"):
        assert call("blackjack", "profile", "--rounds", "2000", "--save").returncode == 0
    tried = call(*arguments, environment=ENVIRONMENT | NARROW)
    complaints = [line for line in tried.stderr.splitlines() if " written to " not in line]
    assert (tried.returncode, complaints) == (0, [])
    if arguments[:2] != ["solana", "demo"]:  # it tells hashes by their first digits
        assert "…" not in tried.stdout, "a name or a number is cut"


@pytest.mark.parametrize("words", list(commands()), ids=lambda words: " ".join(("croupier", *words)))
def test_every_command_has_the_same_help_under_a_short_name_and_cuts_nothing(words: tuple[str, ...]) -> None:
    shown = call(*words, "-h", environment=ENVIRONMENT | NARROW)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == call(*words, "--help", environment=ENVIRONMENT | NARROW).stdout
    listed = shown.stdout.partition("╭─ Commands")[
        0
    ]  # what a group says of its commands is their first line, in short
    assert "…" not in listed


@pytest.mark.parametrize("game", ["banluck", "blackjack", "durak"])
def test_the_rules_cut_no_name_and_no_value_on_a_narrow_screen(game: str) -> None:
    book = RULE_BOOKS[Game(game)]
    for preset in book.presets:
        shown = call("rules", game, "--preset", preset.name, environment=ENVIRONMENT | NARROW).stdout
        assert "…" not in shown
        for option in book.model.options():
            assert f"│ {option.name} " in shown


@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("banluck solve", "reveal=none"),
        ("blackjack edge", "soft17=hit"),
        ("durak play", "six_card_cap=false"),
        ("rules", "decks=6"),
    ],
)
def test_help_shows_an_option_of_its_own_game(line: str, example: str) -> None:
    assert example in call(*line.split(), "--help").stdout


@pytest.mark.parametrize("number", ["2000", "2_000", "2e3", "2.0e3"])
def test_whole_numbers_are_read_as_people_write_them(number: str) -> None:
    words = ("banluck", "simulate", "--player", "stand-on-16", "--dealer", "classic", "--seed", "1", "--json")
    assert json.loads(call(*words, "--hands", number).stdout)["hands"] == 2000


@pytest.mark.parametrize(
    ("number", "clue"),
    [
        ("1e-3", "'1e-3' is not a whole number"),
        ("1e999999999", "is not a whole number"),
        ("ten", "1e6"),
        ("nan", "1e6"),
        ("-1e3", "-1000 is too small; the least is 1"),
    ],
)
def test_what_is_no_whole_number_is_refused(number: str, clue: str) -> None:
    verify_refused(call("banluck", "simulate", "--hands", number), "--hands", clue)


def test_every_whole_number_of_every_command_is_read_by_the_same_reader() -> None:
    call("--version")
    seen = 0
    for words in commands():
        command = typer.main.get_command(app)
        for word in words:
            assert isinstance(command, typer.core.TyperGroup)
            command = command.commands[word]
        for parameter in command.params:
            described = getattr(parameter, "type_descriptor", None)
            if described is not None and described.annotation in (int, list[int]):
                assert isinstance(described.parameter_info.parser, WholeNumber), (words, parameter.name)
                seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    ("line", "proposals"),
    [
        ("croupier blackjack edge --preset eu", ["european"]),
        (
            "croupier rules durak --preset p",
            ["protocol", "podkidnoy", "perevodnoy", "proezdnoy", "para-na-paru"],
        ),
        ("croupier blackjack edge --set soft", ["soft17="]),
        ("croupier blackjack edge --set soft17=", ["soft17=stand", "soft17=hit"]),
        ("croupier banluck solve --set dealer_collects_multiples=t", ["dealer_collects_multiples=true"]),
        ("croupier runs comp", ["compare"]),
    ],
)
def test_the_shell_completes_commands_presets_and_options(line: str, proposals: list[str]) -> None:
    environment = {
        "_CROUPIER_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_ARGS": line,
    }
    done = call(environment=ENVIRONMENT | environment)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == proposals


def test_completion_can_be_shown_for_a_shell() -> None:
    assert "_CROUPIER_COMPLETE=complete_bash" in call("--show-completion", "bash").stdout


def test_the_command_alone_prints_its_help() -> None:
    alone = call()
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout.strip() == call("--help").stdout.strip()
    assert call("banluck").stdout.strip() == call("banluck", "--help").stdout.strip()


@pytest.mark.parametrize(
    "line", ["", "rules banluck --json", "banluck play --set revael=none", "banluck solve --tolerance 0"]
)
def test_a_process_of_its_own_says_what_a_call_says(line: str) -> None:
    """So that most tests can do without the second that a process takes to start."""
    called, process = call(*shlex.split(line)), run(*shlex.split(line))
    assert (called.returncode, called.stdout, called.stderr) == (
        process.returncode,
        process.stdout,
        process.stderr,
    )


def test_the_version_is_that_of_the_package() -> None:
    process = run("--version")
    assert (process.returncode, process.stdout, process.stderr) == (0, f"croupier {__version__}\n", "")


def test_the_rules_name_every_option_and_every_preset() -> None:
    process = call("rules", "banluck")
    assert (process.returncode, process.stderr) == (0, "")
    for option in BANLUCK.model.options():
        assert f"│ {option.name} " in process.stdout
    for preset in BANLUCK.presets:
        assert f"│ {preset.name} " in process.stdout


def test_brief_rules_are_the_presets_alone() -> None:
    process = call("rules", "banluck", "--brief")
    assert all(f"│ {preset.name} " in process.stdout for preset in BANLUCK.presets)
    assert "│ player_minimum " not in process.stdout


@pytest.mark.parametrize("preset", [preset.name for preset in BANLUCK.presets])
def test_the_rules_of_a_preset_as_json_are_the_preset(preset: str) -> None:
    process = call("rules", "banluck", "--json", "--preset", preset)
    shown = json.loads(process.stdout)
    assert shown.pop("version") == __version__
    assert shown == BANLUCK.preset(preset).rules.model_dump(mode="json")


def test_settings_change_the_rule_file_and_the_rule_file_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('reveal = "none"\nplayer_minimum = 15\n')
    words = ["--json", "--preset", "singapore", "--rules", str(file), "--set", "player_minimum=14"]
    shown = json.loads(call("rules", "banluck", *words).stdout)
    expected = BANLUCK.preset("singapore").rules.replaced({"reveal": "none", "player_minimum": 14})
    assert shown == expected.model_dump(mode="json") | {"version": __version__}


def test_the_same_seed_deals_the_same_hands() -> None:
    words = ("banluck", "watch", "--seed", "8", "--hands", "3")
    first, again = call(*words).stdout, run(*words).stdout
    assert first == again
    assert [line for line in first.splitlines() if line.startswith("Hand ")] == [
        f"Hand {number} (seed 8)" for number in (1, 2, 3)
    ]


def test_another_seed_deals_other_hands_and_no_seed_a_new_one() -> None:
    deals = {
        call("banluck", "watch", *seed).stdout.splitlines()[1]
        for seed in (["--seed", "8"], ["--seed", "9"], [])
    }
    assert len(deals) == 3


def test_named_cards_are_dealt_first_round_the_table() -> None:
    told = call("banluck", "watch", "--players", "2", "--cards", "10H 9C 2S 8S KD 10C", "--seed", "1").stdout
    assert "player 1 T♥ 8♠  18, player 2 9♣ K♦  19; dealer 2♠ T♣  12." in told


@pytest.mark.parametrize(
    "line", ["banluck watch --seed 8 --hands 50", "rules banluck", "--help", "--version"]
)
def test_a_reader_who_has_gone_is_nothing_wrong(line: str) -> None:
    """As `croupier ... | head -1`, with the reader gone for certain before the first word."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as output:
        process = subprocess.run(
            [CROUPIER, *shlex.split(line)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=ENVIRONMENT,
            timeout=120,
            check=False,
        )
    assert (process.stderr, process.returncode) == ("", 0)


def test_an_interrupted_command_says_so_in_one_line() -> None:
    words = [CROUPIER, "banluck", "watch", "--seed", "8", "--hands", "1000000"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert errors.decode().strip() == "croupier: interrupted"
    assert process.returncode == 130
