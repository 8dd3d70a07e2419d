"""The plot of a match: the Elo difference over the games, with its interval."""

from collections.abc import Sequence
from typing import Any

from croupier.web.models.durak_arena import EloPoint

#: How far the plot reaches beyond what is finite, in Elo.
_MARGIN = 50.0


def elo_plot(trace: Sequence[EloPoint], games: str, elo: str) -> dict[str, Any]:
    """Return the Elo difference over the games, in its 95 % interval; a bound that is infinite lies on the edge of the plot.

    Parameters
    ----------
    trace
        The points.
    games, elo
        The titles of the axes.

    Examples
    --------
    >>> plot = elo_plot([EloPoint(2, 100.0, -50.0, None), EloPoint(4, 120.0, 0.0, 300.0)], "games", "Elo")
    >>> plot["layout"]["yaxis"]["range"], plot["data"][0]["y"]
    ([-100.0, 350.0], [350.0, 300.0, 0.0, -50.0])
    """
    finite = [value for point in trace for value in (point.low, point.elo, point.high) if value is not None]
    bottom, top = min(finite, default=0.0) - _MARGIN, max(finite, default=0.0) + _MARGIN
    highs = [top if point.high is None else point.high for point in trace]
    lows = [bottom if point.low is None else point.low for point in trace]
    played = [point.games for point in trace]
    return {
        "data": [
            {
                "x": [*played, *reversed(played)],
                "y": [*highs, *reversed(lows)],
                "fill": "toself",
                "fillcolor": "rgba(46,139,97,0.18)",
                "line": {"width": 0},
                "mode": "lines",
                "hoverinfo": "skip",
                "type": "scatter",
            },
            {
                "x": played,
                "y": [point.elo for point in trace],
                "mode": "lines",
                "line": {"color": "#2e8b61", "width": 2},
                "type": "scatter",
            },
        ],
        "layout": {
            "showlegend": False,
            "height": 300,
            "margin": {"l": 56, "r": 16, "t": 12, "b": 44},
            "xaxis": {"title": {"text": games}},
            "yaxis": {"title": {"text": elo}, "range": [bottom, top]},
        },
    }
