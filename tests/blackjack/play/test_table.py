"""The blackjack table that terminal and browser show, without either."""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.blackjack.engine import (
    BLACKJACK,
    BlackjackRules,
    BlackjackShoe,
    SideBets,
)
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.table import table as open_table
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.blackjack.solvers.hand_values import hand_values, parse_ranks
from croupier.cards import format_cards, parse_card
from croupier.errors import InputError

#: Rules that between them ask every question a table can ask.
RULES = [
    *(preset.rules for preset in BLACKJACK.presets),
    BlackjackRules(decks=1, surrender="early", penetration=1.0),
    BlackjackRules(decks=2, surrender="late", charlie=5, resplit_aces=True, hit_split_aces=True),
    BlackjackRules(decks=2, hole_card="no-peek-original-bet", surrender="early-not-ace"),
    BlackjackRules(decks=1, hole_card="no-peek-original-bet", twenty_one_pays_at_once=True),
    BlackjackRules(decks="infinite", surrender="early", split_hands=8),
    BlackjackRules(decks=1, redoubles=2, double_any_cards=True, bonus_21="super-fun-21"),
    BlackjackRules(decks=2, doubled_card="closed"),
]


#: What the web app of Croupier 0.1 saved.
STATES = Path(__file__).parents[2] / "data/blackjack/saved-tables"


def stacked(text: str, rules: BlackjackRules | None = None, bankroll: float = 1000) -> BlackjackTable:
    """Return a table whose shoe begins with some cards: players round the table, the dealer, twice."""
    rules = rules or BlackjackRules(decks=4)
    table = BlackjackTable.opened(rules, seed=1, bankroll=bankroll, coach=True)
    state = table.to_state()
    shoe = BlackjackShoe.stacked(rules, [parse_card(card) for card in text.split()], seed=(1, 0))
    state["session"]["shoe"]["order"] = format_cards(shoe.order)
    return BlackjackTable.from_state(state)


def numbers_of(data: object) -> list[object]:
    """List everything in a view, however deep."""
    if is_dataclass(data) and not isinstance(data, type):
        return [leaf for entry in fields(data) for leaf in numbers_of(getattr(data, entry.name))]
    if isinstance(data, dict):
        return [leaf for value in data.values() for leaf in numbers_of(value)]
    if isinstance(data, list | tuple):
        return [leaf for value in data for leaf in numbers_of(value)]
    return [data]


def names(table: BlackjackTable) -> list[str]:
    return [choice.name for choice in table.view.choices if choice.enabled]


@given(st.data())
@settings(max_examples=30)
def test_a_table_comes_back_exactly_at_every_step(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(RULES))
    table = BlackjackTable.opened(
        rules,
        seed=data.draw(st.integers(0, 2**64 - 1)),
        bankroll=data.draw(st.sampled_from([30.0, 1000.0])),
        coach=data.draw(st.booleans()),
    )
    for _ in range(data.draw(st.integers(1, 14))):
        choice = data.draw(st.sampled_from(names(table)))
        if choice == "deal":
            hands = data.draw(st.integers(1, 3))
            bet = data.draw(st.sampled_from([1, 5, 2.5]))
            side_bets = SideBets(1, 0.5) if hands == 2 else SideBets()
            if hands * (bet + side_bets.total) > table.view.bankroll:
                hands, bet, side_bets = 1, 1, SideBets()
            table.bet(*[bet] * hands, side_bets=side_bets)
        elif choice == "rebuy":
            table.rebuy()
        else:
            table.act(choice)
        state = json.loads(json.dumps(table.to_state()))
        again = BlackjackTable.from_state(state)
        assert again.view == table.view
        assert again.to_state() == state
        view = table.view
        assert view.bankroll >= 0
        if not view.is_betting:
            table = again  # what comes back plays on with the same cards


@given(st.integers(0, 2**32), st.sampled_from(RULES), st.lists(st.integers(0, 3), max_size=8))
@settings(max_examples=40)
def test_money_is_conserved(seed: int, rules: BlackjackRules, picks: list[int]) -> None:
    table = BlackjackTable.opened(rules, seed=seed, bankroll=500)
    table.bet(5, 10, side_bets=SideBets(1, 1))
    for pick in picks:
        offered = [name for name in names(table) if name not in ("deal", "rebuy")]
        if not offered:
            break
        table.act(offered[pick % len(offered)])
    view = table.view
    if view.is_betting:
        assert view.bankroll == pytest.approx(500 + view.statistics.won)
        assert view.history[-1].won == pytest.approx(view.statistics.won)
    else:
        assert view.bankroll + view.on_table == pytest.approx(500)


