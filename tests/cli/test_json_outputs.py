"""Every ``--json`` output of every command fits its schema, and every key of it is explained."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import jsonschema
import pytest
import typer

import croupier.banluck.engine as banluck_engine
import croupier.blackjack.engine as blackjack_engine
from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine import actions as banluck_actions
from croupier.blackjack.engine import actions as blackjack_actions
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Chart
from croupier.cards import parse_cards
from croupier.cli.main import app
from croupier.durak.engine.rules import DURAK
from croupier.durak.play.game import Game
from croupier.schemas import FILES, OUTPUTS, schema_of
from croupier.solana.addresses import next_number
from croupier.solana.codes import REVEAL_WINDOW, Result, Tag
from croupier.solana.house import House
from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_server import LocalnetServer
from tests.cli.calling import ENVIRONMENT, call
from tests.solana.localnets import CHAIN_SEED, HOUSE, HOUSE_SECRET, PLAYER, PROGRAM, seed_for

ONE_DECK = ("--set", "decks=1")
SMALL_EVOLUTION = ("--population", "4", "--generations", "1", "--tournament", "2", "--elite", "1")
RULES_OF_THUMB = ("--player", "stand-on-16", "--dealer", "classic", "--hands", "200")
SMALL_PROFILE = ("--rounds", "2000", "--indices", "none", *ONE_DECK)

#: Two players against a dealer who always stands on two cards: solved in a second.
TWO_PLAYERS = ("--players", "2", "--set", "dealer_minimum=2", "--set", "dealer_choice_max=1")

#: Calls for every output: with and without the options that change it. They run in a folder with a chart, a log and a store.
SAMPLES: dict[str, list[tuple[str, ...]]] = {
    "rules banluck": [("rules", "banluck")],
    "rules blackjack": [("rules", "blackjack", "--set", "decks=infinite", "--set", "charlie=6")],
    "rules durak": [("rules", "durak")],
    "banluck solve": [
        ("banluck", "solve", "--tolerance", "1e-3"),
        ("banluck", "solve", "--tolerance", "1e-3", "--algorithm", "cfr+"),
    ],
    "banluck solve --players": [
        ("banluck", "solve", *TWO_PLAYERS),
        ("banluck", "solve", "--players", "3", "--tolerance", "1"),
    ],
    "banluck baseline": [("banluck", "baseline")],
    "banluck chart": [("banluck", "chart", "--tolerance", "1e-3")],
    "banluck chart --players": [("banluck", "chart", *TWO_PLAYERS)],
    "banluck explain": [
        ("banluck", "explain", "T-6", "--tolerance", "1e-3"),
        ("banluck", "explain", "T-6", "--side", "dealer", "--tolerance", "1e-3"),
    ],
    "banluck explain --players": [("banluck", "explain", "T-6", *TWO_PLAYERS)],
    "banluck simulate": [
        ("banluck", "simulate", *RULES_OF_THUMB),
        ("banluck", "simulate", *RULES_OF_THUMB, "--save", "--store", "fresh.sqlite"),
        ("banluck", "simulate", *RULES_OF_THUMB[:-1], "1"),
    ],
    "banluck simulate --players": [
        ("banluck", "simulate", "--hands", "1000", *TWO_PLAYERS),
        ("banluck", "simulate", "--hands", "1000", "--stream", "lanes", *TWO_PLAYERS),
    ],
    "banluck research": [("banluck", "research")],
    "banluck research --players": [("banluck", "research", *TWO_PLAYERS)],
    "blackjack edge": [("blackjack", "edge", *ONE_DECK)],
    "blackjack side-bets": [("blackjack", "side-bets", "--removed", "AS AH")],
    "blackjack chart": [("blackjack", "chart", *ONE_DECK)],
    "blackjack chart --check": [("blackjack", "chart", "--check", "chart.csv", *ONE_DECK)],
    "blackjack ev": [("blackjack", "ev", "8,8", "T", "--set", "surrender=late")],
    "blackjack simulate": [
        ("blackjack", "simulate", "--strategy", "chart.csv", "--rounds", "500", "--side-bets"),
        ("blackjack", "simulate", "--strategy", "chart.csv", "--rounds", "1", "--seats", "2"),
    ],
    "blackjack evolve": [("blackjack", "evolve", *SMALL_EVOLUTION, *ONE_DECK)],
    "blackjack count": [
        ("blackjack", "count", "--rounds", "500", "--indices", "none", *ONE_DECK),
        ("blackjack", "count", "--rounds", "1", "--indices", "none", "--stream", "lanes", *ONE_DECK),
    ],
    "blackjack count --list-indices": [("blackjack", "count", "--list-indices", *ONE_DECK)],
    "blackjack profile": [("blackjack", "profile", "--rounds", "1", "--indices", "none", *ONE_DECK)],
    "blackjack bets": [
        ("blackjack", "bets", "--store", "runs.sqlite"),
        (
            "blackjack",
            "bets",
            "3",
            "--ramp",
            "1:0,2:3",
            "--hours",
            "9",
            "--goal",
            "5",
            "--play-bankrolls",
            "3",
            "--seed",
            "1",
            "--store",
            "runs.sqlite",
        ),
    ],
    "blackjack indices": [
        ("blackjack", "indices", "--set", "decks=1", "--top", "1", "--seed", "1"),
        (
            "blackjack",
            "indices",
            "--set",
            "decks=1",
            "--top",
            "1",
            "--play",
            "--rounds",
            "1000",
            "--seed",
            "1",
        ),
    ],
    "blackjack mistakes": [("blackjack", "mistakes", "--rounds", "200", *ONE_DECK)],
    "blackjack side-counts": [
        ("blackjack", "side-counts", "over-13", "royal-match", "--shoes", "10", "--seed", "1"),
        ("blackjack", "side-counts", "lucky-ladies", "--seed", "1"),
    ],
    "blackjack compare": [
        ("blackjack", "compare", "hi-lo", "ko", "--indices", "none", "--shoes", "100", *ONE_DECK)
    ],
    "durak match": [
        ("durak", "match", "durak-dummy", "durak-random", "--pairs", "1"),
        ("durak", "match", "durak-dummy", "durak-random", "--pairs", "1", "--sprt", "0", "10"),
    ],
    "durak tournament": [("durak", "tournament", "durak-dummy", "durak-random", "--pairs", "1")],
    "durak ratings": [("durak", "ratings", "engines.ratings", "--add", "games.log")],
    "durak suite": [("durak", "suite", "durak-dummy")],
    "durak check": [("durak", "check", "durak-dummy", "--rounds", "1")],
    "durak replay": [("durak", "replay")],
    "durak review": [("durak", "review", "games.log", "--game", "1", "--rounds", "100")],
    "runs list": [("runs", "list", "--store", "runs.sqlite")],
    "runs show": [("runs", "show", "1", "--store", "runs.sqlite")],
    "runs compare": [("runs", "compare", "1", "2", "--store", "runs.sqlite")],
    "solana build": [("solana", "build")],
}

#: Outputs whose calls take seconds; `make verify` looks at these.
LONG = (
    "banluck chart --players",
    "banluck explain --players",
    "banluck research --players",
    "blackjack count --list-indices",
    "durak suite",
)

#: One game on a localnet, in this order. The commands of the same instructions print the same object.
SOLANA_GAME = (
    "keygen",
    "deploy",
    "buffers",
    "new",
    "deal",
    "hit",
    "reveal",
    "show",
    "stand",
    "claim",
    "verify",
    "cleanup",
    "house",
    "bankroll",
)
SOLANA_OPTIONS = {
    "keygen": ("--airdrop", "10"),
    "deal": ("--auto-reveal",),
    "show": ("--bytes",),
    "verify": ("--save", "game.json"),
    "house": ("--once",),
    "bankroll": ("--deposit", "1"),
}


def json_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if any("--json" in parameter.opts for parameter in command.params):
        yield " ".join(path)
    for name, child in getattr(command, "commands", {}).items():
        yield from json_commands(child, (*path, name))


def referred(entry: dict[str, Any], schema: dict[str, Any]) -> Any:
    """Return the definition that an entry refers to: one that says no more than it has no description of its own."""
    return schema["$defs"][entry["$ref"].removeprefix("#/$defs/")]


def validator_of(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema_of(name))


def verify_fits(name: str, text: str) -> None:
    """Check an output against its schema, and that the schema takes neither more keys nor fewer."""
    data = json.loads(text)
    validator = validator_of(name)
    validator.validate(data)
    assert data["version"]
    assert not validator.is_valid(data | {"another key": 1})
    for key in data:
        assert not validator.is_valid({kept: value for kept, value in data.items() if kept != key}), key


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make what the samples read: a chart with a remark, a log, and a store of two runs and a profile."""
    path = tmp_path_factory.mktemp("samples")
    for words in (
        ("blackjack", "chart", "--csv", "chart.csv", *ONE_DECK),
        ("durak", "match", "durak-dummy", "durak-random", "--pairs", "1", "--log", "games.log"),
        ("banluck", "simulate", *RULES_OF_THUMB, "--seed", "1", "--save", "--store", "runs.sqlite"),
        ("banluck", "simulate", *RULES_OF_THUMB, "--seed", "2", "--save", "--store", "runs.sqlite"),
        ("blackjack", "profile", *SMALL_PROFILE, "--spots", "2", "--save", "--store", "runs.sqlite"),
    ):
        assert call(*words, folder=path).returncode == 0
    return path


