"""``croupier solana``: the commands and their options; their work is imported when they run."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.option_groups import Commands, OptionGroup
from croupier.cli.options import JsonOption, SeedOption, file_option

if TYPE_CHECKING:
    from croupier.cli.solana_seat import Seat

app = Commands(
    "Blackjack on Solana: build, deploy and play it on the real runtime, and verify that a game was fair.",
    extra="solana",
    epilog="Example: croupier solana demo --seed 4",
)


SideName = Literal["player", "house"]
UrlOption = Annotated[
    str,
    typer.Option(
        "--url", envvar="CROUPIER_SOLANA_URL", help="The cluster's JSON-RPC address.", metavar="URL"
    ),
]
TableOption = Annotated[
    Path,
    typer.Option(
        "--table",
        envvar="CROUPIER_SOLANA_TABLE",
        help="The folder with one's keys, the house's secret and the newest game.",
        metavar="FOLDER",
    ),
]
PlayerKeyOption = Annotated[
    Path | None, file_option("--player-key", "The player's key file, instead of the one in --table.")
]
HouseKeyOption = Annotated[
    Path | None, file_option("--house-key", "The house's key file, instead of the one in --table.")
]
PlayerOption = Annotated[
    str | None,
    typer.Option(
        "--player",
        help="The player's address, where --table has neither key nor game of one.",
        metavar="ADDRESS",
    ),
]
HouseOption = Annotated[
    str | None,
    typer.Option(
        "--house",
        envvar="CROUPIER_SOLANA_HOUSE",
        help="The house's address, where --table has neither key nor game of one.",
        metavar="ADDRESS",
    ),
]
ProgramOption = Annotated[
    str | None,
    typer.Option(
        "--program",
        envvar="CROUPIER_SOLANA_PROGRAM",
        help="The program's address, instead of the one deployed from --table.",
        metavar="ADDRESS",
    ),
]
GameOption = Annotated[
    int | None,
    typer.Option(
        "--game", min=0, help="The game's number; by default the newest of --table.", metavar="NUMBER"
    ),
]

LOCAL_URL = "http://127.0.0.1:8899"
USUAL_TABLE = Path("table")


def _seat(
    url: str,
    table: Path,
    player_key: Path | None = None,
    house_key: Path | None = None,
    program: str | None = None,
    player: str | None = None,
    house: str | None = None,
) -> "Seat":
    from croupier.cli.solana_seat import Seat
    from croupier.solana.table import Table

    return Seat(url, Table(table, player_key, house_key, program, player, house))


def _both_sides(
    url: UrlOption = LOCAL_URL,
    table: TableOption = USUAL_TABLE,
    player_key: PlayerKeyOption = None,
    house_key: HouseKeyOption = None,
    program: ProgramOption = None,
    player: PlayerOption = None,
    house: HouseOption = None,
) -> "Seat":
    return _seat(url, table, player_key, house_key, program, player, house)


BothSides = Annotated["Seat", OptionGroup(_both_sides)]


def _played_game(*, game: GameOption = None, seat: BothSides) -> "Seat":
    return replace(seat, number=game)


def _watched_game(
    game: GameOption = None,
    url: UrlOption = LOCAL_URL,
    table: TableOption = USUAL_TABLE,
    program: ProgramOption = None,
    player: PlayerOption = None,
    house: HouseOption = None,
) -> "Seat":
    return replace(_seat(url, table, program=program, player=player, house=house), number=game)


PlayedGame = Annotated["Seat", OptionGroup(_played_game)]
WatchedGame = Annotated["Seat", OptionGroup(_watched_game)]


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
    output: Annotated[Path | None, file_option("--output", "Write it to this file.")] = None,
    table: TableOption = USUAL_TABLE,
    program: ProgramOption = None,
) -> None:
    """Print the program's interface as an Anchor IDL, for clients in other languages."""
    from croupier.cli import solana_chain

    solana_chain.show_idl(_seat(LOCAL_URL, table, program=program), output)


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

    solana_chain.make_keys(_seat(url, table, player_key, house_key), side, airdrop, as_json=as_json)


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
    side: Annotated[
        SideName | None, typer.Option("--as", help="Who pays; by default the side whose key is in --table.")
    ] = None,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Deploy the program through the upgradeable loader; whoever pays may change it, unless it is final.

    A deployment that fails can be run again: it writes only what is missing. `croupier solana buffers` shows and
    closes what unfinished deployments have left.
    """
    from croupier.cli import solana_deployment

    solana_deployment.deploy_program(seat, side, file, sbpf, is_final=final, as_json=as_json)


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


@app.command(epilog="Example: croupier solana house --once")
def house(
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Answer what is open, offer games again, and end.")
    ] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show the state of the house.")] = False,
    close: Annotated[
        bool,
        typer.Option("--close", help="Take all offers back; the rent of the house's account comes back."),
    ] = False,
    capacity: Annotated[
        int,
        typer.Option("--capacity", min=1, max=255, help="Games on offer at a time; fixed when it is opened."),
    ] = 32,
    games_per_hour: Annotated[
        int, typer.Option("--games-per-hour", min=0, help="New games on offer in an hour.")
    ] = 240,
    daily_budget: Annotated[
        float,
        typer.Option(
            "--daily-budget", min=0, max=10**6, help="SOL for fees a day; beyond it no game is offered."
        ),
    ] = 0.1,
    most_price: Annotated[
        int,
        typer.Option(
            "--most-price",
            min=0,
            help="The highest priority fee, in millionths of a lamport per compute unit.",
        ),
    ] = 1_000_000,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Run the house for strangers: offer games on the chain, and answer every request, until Ctrl-C.

    It can be killed at any time: everything that it has to do next stands on the chain.
    """
    from croupier.cli import solana_house

    solana_house.run_house(
        seat,
        solana_house.limits(capacity, games_per_hour, daily_budget, most_price),
        "close" if close else "show" if status else "once" if once else "serve",
        as_json=as_json,
    )


