"""Tables of several players play by their own solution: it uses nothing hidden, answers everything, and never keeps a table waiting."""

import threading
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from croupier.banluck.analysis import table_kernel as kernel
from croupier.banluck.analysis.action_prices import sampled_prices
from croupier.banluck.analysis.counts_plan import CountsPlan
from croupier.banluck.analysis.sampled_deals import played_hands
from croupier.banluck.analysis.saved_tables import load_table, save_table
from croupier.banluck.analysis.table_plans import TwoPlayerPlan
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.analysis.table_solution import Sampling, TableSolution
from croupier.banluck.engine import DEALER, BanluckRules, DealtHand, GameState, legal_actions, observe
from croupier.banluck.play import strategies as play_strategies
from croupier.banluck.play import table as play_table
from croupier.banluck.play.session import Seating
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.strategies import SolvedTable
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.play.table_solutions import Standing, TableSolutions
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.cards import Shoe
from tests.banluck.analysis.test_table_simulation import pure
from tests.banluck.rule_sets import random_rules
from tests.banluck.solvers.table.counts_tables import random_counts
from tests.banluck.solvers.table.random_strategies import pack_of, random_strategy

#: A pack so small that its sums take no time; the strategies that are made from it speak of all hands.
TINY = pack_of({5: 4, 8: 4, 9: 2})
RULES = BanluckRules()


@cache
def made_up(rules: BanluckRules = RULES) -> TableSolution:
    """Return a solution of random strategies: mixed everywhere, with most busts left out."""
    strategy = random_strategy(TwoPlayerGame(rules, TINY), seed=5)
    return TableSolution(rules, (0.1, -0.3), 0.2, (0.0, 1e-9), 0.0, None, "made up", "full", 1.0, strategy)


@cache
def strategies(rules: BanluckRules = RULES) -> SolvedTable:
    return SolvedTable.of(made_up(rules), SOLUTIONS.solve_for_table(rules))


def random_decisions(rules: BanluckRules, hands: int) -> list[GameState]:
    """Return decisions of hands in which everybody does anything that is legal."""
    source, found = np.random.default_rng(1), []
    for seed in range(hands):
        hand = DealtHand.opened(rules, Shoe.shuffled(seed), 2)
        while not hand.state.is_over:
            legal = legal_actions(hand.state)
            if len(legal) > 1:
                found.append(hand.state)
            hand = hand.act(legal[source.integers(len(legal))])
    return found


def with_other_hidden_cards(state: GameState, viewer: int, source: np.random.Generator) -> GameState | None:
    """Exchange all cards that the viewer does not see; None where that changes what is seen."""
    seen = observe(state, viewer)
    known = {card for hand in (seen.dealer, *seen.seats) for card in hand.open_cards}
    deck = [int(card) for card in source.permutation(52) if card not in known]
    seats = tuple(
        player if hand.open_cards else replace(player, cards=tuple(deck.pop() for _ in player.cards))
        for player, hand in zip(state.seats, seen.seats, strict=True)
    )
    dealer = state.dealer_cards if seen.dealer.open_cards else tuple(deck.pop() for _ in state.dealer_cards)
    changed = replace(state, seats=seats, dealer_cards=dealer)
    return changed if observe(changed, viewer) == seen else None


def test_the_strategies_use_nothing_hidden_and_answer_whatever_people_do() -> None:
    source, compared = np.random.default_rng(2), {0: 0, 1: 0, DEALER: 0}
    for state in random_decisions(RULES, 60):
        viewer = DEALER if state.turn is None else state.turn
        chances = strategies().probabilities(state)
        assert set(chances) <= set(legal_actions(state))
        assert sum(chances.values()) == pytest.approx(1.0)
        for _ in range(2):
            other = with_other_hidden_cards(state, viewer, source)
            if other is not None:
                assert strategies().probabilities(other) == chances
                compared[viewer] += 1
    assert min(compared.values()) > 25


def test_prices_use_nothing_hidden() -> None:
    source = np.random.default_rng(3)
    state = next(state for state in random_decisions(RULES, 12) if state.turn == 1)
    others = (with_other_hidden_cards(state, 1, source) for _ in range(20))
    other = next(found for found in others if found is not None)
    plan = strategies().plan
    one, two = (sampled_prices(observe(seen, 1), plan, group_deals=200) for seen in (state, other))
    assert one == two


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"both_bust": "push", "surrender": "after_specials"}, marks=pytest.mark.verify),
    ],
)
def test_many_deals_at_once_earn_what_the_compiled_table_earns(options: dict[str, object]) -> None:
    rules = BanluckRules.create(options)
    plan = strategies(rules).plan
    assert isinstance(plan, TwoPlayerPlan)
    sample = played_hands(plan, 2, 20_000, seed=1)
    assert not sample.closed.any()
    setup = kernel.table_setup(rules)
    stream = np.random.SeedSequence(1).generate_state(4, np.uint64).astype(np.uint64)
    counted = kernel.play_table_block(100_000, *setup, plan.policy, stream)
    prices = np.array(setup[0].prices)
    units = np.concatenate([-prices[:0:-1], prices])
    for seat in range(2):
        by_result = counted.sum(axis=1 - seat) / counted.sum()
        mean = by_result @ units
        error = np.sqrt((by_result @ units**2) * (1 / 100_000 + 1 / 20_000))
        assert abs(sample.units[:, seat].mean() - mean) < 4 * error


