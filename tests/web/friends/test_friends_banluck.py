"""An evening of Banluck: nobody sees a closed card, the totals add up to zero, a saved evening goes on as it was."""

import random
from dataclasses import replace

import pytest

from croupier.banluck import rules
from croupier.banluck.engine import BanluckRules, DealtHand, deal, new_hand
from croupier.cards import Shoe, parse_cards
from croupier.errors import InputError
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.seats import Holder, Seat, Seats
from tests.web.friends.open_cards import own_cards, public_cards
from tests.web.friends.seen_cards import cards_in

RULES = {
    "reference": rules(),
    "singapore": rules("singapore"),
    "after specials": rules(surrender="after_specials", below_minimum="must_hit"),
    "mandatory": rules(reveal="mandatory", both_bust="push"),
}


HANDS = 4


def people(count: int) -> Seats:
    return tuple(Seat(f"P{number}", Holder.PERSON, f"v{number}") for number in range(count))


def verify_nothing_leaks(evening: BanluckEvening, seats: Seats) -> None:
    state = evening.state
    for seat in (None, *range(len(seats))):
        # Past hands were open to all at their end.
        view = replace(evening.view(seat, seats), past=())
        allowed = set() if state is None else public_cards(evening, state)
        if state is not None and seat is not None:
            allowed |= own_cards(evening, state, seat)
        assert cards_in(view) <= allowed


@pytest.mark.parametrize(
    ("name", "count", "each"),
    [("reference", 5, 1), ("singapore", 3, 2), ("after specials", 2, 1), ("mandatory", 7, 1)],
)
def test_an_evening_leaks_nothing_and_adds_up(name: str, count: int, each: int) -> None:
    luck, seats = random.Random(f"{name} {count}"), people(count)
    evening = BanluckEvening(RULES[name], seed=count, hands_each=each)
    for number in range(1, HANDS + 1):
        dealer = evening.dealer_now(seats)
        assert dealer == (number - 1) // each % count
        for seat in range(count):
            if seat != dealer:
                evening = evening.act(seat, "bet", seats, luck.choice([100, 250, 333]))
        verify_nothing_leaks(evening, seats)
        evening = evening.act(dealer, "deal", seats)
        while evening.is_playing:
            verify_nothing_leaks(evening, seats)
            turn = evening.turn(seats)
            assert turn is not None
            assert [place for place in range(count) if evening.choices(place, seats)] == [turn]
            evening = evening.act(turn, luck.choice(evening.choices(turn, seats)).name, seats)
        assert BanluckEvening.from_state(evening.to_state()) == evening
        assert sum(evening.totals.values()) == 0
    assert [hand.number for hand in evening.played] == list(range(1, HANDS + 1))


def test_an_evening_is_read_back_at_every_point_of_a_hand() -> None:
    seats = people(3)
    evening = BanluckEvening(RULES["after specials"], seed=4)
    evening = evening.act(1, "bet", seats, 100).act(2, "bet", seats, 200).act(0, "deal", seats)
    while evening.is_playing:
        assert BanluckEvening.from_state(evening.to_state()) == evening
        seat = evening.turn(seats)
        assert seat is not None
        evening = evening.act(seat, evening.choices(seat, seats)[0].name, seats)


def dealt_to(rules_: BanluckRules, hands: list[str], dealer: str) -> BanluckEvening:
    """Return an evening whose first hand has these cards."""
    evening = BanluckEvening(rules_, seed=1)
    seats = people(len(hands) + 1)
    for seat in range(1, len(seats)):
        evening = evening.act(seat, "bet", seats, 100)
    state = deal(new_hand(rules_, len(hands)), [parse_cards(hand) for hand in hands], parse_cards(dealer))
    evening = evening.act(0, "deal", seats)
    evening = replace(evening, hand=DealtHand(state, Shoe.stacked(parse_cards("7S 6S 5S 4S"), 1)))
    is_opening = evening._has_opening(state)
    return replace(evening, is_opening=is_opening, played=(), totals={})._shown()


@pytest.mark.parametrize("rule", ["reference", "after specials"])
@pytest.mark.parametrize("first", ["10H 4C", "AH KC"])
def test_nobody_learns_of_a_hard_15(rule: str, first: str) -> None:
    seats = people(3)
    with_15 = dealt_to(RULES[rule], [first, "9H 8C"], "10C 5D")
    without = dealt_to(RULES[rule], [first, "9H 8C"], "10C 8D")
    assert "surrender" in {choice.name for choice in with_15.choices(0, seats)}
    for seat in (None, 1, 2):
        assert with_15.view(seat, seats) == without.view(seat, seats)
    with_15, without = (evening.act(0, "play", seats) for evening in (with_15, without))
    for seat in (None, 1, 2):
        assert with_15.view(seat, seats) == without.view(seat, seats)


def test_a_hand_of_21_looks_like_any_other() -> None:
    """It can take no more cards, but only its owner knows until it stands."""
    seats = people(3)
    made_21, made_20 = (
        dealt_to(RULES["singapore"], [hand, "9H 8C"], "10C 8D") for hand in ("10H 4C", "10H 3C")
    )
    for _ in ("hit", "stand"):
        made_21, made_20 = (
            evening.act(
                1, "hit" if evening.holding is None and evening.moment(1).endswith("1") else "stand", seats
            )
            for evening in (made_21, made_20)
        )
        for seat in (None, 0, 2):
            assert made_21.view(seat, seats) == made_20.view(seat, seats)


def test_what_is_not_offered_is_refused() -> None:
    seats = people(3)
    evening = BanluckEvening(RULES["reference"], seed=3)
    with pytest.raises(InputError, match="'deal' is not possible now"):
        evening.act(0, "deal", seats)
    evening = evening.act(1, "bet", seats, 100).act(2, "sit-out", seats).act(0, "deal", seats)
    assert evening.players == (1,)
    with pytest.raises(InputError, match="not your turn"):
        evening.act(2, "hit", seats)
    with pytest.raises(InputError, match="'hit' is not possible now; possible: play"):
        evening.act(0, "hit", seats)


def test_engines_deal_bet_and_play() -> None:
    seats = (*people(1), Seat("Engine 1", Holder.ENGINE), Seat("Engine 2", Holder.ENGINE))
    evening = BanluckEvening(RULES["reference"], seed=5)
    while evening.number < 2 or evening.is_playing:
        moved = evening.engine_moved(seats)
        if moved is None:
            names = [choice.name for choice in evening.choices(0, seats) if choice.enabled]
            moved = evening.act(0, names[-1] if evening.is_playing else names[0], seats, 100)
        evening = moved
        verify_nothing_leaks(evening, seats)
    assert sum(evening.totals.values()) == 0
    assert {hand.dealer for hand in evening.played} == {0, 1}
