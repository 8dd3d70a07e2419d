"""Blackjack among friends: the hole card stays hidden, the bank has what the others have not, a saved evening goes on."""

import random
from dataclasses import replace

import pytest

from croupier.blackjack import rules
from croupier.blackjack.engine import Session
from croupier.errors import InputError
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.seats import Holder, Seat, Seats
from tests.web.friends.seen_cards import cards_in


def people(count: int) -> Seats:
    return tuple(Seat(f"P{number}", Holder.PERSON, f"v{number}") for number in range(count))


@pytest.mark.parametrize("preset", ["vegas-strip", "european", "autoplay-demo"])
def test_an_evening_leaks_nothing_and_adds_up(preset: str) -> None:
    luck, seats = random.Random(preset), people(3)
    evening = BlackjackEvening(Session.opened(rules(preset, insurance=preset != "autoplay-demo"), seed=5))
    for _ in range(5):
        for seat in range(3):
            evening = evening.act(seat, "bet", seats, luck.choice([100, 250, 1000]))
        evening = evening.act(luck.randrange(3), "deal", seats)
        assert BlackjackEvening.from_state(evening.to_state()).view(0, seats) == evening.view(0, seats)
        while evening.is_playing:
            state = evening.state
            assert state is not None
            hidden = () if state.hole_card_is_open else state.dealer_cards[1:]
            for viewer in (None, 0, 1, 2):
                view = evening.view(viewer, seats)
                assert view.dealer.cards == (*state.visible_dealer_cards, *[None] * len(hidden))
                open_cards = {card for place in state.seats for hand in place.hands for card in hand.cards}
                assert cards_in((view.places, view.dealer, view.asked)) <= open_cards | set(
                    state.visible_dealer_cards
                )
            turn = evening.turn(seats)
            assert turn is not None
            with pytest.raises(InputError, match="not your turn"):
                evening.act((turn + 1) % 3, "stand", seats)
            evening = evening.act(turn, luck.choice(evening.choices(turn, seats)).name, seats)
        left = dict.fromkeys([*(seat.name for seat in seats), "The bank"], 0)
        left |= {seats[seat].name: cents for seat, cents in evening.totals.items()}
        left["The bank"] = -sum(evening.totals.values())
        for payment in evening.payments(seats):
            left[payment.payer] += payment.cents
            left[payment.payee] -= payment.cents
        assert not any(left.values())


def test_a_view_does_not_depend_on_the_hole_card_and_the_shoe() -> None:
    seats = people(1)
    evening = BlackjackEvening(Session.opened(rules("vegas-strip"), seed=6)).act(0, "bet", seats, 500)
    evening = evening.act(0, "deal", seats)
    table, state = evening.session.table, evening.state
    assert table is not None
    assert state is not None
    assert not state.hole_card_is_open
    other = (state.dealer_cards[1] + 4) % 52
    changed = replace(table, state=replace(state, dealer_cards=(state.dealer_cards[0], other)))
    assert replace(evening, session=replace(evening.session, table=changed)).view(0, seats) == evening.view(
        0, seats
    )


def test_engines_play_and_late_comers_wait() -> None:
    seats: Seats = (*people(1), Seat("Engine 1", Holder.ENGINE))
    evening = BlackjackEvening(Session.opened(rules("vegas-strip"), seed=7)).act(0, "bet", seats, 500)
    evening = evening.act(0, "deal", seats)
    seats = (*seats, Seat("Late", Holder.PERSON, "late"))
    assert not evening.plays(2)
    assert evening.choices(2, seats) == ()
    while evening.is_playing:
        moved = evening.engine_moved(seats)
        evening = evening.act(0, "stand", seats) if moved is None else moved
    assert set(evening.totals) == {0, 1}
    with pytest.raises(InputError, match="this table takes 1 to"):
        evening.act(2, "bet", seats, 1)
