"""The old commands ``durak-gui``, ``durak-autoplay`` and ``durak-logviewer``, with the options they always had."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.command import HELP_NAMES, run_command
from croupier.errors import InputError
from croupier.extras import needs

if TYPE_CHECKING:
    from croupier.web.settings import Settings


PortOption = Annotated[int, typer.Option("--port", help="The port of the web app; 0 takes any free one.")]
StoreOption = Annotated[
    str | None, typer.Option("--store", help="The web app's database: a file or a SQLAlchemy URL.")
]
FolderOption = Annotated[
    Path | None, typer.Option("--folder", help="The web app's own folder: added engines, logs.")
]
BrowserOption = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Whether to open the page in your browser.")
]


def _application() -> typer.Typer:
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


def gui() -> None:
    """Run ``durak-gui``."""
    application = _application()
    application.command(epilog="Example: durak-gui --port 0")(_gui)
    run_command(application, "durak-gui")


def autoplay() -> None:
    """Run ``durak-autoplay``."""
    application = _application()
    epilog = "Example: durak-autoplay durak-dummy durak-random --matches-number 2 --match-size 10"
    application.command(epilog=epilog)(_autoplay)
    run_command(application, "durak-autoplay")


def logviewer() -> None:
    """Run ``durak-logviewer``."""
    application = _application()
    application.command(epilog="Example: durak-logviewer games.log --web")(_logviewer)
    run_command(application, "durak-logviewer")


def _gui(
    port: PortOption = 0,
    store: StoreOption = None,
    folder: FolderOption = None,
    browser: BrowserOption = True,
) -> None:
    """Play against an engine in the browser; engines are added, chosen and removed there."""
    _serve_web("/durak/table", _web_settings(port, store, folder), is_opened=browser)


def _autoplay(
    engine1: Annotated[
        str, typer.Argument(help="An executable, or a command line in quotes.", metavar="ENGINE1")
    ],
    engine2: Annotated[str, typer.Argument(help="The other one.", metavar="ENGINE2")],
    matches_number: Annotated[int, typer.Option("--matches-number", min=1, help="How many matches.")] = 10,
    match_size: Annotated[int, typer.Option("--match-size", min=1, help="Games of each match.")] = 100,
    log_file: Annotated[
        Path | None, typer.Option("--log-file", help="Append every game to this log.", metavar="FILE")
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Copy the conversation with the engines to stderr.")
    ] = False,
) -> None:
    """Play matches between two engines: a match won is a point, a tied one half a point."""
    from croupier.cli.durak_arena import read_engines
    from croupier.cli.durak_autoplay import play_matches

    first, second = read_engines((engine1, engine2))
    play_matches(first, second, matches_number, match_size, log_file=log_file, is_debugged=debug)


def _logviewer(
    file: Annotated[
        Path | None,
        typer.Argument(help="A log; without it, choose among the *.log of this folder.", metavar="FILE"),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Look at it in the browser, not in the terminal.")
    ] = False,
    port: PortOption = 0,
    store: StoreOption = None,
    folder: FolderOption = None,
    browser: BrowserOption = True,
) -> None:
    """Choose a game of a log and step through it with both hands open."""
    if web:
        _show_in_browser(file, _web_settings(port, store, folder), is_opened=browser)
        return
    needs("logviewer")
    from croupier.cli.durak_logviewer import LogViewer
    from croupier.durak.arena.log import verify_log_file

    logs = sorted(Path().glob("*.log")) if file is None else [file]
    if not logs:
        raise InputError("no log (*.log) in this folder; name one: durak-logviewer FILE")
    if file is not None:
        verify_log_file(file)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "this is no terminal; `croupier durak replay LOG` prints a log, --web opens it in the browser"
        )
    LogViewer(logs).run()


def _show_in_browser(file: Path | None, settings: "Settings", *, is_opened: bool) -> None:
    """Open the replays of the web app, at a log if one is named: the web app gets a copy of it, and the address its name there."""
    from croupier.web.models.durak_logs import LogFolder, Place

    query = ""
    if file is not None:
        query = f"?{Place(LogFolder(settings.folder).adopt(file), game=1).to_query()}"
    _serve_web(f"/durak/replay{query}", settings, is_opened=is_opened)


def _web_settings(port: int, store: str | None, folder: Path | None) -> "Settings":
    from croupier.web.settings import Settings

    settings = Settings(port=port, store=store)
    return settings if folder is None else replace(settings, folder=folder)


def _serve_web(address: str, settings: "Settings", *, is_opened: bool) -> None:
    from croupier.web.app import serve

    if not is_opened:
        typer.echo(f"The page is {address}")
    serve(settings, open_at=address if is_opened else None)
