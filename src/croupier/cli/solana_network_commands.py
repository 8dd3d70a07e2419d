"""``croupier solana demo``, ``build``, ``idl``, ``localnet``, ``keygen``, ``deploy`` and ``buffers``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from croupier.cli.options import JsonOption, SeedOption, file_option
from croupier.cli.solana_options import (
    LOCAL_URL,
    USUAL_TABLE,
    BothSides,
    HouseKeyOption,
    PlayerKeyOption,
    SideName,
    TableOption,
    UrlOption,
    app,
    seat_of,
)
from croupier.errors import InputError


@app.command(epilog="Example: croupier solana demo --seed 4")
def demo(
    decks: Annotated[int, typer.Option("--decks", min=1, max=8, help="The number of decks.")] = 1,
    record: Annotated[
        Path | None,
        file_option("--record", "Write the game's public record to this file."),
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Play a whole game on a local chain, showing every transaction, the proof and the lamports."""
    from croupier.cli import solana_demo

    solana_demo.show_demo(decks=decks, seed=seed, record=record)


@app.command(epilog="Example: croupier solana build --output blackjack.so")
def build(
    output: Annotated[Path | None, file_option("--output", "Write the program to this file.")] = None,
    sbpf: Annotated[
        int, typer.Option("--sbpf", help="The version of the instruction set: 3, or 0 for older clusters.")
    ] = 3,
    as_json: JsonOption = False,
) -> None:
    """Compile and link the program, and compare it with the one in the package."""
    from croupier.cli import solana_chain

    solana_chain.show_build(output, sbpf, as_json=as_json)


@app.command(epilog="Example: croupier solana idl --output idl.json")
def idl(
    *,
    output: Annotated[Path | None, file_option("--output", "Write it to this file.")] = None,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Put it on the cluster, where explorers and Anchor look for it."),
    ] = False,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Show the one that is published on the cluster.")
    ] = False,
    side: Annotated[
        SideName | None,
        typer.Option("--as", help="Who publishes and pays; by default the side whose key is in --table."),
    ] = None,
    seat: BothSides,
) -> None:
    """Print, publish or fetch the program's interface as an Anchor IDL, for clients in other languages.

    The Program Metadata program of the public networks holds it. Only the program's upgrade
    authority can publish it; `croupier solana deploy` does so before it gives that right up.
    """
    from croupier.cli import solana_chain, solana_deployment
    from croupier.solana.anchor import anchor_idl

    if publish and (fetch or output is not None):
        raise InputError("--publish goes without --fetch and without --output")
    if publish:
        solana_deployment.publish(seat, side)
        return
    solana_chain.show_idl(
        solana_deployment.fetched_idl(seat) if fetch else anchor_idl(seat.table.program), output
    )


@app.command(epilog="Example: croupier solana localnet --state chain.db")
def localnet(
    host: Annotated[
        str, typer.Option("--host", help="A loopback address; a localnet serves this machine only.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")
    ] = 8899,
    slot_time: Annotated[
        float,
        typer.Option(
            "--slot-time",
            min=0,
            max=3600,
            help="Seconds per slot; 0 means one slot after every transaction.",
        ),
    ] = 0.4,
    state: Annotated[
        Path | None,
        file_option("--state", "Save the chain in this file, and resume from it."),
    ] = None,
    warp: Annotated[
        int,
        typer.Option(
            "--warp",
            min=0,
            max=10**12,
            help="Skip this many slots first, to try out claims.",
            metavar="SLOTS",
        ),
    ] = 0,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin", help="Answer web pages of this origin; others are refused.", metavar="URL"
        ),
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Serve a local network on this machine, the real runtime over JSON-RPC, until Ctrl-C."""
    from croupier.cli import solana_chain

    solana_chain.serve_localnet(
        host, port, slot_time=slot_time, state=state, warp=warp, seed=seed, origins=allow_origin or []
    )


@app.command(epilog="Example: croupier solana keygen --airdrop 10")
def keygen(
    airdrop: Annotated[
        float,
        typer.Option("--airdrop", min=0, max=10**6, help="Request this many SOL for each key."),
    ] = 0,
    side: Annotated[
        SideName | None, typer.Option("--as", help="The side whose files are created; by default both.")
    ] = None,
    url: UrlOption = LOCAL_URL,
    table: TableOption = USUAL_TABLE,
    player_key: PlayerKeyOption = None,
    house_key: HouseKeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Create the missing keys of player and house, and the house's secret; existing files stay as they are."""
    from croupier.cli import solana_chain

    solana_chain.make_keys(seat_of(url, table, player_key, house_key), side, airdrop, as_json=as_json)


@app.command(epilog="Example: croupier solana deploy")
def deploy(
    *,
    file: Annotated[
        Path | None,
        file_option("--file", "Deploy this file instead of the package's program."),
    ] = None,
    sbpf: Annotated[
        Literal["auto", "3", "0"],
        typer.Option(
            "--sbpf", help="The version of the package's program; auto asks the cluster what it runs."
        ),
    ] = "auto",
    final: Annotated[
        bool, typer.Option("--final", help="Give up the right to change the program, for good.")
    ] = False,
    no_idl: Annotated[
        bool, typer.Option("--no-idl", help="Do not publish the program's IDL on a cluster that can hold it.")
    ] = False,
    side: Annotated[
        SideName | None, typer.Option("--as", help="Who pays; by default the side whose key is in --table.")
    ] = None,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Deploy the program through the upgradeable loader; whoever pays may change it, unless it is final.

    A deployment that fails can be run again: it writes only what is missing. With `--final`, a
    program that is deployed already is made final. `croupier solana buffers` shows and closes
    what unfinished deployments have left.
    """
    from croupier.cli import solana_deployment

    solana_deployment.deploy_program(
        seat, side, file, sbpf, is_final=final, with_idl=not no_idl, as_json=as_json
    )


@app.command(epilog="Example: croupier solana buffers --close")
def buffers(
    *,
    close: Annotated[
        bool, typer.Option("--close", help="Close them; their rent goes back to whoever paid.")
    ] = False,
    side: Annotated[
        SideName | None, typer.Option("--as", help="Who paid; by default the side whose key is in --table.")
    ] = None,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Show the buffers of unfinished deployments, and close them if asked to."""
    from croupier.cli import solana_deployment

    solana_deployment.show_buffers(seat, side, close=close, as_json=as_json)
