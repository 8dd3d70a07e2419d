"""A finished durak game for the player's own statistics, in points above one half."""

from collections.abc import Sequence

from croupier.durak.engine.state import Action, ActionKind
from croupier.durak.play.facts import CALLED_OFF, DRAWN, LOST, WON, JudgedMove, TableFacts
from croupier.played import PlayedHand, PricedDecision

_POINTS = {WON: 0.5, DRAWN: 0.0, LOST: -0.5}

#: What a player does in each phase, with cards and without.
_DOING = {
    ActionKind.ATTACK: ("attack", "done"),
    ActionKind.DONE: ("attack", "done"),
    ActionKind.DEFEND: ("defend", "take"),
    ActionKind.TAKE: ("defend", "take"),
    ActionKind.THROW_IN: ("throw_in", "throw_nothing"),
}


def played_game(facts: TableFacts, judged: Sequence[JudgedMove] | None) -> PlayedHand | None:
    """Return the game of a table with the prices of its moves; None if it is not over or does not count.

    A game does not count that was called off, that a move was taken back in, or that began from a position.

    Parameters
    ----------
    facts
        The table.
    judged
        The person's choices with their prices; None if nobody has judged them yet.
    """
    if facts.ending is None or facts.ending == CALLED_OFF or facts.is_undone or facts.origin is not None:
        return None
    won = _POINTS[facts.ending]
    worth = None if judged is None else won
    if judged:
        worth = judged[0].best.expected_score - 0.5
    return PlayedHand(
        game="durak",
        key=f"{facts.seed}/{facts.number}",
        setting=facts.setting.opponent,
        stake=1.0,
        won=won,
        worth=worth,
        decisions=tuple(_decision(facts.game.history[move.number], move) for move in judged or ()),
        story=facts.ending,
    )


def _decision(action: Action, move: JudgedMove) -> PricedDecision:
    with_cards, without = _DOING[action.kind]
    chosen, best = (with_cards if value.cards else without for value in (move.played, move.best))
    return PricedDecision(chosen=chosen, best=best, cost=move.loss, error=move.error)
