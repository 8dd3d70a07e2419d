"""Figures with their names."""

from croupier.web.parts.drawing import draw


def fact(name: str, figure: str, mark: str | None = None, *, classes: str = "") -> None:
    """Draw a figure under its name.

    Parameters
    ----------
    name
        What it is.
    figure
        The figure.
    mark
        The test id of the figure.
    classes
        Classes of the figure.
    """
    with draw("div", classes="fact"):
        draw("span", name)
        draw("span", figure, classes, data_testid=mark)
