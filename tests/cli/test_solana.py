"""``croupier solana`` with real localnets: whole games, restarts, claims, proofs, and one line per mistake."""

import asyncio
import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from solders.account import Account
from solders.litesvm import LiteSVM
from solders.system_program import ID as SYSTEM_PROGRAM

from croupier.cli import solana
from croupier.solana import instructions
from croupier.solana.addresses import game_address, has_address, next_number
from croupier.solana.card_codes import format_codes
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_deployment import SBPF_V3_FEATURES
from croupier.solana.codes import REVEAL_WINDOW, Status, Tag
from croupier.solana.deployment import program_hash
from croupier.solana.events import Revealed
from croupier.solana.game import Game
from croupier.solana.house import House, chain_links
from croupier.solana.house_account import house_size
from croupier.solana.layout import GAME
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.localnet import Localnet
from croupier.solana.record import GameRecord
from croupier.solana.rpc_methods import METHODS
from croupier.solana.toolchain.compiler import PROGRAM_FILE, read_program
from croupier.solana.verification import Verdict, verify_game
from tests.cli.calling import call
from tests.solana.localnets import (
    ENVIRONMENT,
    HOUSE,
    HOUSE_SECRET,
    PLAYER,
    PROGRAM,
    LocalnetProcess,
    deploy_program,
    predicted,
    serving,
    serving_here,
)

Run = Callable[..., subprocess.CompletedProcess[str]]
NUMBER = next_number(PROGRAM.pubkey(), PLAYER.pubkey())


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run commands in a new folder that holds known keys and a known secret."""
    table = tmp_path / "table"
    table.mkdir()
    for name, key in (("player", PLAYER), ("house", HOUSE), ("program", PROGRAM)):
        (table / f"{name}.json").write_text(json.dumps(list(bytes(key))), encoding="utf-8")
    House.create(table / "house-secret.json", HOUSE_SECRET)

    def run(
        *words: str | Path,
        localnet: LocalnetProcess | None = None,
        environment: Mapping[str, str] = ENVIRONMENT,
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            **environment,
            **({} if localnet is None else {"CROUPIER_SOLANA_URL": localnet.url}),
        }
        return call("solana", *words, environment=environment, folder=tmp_path)

    return run


def done(process: subprocess.CompletedProcess[str]) -> str:
    """Return the output of a command that must succeed."""
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def verify_refused(process: subprocess.CompletedProcess[str], *clues: str) -> None:
    """Check for one clear line: what was wrong, on stderr, with exit code 2."""
    assert process.stdout == ""
    assert process.stderr.startswith("croupier: error: ")
    assert process.stderr.count("\n") == 1, process.stderr
    for clue in clues:
        assert clue in process.stderr
    assert process.returncode == 2


def example_of(name: str) -> list[str]:
    """Return the arguments of a command's example, without ``croupier solana``."""
    (epilog,) = [command.epilog for command in solana.app.registered_commands if name_of(command) == name]
    assert epilog is not None
    words = shlex.split(epilog.removeprefix("Example: "))
    assert words[:3] == ["croupier", "solana", name]
    return words[2:]


def name_of(command: typer.models.CommandInfo) -> str:
    assert command.callback is not None
    return command.name or str(command.callback.__name__)


def seed_that_lasts(slot: int, decks: int) -> str:
    """Find a player's seed with which a hit leaves the game in the player's turn."""
    links = chain_links(HOUSE_SECRET, 0)
    address = game_address(PROGRAM.pubkey(), PLAYER.pubkey(), NUMBER)
    for attempt in range(10_000):
        seed = attempt.to_bytes(32, "little")
        game = Game.created(PLAYER.pubkey(), HOUSE.pubkey(), links[-1], seed, number=NUMBER, decks=decks)
        if predicted(game, address, links, slot, [Tag.DEAL, Tag.HIT]).status is Status.PLAYER_TURN:
            return seed.hex()
    raise AssertionError("a seed exists")


@contextmanager
def prepared(state: Path) -> Iterator[LocalnetProcess]:
    """Run a localnet with the program deployed and both keys funded, by our own commands."""

    async def prepare(url: str) -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            for key in (PLAYER, HOUSE):
                await cluster.airdrop(key.pubkey(), 10**10)
            await deploy_program(cluster, PROGRAM_FILE.read_bytes())

    with serving("--state", state) as localnet:
        asyncio.run(prepare(localnet.url))
        yield localnet


