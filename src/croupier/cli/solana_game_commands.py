"""``croupier solana new`` to ``verify``: the commands that play and look at one game."""

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.options import JsonOption, file_option
from croupier.cli.solana_options import BothSides, PlayedGame, SideName, WatchedGame, app


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
    bet: Annotated[
        float,
        typer.Option(
            "--bet", min=0, max=10**6, help="SOL at stake, which the house must cover; for test networks."
        ),
    ] = 0,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Open a game: the house commits to a chain of hashes, the player gives a seed and pays the rent.

    With --house, the commitment is one that the house has put on the chain, and the player alone signs. Without it,
    both keys must be in --table, unless there is a bet. With --bet, the bet and the cover of the house's bankroll lie in
    the game until it is closed.
    """
    from croupier.cli import solana_play

    solana_play.open_game(seat, decks=decks, number=number, player_seed=player_seed, bet=bet, as_json=as_json)


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
    """Close a finished game: its rent goes back to the player, and stakes go to whom they belong."""
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