def test_the_hole_card_and_the_shoe_are_not_in_the_view() -> None:
    table = stacked("9H 7C 7D KS")  # the dealer has 7♣ up and K♠ in the hole
    table.bet(10)
    view = table.view
    assert view.dealer.cards == (parse_card("7C"), None)
    assert view.dealer.value == "shows 7"
    cards = [leaf for leaf in numbers_of(view.dealer) + numbers_of(view.seats) if isinstance(leaf, int)]
    assert parse_card("KS") not in cards
    assert "K" not in json.dumps([str(leaf) for leaf in numbers_of(view) if isinstance(leaf, str)])
    table.act("stand")
    assert parse_card("KS") in table.view.dealer.cards


@given(st.integers(0, 2**32), st.sampled_from(RULES))
@settings(max_examples=60)
def test_two_tables_that_differ_in_hidden_cards_alone_look_the_same(seed: int, rules: BlackjackRules) -> None:
    table = BlackjackTable.opened(rules, seed=seed, coach=True)
    table.bet(10)
    if table.view.is_betting:
        return
    state = table.to_state()
    order = state["session"]["shoe"]["order"].split()
    hole = 1 if rules.hole_card == "peek" else 0
    shown = 4 if rules.hole_card == "open" else 3
    hidden = order[shown:]
    if hole:
        # Another hole card of the same rank: with it, the play so far is the same.
        place = next((at for at in range(1, len(hidden)) if hidden[at][0] == hidden[0][0]), 0)
        hidden[0], hidden[place] = hidden[place], hidden[0]
        deal = state["session"]["round"]["actions"][0]
        deal["cards"] = " ".join([*deal["cards"].split()[:-1], hidden[0]])
    state["session"]["shoe"]["order"] = " ".join([*order[:shown], *hidden[:hole], *reversed(hidden[hole:])])
    assert BlackjackTable.from_state(state).view == table.view


def test_a_pair_is_split_and_doubled_for_its_bets() -> None:
    table = stacked("8H 6C 8D KS 3S TH 9D")
    table.bet(10)
    assert names(table) == ["hit", "stand", "double", "split"]
    table.act("split")
    (first, second) = table.view.seats[0].hands
    assert (first.name, first.value, first.is_active) == ("Your hand, part 1", "11", True)
    assert (second.cards, second.is_active) == ((parse_card("8D"),), False)
    assert (table.view.bankroll, table.view.on_table) == (980, 20)
    table.act("double")
    assert table.view.on_table == 30
    assert [hand.is_active for hand in table.view.seats[0].hands] == [False, True]


def test_the_coach_shows_the_solvers_figures_from_the_cards_seen() -> None:
    table = stacked("TH TC 6D 7S")
    table.bet(10)
    exact = hand_values(BlackjackRules(decks=4), parse_ranks("T,6"), parse_ranks("T")[0]).actions
    shown = {choice.name: choice.worth for choice in table.view.choices}
    assert shown == {name: f"{exact[name]:+.4f}".replace("-", "−") for name in shown}
    (best,) = [choice.name for choice in table.view.choices if choice.is_best]
    assert best == max(exact, key=lambda name: exact[name]) == "hit"
    table.act("stand")
    feedback = table.view.feedback
    assert feedback is not None
    assert feedback.cost == pytest.approx(exact["hit"] - exact["stand"])
    assert table.view.statistics.cost == pytest.approx(10 * feedback.cost)
    assert table.view.statistics.accuracy == 0


def test_insurance_is_priced_by_the_cards_seen() -> None:
    table = stacked("2H AC 3D 7S")
    table.bet(10)
    worths = {choice.name: choice.worth for choice in table.view.choices}
    value = (3 * 64 / 205 - 1) / 2  # 64 tens among the 205 cards not seen
    assert worths == {"insure": f"{value:+.4f}".replace("-", "−"), "decline": "0"}
    table.act("insure")
    feedback = table.view.feedback
    assert feedback is not None
    assert feedback.cost == pytest.approx(-value)


