"""What holds for every round that can be played, whatever the rules and whoever plays."""

import json
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.blackjack.engine import (
    BLACKJACK,
    DEALER,
    Action,
    ActionKind,
    BlackjackRules,
    BlackjackShoe,
    Outcome,
    Phase,
    RoundState,
    SideBets,
    Table,
    act,
    dealer_turn,
    dealing,
    describe,
    forced_action,
    from_json,
    insurance,
    legal_actions,
    narrate,
    pack_of,
    player_turn,
    start_round,
    to_json,
)
from croupier.cards import CardError, format_card
from croupier.errors import InputError
from croupier.operations import is_allowed
from tests.blackjack.rule_sets import option_values, without_contradictions

CHOICES = {name: st.sampled_from(values) for name, values in option_values().items()}


def consistent_rules(options: dict[str, object]) -> BlackjackRules:
    """Make rules of any choices but those that contradict each other."""
    return BlackjackRules.create(without_contradictions({**BlackjackRules().model_dump(), **options}))


RULES = st.fixed_dictionaries({}, optional=CHOICES).map(consistent_rules)
SEEDS = st.integers(0, 10**6)
BETS = st.lists(st.sampled_from([1.0, 2.0, 10.0, 25.0]), min_size=1, max_size=7)
SIDE_BETS = st.builds(SideBets, st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 5.0]))


@st.composite
def played_states(draw: st.DrawFn) -> list[Table]:
    """Every state of one randomly played round, from the deal to the end; pairs and aces come often."""
    rules, bets = draw(RULES), draw(BETS)
    side_bets = draw(st.lists(SIDE_BETS, min_size=len(bets), max_size=len(bets)))
    top = draw(st.lists(st.sampled_from([48, 49, 50, 51, 32, 36, 24, 25]), max_size=6, unique=True))
    shoe = BlackjackShoe.stacked(rules, [card for card in top if card in pack_of(rules)], draw(SEEDS))
    tables = [Table.opened(rules, shoe, bets, side_bets)]
    # One pack can run out under seven players who split; then the round stays where it is.
    with suppress(CardError):
        while legal := legal_actions(tables[-1].state):
            tables.append(tables[-1].act(draw(st.sampled_from(legal))))
    return tables


@given(played_states())
def test_the_cards_of_all_packs_are_conserved(tables: list[Table]) -> None:
    for table in tables:
        decks = table.state.rules.decks
        if decks != "infinite":
            packs = Counter(pack_of(table.state.rules) * decks)
            assert Counter(table.state.dealt_cards + table.shoe.undealt) == packs


@given(played_states())
def test_players_and_bank_sum_to_zero(tables: list[Table]) -> None:
    state = tables[-1].state
    if state.is_over:
        assert None not in state.results
        assert sum(units or 0 for units in state.results) + state.bank_result == pytest.approx(0, abs=1e-9)


@given(played_states())
def test_every_round_ends_with_every_hand_settled(tables: list[Table]) -> None:
    state = tables[-1].state
    assert state.is_over or not tables[-1].shoe.undealt
    if state.is_over:
        assert all(hand.settlement is not None for seat in state.seats for hand in seat.hands)
        assert state.phase is Phase.SETTLEMENT


@given(played_states())
def test_every_state_is_printable_hashable_and_round_trips_through_json(tables: list[Table]) -> None:
    for table in tables:
        state = table.state
        assert describe(state)
        assert list(narrate(state))
        again = from_json(to_json(state))
        assert again == state
        assert hash(again) == hash(state)


@settings(max_examples=50)
@given(played_states())
def test_a_player_never_reads_the_hole_card_before_the_players_are_done(tables: list[Table]) -> None:
    for table in tables:
        state = table.state
        first_line = describe(state, viewer=0).splitlines()[0]
        players_are_done = state.is_over or state.phase is Phase.DEALER
        is_closed = state.rules.hole_card == "peek" and not players_are_done
        assert ("░░" in first_line) is is_closed
        if is_closed:
            assert state.visible_dealer_cards == state.dealer_cards[:1]
            assert format_card(state.dealer_cards[1], symbols=True) in describe(state, viewer=DEALER)
            assert describe(with_other_hole_card(state), viewer=0) == describe(state, viewer=0)


