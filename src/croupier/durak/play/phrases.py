"""What is said of moves, cards and faults at a table, in the language of the reader."""

from collections.abc import Iterable, Sequence

from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import ActionKind
from croupier.durak.engine.text import show_cards
from croupier.durak.play.replay import Position, ReplayGame
from croupier.durak.play.view import DurakView, MoveCost, TableMove
from croupier.durak.players.built_in import BUILT_IN
from croupier.durak.players.review import FINE
from croupier.texts import Texts, figure, in_row, say

_KINDS = {
    ActionKind.ATTACK: "attack",
    ActionKind.DONE: "done",
    ActionKind.DEFEND: "defend",
    ActionKind.TAKE: "take",
    ActionKind.THROW_IN: "throw_in",
    ActionKind.TRANSFER: "transfer",
    ActionKind.SHOW: "show",
}


def short_name(card: int) -> str:
    """Write a card as it is read at a table.

    >>> short_name(34), short_name(52)
    ('10♥', 'XB')
    """
    return show_cards([card]).replace("T", "10")


def short_names(cards: Iterable[int]) -> str:
    """Write cards.

    >>> short_names([34, 51])
    '10♥ A♠'
    """
    return " ".join(short_name(card) for card in cards)


def engine_title(name: str, texts: Texts) -> str:
    """Return what an engine of the list is called for people.

    >>> engine_title("durak-master 3", Texts("ru")), engine_title("mine", Texts("ru"))
    ('durak-master, уровень 3', 'mine')
    """
    level = next((player.level for player in BUILT_IN if player.name == name), None)
    return name if level is None else texts("durak.master", level=level)


def verdict_phrase(verdict: str, texts: Texts) -> str:
    """Say what an engine did wrong.

    >>> verdict_phrase("not UTF-8", Texts("en")), verdict_phrase("crash", Texts("ru"))
    ('an answer that is not text', 'программа завершилась или дала сбой, не ответив')
    """
    key = f"durak.verdict.{verdict.lower().replace('-', '').replace(' ', '_')}"
    try:
        return texts(key)
    except KeyError:
        # A log may hold a verdict of another program.
        return verdict


def prompt(view: DurakView, texts: Texts) -> str:
    """Say whose turn it is and what can be done, or how the game ended.

    Parameters
    ----------
    view
        The table.
    texts
        The reader's texts.
    """
    if view.ending is not None:
        key = "forfeit" if view.ending.verdict else view.ending.outcome
        return texts(f"durak.prompt.{key}")
    if view.is_opponents:
        return texts("durak.prompt.opponent")
    can_play = any(card.is_playable for card in view.hand)
    match view.phase:
        case Phase.ATTACK if not view.table:
            return texts("durak.prompt.lead")
        case Phase.ATTACK:
            return texts("durak.prompt.attack" if can_play else "durak.prompt.attack_none")
        case Phase.DEFEND:
            key = "durak.prompt.defend" if can_play else "durak.prompt.defend_none"
            return texts(key, card=short_name(view.table[-1][0]))
        case _:
            return texts("durak.prompt.throw_in", limit=view.throw_in_limit)


def move_phrase(move: TableMove, texts: Texts) -> str:
    """Say what somebody at the person's table did.

    >>> move_phrase(TableMove(False, ActionKind.TAKE, ()), Texts("en"))
    'The opponent takes'
    """
    who = "you" if move.is_yours else "opponent"
    return texts(f"durak.move.{who}_{_kind(move.kind, move.cards)}", cards=short_names(move.cards))


def answer_phrase(phase: Phase, cards: Iterable[int], texts: Texts) -> str:
    """Name an answer: its cards, or what answering without one means.

    >>> answer_phrase(Phase.DEFEND, (), Texts("en"))
    'take'
    """
    return short_names(cards) or texts(f"durak.pass.{phase.value}")


def cost_phrase(move: MoveCost, texts: Texts) -> str:
    """Say what a move cost."""
    verdict = texts(f"durak.class.{move.move_class.value}")
    played = answer_phrase(move.phase, move.played, texts)
    if set(move.played) != set(move.best) and move.loss > 0:
        best = answer_phrase(move.phase, move.best, texts)
        verdict = texts(
            "durak.coach.cost", verdict=verdict, best=best, loss=_with_error(move.loss, move.error)
        )
    return texts("durak.coach.said", move=played, verdict=verdict)


def _with_error(cost: float, error: float) -> str:
    """Write a figure with its standard error; a proved one has none.

    >>> _with_error(0.171, 0.02), _with_error(0.5, 0.0)
    ('0.17 ± 0.02', '0.50')
    """
    if not error:
        return figure(cost, ".2f")
    return say("durak.coach.with_error", cost=cost, error=error)


