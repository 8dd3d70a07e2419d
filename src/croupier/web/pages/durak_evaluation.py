"""The evaluation of a reviewed durak game: a graph with error bars, and its mistakes, each of which leads to the board."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from croupier.durak.engine.state import ActionKind
from croupier.durak.play.facts import JudgedMove
from croupier.durak.play.phrases import short_names
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import FINE, MoveReview
from croupier.texts import Texts
from croupier.web.parts.chart import Line, Spot, draw_chart
from croupier.web.parts.drawing import draw

#: A judged choice, of a table for two or of a game by any rules.
Judged = JudgedMove | MoveReview

#: What passing is called, by what was done.
PASSES = {
    ActionKind.ATTACK: "attack",
    ActionKind.DONE: "attack",
    ActionKind.DEFEND: "defend",
    ActionKind.TAKE: "defend",
    ActionKind.THROW_IN: "throw_in",
    ActionKind.TRANSFER: "defend",
    ActionKind.SHOW: "defend",
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A reviewed game, as the graph needs it.

    Attributes
    ----------
    moves
        The judged choices.
    kinds
        What each action of the game was.
    names
        The players by seat. Of more than two, only the choices of the first can be drawn.
    show
        Called with the number of an action to show it on the board; None where there is no board.
    current
        The action that the board shows, if any.
    """

    moves: Sequence[Judged]
    kinds: Sequence[ActionKind]
    names: Sequence[str]
    show: Callable[[int], Awaitable[object]] | None = None
    current: int | None = None

    @property
    def worse(self) -> list[Judged]:
        """The choices that were less than good."""
        return [move for move in self.moves if move.move_class not in FINE]


def mistake_line(evaluation: Evaluation, move: Judged, texts: Texts) -> str:
    """Say what a choice was, what was better, and by how much, with the standard error."""
    passing = texts(f"durak.pass.{PASSES[evaluation.kinds[move.number]]}")
    played, best = (_named(value, passing, texts) for value in (move.played, move.best))
    return texts(
        "durak.graph.line",
        number=move.number + 1,
        player=evaluation.names[move.seat],
        verdict=texts(f"durak.class.{move.move_class.value}"),
        played=played,
        best=best,
        loss=move.loss,
        error=move.error,
    )


def _named(value: MoveValue, passing: str, texts: Texts) -> str:
    """Return what a move is called; ``passing`` is what it is called to play no card."""
    cards = short_names(value.cards)
    if value.passing:
        return texts(f"durak.graph.{value.passing}", card=cards)
    return cards or passing


def draw_evaluation(evaluation: Evaluation, texts: Texts) -> None:
    """Draw the graph: what the first player could expect, by what the player in turn knew."""
    lines, spots = [], []
    for seat, name in enumerate(evaluation.names):
        own = [move for move in evaluation.moves if move.seat == seat]
        if own:
            points = [(move.number + 1.0, _first_score(move)) for move in own]
            lines.append(Line(texts("durak.graph.by", player=name), points, "other" if seat else "main"))
        spots += [_spot(evaluation, move, texts) for move in own]
    if not lines:
        draw("p", texts("durak.review.none"))
        return
    label = texts("durak.graph.label", player=evaluation.names[0])
    draw("p", label, "quiet small")
    draw_chart(lines, spots, label=label, bounds=(0.0, 1.0), across=texts("durak.graph.across"), signed=False)
    draw("p", texts("durak.graph.help"), "quiet small")
    if evaluation.show is not None:
        draw("p", texts("durak.graph.press"), "quiet small")


def draw_mistakes(
    evaluation: Evaluation, texts: Texts, learn: Callable[[int], Awaitable[object]] | None = None
) -> None:
    """Draw the mistakes as buttons that show them on the board.

    Parameters
    ----------
    evaluation, texts
        The game, and the reader's texts.
    learn
        Called with a seat to play the positions of that player's mistakes again.
    """
    worse = evaluation.worse
    if not worse:
        draw("p", texts("durak.review.all_good"), "good")
        return
    with draw("ol", classes="durak-script", data_testid="mistakes", tabindex="0"):
        for move in worse:
            line = mistake_line(evaluation, move, texts)
            if evaluation.show is None:
                draw("li", line, data_testid=f"mistake-{move.number + 1}")
                continue
            with draw("li"):
                draw(
                    "button",
                    line,
                    on_click=partial(evaluation.show, move.number),
                    type="button",
                    aria_current="step" if move.number == evaluation.current else None,
                    data_testid=f"mistake-{move.number + 1}",
                )
    if learn is not None:
        with draw("div", classes="line"):
            for seat in sorted({move.seat for move in worse}):
                draw(
                    "button",
                    texts("durak.graph.learn", player=evaluation.names[seat]),
                    "plain-button",
                    on_click=partial(learn, seat),
                    type="button",
                    data_testid=f"learn-{seat + 1}",
                )


def _first_score(move: Judged) -> float:
    """Return what the first player could expect after a choice."""
    score = move.played.expected_score
    return 1.0 - score if move.seat else score


def _spot(evaluation: Evaluation, move: Judged, texts: Texts) -> Spot:
    is_fine = move.move_class in FINE
    return Spot(
        move.number + 1.0,
        _first_score(move),
        move.played.error,
        ("other" if move.seat else "fine") if is_fine else "wrong",
        mistake_line(evaluation, move, texts),
        None if evaluation.show is None else partial(evaluation.show, move.number),
        is_current=move.number == evaluation.current,
    )
