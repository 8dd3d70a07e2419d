"""Plots in the page's colours."""

from typing import Any

from nicegui import ui

from croupier.texts import Texts
from croupier.web.parts.language import page_texts


def figure(plot: Any, label: str) -> ui.plotly:
    """Show a Plotly figure that fills its place and suits dark and light pages.

    Parameters
    ----------
    plot
        A Plotly figure, or a dictionary with ``data`` and ``layout``.
    label
        A description for a screen reader.
    """
    texts = page_texts()
    drawn = ui.plotly(as_dictionary(plot, texts)).classes("figure")
    drawn.props["role"], drawn.props["aria-label"] = "img", texts.shown(label)
    return drawn


def as_dictionary(plot: Any, texts: Texts) -> dict[str, Any]:
    """Return a figure as a dictionary in the web app's style: transparent, with faint grid lines and no tool bar.

    Phrases in it are said in the reader's language, and numbers are written as there.

    >>> as_dictionary({"data": [], "layout": {"title": {"text": "x"}}}, Texts("vi"))["layout"]["separators"]
    ',.'
    """
    drawing: dict[str, Any] = plot if isinstance(plot, dict) else plot.to_plotly_json()
    drawing = _shown(drawing, texts)
    layout = dict(drawing.get("layout", {}))
    layout.pop("template", None)
    layout |= {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "inherit", "color": "#7d8590", "size": 13},
        "autosize": True,
        "separators": texts.locale.decimal + texts.locale.group,
    }
    layout.setdefault("margin", {"l": 56, "r": 16, "t": 32, "b": 44})
    for axis in [name for name in layout if name.startswith(("xaxis", "yaxis"))] or ["xaxis", "yaxis"]:
        layout[axis] = {
            "gridcolor": "rgba(128,128,128,0.22)",
            "zerolinecolor": "rgba(128,128,128,0.5)",
        } | dict(layout.get(axis, {}))
    config = {"displayModeBar": False, "responsive": True}
    return {"data": list(drawing.get("data", [])), "layout": layout, "config": config}


def _shown(part: Any, texts: Texts) -> Any:
    """Say the phrases of a figure."""
    if isinstance(part, str):
        return texts.shown(part)
    if isinstance(part, dict):
        return {name: _shown(value, texts) for name, value in part.items()}
    return [_shown(value, texts) for value in part] if isinstance(part, list | tuple) else part
