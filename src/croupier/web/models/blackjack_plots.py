"""Live plots of the blackjack simulator, as plain Plotly data."""

from collections.abc import Sequence
from typing import Any

from croupier.texts import say
from croupier.web.models.blackjack_simulator import EvolutionShow, Point, SimulationShow

_MEAN, _BAND, _EXACT, _QUIET = "#1f77b4", "rgba(31,119,180,0.18)", "#d08700", "#7d8590"


#: What a logarithmic axis shows in place of nothing, in per cent.
_SMALLEST = 1e-8


def simulation_plot(show: SimulationShow) -> dict[str, Any]:
    """Draw the mean with its 95 % interval against the exact value, in per cent of the initial bet.

    >>> from croupier.blackjack.engine import BlackjackRules
    >>> from croupier.blackjack.simulation.runs import SimulationPlan
    >>> show = SimulationShow(SimulationPlan(BlackjackRules(), seed=1), exact=-0.005, points=(Point(10, -0.01, -0.02, 0.0),))
    >>> [trace.get("name") for trace in simulation_plot(show)["data"]]
    [None, '95 % interval', 'mean', 'exact, fresh shoe']
    """
    traces = _interval(show.points)
    if show.exact is not None and show.points:
        ends = [0, show.points[-1].rounds]
        traces.append(_line(ends, [100 * show.exact] * 2, say("simulator.play.exact"), _EXACT, dash="dash"))
    return {"data": traces, "layout": _layout(say("simulator.rounds"), say("simulator.play.axis"))}


def _interval(points: Sequence[Point]) -> list[dict[str, Any]]:
    rounds = [point.rounds for point in points]
    edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "type": "scatter"}
    return [
        {**edge, "x": rounds, "y": [100 * point.high for point in points], "showlegend": False},
        {
            **edge,
            "x": rounds,
            "y": [100 * point.low for point in points],
            "fill": "tonexty",
            "fillcolor": _BAND,
            "name": say("simulator.play.interval"),
        },
        _line(rounds, [100 * point.value for point in points], say("simulator.play.mean"), _MEAN)
        | ({"error_y": _error(points[0])} if len(points) == 1 else {}),
    ]


def _error(point: Point) -> dict[str, Any]:
    """Return the interval of a single point, which no band can show."""
    return {"type": "data", "array": [100 * (point.high - point.value)], "color": _MEAN}


def evolution_plot(show: EvolutionShow) -> dict[str, Any]:
    """Draw how far below the best chart every generation is: its leader exactly, its best and its mean by their scores.

    >>> from croupier.blackjack.engine import BlackjackRules
    >>> from croupier.blackjack.evolution.runs import EvolutionPlan
    >>> show = EvolutionShow(EvolutionPlan(BlackjackRules(), seed=1), optimum=-0.005)
    >>> [trace["name"] for trace in evolution_plot(show)["data"]]
    ['leader, exactly', 'best score', 'mean score']
    """
    numbers = [generation.number for generation in show.generations]
    losses = [max(100 * generation.loss, _SMALLEST) for generation in show.generations]
    traces = [_line(numbers, losses, say("simulator.breed.leader_exactly"), _EXACT)]
    if show.optimum is not None:
        for name, scores, colour in (
            (say("simulator.breed.best_score"), [generation.best for generation in show.generations], _MEAN),
            (say("simulator.breed.mean_score"), [generation.mean for generation in show.generations], _QUIET),
        ):
            distances = [max(100 * (show.optimum - score), _SMALLEST) for score in scores]
            traces.append(_line(numbers, distances, name, colour, dash="dot"))
    layout = _layout(say("simulator.breed.generation"), say("simulator.breed.axis"))
    layout["yaxis"] |= {"type": "log", "exponentformat": "power"}
    return {"data": traces, "layout": layout}


def _line(
    x: Sequence[float], y: Sequence[float], name: str, colour: str, dash: str = "solid"
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines" if len(x) > 1 else "markers",  # a line through one point would not be seen
        "x": list(x),
        "y": list(y),
        "name": name,
        "line": {"color": colour, "width": 2, "dash": dash},
    }


def _layout(x: str, y: str) -> dict[str, Any]:
    return {
        "xaxis": {"title": {"text": x}},
        "yaxis": {"title": {"text": y}},
        "legend": {"orientation": "h", "y": 1.12},
        "hovermode": "x unified",
        "margin": {"l": 64, "r": 16, "t": 36, "b": 48},
    }
