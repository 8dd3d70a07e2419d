"""Prices by sampling: against the exact book of one player, against the engine, and where the answer is plain."""

import math

import numpy as np
import pytest

from croupier.banluck.analysis.action_prices import sampled_prices
from croupier.banluck.analysis.sampled_deals import played_hands
from croupier.banluck.analysis.table_plans import HeadsUpPlan
from croupier.banluck.engine import (
    BANLUCK,
    DEALER,
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    act,
    deal,
    legal_actions,
    new_hand,
    observe,
)
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.strategies import HeadsUpStrategies
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import PlayerStrategy
from croupier.cards import Shoe, parse_cards
from croupier.numerics.streams import RandomStream

PLAYERS = 3


def decisions(rules: BanluckRules, strategies: HeadsUpStrategies, count: int) -> list[GameState]:
    """Play hands by a solution and gather states in which somebody has a choice."""
    found: list[GameState] = []
    for seed in range(100):
        hand, stream = DealtHand.opened(rules, Shoe.shuffled(seed)), RandomStream(seed)
        while not hand.state.is_over:
            if len(legal_actions(hand.state)) > 1:
                found.append(hand.state)
            solution = strategies.solution
            hand = hand.act(choose_action(hand.state, solution.player, solution.dealer, stream))
        if len(found) >= count:
            break
    return found


@pytest.mark.parametrize("preset", ["reference", "xi-dach"])
def test_for_one_player_sampling_finds_what_the_book_says(preset: str) -> None:
    rules = BANLUCK.preset(preset).rules
    strategies = HeadsUpStrategies(SOLUTIONS.solve_for_table(rules))
    plan = HeadsUpPlan.of(rules, strategies.solution.player, strategies.solution.dealer)
    viewers = set()
    for state in decisions(rules, strategies, 14):
        viewer = DEALER if state.turn is None else state.turn
        exact = strategies.prices(state).worth
        sampled = sampled_prices(observe(state, viewer), plan, group_deals=1500)
        (one, other) = exact
        wrong = (sampled.worth[one] - sampled.worth[other]) - (exact[one] - exact[other])
        assert abs(wrong) < max(5 * sampled.error, 1e-6), (one, other)
        assert sampled.worth[one] == pytest.approx(exact[one], abs=0.06)
        viewers.add(viewer)
    assert viewers == {0, DEALER}


@pytest.mark.parametrize("options", [{}, {"both_bust": "push", "reveal_from": 2}, {"reveal": "none"}])
def test_many_deals_at_once_are_played_as_the_engine_plays_them(options: dict[str, object]) -> None:
    rules = BanluckRules.create({**options, "surrender": "none"})
    player, dealer = stand_on(17, rules), classic_dealer(rules)
    played = []
    for seed in range(700):
        hand, stream = DealtHand.opened(rules, Shoe.shuffled(seed), PLAYERS), RandomStream(seed)
        while not hand.state.is_over:
            hand = hand.act(choose_action(hand.state, player, dealer, stream))
        played.append(hand.state.results)
    plan = HeadsUpPlan.of(rules, player, dealer)
    sample = played_hands(plan, PLAYERS, 20_000, seed=1)
    assert not sample.closed.any()
    assert (sample.left >= 0).all()
    by_engine = np.array(played, dtype=np.float64)
    error = np.sqrt(by_engine.var(axis=0) / len(by_engine) + sample.units.var(axis=0) / sample.count)
    assert (np.abs(by_engine.mean(axis=0) - sample.units.mean(axis=0)) < 4 * error).all()


def stood(rules: BanluckRules, dealer: str, *hands: str) -> GameState:
    state = deal(new_hand(rules, len(hands)), [parse_cards(hand) for hand in hands], parse_cards(dealer))
    for seat in range(len(hands)):
        state = act(state, Action(ActionKind.STAND, seat))
    return state


def test_players_who_stand_on_20_hold_20() -> None:
    rules = BanluckRules()
    plan = HeadsUpPlan.of(rules, stand_on(20, rules), classic_dealer(rules))
    state = stood(rules, "TC 7D", "KH QH", "JS QS")
    prices = sampled_prices(observe(state, DEALER), plan, group_deals=300)
    assert prices.worth[Action(ActionKind.DEALER_STAND)] == -2
    assert prices.worth[Action(ActionKind.DRAW)] > -2


def test_what_is_seen_decides_the_prices_and_nothing_else() -> None:
    rules = BanluckRules()
    plan = HeadsUpPlan.of(rules, stand_on(17, rules), classic_dealer(rules))
    one, other = (stood(rules, "TC 7D", *hands) for hands in (("KH QH", "JS QS"), ("9H 8H", "7S TS")))
    assert sampled_prices(observe(one, DEALER), plan, group_deals=200) == sampled_prices(
        observe(other, DEALER), plan, group_deals=200
    )


def test_a_hand_that_the_strategies_never_lead_to_has_no_price() -> None:
    rules = BanluckRules()
    never_stands = PlayerStrategy((np.array([len(hand) for hand in MULTISETS]) < 5).astype(np.float64))
    plan = HeadsUpPlan.of(rules, never_stands, classic_dealer(rules))
    prices = sampled_prices(observe(stood(rules, "TC 7D", "KH QH", "JS QS"), DEALER), plan, group_deals=100)
    assert all(math.isnan(units) for units in prices.worth.values())
    assert len(prices.worth) == 2
