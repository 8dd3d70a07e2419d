"""The work of ``croupier solana build``, ``idl``, ``localnet`` and ``keygen``."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from solders.pubkey import Pubkey

from croupier.cli.json_output import print_json
from croupier.cli.progress import status_line
from croupier.cli.solana_seat import Seat
from croupier.errors import InputError
from croupier.files import write_bytes, write_text
from croupier.numerics.streams import fresh_seed
from croupier.solana.deployment import program_hash
from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_server import LocalnetServer
from croupier.solana.table import SIDES, Side
from croupier.solana.toolchain.compiler import build_program, read_program

LAMPORTS = 10**9
_VERSIONS = (0, 3)


def show_build(output: Path | None, sbpf: int, *, as_json: bool) -> None:
    """Build the program and describe it."""
    if sbpf not in _VERSIONS:
        raise InputError(f"--sbpf {sbpf}: choose version {' or '.join(map(str, _VERSIONS))}")
    with status_line("compiling"):
        program = build_program(version=3 if sbpf == 3 else 0)
    if output is not None:
        write_bytes(output, program, what="program")
    delivered = program == read_program(3 if sbpf == 3 else 0)
    digest = program_hash(program)
    if as_json:
        print_json({"bytes": len(program), "sha256": digest, "sbpf": sbpf, "is_delivered": delivered})
        return
    where = "" if output is None else f", written to {output}"
    typer.echo(f"SBPF version {sbpf}, {len(program):,} bytes{where}")
    typer.echo(f"SHA-256 {digest}")
    comparison = "the same as" if delivered else "not the same as"
    typer.echo(f"It is {comparison} the program in the package.")


def show_idl(idl: dict[str, Any], output: Path | None) -> None:
    """Print or write an IDL."""
    text = json.dumps(idl, indent=2) + "\n"
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text, what="IDL")


def serve_localnet(
    host: str,
    port: int,
    *,
    slot_time: float,
    state: Path | None,
    warp: int,
    seed: int | None,
    origins: list[str],
) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    with Ledger(state, seed=fresh_seed() if seed is None else seed) as ledger:
        localnet = Localnet(ledger, slot_seconds=slot_time)
        localnet.chain.advance(warp)
        localnet.save()
        with until_signal(), LocalnetServer(localnet, host=host, port=port, origins=origins) as server:
            pace = f"one slot every {slot_time:g} s" if slot_time > 0 else "one slot per transaction"
            typer.echo(f"Localnet on {server.url} in slot {localnet.chain.slot}, {pace}, seed {ledger.seed}.")
            typer.echo(
                "Ctrl-C ends it." if state is None else f"Ctrl-C ends it; its state is saved in {state}."
            )
            server.serve_forever()
        typer.echo(f"The localnet ended in slot {localnet.chain.slot}.")


@contextmanager
def until_signal() -> Iterator[None]:
    """Run the block until Ctrl-C or SIGTERM, which both end it normally."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        typer.echo()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def make_keys(seat: Seat, side: Side | None, airdrop: float, *, as_json: bool) -> None:
    """Create the missing files and request the airdrops."""
    made = seat.table.create_keys(side)
    keys = {one: seat.table.key_of(one).pubkey() for one in (SIDES if side is None else (side,))}
    if airdrop > 0:
        asyncio.run(_fund(seat, list(keys.values()), round(airdrop * LAMPORTS)))
    if as_json:
        addresses: dict[str, Any] = {one: str(keys[one]) if one in keys else None for one in SIDES}
        print_json({**addresses, "made": [str(path) for path in made]})
        return
    for path in made:
        typer.echo(f"created {path}")
    for one, key in keys.items():
        typer.echo(f"{one:<6} {key}")
    if airdrop > 0:
        typer.echo(f"{airdrop:g} SOL sent to {'it' if len(keys) == 1 else 'each'}")


async def _fund(seat: Seat, keys: list[Pubkey], lamports: int) -> None:
    async with seat.cluster(program=keys[0]) as cluster:
        for key in keys:
            await cluster.airdrop(key, lamports)