def test_a_table_plays_on_while_its_solution_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()

    def solve(rules: BanluckRules, players: int) -> TableSolution:
        may_end.wait()
        return made_up(rules)

    solutions = TableSolutions(load=lambda *_: None, solve=solve)
    monkeypatch.setattr(play_table, "TABLE_SOLUTIONS", solutions)
    table = BanluckTable.opened(Seating(RULES, Role.DEALER, players=2, bankroll=1e6), seed=3)
    assert table.view.strategies.endswith("2 players have not been solved yet.")
    table.prepare()
    table.bet(1)
    assert "while 2 players are being solved" in table.view.strategies
    while table.view.is_playing:
        table.act(table.actions[0])
    may_end.set()
    solutions.wait()
    assert solutions.standing(RULES, 2) is Standing.SOLVED
    assert table.view.strategies == "The others go by the solution for 2 players from the next hand on."
    while not table.view.is_playing:
        table.bet(1)
    assert table.view.strategies == "The others go by the solution for 2 players."
    assert BanluckTable.from_state(table.to_state()).view == table.view
    monkeypatch.setattr(play_table, "TABLE_SOLUTIONS", TableSolutions(load=lambda *_: None))
    assert "the solution for one player" in BanluckTable.from_state(table.to_state()).view.strategies


def test_a_coach_prices_by_the_solution_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = TableSolutions(load=lambda *_: made_up())
    monkeypatch.setattr(play_table, "TABLE_SOLUTIONS", solutions)
    monkeypatch.setattr(play_strategies, "sampled_prices", partial(sampled_prices, group_deals=200))
    seating = Seating(RULES, players=2, opponent=OpponentName.SIMPLE)
    table = BanluckTable.opened(seating, seed=6, coach=True)
    table.bet(1)
    alone = [choice.worth for choice in table.view.choices]
    solutions.prepare(RULES, 2)
    table = BanluckTable.opened(seating, seed=6, coach=True)
    table.bet(1)
    assert table.view.strategies == "The coach goes by the solution for 2 players."
    assert "by the solution for 2 players" in table.view.coach_note
    assert [choice.worth for choice in table.view.choices] != alone


def test_a_table_that_cannot_be_solved_plays_on_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(rules: BanluckRules, players: int) -> TableSolution:
        raise ArithmeticError("no luck")

    solutions = TableSolutions(load=lambda *_: None, solve=solve)
    monkeypatch.setattr(play_table, "TABLE_SOLUTIONS", solutions)
    solutions.prepare(RULES, 2)
    solutions.wait()
    table = BanluckTable.opened(Seating(RULES, players=2), seed=3)
    assert table.view.strategies.endswith("2 players could not be solved.")


def test_a_saved_table_comes_back_and_a_damaged_one_is_left_alone(tmp_path: Path) -> None:
    strategy = made_up().strategy
    assert isinstance(strategy, TableStrategy)
    solution = replace(made_up(), strategy=pure(strategy))
    path = save_table(solution, folder=tmp_path)
    found = load_table(RULES, 2, folder=tmp_path)
    assert found is not None
    assert found.to_dict() == solution.to_dict()
    ours, theirs = found.strategy.arrays(), solution.strategy.arrays()
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    assert load_table(RULES, 2, 1e-12, folder=tmp_path) is None
    assert load_table(BanluckRules(pays_777=9), 2, folder=tmp_path) is None
    path.write_bytes(path.read_bytes()[:5000])
    assert load_table(RULES, 2, folder=tmp_path) is None


@pytest.mark.parametrize(
    "number", [4, *(pytest.param(number, marks=pytest.mark.verify) for number in (0, 15))]
)
def test_four_players_at_once_earn_what_the_compiled_table_earns(number: int) -> None:
    rules = random_rules(number)
    strategy = random_counts(rules, 4, number, pure=False)
    sample = played_hands(CountsPlan.of(rules, strategy), 4, 20_000, seed=2)
    found = simulate_table(strategy, rules, hands=200_000, seed=3, workers=1)
    for seat in range(4):
        units = sample.units[:, seat]
        error = np.hypot(units.std() / np.sqrt(len(units)), found.stderrs[seat])
        assert abs(units.mean() - found.values[seat]) < 4 * error


def test_four_players_are_played_and_saved_by_their_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = random_counts(RULES, 4, 1, pure=True)
    gains = ((0.0,) * 4, (1e-5,) * 4, 0.0, 1e-5)
    sampling = Sampling(1000, 0, 10, 1e-3, *gains, *gains)
    solution = TableSolution(
        RULES, (0.1,) * 4, -0.4, (1e-5,) * 4, 1e-5, (1e-4,) * 4, "made up", "counts", 1.0, strategy, sampling
    )
    save_table(solution, folder=tmp_path)
    found = load_table(RULES, 4, folder=tmp_path)
    assert found is not None
    assert found.to_dict() == solution.to_dict()
    monkeypatch.setattr(
        play_table,
        "TABLE_SOLUTIONS",
        TableSolutions(load=lambda rules, players: load_table(rules, players, folder=tmp_path)),
    )
    monkeypatch.setattr(play_strategies, "sampled_prices", partial(sampled_prices, group_deals=100))
    table = BanluckTable.opened(Seating(RULES, players=4, bankroll=1e6), seed=1, coach=True)
    table.prepare()
    for _ in range(3):
        table.bet(1)
        while table.view.is_playing:
            assert table.view.strategies == "The others and the coach go by the solution for 4 players."
            table.act(table.actions[-1])