def test_an_early_surrender_is_priced_before_the_dealer_looks() -> None:
    """Values of hands are those without a natural; whoever may give up before the peek must count it in."""
    table = stacked("TH AC 6D 7S", BlackjackRules(decks=4, surrender="early", insurance=False))
    table.bet(10)
    worths = {choice.name: choice.worth for choice in table.view.choices}
    assert worths["surrender"] == "−0.5000"
    exact = hand_values(BlackjackRules(decks=4), parse_ranks("T,6"), parse_ranks("A")[0]).actions
    natural = 63 / 205
    keep = (1 - natural) * max(exact.values()) - natural
    assert worths["keep"] == f"{keep:+.4f}".replace("-", "−")


def test_the_coach_may_be_silent_and_still_counts() -> None:
    table = stacked("TH TC 6D 7S")
    table.set_coach(False)
    table.bet(10)
    assert all(not choice.worth and not choice.is_best for choice in table.view.choices)
    table.act("stand")
    assert table.view.feedback is None
    assert table.view.statistics.decisions == 1
    assert table.view.statistics.cost > 0


def test_rules_without_exact_values_have_no_coach() -> None:
    rules = BlackjackRules(decks=1, hole_card="no-peek-original-bet", twenty_one_pays_at_once=True)
    table = BlackjackTable.opened(rules, seed=3, coach=True)
    assert not table.view.coach
    with pytest.raises(InputError, match="no-peek-original-bet"):
        table.set_coach(True)


def test_the_count_sees_open_cards_only() -> None:
    table = stacked("2H TC 3D KS")
    table.set_count("hi-lo")
    table.bet(10)
    count = table.view.count
    assert count is not None
    assert count.running == 1  # 2 and 3 count one each, the ten up minus one, the king in the hole nothing
    assert count.true == pytest.approx(1 / (205 / 52))
    table.act("stand")
    count = table.view.count
    assert count is not None
    assert count.running == 0


def test_infinite_packs_leave_nothing_to_count() -> None:
    table = BlackjackTable.opened(BlackjackRules(decks="infinite"), seed=1)
    with pytest.raises(InputError, match="nothing to count"):
        table.set_count("hi-lo")
    with pytest.raises(InputError, match="no counting system 'abc'"):
        table.set_count("abc")
    assert table.view.count is None


@pytest.mark.parametrize(
    ("bets", "side_bets", "complaint"),
    [
        ([0.5], SideBets(), "a bet of 0.5; this table takes 1 to 1000"),
        ([2000], SideBets(), "a bet of 2000"),
        ([600, 600], SideBets(), "bets of 1,200 in all; your bankroll is 1,000"),
        ([1.005], SideBets(), "bets go to the hundredth"),
        ([float("nan")], SideBets(), "a bet of nan"),
        ([], SideBets(), "0 bets"),
        ([1] * 8, SideBets(), "8 bets"),
        ([5], SideBets(-1, 0), "a side bet of −1"),
        ([5], SideBets(0, 996), "bets of 1,001 in all"),
    ],
)
def test_a_bad_bet_is_refused_and_changes_nothing(
    bets: list[float], side_bets: SideBets, complaint: str
) -> None:
    table = BlackjackTable.opened(BlackjackRules(), seed=1)
    before = table.to_state()
    with pytest.raises(InputError, match=complaint):
        table.bet(*bets, side_bets=side_bets)
    assert table.to_state() == before


def test_a_choice_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    table = stacked("TH TC 6D 7S")
    table.bet(10)
    before = table.to_state()
    for name, complaint in (("split", "cannot split now; you can hit"), ("win", "cannot win now")):
        with pytest.raises(InputError, match=complaint):
            table.act(name)
    with pytest.raises(InputError, match="the round before is not over"):
        table.bet(10)
    with pytest.raises(InputError, match="buy in again when"):
        table.rebuy()
    assert table.to_state() == before


def test_what_the_bankroll_does_not_cover_is_shown_and_refused() -> None:
    table = stacked("8H 6C 8D KS", bankroll=15)
    table.bet(10)
    offered = {choice.name: choice.enabled for choice in table.view.choices}
    assert offered == {"hit": True, "stand": True, "double": False, "split": False}
    assert table.view.note == "Your bankroll does not cover another bet."
    with pytest.raises(InputError, match="5 is left"):
        table.act("double")


