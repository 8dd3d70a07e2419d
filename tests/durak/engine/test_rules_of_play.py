"""The rules of a bout, one by one: attack, defence, throwing in, refilling, and what is refused."""

from collections.abc import Callable

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.attack import finish
from croupier.durak.engine.dealing import lowest_trump_leader, start
from croupier.durak.engine.pack import PACK, cards_text, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, ActionKind, GameState, IllegalMove
from croupier.durak.engine.throw_in import throw_in_candidates
from croupier.errors import InputError

Position = Callable[..., GameState]
Play = Callable[[GameState, str], GameState]


def test_the_first_six_cards_go_to_player_1_the_next_six_to_player_2_and_the_last_is_trump() -> None:
    deck = shuffle(PACK, seed=4)
    state = start(DurakRules(), deck, leader=0)
    assert state.hands == (deck[:6], deck[6:12])
    assert state.stock == deck[12:]
    assert state.deck_count == 24
    assert state.trump == deck[-1]


def may_play(state: GameState, cards: str) -> bool:
    return read_cards(cards) in [action.cards for action in legal_actions(state)]


def test_the_lowest_trump_in_hand_leads() -> None:
    deck = read_cards("AS KS 6C 6D 6H 7C  6S QS 7D 7H 8C 8D")
    rest = [card for card in PACK if card not in deck]
    spades_last = sorted(rest, key=lambda card: card % 4 == 3)
    assert start(DurakRules(), [*deck, *spades_last]).attacker == 1


def test_without_a_trump_in_either_hand_the_leader_has_to_be_named() -> None:
    deck = sorted(PACK, key=lambda card: card % 4 == 3)
    assert lowest_trump_leader(deck) is None
    with pytest.raises(IllegalMove, match="neither hand holds a trump"):
        start(DurakRules(), deck)
    assert [start(DurakRules(), deck, leader=seat).attacker for seat in (0, 1)] == [0, 1]


