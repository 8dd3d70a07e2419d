"""The sliders and fields of the Counter page: each tells the page at once what it was moved to."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import events, ui

from croupier.blackjack.counting.profile import CountProfile
from croupier.texts import say
from croupier.web.models.counter_question import MODES, CounterQuestion, penetrations
from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts

#: Called with the name of what was moved, and where to.
Move = Callable[[str, Any], object]

_MANTISSAS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def round_numbers(low: float, high: float) -> list[float]:
    """List round numbers from one to another, ten to a power of ten.

    >>> round_numbers(5, 20)
    [5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0]
    """
    powers = (10.0**power for power in range(-2, 10))
    numbers = [round(mantissa * power, 6) for power in powers for mantissa in _MANTISSAS]
    return [number for number in numbers if low <= number <= high]


#: Where each slider may stand.
_POSITIONS: dict[str, list[float]] = {
    "spread": [float(units) for units in range(1, 33)],
    "kelly": [round(0.05 * step, 2) for step in range(1, 31)],
    "bankroll": round_numbers(100, 1_000_000),
    "unit": round_numbers(1, 500),
    "hours": round_numbers(1, 1000),
    "rounds_per_hour": [float(rounds) for rounds in range(40, 255, 5)],
}

_CHIPS = (1.0, 5.0, 10.0, 25.0, 100.0)


class SliderField:
    """A slider over chosen numbers, and a field beside it for any other.

    Parameters
    ----------
    name, positions
        What it sets, and where the slider may stand, rising.
    shown
        Turns a number into what stands in the field, and back: ``100`` for per cent.
    """

    def __init__(self, name: str, positions: Sequence[float], move: Move, *, shown: float = 1.0) -> None:
        self._name, self._positions, self._move, self._shown = name, positions, move, shown
        self._is_setting = False
        label = page_texts()(f"counter.set.{name}")
        self.place = tag("div", classes="slider-line")
        with self.place:
            tag("span", label, "slider-name", aria_hidden="true")
            self._slider = ui.slider(min=0, max=len(positions) - 1, step=1, on_change=self._slid).props(
                f'data-testid="slide-{name}" aria-label="{label}"'
            )
            self._field = ui.number(on_change=self._typed, format="%.6g").props(
                f'outlined dense hide-bottom-space debounce=250 data-testid="set-{name}" aria-label="{label}"'
            )

    def show(self, value: float) -> None:
        """Stand at a number, without telling anybody."""
        self._is_setting = True
        self._slider.set_value(nearest(self._positions, value))
        self._field.set_value(round(value * self._shown, 6))
        self._is_setting = False

    def _slid(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if self._is_setting or event.value is None:
            return
        value = self._positions[int(event.value)]
        self._is_setting = True
        self._field.set_value(round(value * self._shown, 6))
        self._is_setting = False
        self._move(self._name, value)

    def _typed(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if self._is_setting or event.value is None:
            return
        value = float(event.value) / self._shown
        self._is_setting = True
        self._slider.set_value(nearest(self._positions, value))
        self._is_setting = False
        self._move(self._name, value)


def nearest(positions: Sequence[float], value: float) -> int:
    """Return the place of the number that is nearest to a value.

    >>> nearest([1.0, 2.0, 5.0], 4.0), nearest([1.0, 2.0, 5.0], 99.0)
    (2, 2)
    """
    place = bisect_left(positions, value)
    near = [spot for spot in (place - 1, place) if 0 <= spot < len(positions)]
    return min(near, key=lambda spot: abs(positions[spot] - value))


class CounterControls:
    """All sliders and fields; built anew for a profile, whose counts and depths they offer."""

    def __init__(self, profile: CountProfile, question: CounterQuestion, move: Move) -> None:
        self._profile, self._tell = profile, move
        self._texts = page_texts()
        self._question = question
        self._sliders: dict[str, SliderField] = {}
        with self._part("bets"):
            self._choice("mode", {mode: say(f"counter.mode.{mode}") for mode in MODES}, question.mode)
            self._slider("spread")
            self._slider("kelly")
            self._ramp = self._text("ramp", question.ramp)
        with self._part("money"):
            self._slider("bankroll")
            self._slider("unit")
            with tag("div", classes="field-line"):
                self._number("minimum", question.minimum)
                self._number("maximum", question.maximum)
                chips = {None: say("counter.none")} | {chip: f"{chip:g}" for chip in _CHIPS}
                self._choice("chip", chips, question.chip)
        with self._part("play"):
            depths = [depth for depth in penetrations(profile) if depth >= 0.2]
            self._sliders["penetration"] = SliderField("penetration", depths, self._moved, shown=100.0)
            self._sliders["penetration"].show(question.penetration or depths[-1])
            with tag("div", classes="field-line"):
                self._coming_and_going()
        with self._part("trip"):
            self._slider("hours")
            self._slider("rounds_per_hour")
            with tag("div", classes="field-line"):
                self._number("goal", question.goal)
                self._number("tips", question.tips)
        self._show_mode()

    def _part(self, name: str) -> Any:
        part = tag("fieldset", classes="control-part")
        with part:
            tag("legend", self._texts(f"counter.part.{name}"))
        return part

    def _coming_and_going(self) -> None:
        question, layout = self._question, self._profile.layout
        counts = range(layout.enters[0] - 3, layout.enters[-1] + 3)
        enters = {None: say("counter.choice.always")} | {count: f"{count:+d}" for count in layout.enters}
        leaves = {None: say("counter.choice.never")} | {count: f"{count:+d}" for count in layout.leaves}
        below = {None: say("counter.choice.never")} | {count: f"{count:+d}" for count in counts}
        self._choice("enter", enters, question.enter)
        self._choice("leave", leaves, question.leave)
        self._choice("sit_out_below", below, question.sit_out_below)
        if self._profile.spots > 1:
            places = {number: str(number) for number in range(1, self._profile.spots + 1)}
            self._choice("places", places, question.places)
            several = {None: say("counter.choice.every")} | {count: f"{count:+d}" for count in counts}
            self._choice("two_from", several, question.two_from)
        ui.switch(
            self._texts("counter.set.returns"),
            value=question.returns,
            on_change=lambda event: self._moved("returns", event.value),
        ).props('data-testid="set-returns"')

    def _moved(self, name: str, value: Any) -> None:
        self._tell(name, value)
        if name == "mode":
            self._question = self._question.changed("mode", value)
            self._show_mode()

    def _show_mode(self) -> None:
        mode = self._question.mode
        self._sliders["spread"].place.set_visibility(mode == "spread")
        self._sliders["kelly"].place.set_visibility(mode == "kelly")
        self._ramp.set_visibility(mode == "ramp")

    def _slider(self, name: str) -> None:
        slider = SliderField(name, _POSITIONS[name], self._moved)
        slider.show(getattr(self._question, name))
        self._sliders[name] = slider

    def _choice(self, name: str, options: dict[Any, str], value: Any) -> None:
        shown = {key: self._texts.shown(text) for key, text in options.items()}
        ui.select(
            shown,
            value=value if value in shown else None,
            label=self._texts(f"counter.set.{name}"),
            on_change=lambda event: self._moved(name, event.value),
        ).props(f'outlined dense hide-bottom-space data-testid="set-{name}"')

    def _number(self, name: str, value: float | None) -> None:
        ui.number(
            self._texts(f"counter.set.{name}"),
            value=value,
            on_change=lambda event: self._moved(name, event.value),
            format="%.6g",
        ).props(f'outlined dense hide-bottom-space clearable debounce=250 data-testid="set-{name}"')

    def _text(self, name: str, value: str) -> ui.input:
        return ui.input(
            self._texts(f"counter.set.{name}"),
            value=value,
            on_change=lambda event: self._moved(name, event.value),
        ).props(f'outlined dense hide-bottom-space debounce=400 data-testid="set-{name}"')
