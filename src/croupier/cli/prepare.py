"""``croupier prepare``: compile the kernels of the games ahead."""

from typing import Annotated

import typer

from croupier.cli.rules import Game


def prepare_games(
    games: Annotated[
        list[Game] | None, typer.Argument(help="The games; all of them if none is named.", show_default=False)
    ] = None,
) -> None:
    """Compile what the games need on this machine, so that no game waits for it; the next time is quick.

    If it is interrupted, what is compiled by then stays.
    """
    from croupier.cli.progress import progress_bar
    from croupier.folders import writable_cache
    from croupier.preparation import prepare

    seconds = 0.0
    for game in dict.fromkeys(games or Game):
        with progress_bar(f"compiling {game}") as report:
            taken = prepare(game, report)
        typer.echo(f"{game}: ready after {taken:.1f} s")
        seconds += taken
    typer.echo(f"Done in {seconds:.1f} s; kept in {writable_cache()}")