def test_a_named_leader_leads_whoever_holds_the_lowest_trump() -> None:
    assert start(DurakRules(), PACK).attacker == 0
    assert start(DurakRules(), PACK, leader=1).attacker == 1


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (PACK[1:], "35 cards in the deck"),
        ((*PACK[1:], 20), "7C is twice"),
        ((*PACK[1:], 3), "card code 3"),
    ],
)
def test_a_deck_that_is_not_the_pack_is_refused(deck: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        start(DurakRules(), deck, leader=0)


def test_a_leader_who_does_not_sit_at_the_table_is_refused() -> None:
    with pytest.raises(IllegalMove, match="leader 2"):
        start(DurakRules(), PACK, leader=2)


def test_any_card_may_lead_but_only_ranks_on_the_table_may_follow(position: Position, play: Play) -> None:
    state = position("6C 7D 9H AS 6S 7H", "8C 8D TC JC QC KC", stock="6H AC")
    assert all(may_play(state, cards_text([card])) for card in state.hands[0])
    state = play(state, "6C, 8C")
    assert [may_play(state, card) for card in ("6S", "7D", "9H", "AS")] == [True, False, False, False]
    with pytest.raises(IllegalMove, match=r"cannot add 7D: its rank is not on the table \(6C 8C\)"):
        answer(state, read_cards("7D"))


def test_the_rank_of_a_beating_card_may_follow_too(position: Position, play: Play) -> None:
    state = play(position("6C 8H AS AD", "8C 9D TD JD", stock="6H AC"), "6C, 8C")
    assert may_play(state, "8H")


@pytest.mark.parametrize(
    ("attacking", "beating", "is_beaten"),
    [
        ("9C", "TC", True),
        ("9C", "8C", False),
        ("9C", "TD", False),
        ("9C", "6H", True),
        ("9H", "TH", True),
        ("9H", "8H", False),
        ("9H", "AC", False),
    ],
)
def test_a_higher_card_of_the_suit_or_a_trump_on_a_plain_card_beats(
    attacking: str, beating: str, is_beaten: bool, position: Position, play: Play
) -> None:
    state = play(position(f"{attacking} AS", f"{beating} AD", stock="6S 7H"), attacking)
    assert may_play(state, beating) is is_beaten


def test_a_card_that_does_not_beat_is_refused_with_the_reason(position: Position, play: Play) -> None:
    state = play(position("9C AS", "8C AD", stock="6S 7H"), "9C")
    with pytest.raises(IllegalMove, match=r"8C does not beat 9C \(trumps are H\)"):
        play(state, "8C")


def test_a_card_that_is_not_in_the_hand_is_refused(position: Position, play: Play) -> None:
    state = position("9C AS", "8C AD", stock="6S 7H")
    with pytest.raises(IllegalMove, match="player 1 does not hold 8C; the hand is 9C AS"):
        play(state, "8C")
    with pytest.raises(IllegalMove, match="player 2 does not hold TC; the hand is 8C AD"):
        play(state, "9C, TC")
    with pytest.raises(IllegalMove, match="player 1 does not hold card code 99"):
        answer(state, (99,))


def test_the_attacker_cannot_be_done_on_an_empty_table(position: Position) -> None:
    state = position("9C AS", "8C AD", stock="6S 7H")
    with pytest.raises(IllegalMove, match="the table is empty; play a card first"):
        finish(state)


def test_nobody_acts_out_of_turn(position: Position, play: Play) -> None:
    state = play(position("9C AS", "TC AD", stock="6S 7H"), "9C")
    for kind, cards in (("attack", "AS"), ("done", ""), ("throw_in", "")):
        with pytest.raises(IllegalMove, match="now: player 2 is to beat 9C or take"):
            act(state, Action(ActionKind(kind), read_cards(cards)))
    with pytest.raises(IllegalMove, match="cannot take now: player 1 is to attack"):
        act(play(state, "TC"), Action(ActionKind.TAKE))


@pytest.mark.parametrize(
    ("kind", "cards", "wanted"),
    [
        ("attack", "", "one card"),
        ("attack", "9C AS", "one card"),
        ("done", "9C", "no card"),
        ("take", "9C", "no card"),
    ],
)
def test_an_action_takes_the_cards_that_it_needs(
    kind: str, cards: str, wanted: str, position: Position
) -> None:
    state = position("9C AS", "TC AD", stock="6S 7H")
    with pytest.raises(IllegalMove, match=f"'{kind}' is done with {wanted}"):
        act(state, Action(ActionKind(kind), read_cards(cards)))


def test_after_a_beaten_bout_the_attacker_draws_first_and_the_defender_attacks(
    position: Position, play: Play
) -> None:
    state = position("6C AS AD KS KD QS", "TC 9D 8D 7D 6D TD", stock="7C 8C 9C JC 6H")
    state = play(state, "6C, TC, -")
    assert (cards_text(state.dealt[0]), cards_text(state.dealt[1])) == ("7C", "8C")
    assert state.attacker == 1
    assert state.phase is Phase.ATTACK
    assert state.table == ()
    assert state.discarded[-2:] == read_cards("6C TC")


def test_the_attacker_may_take_what_is_left_of_the_stock(position: Position, play: Play) -> None:
    state = play(position("6C AS AD KS KD QS", "TC 9D 8D 7D 6D TD", stock="6H"), "6C, TC, -")
    assert (cards_text(state.dealt[0]), state.dealt[1]) == ("6H", ())
    assert state.deck_count == 0


def test_a_taker_gets_the_table_cards_and_the_attacker_attacks_again(position: Position, play: Play) -> None:
    state = position("6C 6S AD KS KD QS", "TC 9D 8D 7D 6D TD", stock="7C 8C 9C JC 6H")
    state = play(state, "6C, TC, 6S, -, -")
    assert cards_text(state.dealt[1]) == "6C TC 6S"
    assert cards_text(state.dealt[0]) == "7C 8C"
    assert cards_text(state.hands[1]) == "9D 8D 7D 6D TD 6C TC 6S"
    assert state.attacker == 0
    assert state.phase is Phase.ATTACK


def test_thrown_in_cards_go_to_the_taker_after_the_table(position: Position, play: Play) -> None:
    state = position("6C 6S 6D KS KD QS", "TC 9D 8D 7D TD JD", stock="7C 8C 9C JC 6H")
    state = play(state, "6C, -, 6D 6S")
    assert cards_text(state.dealt[1]) == "6C 6D 6S"
    assert cards_text(state.taken[1]) == "6C 6D 6S"
    assert cards_text(state.dealt[0]) == "7C 8C 9C"


def test_the_limit_of_throwing_in_is_one_less_than_the_defender_holds(position: Position, play: Play) -> None:
    state = play(position("6C 6S 6D 9S", "TC 9D", trump="AH"), "6C, -")
    assert state.throw_in_limit == 1
    assert may_play(state, "6S")
    with pytest.raises(IllegalMove, match="cannot throw in 2 cards: at most 1 may be added now"):
        play(state, "6S 6D")


def test_the_attacker_is_asked_for_more_also_when_nothing_may_be_added(
    position: Position, play: Play
) -> None:
    state = play(position("6C 6S 6D", "TC", trump="AH"), "6C, -")
    assert (state.phase, state.throw_in_limit) == (Phase.THROW_IN, 0)
    assert legal_actions(state) == (Action(ActionKind.THROW_IN),)
    assert play(state, "-").phase is Phase.ATTACK


def test_the_attacker_is_asked_for_more_exactly_once(position: Position, play: Play) -> None:
    state = play(position("6C 6S 6D 9S", "TC 9D 8D", trump="AH"), "6C, -, 6S")
    assert (state.phase, state.bout) == (Phase.ATTACK, 3)


def test_an_attacker_without_cards_is_not_asked_for_more(position: Position, play: Play) -> None:
    state = play(position("6C", "TD 9D", stock="7C 8C 9C JC 6H"), "6C, -")
    assert (state.phase, state.bout) == (Phase.ATTACK, 3)
    assert cards_text(state.hands[0]) == "7C 8C 9C JC 6H"


def test_a_card_named_twice_in_a_throw_in_counts_once(position: Position, play: Play) -> None:
    state = play(position("6C 6S 6D 9S", "TC 9D", trump="AH"), "6C, -, 6S 6S")
    assert cards_text(state.dealt[1]) == "6C 6S"


def test_only_ranks_on_the_table_may_be_thrown_in(position: Position, play: Play) -> None:
    state = play(position("6C 6S 9S 8S", "TC 9D 8D", trump="AH"), "6C, -")
    assert cards_text(throw_in_candidates(state)) == "6S"
    with pytest.raises(IllegalMove, match="cannot add 9S"):
        play(state, "9S")
    with pytest.raises(IllegalMove, match="does not hold 6D"):
        play(state, "6D")


def test_the_bout_ends_by_itself_when_the_defender_has_no_cards_left(position: Position, play: Play) -> None:
    state = play(position("6C 6S 9S", "7C", stock="TD JD QD KD AD 8D 7D TH JH QH 6H"), "6C, 7C")
    assert (state.phase, state.bout, state.attacker) == (Phase.ATTACK, 3, 1)
    assert cards_text(state.dealt[1]) == "AD 8D 7D TH JH QH"


def test_the_bout_ends_by_itself_when_the_attacker_has_no_cards_left(position: Position, play: Play) -> None:
    state = play(position("6C", "7C 9C", stock="TD JD QD KD AD 8D 7D TH JH QH 6H"), "6C, 7C")
    assert (state.phase, state.bout, state.attacker) == (Phase.ATTACK, 3, 1)
    assert cards_text(state.dealt[0]) == "TD JD QD KD AD 8D"


def test_nothing_is_legal_after_the_end(position: Position, play: Play) -> None:
    state = play(position("6C", "9D 9S", trump="AH"), "6C")
    assert state.is_over
    assert legal_actions(state) == ()
    with pytest.raises(IllegalMove, match="the game is over"):
        play(state, "-")