def test_every_example_runs_in_the_order_of_a_game(run: Run, tmp_path: Path) -> None:
    """Run each command's own example; only the player's seed is chosen, so that the hit does not bust."""
    done_so_far = {"localnet", "claim"}  # the latter's example is the end of the next test's game

    def follow(name: str, *more: str) -> str:
        done_so_far.add(name)
        return done(run(*example_of(name), *more, localnet=localnet))

    with serving(*example_of("localnet")[1:-1], tmp_path / example_of("localnet")[-1]) as localnet:
        assert "10 SOL sent to each" in follow("keygen")
        told = follow("deploy")
        assert told.startswith("buffer ")
        assert f"program {PROGRAM.pubkey()}" in told
        assert "has no buffers" in follow("buffers")
        assert follow("idl") == ""
        slot = localnet.slot
        seed = seed_that_lasts(slot + 1, decks=6)
        assert "created" in follow("new", "--game", str(NUMBER), "--player-seed", seed)
        assert "player turn" in follow("deal")
        assert "player turn" in follow("hit")
        assert "The house has to answer" in follow("stand")
        shown = follow("show")
        assert "stand requested" in shown
        assert f"the player may claim after slot {slot + 5 + REVEAL_WINDOW}" in shown
        for field in GAME.fields:
            assert f"│ {field.offset:>6} │ {field.size:>5} │ {field.name} " in shown
        assert "finished" in follow("reveal")
        assert "proven on this network: every card follows from the signed transactions" in follow("verify")
        assert "2,672,640 lamports went back" in follow("cleanup")
        assert "offered 28 games" in follow("house")
        assert "bets from 1,000,000 to 50,000,000 now" in follow("bankroll")
        verify_refused(
            run("show", localnet=localnet),
            "it was closed (`croupier solana verify` shows how it ended), or never opened",
        )
        assert "The program, " in follow("demo")
        assert "the same as the program in the package" in follow("build")
    assert (tmp_path / "blackjack.so").read_bytes() == PROGRAM_FILE.read_bytes()
    interface = json.loads((tmp_path / "idl.json").read_text(encoding="utf-8"))
    assert interface["address"] == str(PROGRAM.pubkey())
    assert done_so_far == {name_of(command) for command in solana.app.registered_commands}
    assert GameRecord.load(tmp_path / "game.json").program == PROGRAM.pubkey()


def test_the_commands_of_the_documentation_are_the_examples() -> None:
    """The examples are tested, so the documentation is too."""
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "verify-chain-game.md").read_text(
        encoding="utf-8"
    )
    lines = [line for line in text.splitlines() if line.startswith("croupier solana ")]
    told = [shlex.split(line, comments=True)[2:] for line in lines]
    assert sorted(told) == sorted(example_of(words[0]) for words in told)
    commands = {name_of(command) for command in solana.app.registered_commands}
    assert commands - {words[0] for words in told} == {"build"}
    assert f"`croupier solana {shlex.join(example_of('build'))}`" in text


def test_the_documentation_names_every_method_of_a_localnet() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "verify-chain-game.md").read_text(
        encoding="utf-8"
    )
    named = re.findall(r"`((?:get|is|request|send|simulate)[A-Z]\w+)`", text)
    assert sorted(named) == sorted(METHODS)


def test_a_game_outlives_the_localnet_that_it_was_begun_on(run: Run, tmp_path: Path) -> None:
    """A localnet is stopped during a game, resumed, killed and resumed; at last a claim ends the game."""
    state = tmp_path / "chain.db"
    with prepared(state) as localnet:
        seed = seed_that_lasts(localnet.slot + 1, decks=1)
        done(run("new", "--game", str(NUMBER), "--player-seed", seed, localnet=localnet))
        done(run("deal", localnet=localnet))
        slot = localnet.slot
        code, last_words = localnet.end(signal.SIGTERM)
        assert code == 0
        assert last_words.endswith(f"\nThe localnet ended in slot {slot}.\n")
    with serving("--state", state) as localnet:
        assert localnet.slot == slot
        revealed = json.loads(done(run("reveal", "--json", localnet=localnet)))["game"]
        assert revealed["status"] == "PLAYER_TURN"
        done(run("hit", localnet=localnet))
        localnet.end(signal.SIGKILL)
    with serving("--state", state, "--warp", REVEAL_WINDOW + 1) as localnet:
        shown = json.loads(done(run("show", "--json", "--bytes", localnet=localnet)))
        assert shown["player_cards"] == revealed["player_cards"]
        assert Game.decode(bytes.fromhex(shown["data"])).status is Status.HIT_REQUESTED
        assert "house forfeit" in done(run(*example_of("claim"), localnet=localnet))
        verified = json.loads(done(run("verify", "--json", localnet=localnet)))
        assert (verified["verdict"], verified["result"]) == ("proven", "HOUSE_FORFEIT")
        assert (verified["house"], verified["player"]) == (str(HOUSE.pubkey()), str(PLAYER.pubkey()))
        assert verified["upgrade_authority"] == str(PLAYER.pubkey())
        assert len(verified["steps"]) == 3


