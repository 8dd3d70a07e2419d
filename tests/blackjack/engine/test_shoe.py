"""The shoe, its cut card, and sessions of many rounds."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.blackjack.engine import (
    ActionKind,
    BlackjackRules,
    BlackjackShoe,
    IllegalAction,
    Session,
    ShoeStatistics,
    Table,
    endless_cards,
    legal_actions,
)
from croupier.cards import CardError
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream


def stand_always(session: Session) -> Session:
    """Play the round on with the first choice that is no hit."""
    while session.table is not None and (legal := legal_actions(session.table.state)):
        kinds = [action.kind for action in legal]
        session = session.act(legal[kinds.index(ActionKind.STAND) if ActionKind.STAND in kinds else -1])
    return session


def at_random(session: Session, stream: RandomStream) -> Session:
    while session.table is not None and (legal := legal_actions(session.table.state)):
        session = session.act(legal[stream.below(len(legal))])
    return session


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_holds_every_card_once_a_pack(decks: int) -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(decks=decks), seed=5)
    assert set(Counter(shoe.undealt).values()) == {decks}
    assert len(shoe.undealt) == 52 * decks


def test_a_shoe_is_its_seed() -> None:
    rules = BlackjackRules()
    assert BlackjackShoe.shuffled(rules, seed=5) == BlackjackShoe.shuffled(rules, seed=5)
    assert BlackjackShoe.shuffled(rules, seed=5).order != BlackjackShoe.shuffled(rules, seed=6).order


@pytest.mark.parametrize(("penetration", "cards"), [(0.5, 156), (0.75, 234), (1.0, 312)])
def test_the_cut_card_comes_up_after_its_share_of_the_shoe(penetration: float, cards: int) -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(penetration=penetration), seed=5).begin_round()
    before = shoe.deal(cards - 1)[1]
    assert not before.needs_shuffle
    assert before.deal(1)[1].needs_shuffle


def test_a_new_shoe_needs_no_shuffle_however_early_the_cut_card() -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(penetration=0.001), seed=5)
    assert not shoe.needs_shuffle
    assert shoe.deal(1)[1].needs_shuffle


def test_a_continuous_shuffler_makes_every_round_a_shoe_of_its_own() -> None:
    session = Session.opened(BlackjackRules(decks=1, shuffle="continuous"), seed=1)
    for _ in range(5):
        session = stand_always(session.start_round(bets=[1]))
    assert [shoe.rounds for shoe in session.shoes] == [1] * 5


def test_the_round_in_which_the_cut_card_comes_up_is_the_last_of_its_shoe() -> None:
    session = Session.opened(BlackjackRules(decks=1, penetration=0.5), seed=1)
    for _ in range(30):
        session = stand_always(session.start_round(bets=[1, 1]))
    *past, _present = session.shoes
    assert len(past) > 3
    for shoe in past:
        assert shoe.cards_used >= 26
        assert shoe.rounds > 1
    assert session.total.rounds == 30


def test_discards_come_again_when_the_cards_run_out_within_a_round() -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(decks=1, penetration=1.0), seed=5).begin_round()
    first_round, shoe = shoe.deal(40)
    shoe = shoe.begin_round()
    second_round, shoe = shoe.deal(10)
    more, shoe = shoe.deal(5)
    assert Counter(second_round + more + shoe.undealt) == Counter(range(52))
    assert set(more[2:]) <= set(first_round)
    assert shoe.needs_shuffle
    assert shoe.cards_used == 55


def test_a_shoe_without_discards_can_run_out() -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(decks=1), seed=5).begin_round()
    with pytest.raises(CardError, match="53 cards wanted, but the shoe holds 52 and there are no discards"):
        shoe.deal(53)
    with pytest.raises(CardError, match="a deal takes 0 or more"):
        shoe.deal(-1)


def test_known_cards_can_be_put_on_top() -> None:
    rules = BlackjackRules(decks=2)
    shoe = BlackjackShoe.stacked(rules, [51, 51], seed=1)
    assert shoe.deal(2)[0] == (51, 51)
    assert Counter(shoe.order) == Counter(list(range(52)) * 2)
    with pytest.raises(CardError, match="'AS' is not in the deck any more"):
        BlackjackShoe.stacked(rules, [51, 51, 51], seed=1)


def test_an_infinite_shoe_never_runs_out_and_repeats_cards() -> None:
    shoe = BlackjackShoe.shuffled(BlackjackRules(decks="infinite"), seed=5).begin_round()
    cards, shoe = shoe.deal(300)
    assert len(cards) == 300
    assert not shoe.needs_shuffle
    assert shoe.deal(12)[1].needs_shuffle
    assert len(set(cards[:52])) < 52


def test_every_card_of_an_infinite_shoe_is_drawn_for_itself() -> None:
    counts = Counter(card // 4 for card in endless_cards(5200, seed=2))
    # 400 of each rank are expected, with a standard deviation of 19
    assert all(abs(count - 400) < 100 for count in counts.values())


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([1, 2, 6]))
def test_a_session_adds_up(seed: int, players: int, decks: int) -> None:
    stream = RandomStream((seed, 1))
    session = Session.opened(BlackjackRules(decks=decks), seed)
    bank = 0.0
    for number in range(6):
        session = at_random(session.start_round(bets=[2.0] * players), stream)
        assert session.table is not None
        bank += session.table.state.bank_result
        assert session.total.rounds == number + 1
        assert session.total.initial_bets == 2 * players * (number + 1)
        assert session.total.total_bets >= session.total.initial_bets
        assert session.total.result == -bank
        assert session.shoes[-1].cards_used == session.shoe.cards_used
        assert session.total.cards_used == sum(shoe.cards_used for shoe in session.shoes)


def test_rounds_that_look_the_same_are_both_counted() -> None:
    """Two naturals of the same cards in a row: a round is counted by its number, not by its looks."""
    rules = BlackjackRules(decks=2)
    natural_round = [51, 0, 47, 4]
    session = Session(rules, 1, BlackjackShoe.stacked(rules, natural_round * 2, seed=1))
    session = session.start_round(bets=[2]).start_round(bets=[2])
    assert session.total.rounds == 2
    assert session.total.result == 6
    assert session.advanced().total.rounds == 2


def test_a_round_starts_only_when_the_one_before_is_over() -> None:
    session = Session.opened(BlackjackRules(), seed=2).start_round(bets=[1])
    assert not session.is_between_rounds
    with pytest.raises(IllegalAction, match="the round before is not over"):
        session.start_round(bets=[1])


def test_nothing_can_be_done_before_the_bets() -> None:
    session = Session.opened(BlackjackRules(), seed=2)
    with pytest.raises(IllegalAction, match="make the bets first"):
        session.advanced()


@pytest.mark.parametrize("bets", [[], [1] * 8, [0.5], [1001], [float("nan")], [True], ["5"]])
def test_a_refused_bet_starts_nothing(bets: list[float]) -> None:
    session = Session.opened(BlackjackRules(), seed=2)
    with pytest.raises(InputError, match="bet"):
        session.start_round(bets=bets)
    assert session.total == ShoeStatistics()


def test_the_cards_go_round_the_table_with_the_dealer_last() -> None:
    rules = BlackjackRules(decks=1, insurance=False)
    state = Table.opened(rules, BlackjackShoe.stacked(rules, range(6), seed=1), bets=[1, 1]).state
    assert [seat.hands[0].cards for seat in state.seats] == [(0, 3), (1, 4)]
    assert state.dealer_cards == (2, 5)


def test_without_a_hole_card_the_second_round_ends_with_the_last_player() -> None:
    rules = BlackjackRules(decks=1, hole_card="no-peek")
    table = Table.opened(rules, BlackjackShoe.stacked(rules, range(6), seed=1), bets=[1, 1])
    assert [seat.hands[0].cards for seat in table.state.seats] == [(0, 3), (1, 4)]
    assert table.state.dealer_cards == (2,)
    assert table.shoe.undealt[0] == 5
