"""A replayed game: all hands open on the felt, and its moves beside it."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import groupby

from croupier.durak.play.phrases import action_phrase, seat_names, short_names, step_phrase
from croupier.durak.play.replay import Position, ReplayGame
from croupier.texts import Texts
from croupier.web.pages.durak_evaluation import PASSES, Judged
from croupier.web.pages.durak_parts import show_discard, show_pairs, show_stock
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw

#: The buttons below the cards, and their keys.
STEPS = {"first": "Home", "previous": "ArrowLeft", "next": "ArrowRight", "last": "End"}
_SIGNS = {"first": "«", "previous": "‹", "next": "›", "last": "»"}


def draw_board(
    game: ReplayGame,
    step: int,
    judged: Sequence[Judged],
    texts: Texts,
    go: Callable[[str], Awaitable[object]],
) -> None:
    """Draw a position of a game, and the buttons that step through it.

    Parameters
    ----------
    game, step
        The game, and which of its positions, from 1.
    judged
        Its reviewed choices, if it was reviewed.
    texts
        The reader's texts.
    go
        Called with the name of a step.
    """
    position, players = game.positions[step - 1], seat_names(game, texts)
    move = next((move for move in judged if move.number == step - 1), None)
    with draw("section", classes="felt durak-felt", aria_label=texts("durak.replay.title")):
        with draw("div", classes="replay-others" if len(players) > 2 else ""):
            for seat in range(1, len(players)):
                _draw_side(position, seat, players[seat], move, texts)
        with draw("div", classes="durak-middle"):
            show_stock(position.trump, position.deck_count, texts)
            show_pairs(position.table, texts)
            show_discard(position.discard_count, texts)
        _draw_side(position, 0, players[0], move, texts)
        with draw("div", classes="durak-told"):
            draw("p", step_phrase(position, game, texts), "prompt", role="status", data_testid="story")
            text = texts("durak.replay.step", step=step, size=len(game.positions))
            draw("span", text, "number quiet", data_testid="step")
        with draw("div", classes="durak-steps"):
            for name in STEPS:
                end = 1 if name in ("first", "previous") else len(game.positions)
                with draw(
                    "button",
                    classes="action",
                    on_click=partial(go, name),
                    type="button",
                    data_testid=f"step-{name}",
                    disabled=step == end,
                ):
                    draw("span", _SIGNS[name], "step-sign", aria_hidden="true")
                    draw("span", texts(f"durak.replay.{name}"))


def _draw_side(position: Position, seat: int, name: str, move: Judged | None, texts: Texts) -> None:
    """Draw a player's open hand; what was played and what was best are marked there, if the move was reviewed."""
    hand = position.hands[seat]
    marks = {} if move is None else dict.fromkeys(move.played.cards, "played")
    marks |= {} if move is None else dict.fromkeys(move.best.cards, "marked")
    with draw("div", classes="durak-side active" if position.attacker == seat else "durak-side"):
        with draw("div", classes="durak-name"):
            draw("strong", name)
            draw("span", texts("durak.cards_left", count=len(hand)), "quiet")
        with draw("div", classes="durak-open", role="group", aria_label=name, data_testid=f"hand-{seat + 1}"):
            for card in hand:
                show_card(card, texts, classes=marks.get(card, ""))


def draw_moves(game: ReplayGame, step: int, texts: Texts, show: Callable[[int], Awaitable[object]]) -> None:
    """Draw the moves, bout by bout, as short as players write them; a screen reader hears sentences.

    Parameters
    ----------
    game, step, texts
        The game, the position that is shown, and the reader's texts.
    show
        Called with the number of a position to show.
    """
    players = seat_names(game, texts)
    with draw("aside", classes="sheet stack"):
        draw("h2", texts("durak.replay.moves"))
        draw("p", texts("durak.replay.keys"), "quiet small wide-only")
        with draw("ol", classes="durak-script", data_testid="script"):
            positions = enumerate(game.positions, start=1)
            for bout, moves in groupby(positions, key=lambda entry: entry[1].bout):
                with draw("li", classes="bout"):
                    draw("span", texts("durak.replay.bout", number=bout), "quiet small")
                    with draw("div", classes="replay-moves"):
                        for place, position in moves:
                            sentence = action_phrase(position, players, texts)
                            _draw_move(
                                position,
                                sentence or step_phrase(position, game, texts),
                                texts,
                                partial(show, place),
                                is_current=place == step,
                            )


def _draw_move(
    position: Position,
    sentence: str,
    texts: Texts,
    show: Callable[[], Awaitable[object]],
    *,
    is_current: bool,
) -> None:
    action = position.action
    short = "·" if action is None else short_names(action.cards) or texts(f"durak.pass.{PASSES[action.kind]}")
    with draw(
        "button",
        classes="" if position.seat is None else f"seat-{position.seat + 1}",
        on_click=show,
        type="button",
        title=sentence,
        aria_current="step" if is_current else None,
    ):
        draw("span", sentence, "unseen")
        draw("span", short, "" if action is not None and action.cards else "quiet", aria_hidden="true")