def test_each_side_acts_with_its_own_key_and_the_other_s_address(run: Run, tmp_path: Path) -> None:
    """Two folders: the player's has no key of the house, and the house's has none of the player."""
    (tmp_path / "theirs").mkdir()
    for name in ("house.json", "house-secret.json"):
        (tmp_path / "table" / name).rename(tmp_path / "theirs" / name)
    program = ("--program", str(PROGRAM.pubkey()))
    with prepared(tmp_path / "chain.db") as localnet:

        def house(*words: str) -> str:
            return done(run(*words, "--table", "theirs", *program, localnet=localnet))

        offer_games(localnet.url, House.load(tmp_path / "theirs" / "house-secret.json"))
        verify_refused(run("new", localnet=localnet), "give --house ADDRESS")
        opened = json.loads(done(run("new", "--house", str(HOUSE.pubkey()), "--json", localnet=localnet)))
        game = ("--game", str(opened["game"]["number"]), "--player", str(PLAYER.pubkey()))
        done(run("deal", localnet=localnet))
        verify_refused(
            run("reveal", "--table", "theirs", *program, localnet=localnet), "give --game and --player"
        )
        dealt = json.loads(house("reveal", *game, "--json"))["game"]
        if dealt["status"] == "PLAYER_TURN":
            done(run("stand", localnet=localnet))
            house("reveal", *game)
        assert "finished" in house("show", *game)
        assert json.loads(done(run("verify", "--json", localnet=localnet)))["house"] == str(HOUSE.pubkey())
        assert "went back to" in house("cleanup", *game)


def offer_games(url: str, house: House) -> None:
    """Put two commitments of a house on the chain."""

    async def offer() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            rent = await cluster.rent(house_size(2))
            opening = instructions.open_house(PROGRAM.pubkey(), HOUSE.pubkey(), 2, rent)
            commit = instructions.commit(PROGRAM.pubkey(), HOUSE.pubkey(), house.open_chains(2))
            await cluster.send([*opening, commit], [HOUSE])

    asyncio.run(offer())


def forget_version_3(localnet: Localnet) -> None:
    """Take SBPF version 3 from a localnet, and the account that tells of it."""
    features, switch = LiteSVM.mainnet_feature_set(), SBPF_V3_FEATURES[1]
    features.deactivate(switch)
    localnet.chain.svm.with_feature_set(features).with_builtins()
    localnet.chain.svm.set_account(switch, Account(0, b"", SYSTEM_PROGRAM, False, 0))


@pytest.mark.parametrize("sbpf", ["auto", "0"])
def test_an_older_cluster_gets_the_older_program(run: Run, sbpf: str) -> None:
    """The cluster does not say what it runs: it refuses version 3, and the buffer is made anew for version 0."""
    with serving_here(forget_version_3) as url:
        environment = ENVIRONMENT | {"CROUPIER_SOLANA_URL": url}
        done(run("keygen", "--airdrop", "1", environment=environment))
        if sbpf == "0":
            verify_refused(run("deploy", "--sbpf", "3", "--json", environment=environment), "try --sbpf 0")
        deployed = json.loads(done(run("deploy", "--sbpf", sbpf, "--json", environment=environment)))
        assert deployed["sha256"] == program_hash(read_program(0))
        assert json.loads(done(run("buffers", "--json", environment=environment)))["buffers"] == []


