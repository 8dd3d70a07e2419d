"""The solver in C, which shares no code with the package, against the package's own; and the look for thrown end games that rests on it."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.durak_endgames import Mistake, Solver, check_logs, question_of
from benchmarks.durak_rivals import build
from croupier import durak
from croupier.durak.arena.endgame_suite import read_suite
from croupier.durak.arena.log import stream_log
from croupier.durak.engine.observation import observe
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.record_steps import Step, steps
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.endgame import EndgameSolver
from croupier.durak.players.random_player import RandomPolicy
from tests.durak.players.test_endgame import random_ending, seen_by_player_in_turn

#: Long enough for any position here, which takes milliseconds, on any machine.
PATIENT = 60.0

#: The end games that are compared begin with no more cards than this.
MOST_CARDS = 12


@pytest.fixture(scope="module")
def rival(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the rivals' program."""
    return build(tmp_path_factory.mktemp("rival"))


def open_steps(record: GameRecord) -> list[Step]:
    """The steps of a game from which on every card is known."""
    return [step for step in steps(record) if step.state.deck_count <= 1]


def small_games(log: Path) -> Iterator[str]:
    """Yield the games of a log whose end games are small, as the log writes them."""
    for record, text in zip(stream_log(log), log.read_text().split("####20")[1:], strict=True):
        assert isinstance(record, GameRecord)
        begin = open_steps(record)[0].state
        if sum(map(len, begin.hands)) + len(begin.table) <= MOST_CARDS:
            yield f"####20{text}"


def mistakes_by_own_solver(log: Path) -> Iterator[Mistake]:
    """Yield what the first player of each game gave away, by the package's own solver."""
    for number, record in enumerate(stream_log(log), 1):
        assert isinstance(record, GameRecord)
        solver = EndgameSolver()
        for before, after in pairwise(open_steps(record)):
            state, seat = before.state, before.state.to_act
            if seat is None or (record.player1_name, record.player2_name)[seat] != "careless":
                continue
            outcomes = solver.solve(observe(state, seat))
            assert outcomes is not None
            assert after.action is not None
            best, played = max(outcomes.values()), outcomes[tuple(sorted(after.action.cards))]
            if played < best:
                yield Mistake(number, question_of(state, seat), int(best), int(played))


def test_the_second_solver_proves_the_values_of_the_suite(rival: Path) -> None:
    with Solver(rival, PATIENT) as solver:
        for position in read_suite():
            assert solver.value(question_of(position.state, 0)) == position.value, position.to_line()


@pytest.mark.parametrize(
    ("first", "second", "stock"),
    [(4, 4, 0), (3, 6, 0), (6, 3, 0), (2, 8, 0), (8, 2, 0), (5, 6, 0), (6, 6, 1)],
)
def test_both_solvers_agree_on_endings_that_are_too_large_for_brute_force(
    rival: Path, first: int, second: int, stock: int
) -> None:
    """What is told at sight, without a search, depends on how many cards there is room for: hands of four and more matter."""
    chance, solver = random.Random(f"{first} {second} {stock}"), EndgameSolver()
    with Solver(rival, PATIENT) as second_solver:
        for _ in range(100):
            state = random_ending(chance, first, second, stock, DurakRules())
            moves = solver.solve(seen_by_player_in_turn(state))
            assert moves is not None
            assert state.to_act is not None
            assert max(moves.values()) == second_solver.value(question_of(state, state.to_act)), state


def test_thrown_end_games_are_found_in_a_log(rival: Path, tmp_path: Path) -> None:
    policy = RandomPolicy(5)

    def careless(seen: durak.Observation) -> tuple[int, ...]:
        return policy(seen)

    def other(seen: durak.Observation) -> tuple[int, ...]:
        return policy(seen)

    whole, log = tmp_path / "whole.log", tmp_path / "small.log"
    durak.match(careless, other, 150, 1, log=whole)
    log.write_text("".join(small_games(whole)))
    expected = list(mistakes_by_own_solver(log))
    check = check_logs([log], rival, "careless", PATIENT)
    assert check.games > 30
    assert check.decisions["unproven"] == 0
    assert check.mistakes == expected
    assert len(expected) > 5
