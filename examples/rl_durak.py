"""Train a small network by self-play on durak, and rate it against our engines in the arena.

Deep Monte Carlo (as in DouZero, 2021): the network says how every action will end, plays both seats with random actions now and then, and
is fitted to how the games did end. Plain NumPy. `--weights FILE` keeps the network; the same file is a program for the protocol:
`croupier durak match "python rl_durak.py --serve --weights FILE" durak-dummy`. `--curve curve.csv` writes the learning curve down.
"""

import argparse
import csv
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from croupier import durak
from croupier.durak.training.adam import Adam, rate_at
from croupier.durak.training.suit_orders import SUIT_ORDERS, in_suit_order

#: The compiled players against which the network is tried while it learns.
OPPONENTS = ("durak-dummy", "skilled")
GAMES, STEPS, BATCH, PACK = 512, 192, 512, 36
CARD_ROWS = ("hand", "table", "to_beat", "discarded", "known")
SIZES = (PACK * (len(CARD_ROWS) + 1) + 3 + 25 + 13 + 13 + 1, 128, 64, PACK + 1)
RATE = 2e-3


def inputs_of(seen: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs of the network, suits relabelled so that trumps come first, and the places of the cards."""
    trump = np.asarray(seen["trump"])
    places = np.arange(PACK) ^ (trump & 3)[:, None]
    rows = [
        np.take_along_axis(np.asarray(seen[key]).reshape(len(trump), PACK), places, axis=1)
        for key in CARD_ROWS
    ]
    counts = np.minimum(np.asarray(seen["counts"]).reshape(len(trump), 2), 12)
    numbers = [
        np.eye(size, dtype=np.int8)[number]
        for size, number in (
            (PACK, trump & ~3), (3, seen["phase"]), (25, seen["stock"]), (13, counts[:, 0]), (13, counts[:, 1])
        )
    ]  # fmt: skip
    return np.column_stack([*rows, *numbers, np.asarray(seen["attacker"], np.int8)]), places


class Network:
    """Rectified units in layers; the last says how each action will end, -1 to 1: the cards, trumps first, then to play none."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.weights = []
        for before, after in pairwise(SIZES):
            self.weights.append(
                (chance.standard_normal((before, after)) / np.sqrt(before / 2)).astype(np.float32)
            )
            self.weights.append(np.zeros(after, np.float32))
        self.adam = Adam(self.weights)

    def layers(self, inputs: np.ndarray) -> list[np.ndarray]:
        """Return the values of all units, layer by layer."""
        found = [inputs.astype(np.float32)]
        for matrix, bias in zip(self.weights[::2], self.weights[1::2], strict=True):
            found.append(np.maximum(found[-1] @ matrix + bias, 0))
        found[-1] = np.tanh(found[-2] @ matrix + bias)
        return found

    def fit(self, inputs: np.ndarray, actions: np.ndarray, results: np.ndarray, rate: float) -> None:
        """Move the values of the chosen actions towards the results."""
        layers = self.layers(inputs)
        places = np.arange(len(actions))
        chosen = layers[-1][places, actions]
        slope = np.zeros_like(layers[-1])
        slope[places, actions] = 2 * (chosen - results) * (1 - chosen**2) / len(actions)
        gradients: list[np.ndarray] = []
        for number in range(len(layers) - 2, -1, -1):
            gradients[:0] = [layers[number].T @ slope, slope.sum(axis=0)]
            slope = (slope @ self.weights[2 * number].T) * (layers[number] > 0)
        self.adam.step(gradients, rate)


def load(path: Path) -> Network:
    """Read a network that was kept."""
    network = Network(seed=0)
    with np.load(path) as kept:
        network.weights = [kept[name].astype(np.float32) for name in kept.files]
    return network


def best_actions(
    network: Network, seen: dict, chance: np.random.Generator | None = None, surprise: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best legal actions, now and then any, then their numbers in the network, and the inputs."""
    inputs, places = inputs_of(seen)
    values = network.layers(inputs)[-1]
    if chance is not None:
        is_any = chance.random((len(values), 1)) < surprise
        values = np.where(is_any, chance.random(values.shape, np.float32), values)
    mask = np.column_stack(
        [np.take_along_axis(seen["action_mask"][:, 1:], places, axis=1), seen["action_mask"][:, 0]]
    )
    chosen = np.where(mask, values, -9).argmax(axis=1)
    cards = places[np.arange(len(places)), np.minimum(chosen, PACK - 1)]
    return np.where(chosen == PACK, 0, 1 + cards), chosen, inputs


def results_of(rewards: np.ndarray, has_ended: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return how the game of each step ended for whoever acted; not a number where it has not ended yet."""
    results, latest = np.full(rewards.shape, np.nan), np.full(rewards.shape[1], np.nan)
    for step in range(len(rewards) - 1, -1, -1):
        latest = np.where(has_ended[step], rewards[step], latest)
        results[step] = latest
    return np.where(seats == 0, results, -results).astype(np.float32)


def tables(games: int, opponent: str) -> Any:
    """Return games that are stepped together."""
    import gymnasium  # noqa: PLC0415 - an engine starts faster without it

    import croupier.environments  # noqa: F401, PLC0415 - registers the environments

    return gymnasium.make_vec("croupier/Durak-v0", games, "vector_entry_point", opponent=opponent)


def train(network: Network, rounds: int, seed: int) -> list[tuple[int, float, float]]:
    """Play and fit; return the scores against two compiled players after growing numbers of decisions."""
    env = tables(GAMES, "self")
    chance = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    curve = [(0, *(score_against(network, opponent) for opponent in OPPONENTS))]
    for number in range(1, rounds + 1):
        records = []
        for _ in range(STEPS):
            actions, chosen, inputs = best_actions(network, seen, chance, 0.1 * (1 - number / (rounds + 1)))
            seats = info["seat"]
            seen, rewards, has_ended, _, info = env.step(actions)
            records.append((inputs, chosen, seats, rewards, has_ended))
        inputs, chosen, *ends = (np.stack(column) for column in zip(*records, strict=True))
        results = results_of(ends[1], ends[2], ends[0])
        is_known = ~np.isnan(results)
        learn(
            network,
            inputs[is_known],
            chosen[is_known],
            results[is_known],
            rate_at(number / rounds, RATE),
            chance,
        )
        if number % max(1, rounds // 20) == 0:
            curve.append(
                (number * GAMES * STEPS, *(score_against(network, opponent) for opponent in OPPONENTS))
            )
            told = " and ".join(
                f"{score:.1%} against {name}" for name, score in zip(OPPONENTS, curve[-1][1:], strict=True)
            )
            print(f"{curve[-1][0]:,} decisions: {told}", flush=True)
    env.close()
    return curve


def learn(
    network: Network,
    inputs: np.ndarray,
    chosen: np.ndarray,
    results: np.ndarray,
    rate: float,
    chance: np.random.Generator,
) -> None:
    """Fit the network to each decision once; plain suits are alike, so each batch has them in another order."""
    order = chance.permutation(len(chosen))
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        suits = SUIT_ORDERS[chance.integers(len(SUIT_ORDERS))]
        columns = in_suit_order(suits, PACK * (len(CARD_ROWS) + 1), SIZES[0])
        numbers = np.argsort(in_suit_order(suits, PACK, PACK + 1))
        network.fit(inputs[part][:, columns], numbers[chosen[part]], results[part], rate)


def score_against(network: Network, opponent: str, games: int = 2000) -> float:
    """Return the share of points against a compiled opponent."""
    env = tables(games, opponent)
    seen, _ = env.reset(seed=0)
    is_over, points = np.zeros(games, bool), np.zeros(games)
    while not is_over.all():
        seen, rewards, has_ended, _, _ = env.step(best_actions(network, seen)[0])
        points += np.where(has_ended & ~is_over, (rewards + 1) / 2, 0)
        is_over |= has_ended
    env.close()
    return float(points.mean())


class NetworkEngine(durak.Engine):
    """Plays what the network likes best."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose_attack(self, seen: durak.Observation) -> tuple[int, ...]:
        """Play the best legal card, or none."""
        cards = set(seen.playable)
        thrown: list[int] = []
        while True:
            room = seen.phase is not durak.Phase.THROW_IN or len(thrown) < seen.throw_in_limit
            legal = cards - set(thrown) if room else set()
            action = int(best_actions(self.network, self._observation(seen, legal, thrown))[0][0])
            if action == 0 or not legal:
                return tuple(thrown)
            thrown.append(action + 15)
            if seen.phase is not durak.Phase.THROW_IN:
                return tuple(thrown)

    choose_defence = choose_throw_in = choose_attack

    @staticmethod
    def _observation(seen: durak.Observation, legal: set[int], thrown: list[int]) -> dict:
        """Return what the environment would show of the same position."""

        def row(cards: object) -> np.ndarray:
            vector = np.zeros((1, 36), np.int8)
            vector[0, [card - 16 for card in cards]] = 1
            return vector

        hand = [card for card in seen.hand if card not in thrown]
        is_defence = seen.phase is durak.Phase.DEFEND
        phases = (durak.Phase.ATTACK, durak.Phase.DEFEND, durak.Phase.THROW_IN)
        return {
            "hand": row(hand),
            "table": row((*seen.table, *thrown)),
            "to_beat": row(seen.table[-1:] if is_defence else ()),
            "discarded": row(seen.discarded),
            "known": row(seen.known_enemy),
            "trump": np.array([seen.trump - 16]),
            "phase": np.array([phases.index(seen.phase)]),
            "counts": np.array([[len(hand), seen.enemy_count]]),
            "stock": np.array([seen.deck_count]),
            "attacker": np.array([int(is_defence)]),
            "action_mask": np.column_stack([[[int(seen.can_pass)]], row(legal)]),
        }


def main() -> None:
    """Train, rate, keep; or serve as an engine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=100, help=f"rounds of {GAMES * STEPS:,} decisions")
    parser.add_argument(
        "--pairs", type=int, default=100, help="pairs of games against each engine of the arena"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--weights", type=Path, help="keep the network in this file (.npz), or serve it from there"
    )
    parser.add_argument("--serve", action="store_true", help="be an engine")
    parser.add_argument("--curve", type=Path, help="write the learning curve to this file (CSV)")
    given = parser.parse_args()
    if given.serve:
        durak.serve(NetworkEngine(load(given.weights)))
        return
    network = Network(given.seed)
    curve = train(network, given.rounds, given.seed)
    if given.weights:
        np.savez_compressed(given.weights, *(weights.astype(np.float16) for weights in network.weights))
    if given.curve:
        with given.curve.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [
                    ("curve", "decisions", "% of the points"),
                    *(
                        (f"against {name}", decisions, 100 * scores[place])
                        for place, name in enumerate(OPPONENTS)
                        for decisions, *scores in curve
                    ),
                    ("even", 0, 50),
                ]
            )
    for engine in ("durak-dummy", *(f"durak-master --level {level} --seed 1" for level in (2, 3, 4))):
        print(durak.match(NetworkEngine(network), engine, pairs=given.pairs, seed=1))


if __name__ == "__main__":
    main()
