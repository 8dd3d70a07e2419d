"""``croupier serve``: the web app."""

from pathlib import Path
from typing import Annotated

import typer


def serve_web(
    host: Annotated[
        str,
        typer.Option(
            help="Where to listen; other machines can reach it only if you name an address of theirs."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.")] = 8080,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
    store: Annotated[
        str | None, typer.Option(help="The database of tables and runs: a file or a SQLAlchemy URL.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="The web app's own folder: added engines, logs, the key of its cookies."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="CROUPIER_TOKEN",
            help="What a person must type to add an engine when other machines can reach the web app.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A further name of this machine that browsers may use, such as a proxy's."),
    ] = None,
) -> None:
    """Serve the web app on this machine: tables, explorers, laboratories, the arena and replays."""
    from croupier.web.app import serve
    from croupier.web.settings import Settings

    chosen = {} if folder is None else {"folder": folder}
    serve(
        Settings(host, port, store, token=token, names=tuple(name or ()), **chosen),
        open_at="/" if open_browser else None,
    )
