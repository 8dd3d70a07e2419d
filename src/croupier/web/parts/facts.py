"""Numbers with their names."""

from croupier.web.parts.drawing import draw


def fact(name: str, figure: str, mark: str | None = None, *, classes: str = "") -> None:
    """Draw a number under its name.

    Parameters
    ----------
    name
        The name.
    figure
        The number.
    mark
        The test id of the number.
    classes
        CSS classes of the number.
    """
    with draw("div", classes="fact"):
        draw("span", name)
        draw("span", figure, classes, data_testid=mark)
