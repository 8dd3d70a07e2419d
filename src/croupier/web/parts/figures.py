"""Plots in the page's colours."""

from typing import Any

from nicegui import ui


def figure(plot: Any, label: str) -> ui.plotly:
    """Show a Plotly figure that fills its place and suits dark and light pages.

    Parameters
    ----------
    plot
        A Plotly figure, or a dictionary with ``data`` and ``layout``.
    label
        A description for a screen reader.
    """
    drawn = ui.plotly(as_dictionary(plot)).classes("figure")
    drawn.props["role"], drawn.props["aria-label"] = "img", label
    return drawn


def as_dictionary(plot: Any) -> dict[str, Any]:
    """Return a figure as a dictionary in the web app's style: transparent, with faint grid lines and no tool bar.

    >>> as_dictionary({"data": [], "layout": {"title": {"text": "x"}}})["config"]["displayModeBar"]
    False
    """
    drawing: dict[str, Any] = plot if isinstance(plot, dict) else plot.to_plotly_json()
    layout = dict(drawing.get("layout", {}))
    layout.pop("template", None)
    layout |= {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "inherit", "color": "#7d8590", "size": 13},
        "autosize": True,
    }
    layout.setdefault("margin", {"l": 56, "r": 16, "t": 32, "b": 44})
    for axis in [name for name in layout if name.startswith(("xaxis", "yaxis"))] or ["xaxis", "yaxis"]:
        layout[axis] = {
            "gridcolor": "rgba(128,128,128,0.22)",
            "zerolinecolor": "rgba(128,128,128,0.5)",
        } | dict(layout.get(axis, {}))
    config = {"displayModeBar": False, "responsive": True}
    return {"data": list(drawing.get("data", [])), "layout": layout, "config": config}
