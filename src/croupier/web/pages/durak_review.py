"""The review of a game that is over, as the durak table shows it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from croupier.durak.play.phrases import reviewed_phrase, worse_moves
from croupier.durak.play.view import DurakView, MoveCost
from croupier.durak.players.review import FINE, MoveReview
from croupier.texts import Texts
from croupier.web.pages.durak_evaluation import Evaluation, draw_evaluation, draw_mistakes
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw


def draw_review(
    view: DurakView, evaluation: Evaluation, texts: Texts, learn: Callable[[int], Awaitable[object]]
) -> None:
    """Draw what the moves of the person were worth: the graph, and each mistake with its cards.

    Parameters
    ----------
    view, evaluation, texts
        The table, its choices for the graph, and the reader's texts.
    learn
        Called with a seat to play the positions of its mistakes again.
    """
    if view.review is None:
        return
    with draw("section", classes="sheet stack", data_testid="review"):
        draw_summary(view.review, texts)
        if view.review:
            draw_evaluation(evaluation, texts)
            draw_mistakes(evaluation, texts, learn)
        for move in worse_moves(view):
            _draw_reviewed(move, texts)


def draw_summary(moves: Sequence[MoveCost | MoveReview], texts: Texts) -> None:
    """Draw the title of a review, and how many of the person's choices were good."""
    draw("h2", texts("durak.review.title"))
    if not moves:
        draw("p", texts("durak.review.none"))
        return
    fine = sum(move.move_class in FINE for move in moves)
    lost = texts.number(sum(move.loss for move in moves), ".2f")
    draw("p", texts("durak.review.summary", fine=fine, all=len(moves), lost=lost))


def _draw_reviewed(move: MoveCost, texts: Texts) -> None:
    with draw("article", classes="durak-reviewed", data_testid="reviewed"):
        with draw("p"):
            name = texts(f"durak.class.{move.move_class.value}")
            draw("strong", f"{name[0].upper()}{name[1:]}", f"durak-class {move.move_class.value}")
            draw("span", reviewed_phrase(move, texts))
        with draw("div", classes="durak-situation"):
            _draw_few_cards(texts, texts("durak.review.with_table"), move.table)
            marks = dict.fromkeys(move.played, "played") | dict.fromkeys(move.best, "marked")
            _draw_few_cards(texts, texts("durak.review.with_hand"), move.hand, marks)
            _draw_few_cards(texts, texts("durak.trump"), (move.trump,))


def _draw_few_cards(
    texts: Texts, label: str, cards: tuple[int, ...], marks: Mapping[int, str] | None = None
) -> None:
    with draw("div", classes="durak-few"):
        draw("span", label, "quiet")
        with draw("div", classes="durak-tiny"):
            for card in cards:
                show_card(card, texts, classes=(marks or {}).get(card, ""))
            if not cards:
                draw("span", "–", "quiet")
