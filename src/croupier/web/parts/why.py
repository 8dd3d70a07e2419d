"""The why of a decision: one sentence, and a bar for what each choice was worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from croupier.texts import figure
from croupier.web.parts.drawing import draw


@dataclass(frozen=True, slots=True)
class Bar:
    """What one choice was worth.

    Attributes
    ----------
    name, worth
        The choice, and its worth in words.
    share
        The length of its bar, from 0 to 1.
    is_best, is_chosen
        Whether nothing was better, and whether it was chosen.
    """

    name: str
    worth: str
    share: float
    is_best: bool
    is_chosen: bool


def bars(
    worths: dict[str, float], chosen: str, *, digits: int = 3, named: Callable[[str], str] = str
) -> list[Bar]:
    """Return the bars of some worths, the best first; the longest is the worth that is farthest from the worst.

    ``named`` says what a choice is called.

    >>> [(bar.name, bar.worth, round(bar.share, 2)) for bar in bars({"hit": -0.6, "stand": -0.2}, "hit")]
    [('stand', '−0.200', 1.0), ('hit', '−0.600', 0.2)]
    """
    best, worst = max(worths.values()), min(worths.values())
    width = (best - worst) or 1.0
    return [
        Bar(
            name=named(name),
            worth=figure(worth, f"+.{digits}f"),
            share=0.2 + 0.8 * (worth - worst) / width,
            is_best=worth == best,
            is_chosen=name == chosen,
        )
        for name, worth in sorted(worths.items(), key=lambda entry: -entry[1])
    ]


def draw_why(said: str, why: str, tone: str, worths: Sequence[Bar], mark: str) -> None:
    """Draw what is said of a choice, the reason, and the bars.

    Parameters
    ----------
    said, why
        The verdict, and the reason in one sentence.
    tone
        ``right`` or ``wrong``.
    worths
        The bars.
    mark
        The test id of the verdict.
    """
    with draw("div", classes=f"why-panel {tone}", role="status"):
        draw("p", said, "why-said", data_testid=mark)
        if why:
            draw("p", why, data_testid="why")
        with draw("ul", classes="why-bars"):
            for bar in worths:
                with draw("li", classes="best" if bar.is_best else ""):
                    with draw("span", bar.name, "why-name"):
                        if bar.is_chosen:
                            draw("span", " ✓")
                    with draw("span", classes="why-track", aria_hidden="true"):
                        draw("span", classes="why-bar", style=f"width: {100 * bar.share:.0f}%")
                    draw("span", bar.worth, "number")
