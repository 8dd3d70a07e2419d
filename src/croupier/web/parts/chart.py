"""Line charts that are drawn with the page: they follow its colours and its width, and their points can be pressed."""

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from croupier.web.parts.drawing import draw

Point = tuple[float, float]

#: From here on the ends of an axis are whole numbers.
_LARGE = 1000


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its name, its points, and its look, one of ``main``, ``soft`` and ``other``."""

    name: str
    points: Sequence[Point]
    look: str = "main"


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that says something, and can be pressed where that does something.

    Attributes
    ----------
    x, y, error
        Where it is, and its standard error; the bar is two of them either way.
    look
        ``fine`` or ``wrong``, or of another line ``other``.
    text
        What it says.
    on_click, is_current
        What pressing it does, if anything, and whether the page shows what it stands for.
    """

    x: float
    y: float
    error: float
    look: str
    text: str
    on_click: Callable[[], Awaitable[object]] | None = None
    is_current: bool = False


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers between two bounds, at most so many.

    >>> nice_ticks(-3.2, 7.9), nice_ticks(0, 1)
    ([-2.0, 0.0, 2.0, 4.0, 6.0], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    width = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(width / most))
    step = next(
        power * times
        for times in (1, 2, 2.5, 5, 10, 20)
        if math.floor(high / (power * times) + 1e-9) - math.ceil(low / (power * times) - 1e-9) < most
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def draw_chart(
    lines: Sequence[Line],
    spots: Sequence[Spot] = (),
    *,
    label: str,
    bounds: tuple[float, float] | None = None,
    across: str = "",
    is_small: bool = False,
    signed: bool = True,
) -> None:
    """Draw a chart.

    Parameters
    ----------
    lines, spots
        What it shows.
    label
        What it says, for who cannot see it.
    bounds
        The lowest and the highest value; those of the points if there are none.
    across
        What the horizontal axis counts.
    is_small
        Whether it has no axes.
    signed
        Whether numbers above zero have a sign.
    """
    points = [point for line in lines for point in line.points]
    low, high = bounds or _bounds([y for _, y in points])
    left, right = min(x for x, _ in points), max(x for x, _ in points)

    def place(point: Point) -> tuple[float, float]:
        x, y = point
        return 100 * (x - left) / ((right - left) or 1), 100 * (y - low) / ((high - low) or 1)

    with draw("div", classes="line-chart small-chart" if is_small else "line-chart"):
        with draw("div", classes="chart-plot", role="group" if spots else "img", aria_label=label):
            if not is_small:
                for tick in nice_ticks(low, high):
                    bottom = place((left, tick))[1]
                    shown = f"{tick:+.4g}" if signed and tick else f"{tick:.4g}"
                    draw(
                        "span",
                        shown.replace("-", "−"),
                        "chart-tick",
                        style=f"bottom: {bottom:.2f}%",
                        aria_hidden="true",
                    )
            with draw("svg", viewBox="0 0 100 100", preserveAspectRatio="none", aria_hidden="true"):
                for line in lines:
                    path = " ".join(f"{x:.2f},{100 - y:.2f}" for x, y in map(place, line.points))
                    draw("polyline", classes=f"chart-line {line.look}", points=path)
            for spot in spots:
                _draw_spot(spot, place((spot.x, spot.y)), 400 * spot.error / ((high - low) or 1))
        if not is_small:
            _draw_legend(lines, _end(left), _end(right), across)


def _draw_spot(spot: Spot, at: tuple[float, float], bar: float) -> None:
    x, y = at
    if spot.error:
        style = f"left: {x:.2f}%; bottom: {y - bar / 2:.2f}%; height: {bar:.2f}%"
        draw("span", classes="chart-error", style=style, aria_hidden="true")
    can_press = spot.on_click is not None
    draw(
        "button" if can_press else "span",
        classes=f"chart-spot {spot.look}",
        on_click=spot.on_click,
        type="button" if can_press else None,
        role=None if can_press else "img",
        style=f"left: {x:.2f}%; bottom: {y:.2f}%",
        aria_label=spot.text,
        title=spot.text,
        aria_current="true" if spot.is_current else None,
    )


def _draw_legend(lines: Sequence[Line], first: str, last: str, across: str) -> None:
    with draw("div", classes="chart-foot"):
        with draw("span", classes="quiet small"):
            draw("span", f"{first}–{last} " if across else f"{first}–{last}")
            draw("span", across)  # by itself, so that a phrase is said in the reader's language
        for line in lines:
            if line.name:
                draw("span", line.name, f"chart-name {line.look}")


def _end(x: float) -> str:
    """Write an end of the horizontal axis.

    >>> _end(30_000.0), _end(0.25)
    ('30000', '0.25')
    """
    return f"{x:.0f}" if abs(x) >= _LARGE else f"{x:.4g}"


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and the highest value with a little room, and zero among them."""
    low, high = min(0.0, *values), max(0.0, *values)
    room = 0.05 * ((high - low) or 2.0)
    return low - room, high + room