def review_phrases(view: DurakView, texts: Texts) -> list[str]:
    """Say how good the person's choices were, and which were not, one line each."""
    if view.review is None:
        return []
    if not view.review:
        return [texts("durak.review.none")]
    worse = worse_moves(view)
    fine, lost = len(view.review) - len(worse), figure(sum(move.loss for move in view.review), ".2f")
    return [
        texts("durak.review.summary", fine=fine, all=len(view.review), lost=lost),
        *([] if worse else [texts("durak.review.all_good")]),
        *(
            f"{texts(f'durak.class.{move.move_class.value}')}: {short_names(move.hand)} "
            f"({texts('durak.review.with_table')}: {short_names(move.table) or '–'}). {reviewed_phrase(move, texts)}"
            for move in worse
        ),
    ]


def worse_moves(view: DurakView) -> tuple[MoveCost, ...]:
    """Return the choices of a reviewed game that were less than good."""
    return tuple(move for move in view.review or () if move.move_class not in FINE)


def reviewed_phrase(move: MoveCost, texts: Texts) -> str:
    """Say what was chosen, what was better, and by how much."""
    return texts(
        "durak.review.line",
        played=answer_phrase(move.phase, move.played, texts),
        score=figure(move.score, ".2f"),
        best=answer_phrase(move.phase, move.best, texts),
        best_score=figure(move.best_score, ".2f"),
        loss=_with_error(move.loss, move.error),
    )


def step_phrase(position: Position, game: ReplayGame, texts: Texts) -> str:
    """Say what led to a position of a replayed game, and what followed from it."""
    players = seat_names(game, texts)
    if position.is_forfeit and game.forfeit is not None:
        seat, verdict, reason = game.forfeit
        return texts(
            "durak.replay.forfeits",
            player=players[seat],
            verdict=verdict_phrase(verdict, texts),
            reason=reason,
        )
    if position.action is None or position.seat is None:
        return texts("durak.replay.dealt", player=players[position.attacker])
    phrases = [f"{action_phrase(position, players, texts)}."]
    if position.losers:
        fools = in_row([players[seat] for seat in position.losers])
        phrases.append(texts("durak.replay.result_fools", players=fools))
    if position.ends_bout and not position.result and position.losers is None:
        phrases.append(texts("durak.replay.ends_bout"))
    if position.result == "s-s" or position.losers == ():
        phrases.append(texts("durak.replay.result_drawn"))
    elif position.result:
        phrases.append(texts("durak.replay.result_won", player=players[0 if position.result == "1-0" else 1]))
    return " ".join(phrases)


def result_score(result: str) -> str:
    """Write the result of a log as people do; other text stays as it is.

    >>> result_score("1-0"), result_score("s-s")
    ('1:0', '½:½')
    """
    return {"1-0": "1:0", "0-1": "0:1", "s-s": "½:½"}.get(result, result)


def action_phrase(position: Position, players: Sequence[str], texts: Texts) -> str:
    """Say what a player of a replayed game did."""
    if position.action is None or position.seat is None:
        return ""
    kind = _kind(position.action.kind, position.action.cards)
    return texts(
        f"durak.replay.{kind}", player=players[position.seat], cards=short_names(position.action.cards)
    )


def seat_names(game: ReplayGame, texts: Texts) -> tuple[str, ...]:
    """Return what the players are called: their names, and their seats where some have the same one."""
    if len(set(game.players)) == len(game.players):
        return game.players
    return tuple(
        texts("durak.replay.numbered", name=name, number=number)
        for number, name in enumerate(game.players, start=1)
    )


def replay_result(game: ReplayGame, texts: Texts) -> str:
    """Write how a replayed game ended: a score for two by the protocol, otherwise who is the fool."""
    return variant_result(game.result, seat_names(game, texts), texts)


def variant_result(result: str, players: Sequence[str], texts: Texts) -> str:
    """Write a result of a log; ``fool 3`` names the third player.

    >>> variant_result("fools 1 3", ["Ann", "Ben", "Cem"], Texts("en")), variant_result("1-0", ["a", "b"], Texts("en"))
    ('fool: Ann, Cem', '1:0')
    """
    word, *numbers = result.split() or [""]
    if word in ("fool", "fools") and all(number.isdecimal() for number in numbers):
        named = [players[int(number) - 1] for number in numbers if 0 < int(number) <= len(players)]
        return texts("durak.replay.fools", players=in_row(named))
    if result == "unfinished":
        return texts("durak.replay.unfinished")
    return result_score("s-s" if result == "draw" else result)


def _kind(kind: ActionKind, cards: tuple[int, ...]) -> str:
    return "throw_nothing" if kind is ActionKind.THROW_IN and not cards else _KINDS[kind]