def with_other_hole_card(state: RoundState) -> RoundState:
    """Play the same round with another hole card that changes nothing that has been seen."""
    deal, *rest = state.history
    for card in range(52):
        try:
            other = start_round(
                state.rules, [seat.bet for seat in state.seats], [seat.side_bets for seat in state.seats]
            )
            other = act(other, Action(deal.kind, cards=(*deal.cards[:-1], card)))
            for action in rest:
                other = act(other, action)
        except InputError:
            continue
        if other.phase is state.phase and card != state.dealer_cards[1]:
            return other
    return state


@given(played_states(), st.sampled_from(list(ActionKind)), st.integers(-1, 7), st.integers(-1, 52))
def test_a_refused_move_changes_nothing(tables: list[Table], kind: ActionKind, seat: int, card: int) -> None:
    for table in tables:
        state = table.state
        before, text = hash(state), to_json(state)
        for cards in ((), (card,)):
            with suppress(InputError):
                act(state, Action(kind, seat, cards))
        assert hash(state) == before
        assert to_json(state) == text


@given(played_states())
def test_can_and_do_and_the_list_of_legal_actions_agree(tables: list[Table]) -> None:
    for table in tables:
        state = table.state
        listed = {action.kind for action in legal_actions(state)}
        asked = {
            ActionKind.COMPLETE: dealing.verify_complete,
            ActionKind.SURRENDER: player_turn.verify_surrender,
            ActionKind.KEEP: player_turn.verify_keep,
            ActionKind.INSURE: insurance.verify_insure,
            ActionKind.DECLINE: insurance.verify_decline,
            ActionKind.PEEK: dealer_turn.verify_peek,
            ActionKind.HIT: player_turn.verify_hit,
            ActionKind.STAND: player_turn.verify_stand,
            ActionKind.DOUBLE: player_turn.verify_double,
            ActionKind.SPLIT: player_turn.verify_split,
            ActionKind.DRAW: dealer_turn.verify_draw,
            ActionKind.DEALER_STAND: dealer_turn.verify_dealer_stand,
        }
        assert {kind for kind, verify in asked.items() if is_allowed(verify, state)} == listed
        assert (forced_action(state) is None) == (state.is_over or a_player_decides(state))


def a_player_decides(state: RoundState) -> bool:
    turn = state.turn
    return turn is not None and len(state.seats[turn.seat].hands[turn.hand].cards) > 1


@given(played_states())
def test_nobody_has_more_on_the_table_than_the_rules_allow(tables: list[Table]) -> None:
    for table in tables:
        rules = table.state.rules
        for seat in table.state.seats:
            assert rules.minimum_bet <= seat.bet <= rules.maximum_bet
            assert len(seat.hands) <= rules.split_hands
            assert all(hand.bet == seat.bet for hand in seat.hands)
            most = 2 ** (1 + rules.redoubles) if rules.double != "none" else 1
            premium = 0.5 if rules.insurance else 0.0
            assert seat.total_bets <= seat.bet * (rules.split_hands * most + premium) + seat.side_bets.total
            if rules.double_after_split is False:
                assert not any(hand.is_doubled and hand.from_split for hand in seat.hands)


@given(played_states())
def test_a_hand_loses_at_most_its_stake_and_wins_at_most_its_pay(tables: list[Table]) -> None:
    for seat in tables[-1].state.seats:
        for hand in seat.hands:
            if hand.settlement is not None:
                rules = tables[-1].state.rules
                pays = max(float(rules.natural_fraction), 2.0 if rules.bonus_21 == "super-fun-21" else 0.0)
                bonus = {"none": 1.0, "spanish-21": 3.0, "super-fun-21": 2.0}[rules.bonus_21]
                most = pays if hand.settlement.outcome is Outcome.NATURAL else bonus
                assert -hand.stake <= hand.settlement.units <= most * hand.prize + 1e-9


