"""The coach: every decision has its exact price, from the cards that were seen."""

import pytest

from croupier.blackjack.engine import (
    ActionKind,
    BlackjackRules,
    BlackjackShoe,
    Phase,
    RoundState,
    Session,
    legal_actions,
)
from croupier.blackjack.engine.side_bets import JSON_KEYS
from croupier.blackjack.play.coach import advise, side_values
from croupier.blackjack.play.count import seen_cards
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.side_bets import CardCounts, side_bet_values
from croupier.cards import format_cards, parse_card


def dealt(cards: str, rules: BlackjackRules) -> Session:
    """Deal a round from a stacked shoe: the player, the dealer, the player, the hole card."""
    shoe = BlackjackShoe.stacked(rules, [parse_card(card) for card in cards.split()], seed=(1, 0))
    return Session(rules, 1, shoe).start_round([1]).advanced()


def state_of(session: Session) -> RoundState:
    assert session.table is not None
    return session.table.state


def test_every_decision_has_a_price_down_to_the_last_cards() -> None:
    for seed in range(4):
        session = Session.opened(BlackjackRules(decks=1, penetration=1.0, surrender="late"), seed)
        for _ in range(12):
            session = session.start_round([1, 1, 1]).advanced()
            while legal := legal_actions(state_of(session)):
                worths = advise(session, legal).worths
                assert set(worths) == {action.kind.value for action in legal}
                assert all(-8 <= worth <= 8 for worth in worths.values())
                session = session.act(legal[0]).advanced()


@pytest.mark.parametrize("hole_card", ["peek", "no-peek-original-bet"])
def test_before_the_dealer_looks_a_natural_is_counted_in(hole_card: str) -> None:
    """With an early surrender, the best choice is worth what the exact analysis says of the hand before anything is known."""
    rules = BlackjackRules.create(
        {"decks": 2, "surrender": "early", "hole_card": hole_card, "insurance": False}
    )
    session = dealt("9H AC 8D 7S", rules)
    advice = advise(session, legal_actions(state_of(session)))
    hand = next(hand for hand in analyse(rules).hands if hand.hand == (6, 7) and hand.up_card == 9)
    assert advice.worths["surrender"] == pytest.approx(-0.5)
    assert max(advice.worths.values()) == pytest.approx(hand.value)
    playing_on = max(worth for name, worth in advice.worths.items() if name != "surrender")
    assert playing_on < -0.5


def test_after_the_peek_there_is_no_natural_any_more() -> None:
    rules = BlackjackRules(decks=2, insurance=False, surrender="late")
    session = dealt("9H AC 8D 7S", rules)
    assert state_of(session).phase is Phase.PLAYERS
    assert advise(session, legal_actions(state_of(session))).worths["surrender"] == pytest.approx(-0.5)


def test_the_hole_card_is_seen_when_it_is_turned_over() -> None:
    session = dealt("9H 7C 9D KS", BlackjackRules(decks=2))
    assert parse_card("KS") not in seen_cards(session)
    stand = next(action for action in legal_actions(state_of(session)) if action.kind is ActionKind.STAND)
    assert parse_card("KS") in seen_cards(session.act(stand).advanced())


def test_the_reason_names_the_chance_to_bust_by_the_cards_that_were_seen() -> None:
    """Of 49 unseen cards, three sixes, four sevens, four eights, three nines and fifteen tens bust a sixteen."""
    session = dealt("TH 9C 6D 7S", BlackjackRules(decks=1))
    advice = advise(session, legal_actions(state_of(session)))
    assert advice.bust == pytest.approx(29 / 49)
    table = BlackjackTable.opened(BlackjackRules(decks=1), seed=1, coach=True)
    state = table.to_state()
    state["session"]["shoe"]["order"] = format_cards(session.shoe.order)
    table = BlackjackTable.from_state(state)
    table.bet(10)
    table.act("hit")
    feedback = table.view.feedback
    assert feedback is not None
    assert feedback.why.startswith("Hitting 16 busts 59 % of the time")
    assert BlackjackTable.from_state(table.to_state()).view.feedback == feedback


def test_side_bets_are_valued_by_the_cards_that_have_been_seen() -> None:
    rules = BlackjackRules(decks=1, penetration=0.9)
    session = Session.opened(rules, seed=3)
    for _ in range(4):
        session = session.start_round(bets=[5]).advanced()
        while not session.is_between_rounds and session.table is not None:
            session = session.act(legal_actions(session.table.state)[-1]).advanced()
        assert not session.shoe.needs_shuffle
        dealt = session.shoe.order[: session.shoe.dealt]
        expected = side_bet_values(rules, CardCounts.full(rules).without(dealt))
        assert side_values(session) == {JSON_KEYS[bet.name]: bet.value for bet in expected}
    assert side_values(session) != side_values(Session.opened(rules, seed=3))
