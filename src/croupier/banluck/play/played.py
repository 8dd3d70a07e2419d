"""A finished Banluck hand for the player's own statistics."""

from croupier.banluck.engine import GameState, steps
from croupier.banluck.play.coach import Judgement
from croupier.banluck.play.phrases import table_name
from croupier.banluck.play.session import Session, is_my_choice
from croupier.banluck.solvers.opponent import Role
from croupier.played import PlayedHand, PricedDecision
from croupier.texts import in_row


def played_hand(session: Session) -> PlayedHand | None:
    """Return the last hand of a session with the prices that the coach gave to its decisions; None before it is over.

    A hand in which a decision has no price (several players without the coach, or a place that best play never reaches) has no worth.
    """
    if session.hand is None or session.is_playing or not session.history:
        return None
    state, record = session.hand.state, session.history[-1]
    judged = session.judgements
    is_priced = len(judged) == _choices(state, session.seating.role) and all(
        judgement.is_known for judgement in judged
    )
    won = record.won / record.bet
    worth = max(judged[0].worth, judged[0].rejected_worth) if judged and is_priced else won
    return PlayedHand(
        game="banluck",
        key=f"{session.seed}/{session.number}",
        setting=table_name(session.seating),
        stake=record.bet,
        won=won,
        worth=worth if is_priced else None,
        decisions=tuple(_decision(judgement) for judgement in judged if judgement.is_known),
        story=in_row([record.cards, record.dealer_cards], "list.dashes"),
    )


def _choices(state: GameState, role: Role) -> int:
    """Count the choices that the person had."""
    return sum(before is not after and is_my_choice(before, role) for before, _, after in steps(state))


def _decision(judgement: Judgement) -> PricedDecision:
    best = judgement.chosen if judgement.is_right else judgement.rejected
    chosen, better = (_word(name) for name in (judgement.chosen, best))
    return PricedDecision(chosen=chosen, best=better, cost=judgement.cost, error=judgement.error)


def _word(name: str) -> str:
    """Return the action of a judgement without the player whom it names.

    >>> _word("opening player 2"), _word("hit")
    ('reveal', 'hit')
    """
    return "reveal" if name.startswith("opening") else name
