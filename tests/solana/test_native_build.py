"""The same C, compiled for this machine with sanitizers: no overflow, no stray access, and the same game.

The process reads the loader's input format, so the sanitizers see every byte that the program reads or writes.
"""

import hashlib
import importlib.util
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from scipy.stats import chisquare
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.sysvar import SLOT_HASHES

from croupier.numerics.streams import RandomStream
from croupier.solana import model
from croupier.solana.addresses import game_address, next_number
from croupier.solana.codes import GameError, Status, Tag
from croupier.solana.events import Revealed, decode_event
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.house_account import HouseAccount
from croupier.solana.instructions import cleanup, create, deal, game_rent, hit, reveal, stand
from croupier.solana.randomness import CardStream, draw_code
from croupier.solana.toolchain.compiler import PROGRAM_SOURCE

GAMES = 300
FUZZED_INPUTS = 3000
DRAWN_CARDS = 200_000
ROOM_TO_GROW = 10240
PROGRAM, PLAYER, HOUSE = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@dataclass(frozen=True)
class NativeAccount:
    """An account in the loader's layout."""

    key: Pubkey
    owner: Pubkey = SYSTEM_PROGRAM
    lamports: int = 10**9
    data: bytes = b""
    is_signer: bool = True
    is_writable: bool = True

    def encode(self) -> bytes:
        head = bytes([255, self.is_signer, self.is_writable, 0]) + bytes(4)
        sizes = struct.pack("<QQ", self.lamports, len(self.data))
        padding = bytes(ROOM_TO_GROW + -len(self.data) % 8)
        return head + bytes(self.key) + bytes(self.owner) + sizes + self.data + padding + bytes(8)


@dataclass(frozen=True)
class Reply:
    """The program's return value, its log, and the accounts afterwards."""

    code: int
    log: bytes
    accounts: tuple[NativeAccount, ...]