def test_insurance_that_the_bankroll_does_not_cover_is_no_mistake_to_decline() -> None:
    table = stacked("2H AC 3D 7S", bankroll=12)
    table.bet(10)
    assert [(choice.name, choice.enabled) for choice in table.view.choices] == [
        ("insure", False),
        ("decline", True),
    ]
    table.act("decline")
    assert table.view.statistics.cost == 0


def test_who_is_broke_buys_in_again() -> None:
    table = stacked("TH 9C 6D KS TD", bankroll=10)
    table.bet(10)
    table.act("hit")
    view = table.view
    assert (view.bankroll, view.is_broke, [choice.name for choice in view.choices]) == (0, True, ["rebuy"])
    table.rebuy()
    assert (table.view.bankroll, table.view.is_broke, table.view.statistics.won) == (10, False, -10)


def test_several_hands_take_their_turns() -> None:
    table = stacked("TH 9D 2C 6S 8D 5H KS")
    table.bet(10, 20, side_bets=SideBets(0, 1))
    view = table.view
    assert view.prompt.startswith("Hand 1: ")
    assert [len(seat.side_notes) for seat in view.seats] == [1, 1]
    table.act("stand")
    assert table.view.prompt.startswith("Hand 2: ")
    table.act("stand")
    assert table.view.is_betting
    assert table.view.history[-1].bet == 32


def test_the_cut_card_ends_a_shoe() -> None:
    table = BlackjackTable.opened(BlackjackRules(decks=1, penetration=0.1), seed=5)
    table.bet(1)
    while not table.view.is_betting:
        table.act("stand" if "stand" in names(table) else "decline")
    assert table.view.note.startswith("The cut card has come up")
    assert table.view.shoe.number == 1
    table.bet(1)
    assert table.view.shoe.number == 2


def test_the_key_of_a_choice_is_its_own() -> None:
    table = stacked("8H 6C 8D KS", BlackjackRules(decks=4, surrender="late"))
    table.bet(10)
    keys = [choice.key for choice in table.view.choices]
    assert keys == ["h", "s", "d", "p", "r"]


def test_a_saved_table_that_cannot_be_is_refused() -> None:
    table = stacked("TH TC 6D 7S")
    table.bet(10)
    good = json.dumps(table.to_state())
    changes: list[tuple[Callable[[dict[str, Any]], object], str]] = [
        (lambda state: state.pop("bankroll"), "bankroll: Field required"),
        (lambda state: state["session"]["shoe"].update(dealt=9999), "9999 cards dealt"),
        (lambda state: state["session"]["shoe"].update(order="AS AS"), "cards dealt"),
        (lambda state: state["session"]["shoe"].update(dealt=5), "did not come from the shoe"),
        (lambda state: state["session"]["round"]["actions"].pop(0), "action 1"),
        (lambda state: state["session"]["rules"].update(decks=99), "option 'decks'"),
        (lambda state: state["session"].update(shoes=1, past={"luck": 1}), "statistics of a shoe"),
        (lambda state: state.update(system="abc"), "no counting system"),
    ]
    for change, complaint in changes:
        state = json.loads(good)
        change(state)
        with pytest.raises(InputError, match=complaint):
            BlackjackTable.from_state(state)


def test_every_action_is_another_moment() -> None:
    table = stacked("8H 6C 8D KS 3S TH TD 9C")
    moments = [table.moment]
    table.bet(10)
    moments.append(table.moment)
    for name in ("split", "double", "stand"):
        table.act(name)
        moments.append(table.moment)
    table.set_coach(False)
    assert len(set(moments)) == 5
    assert table.moment == moments[-1]


def test_a_table_that_version_0_1_saved_is_taken_over_in_the_middle_of_its_round() -> None:
    table = BlackjackTable.from_state(json.loads((STATES / "0.1-table.json").read_text(encoding="utf-8")))
    view = table.view
    assert (view.prompt, view.bankroll, view.on_table) == ("Your hand: 9 against 4.", 198.5, 10)
    assert table.actions == ("hit", "stand", "double", "surrender")
    assert (view.statistics.rounds, view.statistics.won, len(view.history)) == (8, 8.5, 8)
    assert view.coach
    assert view.count is not None
    table.act("surrender")
    assert table.view.bankroll == 203.5
    assert BlackjackTable.from_state(table.to_state()).view == table.view


