"""A finished round of blackjack for the player's own statistics."""

from typing import TYPE_CHECKING

from croupier.blackjack.play.phrases import rules_summary
from croupier.played import PlayedHand, PricedDecision
from croupier.texts import in_row

if TYPE_CHECKING:
    from croupier.blackjack.engine import RoundState
    from croupier.blackjack.play.position import Position
    from croupier.blackjack.play.records import PricedChoice

#: Decisions about a bet of its own, beside the hand.
_INSURANCE = ("insure", "decline")


def played_round(position: "Position", seed: int) -> PlayedHand | None:
    """Return the last round of a table with the prices that the coach gave to its decisions; None before it is over.

    Amounts are counted in the average bet of the round's seats.
    """
    if position.is_playing or position.session.table is None or not position.history:
        return None
    state, record, choices = position.state, position.history[-1], position.round_choices
    stake = sum(seat.bet for seat in state.seats) / len(state.seats)
    is_priced = position.is_priced and all(choice.is_priced for choice in choices)
    return PlayedHand(
        game="blackjack",
        key=f"{seed}/{record.number}",
        setting=rules_summary(position.session.rules),
        stake=stake,
        won=record.won / stake,
        worth=_worth(state, choices) / stake if is_priced else None,
        decisions=tuple(
            PricedDecision(
                chosen=choice.chosen, best=choice.best, cost=max(0.0, choice.cost * choice.bet / stake)
            )
            for choice in choices
            if choice.is_priced
        ),
        story=in_row([record.hands, record.dealer], "list.dashes"),
    )


def _worth(state: "RoundState", choices: "tuple[PricedChoice, ...]") -> float:
    """Return what the seats' cards were worth at their first choice, in money: what they won where they had none."""
    total = 0.0
    for number, seat in enumerate(state.seats):
        own = [choice for choice in choices if choice.seat == number]
        insurance = [choice for choice in own if choice.chosen in _INSURANCE]
        playing = [choice for choice in own if choice.chosen not in _INSURANCE]
        total += sum(choice.best_worth * choice.bet for choice in insurance + playing[:1])
        if not playing:
            total += sum(hand.settlement.units for hand in seat.hands if hand.settlement is not None)
            total += 0.0 if insurance else state.insurance_result(number) or 0.0
    return total