class NativeProgram:
    """The sanitized process."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def execute(
        self, accounts: Sequence[NativeAccount], data: bytes, *, slot: int = 1, is_on_curve: bool = False
    ) -> Reply:
        """Run one instruction."""
        parts = [account.encode() for account in accounts]
        message = struct.pack("<Q", len(parts)) + b"".join(parts)
        message += struct.pack("<Q", len(data)) + data + bytes(PROGRAM)
        code, log, after = self.execute_bytes(message, slot=slot, is_on_curve=is_on_curve)
        place, changed = 8, []
        for account, part in zip(accounts, parts, strict=True):
            owner = Pubkey(after[place + 40 : place + 72])
            lamports, size = struct.unpack_from("<QQ", after, place + 72)
            content = after[place + 88 : place + 88 + size]
            changed.append(replace(account, owner=owner, lamports=lamports, data=content))
            place += len(part)
        return Reply(code, log, tuple(changed))

    def execute_bytes(self, message: bytes, *, slot: int, is_on_curve: bool) -> tuple[int, bytes, bytes]:
        """Run one instruction on a raw input."""
        self._send(b"E" + struct.pack("<QQQ", slot, is_on_curve, len(message)) + message)
        code, log_size = struct.unpack("<QQ", self._receive(16))
        return code, self._receive(log_size), self._receive(len(message))

    def draw(self, counts: Sequence[int], seed: bytes, number: int) -> bytes:
        """Draw cards, each from the given counts."""
        self._send(b"D" + bytes(counts) + struct.pack("<H", sum(counts)) + seed + struct.pack("<Q", number))
        return self._receive(number)

    def _send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(message)
        self._process.stdin.flush()

    def _receive(self, size: int) -> bytes:
        assert self._process.stdout is not None
        reply = self._process.stdout.read(size)
        if len(reply) != size:
            assert self._process.stderr is not None
            raise AssertionError(
                f"the sanitizers stopped the program: {self._process.stderr.read().decode()}"
            )
        return reply


def compilers() -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Return the native compilers to try: the system's with all sanitizers, zig's with the one that it has."""
    for name in ("gcc", "clang", "cc"):
        if shutil.which(name):
            yield [name], SANITIZERS
    if importlib.util.find_spec("ziglang") is not None:
        yield [sys.executable, "-m", "ziglang", "cc"], ("-fsanitize=undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NativeProgram]:
    target = tmp_path_factory.mktemp("native") / "blackjack"
    harness = Path(__file__).parent / "native" / "harness.c"
    for compiler, sanitizers in compilers():
        flags = ["-g", "-O1", "-Wall", "-Wextra", "-Werror", *sanitizers, "-I", str(PROGRAM_SOURCE.parent)]
        command = [*compiler, *flags, str(harness), "-o", str(target)]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            break
    else:
        pytest.skip("no native C compiler with sanitizers: looked for gcc, clang, cc and ziglang")
    with subprocess.Popen(
        [str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        yield NativeProgram(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


def slot_hashes(*entries: tuple[int, bytes]) -> NativeAccount:
    data = struct.pack("<Q", len(entries)) + b"".join(
        struct.pack("<Q", slot) + value for slot, value in entries
    )
    return NativeAccount(SLOT_HASHES, data=data, is_signer=False, is_writable=False)


def random_bytes(stream: RandomStream) -> bytes:
    return bytes(stream.below(256) for _ in range(32))


def test_native_games_equal_the_model(native: NativeProgram) -> None:
    stream = RandomStream(31)
    number, endings = 0, set()
    for _ in range(GAMES):
        number = next_number(PROGRAM, PLAYER, number + 1)
        seed, secret, decks = random_bytes(stream), random_bytes(stream), 1 + stream.below(8)
        links = chain_links(secret, number)
        ending = play_natively(native, stream, number, seed, links, decks)
        endings.add(ending.result)
    assert len(endings) == 5


def play_natively(
    native: NativeProgram,
    stream: RandomStream,
    number: int,
    seed: bytes,
    links: tuple[bytes, ...],
    decks: int,
) -> Game:
    """Play one game from Create to Cleanup, compared with the model after every instruction."""
    slot = 100
    address = game_address(PROGRAM, PLAYER, number)
    account = NativeAccount(address, lamports=0, is_signer=False)
    player, house = NativeAccount(PLAYER), NativeAccount(HOUSE, is_writable=False)
    system = NativeAccount(SYSTEM_PROGRAM, is_signer=False, is_writable=False)
    order = create(PROGRAM, PLAYER, HOUSE, number=number, player_seed=seed, chain_tip=links[-1], decks=decks)
    reply = native.execute([account, player, house, system], order.data, slot=slot)
    assert reply.code == 0
    account = reply.accounts[0]
    assert (account.owner, account.lamports) == (PROGRAM, game_rent())
    expected = Game.created(PLAYER, HOUSE, links[-1], seed, number=number, decks=decks, slot=slot)
    assert account.data == expected.encode()
    builders = {Tag.DEAL: deal, Tag.HIT: hit, Tag.STAND: stand}
    link = len(links) - 2
    while expected.status is not Status.FINISHED:
        tag = Tag.DEAL if expected.status is Status.CREATED else (Tag.HIT, Tag.STAND)[stream.below(2)]
        reply = native.execute([account, player], builders[tag](PROGRAM, address, PLAYER).data, slot=slot)
        expected = model.request(expected, tag, slot)
        account = reply.accounts[0]
        assert (reply.code, account.data) == (0, expected.encode())
        decisive = random_bytes(stream)
        hashes = slot_hashes((slot + 2, bytes(32)), (slot, decisive), (slot - 5, bytes(32)))
        slot += 3
        revelation = reveal(PROGRAM, address, HOUSE, links[link], decisive)
        reply = native.execute([account, house, hashes], revelation.data, slot=slot)
        answer = model.reveal(expected, address, links[link], decisive, slot)
        event = decode_event(reply.log)
        assert isinstance(event, Revealed)
        assert (reply.code, event.drawn) == (0, answer.drawn)
        expected, account, link = answer.game, reply.accounts[0], link - 1
        assert account.data == expected.encode()
    receiver = replace(player, is_signer=False)
    reply = native.execute([account, receiver], cleanup(PROGRAM, address, PLAYER).data, slot=slot)
    assert reply.code == 0
    closed, paid = reply.accounts
    assert (closed.lamports, closed.data, closed.owner) == (0, b"", SYSTEM_PROGRAM)
    assert paid.lamports == receiver.lamports + game_rent()
    return expected


def test_a_prefunded_address_is_taken_over(native: NativeProgram) -> None:
    number = next_number(PROGRAM, PLAYER)
    order = create(PROGRAM, PLAYER, HOUSE, number=number, player_seed=bytes(32), chain_tip=bytes(32))
    account = NativeAccount(game_address(PROGRAM, PLAYER, number), lamports=game_rent(), is_signer=False)
    others = [NativeAccount(PLAYER), NativeAccount(HOUSE), NativeAccount(SYSTEM_PROGRAM)]
    reply = native.execute([account, *others], order.data)
    assert reply.code == 0
    assert Game.decode(reply.accounts[0].data).status is Status.CREATED
    poor = replace(account, lamports=game_rent() - 1)
    assert native.execute([poor, *others], order.data).code == GameError.UNDERFUNDED
    assert native.execute([account, *others], order.data, is_on_curve=True).code == GameError.UNUSABLE_NUMBER


USUAL_PLACES: dict[int, tuple[int, ...]] = {
    Tag.CREATE: (0, 1, 2, 4),
    Tag.REVEAL: (0, 2, 3),
    Tag.OPEN_HOUSE: (5, 2),
    Tag.COMMIT: (5, 2),
    Tag.JOIN: (0, 1, 5, 4),
    Tag.CLOSE_HOUSE: (5, 2),
}


def house_data(stream: RandomStream) -> bytes:
    """Return a house's account, a fresh one, or a damaged one."""
    data = HouseAccount(HOUSE, (None, bytes([1] * 32), None)).encode()
    return (data, data, bytes(len(data)), data[: stream.below(len(data))])[stream.below(4)]


def test_arbitrary_inputs_never_stray(native: NativeProgram) -> None:
    """Random instructions with random accounts give one of the program's errors, or an allowed change."""
    stream = RandomStream(32)
    codes = set()
    base = Game.created(PLAYER, HOUSE, hashlib.sha256(bytes(32)).digest(), bytes(32), number=1, slot=90)
    for _ in range(FUZZED_INPUTS):
        game = replace(base, status=list(Status)[stream.below(6)])
        if game.status is not Status.CREATED and game.status is not Status.DEAL_REQUESTED:
            game = replace(game, player_cards=(3, 4), dealer_cards=(9,))
        data = game.encode() if stream.below(8) else game.encode()[: stream.below(256)]
        pool = [
            NativeAccount(Pubkey(bytes([5] * 32)), PROGRAM, data=data, is_signer=False),
            NativeAccount(PLAYER, is_signer=stream.below(5) > 0, is_writable=stream.below(5) > 0),
            NativeAccount(HOUSE, is_signer=stream.below(5) > 0),
            slot_hashes((91 + stream.below(300), bytes(32)), (90, bytes(32)), (3, bytes(32))),
            NativeAccount(SYSTEM_PROGRAM, is_signer=False, is_writable=False),
            NativeAccount(Pubkey(bytes([6] * 32)), PROGRAM, data=house_data(stream), is_signer=False),
        ]
        tag = stream.below(len(Tag) + 1)
        usual = USUAL_PLACES.get(tag, (0, 1 + stream.below(2)))
        picked = usual if stream.below(4) else tuple(stream.below(6) for _ in range(stream.below(6)))
        size = {0: 88, 4: 72, 8: 40, 9: 88}.get(tag, 8) if stream.below(6) else stream.below(100)
        order = bytes([tag, 0, 0, 0, tag == Tag.COMMIT]) + bytes(range(1, 84))
        if tag != Tag.COMMIT:
            order = bytes([tag]) + bytes(max(0, size - 1))
        reply = native.execute(
            [pool[place] for place in picked],
            order[:size],
            slot=90 + stream.below(300),
            is_on_curve=stream.below(2) == 1,
        )
        codes.add(reply.code)
        assert reply.code in {0, *GameError}
        assert sum(account.lamports for account in reply.accounts) == sum(
            pool[place].lamports for place in picked
        )
    assert len(codes) > 15


# ---- uniformity of the drawing function ----


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("one deck", (1,) * 52),
        ("eight decks", (8,) * 52),
        ("a torn shoe", tuple((code * 7 + 3) % 5 for code in range(52))),
        ("three cards", (0,) * 20 + (2,) + (0,) * 30 + (1,)),
    ],
)
def test_drawn_cards_are_uniform_over_the_cards_left(
    native: NativeProgram, name: str, counts: tuple[int, ...]
) -> None:
    drawn = native.draw(counts, hashlib.sha256(name.encode()).digest(), DRAWN_CARDS)
    observed = [drawn.count(code) for code in range(52)]
    assert all(seen == 0 for seen, count in zip(observed, counts, strict=True) if count == 0)
    pairs = [(seen, count) for seen, count in zip(observed, counts, strict=True) if count]
    expected = [DRAWN_CARDS * count / sum(counts) for _, count in pairs]
    assert chisquare([seen for seen, _ in pairs], expected).pvalue > 0.001


def test_successive_cards_are_independent(native: NativeProgram) -> None:
    drawn = native.draw((1,) * 52, hashlib.sha256(b"pairs").digest(), DRAWN_CARDS)
    pairs = [0] * 52**2
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        pairs[52 * first + second] += 1
    assert chisquare(pairs).pvalue > 0.001


def test_the_drawing_function_equals_the_models(native: NativeProgram) -> None:
    stream = RandomStream(33)
    for _ in range(200):
        counts = [stream.below(9) for _ in range(52)]
        counts[stream.below(52)] += 1
        seed = random_bytes(stream)
        expected = CardStream(seed)
        assert list(native.draw(counts, seed, 40)) == [draw_code(counts, expected) for _ in range(40)]
