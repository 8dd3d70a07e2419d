"""The profiles of the Counter page: a list to choose, name and compare, and a form to record another."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import get_args

from nicegui import events, ui

from croupier.blackjack.counting.answers import Answer
from croupier.blackjack.counting.profile_runs import MOST_SPOTS
from croupier.blackjack.counting.runs import IndexName
from croupier.blackjack.engine import BLACKJACK
from croupier.errors import InputError
from croupier.texts import figure
from croupier.web.models.counter_runs import (
    READY_ROUNDS,
    CounterDesk,
    ListedProfile,
    OtherPlay,
    ProfileRequest,
)
from croupier.web.pages.blackjack_fields import whole_number
from croupier.web.pages.counter_figures import draw_comparison
from croupier.web.parts.drawing import Drawing
from croupier.web.parts.elements import button, tag
from croupier.web.parts.language import page_texts
from croupier.web.parts.notices import refused


class ProfileList:
    """The profiles of the store, and those that stand side by side.

    Parameters
    ----------
    desk
        What the visitor has named and compared.
    choose, name, compare
        Called with the number of a profile, and what is done with it.
    """

    def __init__(
        self,
        desk: CounterDesk,
        choose: Callable[[int], Awaitable[object]],
        name: Callable[[int, str], Awaitable[object]],
        compare: Callable[[int, bool], Awaitable[object]],
    ) -> None:
        self._desk, self._choose, self._name, self._compare = desk, choose, name, compare
        self._texts = page_texts()
        self._answers: Sequence[tuple[str, Answer]] = ()
        self._shown: tuple[tuple[ListedProfile, ...], int | None] | None = None
        self._boxes: dict[int, ui.checkbox] = {}
        self._comparison_sheet = tag(
            "section", classes="sheet stack", aria_label=self._texts("counter.part.compare")
        )
        with self._comparison_sheet:
            tag("h2", self._texts("counter.part.compare"))
            self._comparison = Drawing(self._draw_comparison)
        with tag("section", classes="sheet stack", aria_label=self._texts("counter.part.profiles")):
            tag("h2", self._texts("counter.part.profiles"))
            self._list = tag("div", classes="profile-list", data_testid="profiles")
        self._comparison_sheet.set_visibility(False)

    def show(self, profiles: Sequence[ListedProfile], answers: Sequence[tuple[str, Answer]]) -> None:
        """Show the list and the comparison as they are now."""
        self._answers = answers
        self._comparison_sheet.set_visibility(bool(answers))
        self._comparison.refresh()
        shown = tuple(profiles), self._desk.run
        if shown == self._shown:
            return  # a line that is built again would lose what is being typed or clicked there
        self._shown = shown
        self._list.clear()
        self._boxes.clear()
        with self._list:
            for profile in profiles:
                self._show_profile(profile)

    def uncheck(self, run: int) -> None:
        """Take back a mark that was refused."""
        self._boxes[run].set_value(False)

    def _show_profile(self, profile: ListedProfile) -> None:
        run, texts = profile.run, self._texts
        is_asked = run == self._desk.run
        with tag("div", classes="profile-line asked" if is_asked else "profile-line"):
            ui.input(
                texts("counter.set.name"),
                value=self._desk.names.get(run, ""),
                placeholder=f"{profile.system} · {run}",
                on_change=partial(self._named, run),
            ).props(f'outlined dense hide-bottom-space debounce=600 data-testid="name-{run}"')
            with tag("div", classes="profile-text"):
                tag("span", f"{profile.system} · {BLACKJACK.describe(profile.rules)}")
                rounds = texts.shown(figure(profile.rounds, ",d"))
                places = texts("counter.set.spots")
                tag(
                    "span",
                    f"{rounds} {texts('counter.set.rounds')} · {places} {profile.spots} · {texts.shown(profile.summary)}{self._people(profile)}",
                    "quiet small",
                )
            choose = button(texts("counter.column.ask"), f"ask-{run}", partial(self._choose, run))
            choose.props["aria-pressed"] = "true" if is_asked else "false"
            self._boxes[run] = ui.checkbox(
                texts("counter.column.compare"),
                value=run in self._desk.compared,
                on_change=partial(self._compared, run),
            ).props(f'data-testid="compare-{run}"')

    def _people(self, profile: ListedProfile) -> str:
        """Say who sits at the table, and how often the player errs, where that is not nothing."""
        said = []
        if profile.others:
            said.append(f"{self._texts('counter.set.others')} {profile.others}")
        if not profile.slips.is_nothing:
            slips = profile.slips
            said.append(self._texts("counter.errs", miscounts=slips.miscounts, misplays=slips.misplays))
        return "".join(f" · {text}" for text in said)

    async def _named(self, run: int, event: events.ValueChangeEventArguments[str | None]) -> None:
        await self._name(run, event.value or "")

    async def _compared(self, run: int, event: events.ValueChangeEventArguments[bool]) -> None:
        await self._compare(run, bool(event.value))

    def _draw_comparison(self) -> None:
        if self._answers:
            draw_comparison(self._answers)


class RecordingForm:
    """What is to be recorded of the rules on the page."""

    def __init__(
        self, system: str, systems: Sequence[str], record: Callable[[ProfileRequest], object]
    ) -> None:
        texts = page_texts()
        self._record = record
        with tag("div", classes="line record-line"):
            self._system = ui.select(list(systems), value=system, label=texts("counter.set.system")).props(
                'outlined dense data-testid="record-system"'
            )
            self._indices = ui.select(
                {name: texts(f"counter.choice.{name}") for name in get_args(IndexName)},
                value="all",
                label=texts("counter.set.indices"),
            ).props('outlined dense data-testid="record-indices"')
            self._spots = _number("spots", 2, 1, MOST_SPOTS)
            self._others = _number("others", 0, 0, 6)
            self._other_play = ui.select(
                {name: texts(f"counter.choice.{name}") for name in get_args(OtherPlay)},
                value="as_you",
                label=texts("counter.set.other_play"),
            ).props('outlined dense data-testid="record-other_play"')
            self._miscounts, self._misplays = _rate("miscounts"), _rate("misplays")
            self._rounds = _number("rounds", READY_ROUNDS * 10, 1, None)
            self._seed = _number("seed", 1, 0, None)
            button(texts("counter.record"), "record", self._send, is_main=True)

    def _send(self) -> None:
        texts = page_texts()
        try:
            spots, others, rounds, seed = (
                whole_number(field, texts(f"counter.set.{name}"))
                for name, field in (
                    ("spots", self._spots),
                    ("others", self._others),
                    ("rounds", self._rounds),
                    ("seed", self._seed),
                )
            )
        except InputError as error:
            refused(error)
            return
        self._record(
            # The page puts its own rules in.
            ProfileRequest(
                BLACKJACK.presets[0].rules,
                str(self._system.value),
                self._indices.value,
                spots,
                others,
                rounds,
                seed,
                miscounts=float(self._miscounts.value or 0.0) / 100,
                misplays=float(self._misplays.value or 0.0) / 100,
                other_play=self._other_play.value,
            )
        )


def _rate(name: str) -> ui.number:
    """Build a field for a part of the rounds, in per cent."""
    label = page_texts()(f"counter.set.{name}")
    field = ui.number(label, value=0, min=0, max=100, step=0.5, suffix="%", format="%.6g")
    return field.props(f'outlined dense data-testid="record-{name}"').classes("lab-field")


def _number(name: str, value: int, least: int, most: int | None) -> ui.number:
    label = page_texts()(f"counter.set.{name}")
    field = ui.number(label, value=value, min=least, max=most, format="%d")
    return field.props(f'outlined dense data-testid="record-{name}"').classes("lab-field")
