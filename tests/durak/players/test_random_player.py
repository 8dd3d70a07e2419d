"""The engine that plays any legal move: legal always, the same for a seed, and of every kind."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.random_player import RandomPolicy
from croupier.durak.players.splitmix import SplitMix64
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

RANDOM = Path(sys.executable).parent / "durak-random"


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_every_move_is_legal_and_the_seed_decides_them_all(rules: DurakRules) -> None:
    def played(seed: int) -> GameState:
        policies = [RandomPolicy(seed), RandomPolicy(seed + 1000)]
        state = start(rules, shuffle(PACK, seed), leader=0)
        while state.to_act is not None:
            state = answer(state, policies[state.to_act](observe(state, state.to_act)))
        return state

    games = [played(seed) for seed in range(12)]
    assert games == [played(seed) for seed in range(12)]
    assert len({game.history for game in games}) == 12


@pytest.mark.parametrize(
    ("phase", "table", "answers"),
    [
        (Phase.ATTACK, "", {"6C", "7D", "9H", "9S"}),
        (Phase.ATTACK, "7C 9C", {"7D", "9H", "9S", ""}),
        (Phase.DEFEND, "8S", {"9S", "9H", ""}),
        (Phase.THROW_IN, "7C 9C 7S", {"", "7D", "9H", "9S", "7D 9H", "7D 9S", "9H 9S"}),
    ],
)
def test_every_legal_move_comes_up(phase: Phase, table: str, answers: set[str]) -> None:
    seen = Observation(phase, read_cards("9S 6C 9H 7D"), read_cards(table), (), 9, 3, read_card("8H"))
    policy = RandomPolicy(11)
    counts = Counter(cards_text(policy(seen)) for _ in range(4000))
    assert set(counts) == answers
    if phase is not Phase.THROW_IN:
        assert max(counts.values()) < 1.3 * min(counts.values())


def test_the_words_are_those_of_the_published_generator() -> None:
    words = SplitMix64(1234567)
    assert [words.next_word() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def answers(*arguments: str) -> str:
    lines = ["init 8H", "deal 6C 7D 9S TC JC QD KD"] + ["move"] * 6
    run = subprocess.run(
        [RANDOM, *arguments], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    return run.stdout


def test_the_process_plays_the_same_for_a_seed() -> None:
    assert answers("--seed", "7") == answers("--seed", "7")
    assert len({answers("--seed", str(seed)) for seed in range(3)}) == 3


def test_the_process_plays_differently_without_a_seed() -> None:
    assert len({answers() for _ in range(3)}) > 1


@pytest.mark.parametrize("arguments", [["--seed"], ["--seed", "x"], ["--seed", "-1"], ["7"]])
def test_arguments_that_cannot_be_read_are_one_line_and_exit_code_2(arguments: list[str]) -> None:
    run = subprocess.run([RANDOM, *arguments], input="", capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "usage: durak-random [--seed N]" in run.stderr


def test_help_shows_an_example() -> None:
    run = subprocess.run([RANDOM, "--help"], capture_output=True, text=True, check=True)
    assert "Example: durak-random --seed 7" in run.stdout
