"""The group ``croupier solana`` and the options that its commands share."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.option_groups import Commands, OptionGroup
from croupier.cli.options import file_option

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


def seat_of(
    url: str,
    table: Path,
    player_key: Path | None = None,
    house_key: Path | None = None,
    program: str | None = None,
    player: str | None = None,
    house: str | None = None,
) -> "Seat":
    """Return the cluster and the folder that the options name."""
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
    return seat_of(url, table, player_key, house_key, program, player, house)


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
    return replace(seat_of(url, table, program=program, player=player, house=house), number=game)


PlayedGame = Annotated["Seat", OptionGroup(_played_game)]
WatchedGame = Annotated["Seat", OptionGroup(_watched_game)]