def test_every_command_with_json_has_a_schema_and_every_schema_a_sample() -> None:
    commands = list(json_commands(typer.main.get_command(app)))
    assert "banluck solve" in commands
    assert "solana claim" in commands
    for command in commands:
        assert any(name == command or name.startswith(f"{command} ") for name in OUTPUTS), command
    for name in OUTPUTS:
        assert any(name == command or name.startswith(f"{command} ") for command in commands), name
    assert {*SAMPLES, *(f"solana {name}" for name in SOLANA_GAME)} == OUTPUTS.keys()


@pytest.mark.parametrize("name", OUTPUTS | FILES)
def test_a_schema_is_strict_and_explains_every_key(name: str) -> None:
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    for part in (schema, *schema.get("$defs", {}).values()):
        assert part.get("description"), part
        if "properties" in part:
            assert part["additionalProperties"] is (name == "durak log")
            for key, entry in part["properties"].items():
                assert entry.get("description") or referred(entry, schema)["description"], key


def sample_cases() -> Iterator[object]:
    for name, samples in SAMPLES.items():
        for words in samples:
            yield pytest.param(name, words, marks=[pytest.mark.verify] * (name in LONG), id=" ".join(words))


@pytest.mark.parametrize(("name", "words"), list(sample_cases()))
def test_an_output_fits_its_schema(name: str, words: tuple[str, ...], folder: Path) -> None:
    process = call(*words, "--json", folder=folder)
    assert process.returncode == 0, process.stderr
    verify_fits(name, process.stdout)


