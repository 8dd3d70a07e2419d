"""Self-play on tensors: its games are those of the compiled engine, its networks those of the compiled search, and seeds repeat."""

import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch (the extra 'training') is not installed")

import torch

from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.board_kernels import Position
from croupier.durak.players import policy_network_kernel
from croupier.durak.players.move_kernels import playable
from croupier.durak.players.network_shapes import PolicyShape, layers_of
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.durak.training.networks import Policy, policy_weights, seen_inputs
from croupier.durak.training.reinforcement import DUMMY, Settings, Training, play
from croupier.durak.training.tensor_games import CLUBS, NO_CARD, THROW_IN, CheapGames, TensorGames

GAMES = 150
CARDS = (1 << 36) - 1
TINY = Settings(games=32, moves=8, blocks=2, rounds=2, value_rounds=1, batch=64)
TINY_OPTIONS = ["--games", "32", "--moves", "8", "--blocks", "2", "--rounds", "2", "--value-rounds", "1"]


class Follower:
    """One game of the compiled engine, beside the same game among tensors; cards that are thrown in wait until there are no more."""

    def __init__(self, games: TensorGames, number: int) -> None:
        self.games, self.number = games, number
        self.stock = games.deck[number].numpy().astype(np.int8)
        leader = board.lowest_trump_leader(self.stock)
        self.position = board.started(
            self.stock, int(games.attacker[number]) if leader < 0 else leader, 36, 36
        )
        self.thrown, self.is_over = 0, False

    def compare(self, phase: int, choices: int) -> None:
        games, number, position = self.games, self.number, self.position
        assert board.phase_of(position) == phase
        assert board.seat_in_turn(position, phase) == int(games.seats(games.phases())[number])
        assert int(games.attack_hand[number]) == position.attack_hand & ~self.thrown
        assert int(games.defend_hand[number]) == position.defend_hand
        assert int(games.drawn[number]) == position.drawn
        if phase == THROW_IN:
            assert int(games.room[number]) == board.throw_in_limit(position) - self.thrown.bit_count()
        else:
            assert choices & CARDS == playable(position, phase)

    def play(self, phase: int, chosen: int, is_over: bool, result: int) -> None:
        card = 0 if chosen == NO_CARD else 1 << chosen
        if phase == THROW_IN and card:
            self.thrown |= card
            if not is_over:
                return
        cards = self.thrown if phase == THROW_IN else card
        self.position, self.thrown = board.answered(self.position, phase, cards, self.stock), 0
        self.is_over = is_over
        assert (board.phase_of(self.position) == board.OVER) == is_over
        if is_over:
            assert board.score_of_first(self.position) == result


def random_choices(choices: Any, chance: np.random.Generator) -> Any:
    allowed = [[place for place in range(37) if int(bits) >> place & 1] or [NO_CARD] for bits in choices]
    return torch.tensor([places[chance.integers(len(places))] for places in allowed])


def test_games_of_tensors_are_those_of_the_compiled_engine() -> None:
    games, chance = TensorGames(GAMES, "cpu", 1), np.random.default_rng(2)
    followers = [Follower(games, number) for number in range(GAMES)]
    results = set()
    while not all(follower.is_over for follower in followers):
        phases = games.phases()
        choices = games.choices(phases)
        left = [follower for follower in followers if not follower.is_over]
        for follower in left:
            follower.compare(int(phases[follower.number]), int(choices[follower.number]))
        chosen = random_choices(choices, chance)
        is_over, scores = games.play(phases, chosen)
        for follower in left:
            number = follower.number
            score = int(scores[number])
            follower.play(int(phases[number]), int(chosen[number]), bool(is_over[number]), score)
            results |= {score} if is_over[number] else set()
    assert {-1, 1} <= results


def test_seat_1_plays_its_cheapest_cards_where_it_is_learnt_against() -> None:
    """Suits are named anew, so the card is compared by what it costs: plain before trump, then its rank."""
    games, chance, compared = CheapGames(GAMES, "cpu", 1), np.random.default_rng(2), 0
    free = TensorGames.choices
    for _ in range(200):
        phases = games.phases()
        choices, all_choices = games.choices(phases), free(games, phases)
        for number in (games.seats(phases) == 1).nonzero()[:, 0].tolist():
            position = Position(
                int(games.attack_hand[number]),
                int(games.defend_hand[number]),
                int(games.table[number]),
                int(games._open_card()[number]),
                int(phases[number] == THROW_IN),
                36,
                int(games.drawn[number]),
                int(games.attacker[number]),
                CLUBS,
                36,
            )
            if phases[number] != THROW_IN:
                cheapest = dummy_answer(position, int(phases[number])) or 1 << NO_CARD
                assert int(choices[number]) == cheapest
                compared += 1
        assert torch.equal(choices[games.seats(phases) == 0], all_choices[games.seats(phases) == 0])
        is_over, _ = games.play(phases, random_choices(choices, chance))
        games.begin(is_over)
    assert compared > 10_000


