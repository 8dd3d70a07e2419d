"""The replays before a log is open: what was played here, and where games come from."""

from croupier.texts import Texts
from croupier.web.models.durak_logs import LogFolder, Place
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.thumbnails import draw_thumbnail

ADDRESS = "/durak/replay"

#: How many logs are shown; the field above names all.
_SHOWN_LOGS = 12


def show_start(logs: LogFolder, visitor: str, texts: Texts) -> None:
    """Put the newest logs of a visitor on the page, and the pages that write logs."""

    def draw_logs() -> None:
        listed = logs.listed(visitor)
        draw("h2", texts("durak.replay.logs"))
        if not listed:
            draw("p", texts("durak.replay.no_logs"), "quiet")
        with draw("div", classes="replay-tiles"):
            for log in listed[:_SHOWN_LOGS]:
                players = " – ".join(logs.players(log.name))
                address = f"{ADDRESS}?{Place(log.name).to_query()}"
                when = texts.moment(log.changed)
                _draw_tile(address, "durak_replay", players or log.title, when, f"log-{log.name}", texts)

    def draw_sources() -> None:
        draw("h2", texts("durak.replay.sources"))
        with draw("div", classes="replay-tiles"):
            for name in ("table", "arena"):
                title, more = texts(f"nav.durak_{name}"), texts(f"durak.replay.from_{name}")
                _draw_tile(f"/durak/{name}", f"durak_{name}", title, more, f"from-{name}", texts)

    Drawing(draw_logs)
    Drawing(draw_sources)


def _draw_tile(address: str, picture: str, title: str, more: str, mark: str, texts: Texts) -> None:
    with draw("a", classes="sheet home-tile", href=address, data_testid=mark):
        draw_thumbnail(picture, texts)
        with draw("div"):
            draw("h3", title)
            draw("p", more, "quiet")