def test_a_trainer_that_version_0_1_saved_is_taken_over() -> None:
    trainer = BlackjackTrainer.from_state(
        json.loads((STATES / "0.1-trainer.json").read_text(encoding="utf-8"))
    )
    assert trainer.view().prompt == "19 against an ace: what do you do?"
    assert trainer.view().score.answered == 1
    trainer.answer("stand")
    assert trainer.view().score.right == 1


def test_every_action_that_is_named_can_be_done() -> None:
    """Whoever follows the names alone plays for ever: dealing, playing and buying in again."""
    table = open_table(BlackjackRules(decks=2, surrender="late"), seed=5, bankroll=25)
    rebuys = 0
    for step in range(400):
        name = table.actions[step % len(table.actions)]
        rebuys += name == "rebuy"
        table.act(name)
    assert table.view.statistics.rounds > 50
    assert rebuys > 0


def test_bets_that_the_bankroll_does_not_cover_any_more_are_not_offered_again() -> None:
    table = stacked("TH 9C 6D KS TD", bankroll=15)
    table.bet(10)
    table.act("hit")
    assert (table.view.bankroll, table.view.bets) == (5, (5,))
    table.act("deal")
    assert table.view.on_table == 5


def test_a_closed_table_can_be_seen_and_nothing_more() -> None:
    with open_table(BlackjackRules(decks=4), seed=3) as table:
        table.bet(10)
    seen = table.view
    with pytest.raises(InputError, match="this table is closed"):
        table.act("stand")
    with pytest.raises(InputError, match="this table is closed"):
        table.bet(10)
    with pytest.raises(InputError, match="this table is closed"):
        table.rebuy()
    assert table.view == seen


def test_events_tell_what_has_happened_since_the_last_choice() -> None:
    table = stacked("8H 6C 8D KS 3S TH 9D 5C")
    table.bet(10)
    events = [table.view.events]  # a dealer with a six up need not look for a blackjack
    for name in ("split", "stand", "stand"):
        table.act(name)
        events.append(table.view.events)
    assert events == [
        (),
        ("You split.", "You get a second card: 3♠."),
        ("You stand.", "You get a second card: T♥."),
        ("You stand.", "The dealer draws: 9♦."),
    ]


def test_a_table_without_prices_needs_no_solver() -> None:
    table = BlackjackTable.opened(BlackjackRules(decks=4), seed=3, coach=True, is_priced=False)
    table.bet(10)
    assert (table.advice, table.view.coach) == (None, False)
    table.act("stand")
    assert table.view.statistics.decisions == 0


def test_a_closed_doubled_card_is_shown_when_the_round_is_over() -> None:
    rules = BlackjackRules(decks=4, doubled_card="closed", split_hands=2)
    table = stacked("8C 9C 8D KD 3C 2C 3D 5C", rules)
    table.bet(10)
    for action in ("split", "double"):
        table.act(action)
    first = table.view.seats[0].hands[0]
    assert (first.cards[-1], first.value, first.won, first.outcome) == (
        None,
        "11 and a closed card",
        None,
        "",
    )
    assert table.view.events[0] == "You double and get a closed card."
    assert not any("2♣" in str(leaf) for leaf in numbers_of(table.view))
    table.act("double")
    hands = table.view.seats[0].hands
    assert [hand.won for hand in hands] == [-20, -20]
    assert None not in hands[0].cards


def test_free_bets_need_no_money_and_lose_none() -> None:
    table = stacked("8C 9C 8D KD 3C 2C KC", BLACKJACK.preset("free-bet").rules, bankroll=10)
    table.bet(10)
    table.act("split")
    assert table.view.on_table == 10
    assert "double" in table.actions
    table.act("double")
    assert table.advice is not None
    assert table.advice.best == "stand"
    table.act("stand")
    assert table.view.bankroll == 0


def test_the_coach_prices_what_a_doubled_hand_may_do() -> None:
    table = stacked("6C 9C 5D KD 2C", BLACKJACK.preset("spanish-21").rules)
    table.bet(10)
    table.act("double")
    assert table.actions == ("stand", "surrender")
    assert table.advice is not None
    assert table.advice.best == "surrender"
    assert table.advice.worths["surrender"] == -1.0
    table.act("surrender")
    assert table.view.bankroll == 990