def test_a_training_against_a_dummy_learns_what_it_is_worth_in_both_seats() -> None:
    training = Training(TINY, 1, "cpu", DUMMY)
    training.learn_block(print)
    assert list(training.fit_value(print).linear())[-1].out_features == 2


def test_the_policy_that_learns_is_the_one_that_the_search_compiles() -> None:
    """Its weights, laid out as the kernel reads them, give the same numbers (tests/durak/players compares that layout with the kernel)."""
    policy = Policy()
    layers = layers_of(policy_weights(policy), PolicyShape)
    games, chance = TensorGames(40, "cpu", 3), np.random.default_rng(4)
    for _ in range(60):
        phases = games.phases()
        seen = games.seen(phases)
        with torch.no_grad():
            numbers = policy._outputs(seen_inputs(seen)).numpy()
        for number in range(0, 40, 7):
            inputs = np.zeros(PolicyShape.INPUTS)
            for kind, cards in enumerate(seen.sets[number].tolist()):
                inputs[[36 * kind + place for place in range(36) if cards >> place & 1]] = 1
            begins = (
                PolicyShape.STOCK,
                PolicyShape.COUNT,
                PolicyShape.KIND,
                PolicyShape.RANK,
                PolicyShape.ROOM,
            )
            inputs[np.add(begins, seen.numbers[number].tolist())] = 1
            first = np.maximum(inputs @ layers.first, 0)
            second = np.maximum(first @ layers.second + layers.second_biases, 0)
            assert second @ layers.output + layers.output_biases == pytest.approx(numbers[number], abs=1e-4)
        is_over, _ = games.play(phases, random_choices(games.choices(phases), chance))
        games.begin(is_over)


def test_gains_without_discount_lead_to_the_result() -> None:
    """What the critic should have said is then the result itself, wherever the game has ended by then."""
    training = Training(TINY, 1, "cpu")
    played = play(TensorGames(64, "cpu", 5), training.policy, training.critic, 400, memory=1.0)
    returns = played.returns.reshape(400, 64)
    assert set(returns[0].round(decimals=3).abs().tolist()) <= {0.0, 1.0}
    assert torch.all(played.chances <= 0)


def test_an_interrupted_training_ends_with_the_same_weights() -> None:
    whole, halved = Training(TINY, 1, "cpu"), Training(TINY, 1, "cpu")
    whole.learn_block(print)
    state = deepcopy(whole.state())
    whole.learn_block(print)
    halved.restore(state)
    halved.learn_block(print)
    assert np.array_equal(policy_weights(whole.averaged), policy_weights(halved.averaged))
    assert not np.array_equal(policy_weights(whole.policy), policy_weights(Training(TINY, 1, "cpu").policy))


@pytest.mark.parametrize(("rival", "prefix"), [("itself", ""), ("dummy", "counter_")])
def test_the_command_writes_both_networks_and_refuses_another_training(
    tmp_path: Path, rival: str, prefix: str
) -> None:
    command = [sys.executable, "-m", "croupier.durak.training", "networks", str(tmp_path), "--device", "cpu"]
    options = [*TINY_OPTIONS, "--batch", "64", "--against", rival]
    subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    shipped = policy_network_kernel.WEIGHTS_FILE.parent
    for name in (f"{prefix}policy_network.npy", f"{prefix}value_network.npy"):
        made, known = np.load(tmp_path / name), np.load(shipped / name)
        assert (made.dtype, made.shape) == (known.dtype, known.shape)
    refused = subprocess.run([*command, *options, "--seed", "2"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: the training there has seed 1")
    assert refused.stderr.count("\n") == 1


def test_clubs_are_trumps() -> None:
    games = TensorGames(50, "cpu", 6)
    assert all(1 << int(card) & CLUBS for card in games.deck[:, -1])
