"""The Banluck table without a browser: actions, refusals, what is hidden, and a table that is left and found again."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import banluck
from croupier.banluck.engine import BANLUCK, ActionKind, BanluckRules, GameState
from croupier.banluck.engine.multisets import multiset_of, parse_multiset
from croupier.banluck.play.session import HUMAN_SEAT, Seating, Session
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.play.view import BanluckView
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.cards import format_card, parse_cards
from croupier.errors import InputError

RULES = (
    BanluckRules(),
    BANLUCK.preset("singapore").rules,
    BanluckRules(surrender="after_specials", reveal="mandatory"),
)

seatings = st.builds(
    Seating,
    rules=st.sampled_from(RULES),
    role=st.sampled_from(Role),
    players=st.sampled_from((1, 1, 2, 4, 7)),
    opponent=st.sampled_from(OpponentName),
    bankroll=st.sampled_from((100.0, 1e6)),
)


def opened(seed: int = 6, *, coach: bool = False, **seating: object) -> BanluckTable:
    return BanluckTable.opened(Seating(**seating), seed=seed, coach=coach)  # type: ignore[arg-type]


def hand_of(table: BanluckTable) -> GameState:
    hand = Session.from_state(table.to_state()).hand
    assert hand is not None
    return hand.state


def tables_at_a_choice(count: int, **seating: object) -> Iterator[BanluckTable]:
    """Deal hands of different seeds until enough of them leave the person a choice."""
    seed = 0
    while count:
        seed += 1
        table = opened(seed, coach=seating.get("players", 1) == 1, **seating)
        table.act("deal")
        if table.view.is_playing:
            count -= 1
            yield table


@settings(max_examples=40)
@given(
    seatings, st.integers(0, 2**64 - 1), st.lists(st.integers(0, 20), min_size=5, max_size=25), st.booleans()
)
def test_a_table_left_at_any_moment_is_found_again_and_goes_on_alike(
    seating: Seating, seed: int, picks: list[int], coach: bool
) -> None:
    table = BanluckTable.opened(seating, seed=seed, coach=coach and seating.players == 1)
    for pick in picks:
        found = BanluckTable.from_state(json.loads(json.dumps(table.to_state())))
        assert found.view == table.view
        assert found.to_state() == table.to_state()
        choices = table.view.choices
        name = choices[pick % len(choices)].name
        table.act(name)
        found.act(name)
        assert found.to_state() == table.to_state()


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_in(part)


def cards_in(view: BanluckView) -> set[int]:
    places = (*([view.dealer] if view.dealer else []), *view.seats)
    return {card for place in places for card in place.cards if card is not None}


def seen_by(state: GameState, role: Role) -> set[int]:
    """What a person at a real table has seen at a choice: own cards, opened hands, Ban hands shown."""
    shown = {
        card
        for seat in state.seats
        if seat.settlement is not None
        or (
            state.specials_shown and multiset_of(seat.cards) in (parse_multiset("A-A"), parse_multiset("A-T"))
        )
        for card in seat.cards
    }
    mine = state.seats[HUMAN_SEAT].cards if role is Role.PLAYER else state.dealer_cards
    return shown | set(mine)


@settings(max_examples=60)
@given(seatings, st.integers(2**40, 2**64 - 1), st.lists(st.integers(0, 20), min_size=4, max_size=4))
def test_a_card_that_is_closed_is_nowhere_in_the_view(seating: Seating, seed: int, picks: list[int]) -> None:
    table = BanluckTable.opened(seating, seed=seed, coach=seating.players == 1)
    table.act("deal")
    for pick in picks:
        view = table.view
        if not view.is_playing:
            return
        state = hand_of(table)
        assert cards_in(view) == seen_by(state, seating.role)
        said = " ".join(texts_in(asdict(view)))
        for card in set(range(52)) - cards_in(view):
            assert format_card(card) not in said.split()
            assert format_card(card, symbols=True) not in said
        assert str(seed) not in said
        table.act(view.choices[pick % len(view.choices)].name)


def test_it_is_not_said_that_somebody_else_had_to_draw() -> None:
    """A forced hit would tell the banker that the hand was below the minimum."""
    rules = BANLUCK.preset("singapore").rules
    forced = 0
    for table in tables_at_a_choice(12, role=Role.DEALER, players=3, rules=rules):
        hits = [sentence for sentence in table.view.told if "hits" in sentence]
        forced += len(hits)
        assert not any("must" in sentence for sentence in hits)
    assert forced


@pytest.mark.parametrize("role", Role)
def test_the_coach_says_what_the_strategy_book_says(role: Role) -> None:
    book = SOLUTIONS.solve_for_table(BanluckRules()).book
    for table in tables_at_a_choice(12, role=role):
        state = hand_of(table)
        if role is Role.PLAYER:
            advice = book.player_advice(multiset_of(state.seats[0].cards))
        elif len(table.view.choices) == 2 and table.view.choices[0].name == "surrender":
            advice = book.surrender_advice(multiset_of(state.dealer_cards))
        else:
            advice = book.dealer_advice(multiset_of(state.dealer_cards), len(state.seats[0].cards))
        for choice in table.view.choices:
            word = "reveal" if choice.name.startswith("open") else choice.name
            assert choice.worth == (
                f"{advice.expected(word):+.3f}".replace("-", "−") if advice.expected(word) else "0"
            )
            assert choice.is_best == (word == advice.best)
        worse = next(choice for choice in table.view.choices if not choice.is_best)
        table.act(worse.name)
        totals = Session.from_state(table.to_state()).totals
        assert totals.cost == pytest.approx(advice.cost_of_mistake, abs=1e-12)
        assert (totals.decisions, totals.right) == (1, advice.cost_of_mistake < 1e-6)
        remark = table.view.remark
        assert remark is not None
        assert (f"it cost {advice.cost_of_mistake:.3f} units" in remark.text) == (remark.tone == "mistake")


def test_the_coach_is_silent_until_it_is_asked_and_the_totals_count_all_the_same() -> None:
    table = opened()
    table.act("deal")
    assert {choice.worth for choice in table.view.choices} == {""}
    table.act("stand")
    assert table.view.remark is None
    assert table.view.totals.decisions == 1
    table.set_coach(True)
    assert table.view.remark is not None


def test_the_coach_can_be_called_in_the_middle_of_a_hand() -> None:
    table = opened()
    table.act("deal")
    table.set_coach(True)
    assert all(choice.worth for choice in table.view.choices)
    assert [choice.is_best for choice in table.view.choices].count(True) == 1


def test_a_banker_of_several_players_is_told_the_price_of_every_choice() -> None:
    for table in tables_at_a_choice(40, role=Role.DEALER, players=3):
        opens = [choice for choice in table.view.choices if choice.name.startswith("open-")]
        if len(opens) < 2:
            continue
        table.set_coach(True)
        choices = table.view.choices
        assert all(choice.worth not in ("", "unknown") for choice in choices)
        assert [choice.is_best for choice in choices].count(True) == 1
        assert "measured on deals" in table.view.coach_note
        worst = min(choices, key=lambda choice: float(choice.worth.replace("−", "-")))
        table.act(worst.name)
        remark = table.view.remark
        assert remark is not None
        assert remark.tone in ("mistake", "right")
        assert table.view.totals.decisions == 1
        return
    pytest.fail("no hand in which the banker could open two players")


@pytest.mark.parametrize("bet", [0.0, -1.0, 0.001, 100.01, math.inf, -math.inf, math.nan])
def test_a_bet_that_cannot_be_is_refused_and_nothing_changes(bet: float) -> None:
    table = opened()
    before = table.to_state()
    with pytest.raises(InputError, match=r"bet a number from 0\.01 to 100"):
        table.bet(bet)
    assert table.to_state() == before


@pytest.mark.parametrize("name", ["", "hit", "stand", "open-1", "rebuy", "DEAL", "deal "])
def test_a_choice_that_is_not_offered_before_the_deal_is_refused(name: str) -> None:
    table = opened()
    before = table.to_state()
    with pytest.raises(InputError, match="not possible now; possible: deal"):
        table.act(name)
    assert table.to_state() == before


@pytest.mark.parametrize("name", ["", "deal", "draw", "open-1", "rebuy", "surrender", "Hit"])
def test_a_choice_that_is_not_offered_in_a_hand_is_refused(name: str) -> None:
    table = opened()
    table.act("deal")
    before = table.to_state()
    with pytest.raises(InputError, match="not possible now; possible: hit, stand"):
        table.act(name)
    with pytest.raises(InputError, match="a hand is under way"):
        table.bet(1)
    assert table.to_state() == before


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("opponent", OpponentName)
def test_bankroll_history_and_totals_add_up(role: Role, opponent: OpponentName) -> None:
    table = opened(role=role, players=2, opponent=opponent, bankroll=1000.0)
    for number in range(1, 21):
        table.bet(1 + number % 3)
        while table.view.is_playing:
            table.act(table.view.choices[number % 2].name)
    view = table.view
    assert [record.number for record in view.history] == list(range(1, 21))
    assert view.totals.hands == 20
    assert view.totals.won == sum(record.won for record in view.history) == view.bankroll - 1000
    assert view.totals.ahead == sum(record.won > 0 for record in view.history)
    assert view.totals.behind == sum(record.won < 0 for record in view.history)
    assert view.totals.cost == pytest.approx(sum(record.cost for record in view.history))


def test_a_bankroll_that_is_gone_can_be_filled_again() -> None:
    table = opened(seed=6, bankroll=5.0)
    table.bet(5)
    table.act("stand")
    assert table.view.bankroll == 0
    assert table.view.prompt == "Your bankroll is gone."
    with pytest.raises(InputError, match="possible: rebuy"):
        table.act("deal")
    table.act("rebuy")
    assert table.view.bankroll == 5
    assert [choice.name for choice in table.view.choices] == ["deal"]


def test_a_banker_opens_players_by_their_numbers() -> None:
    rules = BanluckRules()
    for table in tables_at_a_choice(40, role=Role.DEALER, players=4, rules=rules):
        opens = [choice for choice in table.view.choices if choice.name.startswith("open-")]
        if not opens:
            continue
        seat = int(opens[0].key)
        assert opens[0].label == f"Open player {seat}"
        assert table.view.seats[seat - 1].cards[0] is None
        table.act(opens[0].name)
        assert table.view.seats[seat - 1].cards[0] is not None
        assert table.view.seats[seat - 1].result
        return
    pytest.fail("no hand in which the banker could open a player")


def test_keys_are_unique_among_the_choices() -> None:
    for role in Role:
        for table in tables_at_a_choice(25, role=role, players=7):
            keys = [choice.key for choice in table.view.choices]
            assert len(set(keys)) == len(keys)


def test_a_hand_tells_what_happened_in_order() -> None:
    table = opened()
    table.act("deal")
    table.act("hit")
    state = hand_of(table)
    told = table.view.told
    assert told[:2] == ("The cards are dealt.", "You hit.")
    assert len(told) == len(state.history)


SAVED = opened().to_state()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 2}, "version"),
        ({"seed": -1}, "seed"),
        ({"players": 8}, "8 players"),
        ({"role": "guest"}, "role"),
        ({"usual_bet": 0}, "usual_bet"),
        ({"bankroll": math.nan}, "bankroll"),
        ({"rules": {"reveal": "never"}}, "reveal"),
        ({"hand": {"game": "poker"}}, "not a Banluck hand"),
        ({"extra": 1}, "extra"),
        ({"totals": None}, "totals"),
    ],
)
def test_a_saved_table_that_cannot_be_is_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as refusal:
        BanluckTable.from_state({**SAVED, **change})
    assert "\n" not in str(refusal.value)


def test_a_saved_hand_with_other_cards_than_the_seed_deals_is_refused() -> None:
    table = opened()
    table.act("deal")
    state = table.to_state()
    with pytest.raises(InputError, match="not one of this table"):
        BanluckTable.from_state({**state, "seed": state["seed"] + 1})
    waiting = json.loads(json.dumps(state))
    waiting["hand"]["actions"].append({"action": ActionKind.STAND, "seat": 0})
    with pytest.raises(InputError, match="waits for somebody else"):
        BanluckTable.from_state(waiting)


def test_a_table_is_named_after_its_rules_and_opponents() -> None:
    assert opened().view.table == "Rules reference, against a dealer who makes no mistakes"
    banker = opened(
        role=Role.DEALER, players=3, opponent=OpponentName.SIMPLE, rules=BanluckRules(pays_777=21)
    )
    assert (
        banker.view.table == "Rules reference with pays_777 = 21, against 3 players who stand on the minimum"
    )


def test_the_cards_that_are_dealt_are_those_of_the_seed() -> None:
    """Seeds are for good: a table that somebody wrote down deals the same hand with any later version."""
    table = opened(seed=6)
    table.act("deal")
    assert table.view.seats[0].cards == parse_cards("8D 6S")


SAVED_TABLES = Path(__file__).parents[2] / "data" / "banluck" / "saved-tables"


@pytest.mark.parametrize(
    ("name", "bankroll", "actions"),
    [("0.1-player", 95.0, ("hit", "stand")), ("0.1-banker", 250.0, ("open-2", "open-3", "draw", "stand"))],
)
def test_a_table_that_version_0_1_saved_is_found_again_in_the_middle_of_its_hand(
    name: str, bankroll: float, actions: tuple[str, ...]
) -> None:
    saved = json.loads((SAVED_TABLES / f"{name}.json").read_text(encoding="utf-8"))
    table = BanluckTable.from_state(saved)
    assert (table.view.bankroll, table.actions) == (bankroll, actions)
    again = table.to_state()
    for rules in (again["rules"], again["hand"]["rules"]):  # options that 0.1 did not have
        assert (rules.pop("reveal_from"), rules.pop("special_777")) == (3, True)
    if (
        name == "0.1-banker"
    ):  # the last player is bust but closed, so the table sees a stand, which 0.1 left out
        assert again["hand"]["actions"].pop() == {"action": "stand", "seat": 2}
    assert {key: again[key] for key in saved} == saved
    while table.view.is_playing:
        table.act(table.actions[-1])
    assert table.view.outcome


def test_a_table_is_opened_by_plain_names_and_left_by_the_end_of_a_with_block() -> None:
    with banluck.table(
        seed=7, role="dealer", players=2, opponent="simple", cards="AS 2C 9H AH TD 6H"
    ) as opened_table:
        opened_table.bet(4)
        assert opened_table.actions == ("surrender", "keep")
        opened_table.act("surrender")
        assert "gets the bet back (void)" in str(opened_table.view)
        assert opened_table.view._repr_html_().startswith("<table>")
    assert opened_table.view.bankroll == 100


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"role": "guest"}, "no role 'guest'; choose player, dealer"),
        ({"opponent": "god"}, "no opponent 'god'; choose simple, equilibrium"),
        ({"players": 8}, "8 players; a table seats 1 to 7"),
        ({"bankroll": 0}, "a bankroll is a number from 1"),
        ({"cards": "AS AS"}, "AS"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_line(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as refusal:
        banluck.table(**options)
    assert "\n" not in str(refusal.value)


def test_a_table_without_judgement_solves_nothing_until_the_coach_is_called() -> None:
    rules = BanluckRules(pays_777=19)
    seating = Seating(rules, opponent=OpponentName.SIMPLE)
    silent = BanluckTable.opened(seating, seed=6, judged=False)
    silent.act("deal")
    silent.act("stand")
    assert silent.view.totals.decisions == 0
    assert SOLUTIONS.find_for_table(rules) is None
    silent.set_coach(True)
    silent.act("deal")
    silent.act("stand")
    assert silent.view.totals.decisions == 1


def test_the_first_hand_can_be_dealt_from_given_cards_and_is_found_again() -> None:
    chosen = banluck.table(seed=3, cards="10H 9C 8S KD")
    chosen.act("deal")
    assert chosen.view.seats[0].cards == parse_cards("10H 8S")
    found = BanluckTable.from_state(json.loads(json.dumps(chosen.to_state())))
    assert found.view == chosen.view