def test_the_demonstration_deals_by_its_seed_and_accounts_for_every_lamport(run: Run, tmp_path: Path) -> None:
    told = done(run("demo", "--seed", "4", "--record", "game.json"))
    for line in ("deal in slot 2: T♠ 7♥ Q♠", "stand in slot 3: 6♣ 7♣; dealer bust"):
        assert line in told
    assert "consistent: every card follows from the signed transactions" in told
    assert "player 1,000,000,000,000 - fees 20,000 = 999,999,980,000; 0 missing" in told
    assert "house  1,000,000,000,000 - fees 15,000 = 999,999,985,000; 0 missing" in told
    assert verify_game(GameRecord.load(tmp_path / "game.json")).verdict is Verdict.CONSISTENT


@pytest.fixture
def record() -> GameRecord:
    """Return the record of a finished game."""
    chain = LocalChain(seed=4)
    chain.deploy(PROGRAM_FILE.read_bytes())
    game = LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=bytes(32))
    for tag in (Tag.DEAL, Tag.STAND):
        game.ask(tag)
        game.answer()
    return game.record()


def test_a_record_is_verified_offline_card_by_card(run: Run, tmp_path: Path, record: GameRecord) -> None:
    record.save(tmp_path / "game.json")
    verified = run("verify", "game.json")
    assert (verified.returncode, verified.stderr) == (3, "")
    proof = verified.stdout
    for event in record.events:
        if isinstance(event, Revealed):
            assert format_codes(event.drawn, symbols=True) in proof


def test_a_record_that_was_tampered_with_is_refuted(run: Run, tmp_path: Path, record: GameRecord) -> None:
    wire = record.transactions[1].wire
    forged = replace(record.transactions[1], wire=wire[:-1] + bytes([wire[-1] ^ 1]))
    transactions = (record.transactions[0], forged, *record.transactions[2:])
    replace(record, transactions=transactions).save(tmp_path / "forged.json")
    refuted = run("verify", "forged.json")
    assert (refuted.returncode, refuted.stderr) == (1, "")
    assert "FORGED OR INCOMPLETE: transaction 2 is forged: the signature of" in refuted.stdout
    replace(record, transactions=record.transactions[:-1]).save(tmp_path / "cut.json")
    refuted = run("verify", "cut.json", "--json")
    assert refuted.returncode == 1
    assert json.loads(refuted.stdout)["verdict"] == "refuted"
    assert "the game is not over" in json.loads(refuted.stdout)["problem"]
    record.save(tmp_path / "game.json")
    refuted = run("verify", "game.json", "--house", str(HOUSE.pubkey()))
    assert refuted.returncode == 1
    assert "another house" in refuted.stdout
    verify_refused(run("verify", "game.json", "--program-hash", "12"), "64 hex digits")


def test_the_older_version_is_delivered_too(run: Run) -> None:
    built = json.loads(done(run("build", "--sbpf", "0", "--json")))
    assert (built["sbpf"], built["is_delivered"]) == (0, True)


def test_without_the_compiler_a_build_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)  # as if it were not installed
    verify_refused(run("build"), "pip install 'croupier[solana-build]'")


def test_keys_are_made_where_they_are_missing_and_never_replaced(run: Run, tmp_path: Path) -> None:
    made = json.loads(done(run("keygen", "--table", "other", "--json")))
    assert [Path(path).name for path in made["made"]] == ["player.json", "house.json", "house-secret.json"]
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "other").iterdir()} == {0o600}
    (tmp_path / "other" / "house.json").unlink()
    again = json.loads(done(run("keygen", "--table", "other", "--json")))
    assert [Path(path).name for path in again["made"]] == ["house.json"]
    assert again["player"] == made["player"] != again["house"] != made["house"]


UNUSABLE = next(number for number in range(99) if not has_address(PROGRAM.pubkey(), PLAYER.pubkey(), number))
NOBODY = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("line", "clues"),
    [
        (f"new --url {NOBODY}", [f"cluster '{NOBODY}'", "cannot be reached"]),
        ("deal", ["no game was opened from this folder", "croupier solana new"]),
        ("deal --table empty", ["empty/program.json", "croupier solana deploy"]),
        (f"hit --game {UNUSABLE}", [f"game number {UNUSABLE}", "the next usable number is"]),
        ("new --player-seed 12", ["'12'", "64 hex digits"]),
        ("localnet --state /no/such/folder/chain.db", ["/no/such/folder/chain.db"]),
        ("build --sbpf 2", ["--sbpf 2", "0 or 3"]),
    ],
)
def test_bad_input_is_answered_by_one_line_and_exit_code_2(run: Run, line: str, clues: list[str]) -> None:
    verify_refused(run(*shlex.split(line)), *clues)