@app.command(epilog="Example: croupier solana new --decks 6")
def new(
    *,
    decks: Annotated[int, typer.Option("--decks", min=1, max=8, help="The number of decks.")] = 1,
    number: Annotated[
        int | None, typer.Option("--game", min=0, help="The game's number; by default a random one.")
    ] = None,
    player_seed: Annotated[
        str | None,
        typer.Option(
            "--player-seed",
            help="The player's part of the randomness, 64 hex digits; by default random.",
            metavar="HEX",
        ),
    ] = None,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Open a game: the house commits to a chain of hashes, the player gives a seed and pays the rent.

    With --house, the commitment is one that the house has put on the chain, and the player alone signs. Without it,
    both keys must be in --table.
    """
    from croupier.cli import solana_play

    solana_play.open_game(seat, decks=decks, number=number, player_seed=player_seed, as_json=as_json)


def _add_request(name: str, requested: str, example: str) -> None:
    """Add a command by which the player requests something of the house."""

    @app.command(name, help=f"Request {requested}, as the player.", epilog=f"Example: {example}")
    def request(
        *,
        auto_reveal: Annotated[
            bool, typer.Option("--auto-reveal", help="Let the house in --table answer at once.")
        ] = False,
        wait: Annotated[
            bool, typer.Option("--wait", help="Wait for the house's answer, at most until its time is over.")
        ] = False,
        seat: PlayedGame,
        as_json: JsonOption = False,
    ) -> None:
        from croupier.cli import solana_play

        solana_play.ask(seat, name.upper(), auto_reveal=auto_reveal, wait=wait, as_json=as_json)


_add_request("deal", "the first cards", "croupier solana deal --auto-reveal")
_add_request("hit", "a card", "croupier solana hit --auto-reveal")
_add_request("stand", "the dealer's play", "croupier solana stand")


@app.command(epilog="Example: croupier solana reveal")
def reveal(
    *,
    seat: PlayedGame,
    as_json: JsonOption = False,
) -> None:
    """Answer the player's request, as the house: reveal the next pre-image, which draws the cards."""
    from croupier.cli import solana_play

    solana_play.answer(seat, as_json=as_json)


@app.command(epilog="Example: croupier solana claim --as player")
def claim(
    *,
    side: Annotated[
        SideName | None, typer.Option("--as", help="Who claims; by default the side whose key is in --table.")
    ] = None,
    seat: PlayedGame,
    as_json: JsonOption = False,
) -> None:
    """End a game because the other side is late: the house after 150 slots, the player after 216,000."""
    from croupier.cli import solana_play

    solana_play.claim(seat, side, as_json=as_json)


@app.command(epilog="Example: croupier solana cleanup")
def cleanup(
    *,
    payer: Annotated[
        SideName | None,
        typer.Option(
            "--payer", help="Who pays the transaction fee; by default the side whose key is in --table."
        ),
    ] = None,
    seat: PlayedGame,
    as_json: JsonOption = False,
) -> None:
    """Close a finished game; its rent always goes back to the player."""
    from croupier.cli import solana_play

    solana_play.clean_up(seat, payer, as_json=as_json)


@app.command(epilog="Example: croupier solana show --bytes")
def show(
    *,
    show_bytes: Annotated[
        bool, typer.Option("--bytes", help="Also print the account, field by field.")
    ] = False,
    seat: WatchedGame,
    as_json: JsonOption = False,
) -> None:
    """Show the current state of a game."""
    from croupier.cli import solana_reports

    solana_reports.show_game(seat, show_bytes=show_bytes, as_json=as_json)


@app.command(epilog="Example: croupier solana verify --save game.json")
def verify(
    *,
    record: Annotated[
        Path | None,
        typer.Argument(
            help="A game's record, to verify offline; by default it is fetched from the cluster.",
            metavar="RECORD",
        ),
    ] = None,
    save: Annotated[Path | None, file_option("--save", "Write the record to this file.")] = None,
    program_hash: Annotated[
        str | None,
        typer.Option(
            "--program-hash",
            help="The SHA-256 of the program that must have dealt; by default those of this package.",
            metavar="HEX",
        ),
    ] = None,
    final: Annotated[
        bool, typer.Option("--final", help="Refuse a program that somebody can still change.")
    ] = False,
    authority: Annotated[
        str | None,
        typer.Option(
            "--authority", help="The only key that may be able to change the program.", metavar="ADDRESS"
        ),
    ] = None,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening", min=1, help="Which game, if the number was played more than once.", metavar="N"
        ),
    ] = None,
    seat: WatchedGame,
    as_json: JsonOption = False,
) -> None:
    """Recompute every card of a finished game from its signed transactions.

    The exit code is 0 if the game is proven on this network, 3 if an offline record is consistent, and 1 if it is
    forged or incomplete.
    """
    from croupier.cli import solana_reports

    expected = seat.table.expected(
        program_hash=program_hash, is_final=final, authority=authority, opening=opening
    )
    if record is not None:
        solana_reports.verify_record(record, save, expected, as_json=as_json)
    else:
        solana_reports.verify_on_cluster(seat, save, expected, as_json=as_json)
