"""Figures with their names."""

from croupier.web.parts.elements import tag


def fact(name: str, figure: str, mark: str | None = None, *, classes: str = "") -> None:
    """Show a figure under its name.

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
    with tag("div", classes="fact"):
        tag("span", name)
        tag("span", figure, classes, data_testid=mark)