@given(played_states())
def test_the_phases_of_a_round_come_in_order(tables: list[Table]) -> None:
    order = list(Phase)
    places = [order.index(table.state.phase) for table in tables]
    assert places == sorted(places)


@given(played_states())
def test_a_dealers_natural_under_a_peek_never_takes_more_than_the_bet(tables: list[Table]) -> None:
    state = tables[-1].state
    if state.rules.hole_card == "no-peek" or not state.is_over or not state.dealer_natural:
        return
    for number, seat in enumerate(state.seats):
        assert sum(hand.settlement.units for hand in seat.hands if hand.settlement is not None) >= -seat.bet
        assert (state.insurance_result(number) or 0) >= 0


@settings(max_examples=40)
@given(st.sampled_from([preset.rules for preset in BLACKJACK.presets]), SEEDS, st.integers(1, 4))
def test_a_table_left_to_the_dealer_stops_at_every_decision(
    rules: BlackjackRules, seed: int, players: int
) -> None:
    table = Table.opened(rules, BlackjackShoe.shuffled(rules, seed), bets=[1.0] * players).advanced()
    while not table.state.is_over:
        legal = legal_actions(table.state)
        assert len(legal) > 1
        table = table.act(legal[1]).advanced()


def opening() -> RoundState:
    rules = BlackjackRules(decks=1)
    return Table.opened(rules, BlackjackShoe.stacked(rules, [0, 28, 8, 13], seed=1), bets=[10]).state


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ({"game": "bridge"}, 'no "game": "blackjack"'),
        ({"bets": "one"}, '"bets" \\(a list of numbers\\)'),
        ({"bets": ["one"]}, "player 1: a bet of 'one'; a bet is a number"),
        ({"bets": [10] * 8}, "a table seats 1 to 7"),
        ({"bets": [2000]}, "this table takes 1 to 1000"),
        ({"side_bets": [5]}, "5 are no side bets"),
        ({"side_bets": [{"perfect_pairs": "x"}]}, "perfect pairs: a side bet of 'x'; a bet is a number"),
        ({"rules": {"sofft17": "hit"}}, "did you mean 'soft17'"),
        ({"actions": [{"action": "hit", "seat": 0, "cards": "AS"}]}, "action 1: cannot hit"),
        ({"actions": [{"action": "fold"}]}, "action 1: no action 'fold'"),
        ({"actions": ["deal"]}, "action 1: 'deal' is not an action"),
        (
            {"actions": [{"action": "deal", "seat": 0, "cards": "AS"}]},
            "action 1: 'deal' is done by the dealer",
        ),
        ({"actions": [{"action": "deal", "cards": 5}]}, "cards are a text such as"),
        ({"actions": [{"action": "deal", "cards": "AS KD"}]}, "action 1: 'deal' needs 4 cards, 2 were given"),
        (
            {"actions": [{"action": "deal", "cards": "AS KD AS 2C"}]},
            "action 1: card 'AS' would be on the table",
        ),
    ],
)
def test_a_file_that_is_not_a_legal_round_is_refused(damage: dict[str, object], complaint: str) -> None:
    data = json.loads(to_json(opening())) | damage
    with pytest.raises(InputError, match=complaint):
        from_json(json.dumps(data))


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(InputError, match="not a blackjack round: not JSON"):
        from_json("deal")


def test_an_action_for_another_seat_says_whose_turn_it_is() -> None:
    with pytest.raises(InputError, match=r"cannot stand for seat 3: player 1 \(seat 0\) is to act"):
        act(opening(), Action(ActionKind.STAND, 3))
