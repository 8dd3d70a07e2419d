"""The arena: engines of the list play matches, and the page shows how they stand."""

from collections.abc import Sequence

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from croupier.durak.play.phrases import engine_title, verdict_phrase
from croupier.durak.play.refusal import DurakRefusal
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed
from croupier.web.jobs import Job, JobState, Lane, Report, Status
from croupier.web.models.durak_arena import (
    LARGEST_SEED,
    MOST_PAIRS,
    ArenaPlan,
    ArenaStanding,
    MatchStanding,
    most_at_a_time,
    play_arena,
)
from croupier.web.models.durak_plots import elo_plot
from croupier.web.pages.durak_parts import EnginePanel, engine_list, engine_options, log_folder
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.figures import as_dictionary, figure
from croupier.web.parts.notices import refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

JOB = "durak-arena"

#: How often the standing is refreshed, in seconds.
_BEAT = 0.25


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/durak/arena")
    async def durak_arena() -> None:
        async with frame(services, "nav.durak_arena", styles=("durak",), is_translated=True) as visit:
            _ArenaPage(services, visit).build()


class _ArenaPage:
    """One open page of the arena."""

    def __init__(self, services: Services, visit: Visit) -> None:
        self._services, self._visitor, self._texts = services, visit.visitor, visit.texts
        self._engines, self._logs = engine_list(services.settings), log_folder(services.settings)
        self._state: JobState[ArenaStanding] | None = None
        self._plots: list[tuple[TextElement, TextElement, ui.plotly]] = []

    def build(self) -> None:
        """Lay the page out."""
        texts = self._texts
        tag("h1", texts("durak.arena.title"))
        tag("p", texts("durak.arena.intro"), "quiet")
        self._form()
        with tag("div", classes="arena-result"):
            self._standing = Drawing(self._draw_standing)
            self._plot_area = tag("div", classes="stack")
        EnginePanel(self._engines, texts, self._refresh_engines)
        self._timer = ui.timer(_BEAT, self._beat)
        self._beat()

    @property
    def _job(self) -> Job[ArenaStanding] | None:
        return self._services.jobs.find(self._visitor, JOB)

    def _form(self) -> None:
        texts = self._texts
        options = engine_options(self._engines, texts)
        field = "outlined dense"
        with tag("section", classes="sheet stack"):
            with tag("div", classes="arena-form"):
                self._first = self._select("first", options, "durak-master 5")
                self._second = self._select("second", options, "durak-dummy")
                self._pairs = self._number("pairs", 50, 1, MOST_PAIRS)
                self._seed = self._number("seed", fresh_seed(), 0, LARGEST_SEED)
                self._others = (
                    ui.select(options, multiple=True, value=[], label=texts("durak.arena.others"))
                    .props(f'{field} use-chips data-testid="others"')
                    .classes("arena-others")
                )
                self._concurrency = self._number("concurrency", most_at_a_time(), 1, most_at_a_time())
                self._sprt = ui.switch(texts("durak.arena.sprt")).props('data-testid="sprt"')
                self._elo0 = self._number("elo0", 0, -1000, 1000)
                self._elo1 = self._number("elo1", 20, -1000, 1000)
                self._elo0.bind_visibility_from(self._sprt, "value")
                self._elo1.bind_visibility_from(self._sprt, "value")
            with tag("div", classes="line"):
                button(self._texts("durak.arena.start"), "start", self._start, is_main=True)
                self._stop_button = button(self._texts("durak.arena.stop"), "stop", self._stop)

    def _select(self, name: str, options: dict[str, str], value: str) -> ui.select:
        return ui.select(options, value=value, label=self._texts(f"durak.arena.{name}")).props(
            f'outlined dense data-testid="{name}"'
        )

    def _number(self, name: str, value: int, low: int, high: int) -> ui.number:
        return ui.number(
            self._texts(f"durak.arena.{name}"), value=value, min=low, max=high, precision=0
        ).props(f'outlined dense data-testid="{name}"')

    def _start(self) -> None:
        try:
            plan = self._plan()
            for name in plan.engines:
                self._engines.spec(name)
        except InputError as error:
            refused(error)
            return

        def work(report: Report) -> ArenaStanding:
            return play_arena(plan, self._engines, self._logs, report)

        self._services.jobs.start(self._visitor, JOB, work, kind="durak_match", lane=Lane.LONG)
        self._timer.activate()
        self._beat()

    def _plan(self) -> ArenaPlan:
        def whole(field: ui.number, key: str, **values: object) -> int:
            if field.value is None:
                raise DurakRefusal(key, **values)
            return int(field.value)

        sprt = None
        if self._sprt.value:
            sprt = (
                float(whole(self._elo0, "durak.refused.sprt")),
                float(whole(self._elo1, "durak.refused.sprt")),
            )
        return ArenaPlan(
            engines=(str(self._first.value), str(self._second.value), *self._others.value),
            pairs=whole(self._pairs, "durak.refused.pairs", limit=MOST_PAIRS),
            seed=whole(self._seed, "durak.refused.seed"),
            concurrency=whole(self._concurrency, "durak.refused.concurrency", limit=most_at_a_time()),
            sprt=sprt,
        )

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _beat(self) -> None:
        state = None if self._job is None else self._job.state
        if state is not self._state or (state is not None and state.status is Status.WAITING):
            self._state = state
            self._standing.refresh()
            self._show_plots()
        self._stop_button.set_visibility(state is not None and not state.is_over)
        if state is None or state.is_over:
            self._timer.deactivate()

    def _refresh_engines(self) -> None:
        options = engine_options(self._engines, self._texts)
        for field in (self._first, self._second):
            field.set_options(options, value=field.value if field.value in options else next(iter(options)))
        self._others.set_options(options, value=[name for name in self._others.value if name in options])

    # The standing

    def _draw_standing(self) -> None:
        state, texts = self._state, self._texts
        if state is None:
            return
        with draw("section", classes="sheet stack", data_testid="standing"):
            with draw("div", role="status"):
                draw("h2", self._status_text(state), data_testid="status")
            standing = state.newest
            if not isinstance(standing, ArenaStanding):
                return
            for match in standing.matches:
                self._draw_match(match)
            self._draw_progress(standing)
            self._draw_ratings(standing)
            self._draw_forfeits(standing)
            if standing.games:
                address = f"/durak/replay?log={standing.log}"
                draw("a", texts("durak.arena.open_log"), href=address, data_testid="open-log")

    def _status_text(self, state: JobState[ArenaStanding]) -> str:
        job, texts = self._job, self._texts
        if state.status is Status.WAITING and job is not None:
            return waiting_text(self._services.jobs, job, texts)
        if state.status is Status.FAILED:
            return texts("durak.arena.failed", reason=state.error)
        return texts(f"durak.arena.{state.status.value}")

    def _draw_progress(self, standing: ArenaStanding) -> None:
        texts = self._texts
        share = 100 * standing.games / max(1, standing.planned)
        with draw("div", classes="durak-bar", aria_hidden="true"):
            draw("div", style=f"width: {share:.1f}%")
        speed = self._texts.number(standing.games / max(standing.seconds, 1e-9), ".1f")
        with draw("div", classes="line quiet"):
            text = texts("durak.arena.progress", games=standing.games, planned=standing.planned)
            draw("span", text, data_testid="progress")
            draw("span", texts("durak.arena.speed", speed=speed))
            if standing.seconds_left is not None and self._state is not None and not self._state.is_over:
                left = texts("durak.arena.time_left", time=_duration(standing.seconds_left))
                draw("span", left, data_testid="time-left")

    def _draw_match(self, match: MatchStanding) -> None:
        texts = self._texts
        first, second = (engine_title(name, texts) for name in match.names)
        with draw("div", classes="stack", data_testid="match"):
            self._draw_score(match, first, second)
            figures = [
                ("won", texts.number(match.wins, ",d")),
                ("drawn", texts.number(match.draws, ",d")),
                ("lost", texts.number(match.losses, ",d")),
            ]
            if match.elo is not None and match.los is not None:
                figures += [
                    ("elo", texts.number(match.elo.elo, "+.0f")),
                    ("los", self._texts.number(match.los, ".1%")),
                ]
            with draw("div", classes="facts"):
                for name, text in figures:
                    fact(texts(f"durak.arena.{name}"), text, f"fact-{name}")
            if match.elo is not None:
                low = "−∞" if match.elo.low is None else texts.number(match.elo.low, "+.0f")
                high = "∞" if match.elo.high is None else texts.number(match.elo.high, "+.0f")
                draw("p", texts("durak.arena.interval", low=low, high=high), "quiet", data_testid="interval")
            self._draw_test(match)
            for name, verdicts in zip((first, second), match.forfeits, strict=True):
                if verdicts:
                    told = "; ".join(
                        f"{verdict_phrase(verdict, texts)} {count}" for verdict, count in verdicts.items()
                    )
                    count = sum(verdicts.values())
                    line = texts("durak.arena.forfeit_count", engine=name, count=count, verdicts=told)
                    draw("p", line, "bad", data_testid="forfeit-count")

    def _draw_score(self, match: MatchStanding, first: str, second: str) -> None:
        """Draw the score as on a scoreboard, and the shares of won, drawn and lost games below it."""
        texts, half = self._texts, match.draws / 2
        with draw("h3", classes="arena-score"):
            draw("span", first)
            points = (texts.number(points, "g") for points in (match.wins + half, match.losses + half))
            draw("strong", " – ".join(points), data_testid="fact-score")
            draw("span", second)
        games = max(1, match.wins + match.draws + match.losses)
        with draw("div", classes="arena-shares", aria_hidden="true"):
            for name, count in (("won", match.wins), ("drawn", match.draws), ("lost", match.losses)):
                if count:
                    draw("div", classes=name, style=f"width: {100 * count / games:.2f}%")

    def _show_plots(self) -> None:
        """Draw the matches; a plot stays on the page and gets new data, because Plotly fails when it is removed while it draws."""
        texts = self._texts
        traced = [match for match in self._matches() if len(match.trace) > 1]
        for place, match in enumerate(traced):
            first, second = (engine_title(name, texts) for name in match.names)
            label = texts("durak.arena.plot", first=first, second=second)
            drawing = elo_plot(match.trace, texts("durak.arena.plot_games"), texts("durak.arena.plot_elo"))
            if place == len(self._plots):
                with self._plot_area, tag("section", classes="sheet stack") as sheet:
                    caption, plot = tag("h3", label), figure(drawing, texts("durak.arena.plot_elo"))
                self._plots.append((sheet, caption, plot))
            sheet, caption, plot = self._plots[place]
            caption.set_text(label)
            plot.props["aria-label"] = label
            plot.update_figure(as_dictionary(drawing, self._texts))
        for place, (sheet, _, _) in enumerate(self._plots):
            is_old = place >= len(traced)
            sheet.classes(add="durak-folded" if is_old else "", remove="" if is_old else "durak-folded")

    def _matches(self) -> Sequence[MatchStanding]:
        standing = None if self._state is None else self._state.newest
        return standing.matches if isinstance(standing, ArenaStanding) else ()

    def _draw_test(self, match: MatchStanding) -> None:
        if match.ratio is None or match.bounds is None:
            return
        texts = self._texts
        low, high = match.bounds
        ratio = texts(
            "durak.arena.ratio",
            ratio=texts.number(match.ratio, "+.2f"),
            low=texts.number(low, "+.2f"),
            high=texts.number(high, "+.2f"),
        )
        draw("p", ratio, "quiet", data_testid="ratio")
        if match.decision in ("elo0", "elo1") and match.hypotheses is not None:
            elo0, elo1 = (f"{elo:g}" for elo in match.hypotheses)
            text = texts(f"durak.arena.settled_{match.decision}", elo0=elo0, elo1=elo1)
            draw("p", text, "good", data_testid="settled")

    def _draw_ratings(self, standing: ArenaStanding) -> None:
        texts = self._texts
        if not standing.ratings:
            return
        draw("h3", texts("durak.arena.ratings"))
        draw("p", texts("durak.arena.rating_help"), "quiet")
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table", data_testid="ratings"),
        ):
            for rating in standing.ratings:
                with draw("tr"):
                    draw("td", engine_title(rating.name, texts))
                    draw("td", f"{rating.elo:+.0f} ± {rating.error:.0f}")

    def _draw_forfeits(self, standing: ArenaStanding) -> None:
        texts = self._texts
        if not standing.forfeits:
            return
        draw("h3", texts("durak.arena.forfeits"))
        with draw("ul", classes="durak-faults", data_testid="forfeits"):
            for told in standing.forfeits:
                line = texts(
                    "durak.arena.forfeit_line",
                    engine=engine_title(told.engine, texts),
                    verdict=verdict_phrase(told.verdict, texts),
                    reason=told.reason,
                )
                draw("li", line)


def _duration(seconds: float) -> str:
    """Write a duration as minutes and seconds, or hours and minutes.

    >>> _duration(75.2), _duration(7384)
    ('1:15', '2:03 h')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"