@contextmanager
def localnet() -> Iterator[tuple[Localnet, str]]:
    """Serve a localnet from a thread; a slot passes after every transaction."""
    with Ledger(None, seed=CHAIN_SEED) as ledger:
        served = Localnet(ledger, slot_seconds=0)
        with LocalnetServer(served, port=0) as server:
            thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            try:
                yield served, server.url
            finally:
                server.shutdown()
                thread.join()


def test_the_outputs_of_a_game_on_solana_fit_their_schemas(tmp_path: Path) -> None:
    """The player's seed is chosen so that neither the deal nor the hit ends the game; then the house leaves a request open."""
    table = tmp_path / "table"
    table.mkdir()
    for side, key in (("player", PLAYER), ("house", HOUSE), ("program", PROGRAM)):
        (table / f"{side}.json").write_text(json.dumps(list(bytes(key))), encoding="utf-8")
    House.create(table / "house-secret.json", HOUSE_SECRET)
    with localnet() as (net, url):
        for name in SOLANA_GAME:
            options: tuple[str, ...] = SOLANA_OPTIONS.get(name, ())
            if name == "new":
                number, slot = next_number(PROGRAM.pubkey(), PLAYER.pubkey()), net.chain.slot + 1
                seed = seed_for(Result.OPEN, [Tag.DEAL, Tag.HIT], number=number, chain=0, slot=slot)
                options = ("--game", str(number), "--player-seed", seed.hex())
            elif name == "claim":
                net.chain.advance(REVEAL_WINDOW + 1)
            environment = ENVIRONMENT | {"CROUPIER_SOLANA_URL": url}
            process = call("solana", name, *options, "--json", environment=environment, folder=tmp_path)
            assert process.returncode == 0, process.stderr
            verify_fits(f"solana {name}", process.stdout)
        shown = call("solana", "show", "--bytes", "--json", environment=environment, folder=tmp_path)
        assert shown.returncode == 2, "the game is closed"
    validator_of("solana record").validate(json.loads((tmp_path / "game.json").read_text(encoding="utf-8")))


def test_the_files_that_people_keep_fit_their_schemas(folder: Path) -> None:
    cards = parse_cards("TS 6H 9C 7D")
    round_ = blackjack_engine.start_round(BlackjackRules(), bets=[1])
    round_ = blackjack_actions.act(
        round_, blackjack_engine.Action(blackjack_engine.ActionKind.DEAL, cards=cards)
    )
    hand = banluck_engine.new_hand(BanluckRules(), 1)
    hand = banluck_actions.act(hand, banluck_engine.Action(banluck_engine.ActionKind.DEAL, cards=cards))
    log = (folder / "games.log").read_text(encoding="utf-8").splitlines()
    texts = {
        "blackjack chart file": Chart.uniform("H").to_json(),
        "blackjack round": blackjack_actions.to_json(round_),
        "banluck hand": banluck_actions.to_json(hand),
        "durak log": log[1],
        "durak variant log": Game.deal(seed=1, rules=DURAK.preset("proezdnoy").rules)
        .to_log()
        .splitlines()[1],
    }
    for name, text in texts.items():
        validator_of(name).validate(json.loads(text))
    assert texts.keys() | {"solana record"} == FILES.keys()


def test_the_schema_of_a_command_is_printed_and_all_names_are_listed() -> None:
    assert json.loads(call("schema", "banluck", "solve").stdout) == schema_of("banluck solve")
    assert call("schema").stdout.splitlines() == [*OUTPUTS, *FILES]
    refused = call("schema", "banluck", "solv")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "no JSON schema of 'banluck solv'; did you mean 'banluck solve'?" in refused.stderr
