"""Train a small network by self-play on durak, and rate it against our engines in the arena.

Deep Monte Carlo (as in DouZero, 2021): the network says how every action will end, plays both seats with random actions now and then, and
is fitted to how the games did end. Plain NumPy. `--weights FILE` keeps the network; the same file is a program for the protocol:
`croupier durak match "python rl_durak.py --serve --weights FILE" durak-dummy`. `--plot curve.png` draws the learning (extra: plots).
"""

import argparse
from pathlib import Path

import gymnasium
import numpy as np

import croupier.environments  # noqa: F401 - registers the environments
from croupier import durak

GAMES, STEPS, BATCH, HIDDEN, ACTIONS = 256, 192, 128, 96, 37
CARD_ROWS = ("hand", "table", "to_beat", "discarded", "known")
INPUTS = 36 * len(CARD_ROWS) + 36 + 3 + 4


def inputs_of(seen: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs of the network, suits relabelled so that trumps come first, and the places of the cards."""
    trump = np.asarray(seen["trump"])
    places = np.arange(36) ^ (trump & 3)[:, None]
    rows = [
        np.take_along_axis(np.asarray(seen[key]).reshape(len(trump), 36), places, axis=1) for key in CARD_ROWS
    ]
    rank = np.eye(36, dtype=np.float32)[trump & ~3]
    phase = np.eye(3, dtype=np.float32)[seen["phase"]]
    counts = np.asarray(seen["counts"]).reshape(len(trump), 2) / 12
    numbers = np.column_stack([counts, np.asarray(seen["stock"]) / 24, seen["attacker"]])
    return np.column_stack([*rows, rank, phase, numbers]).astype(np.float32), places


class Network:
    """One hidden layer of rectified units, fitted by Adam."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.weights = [
            (chance.standard_normal(shape) * scale).astype(np.float32)
            for shape, scale in (
                ((INPUTS, HIDDEN), 0.1),
                ((HIDDEN,), 0.0),
                ((HIDDEN, ACTIONS), 0.05),
                ((ACTIONS,), 0.0),
            )
        ]
        self.means = [np.zeros_like(weights) for weights in self.weights]
        self.squares = [np.zeros_like(weights) for weights in self.weights]
        self.fits = 0

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """Return how each action will end, -1 to 1; the actions are in the order of the relabelled cards."""
        first, bias, second, offset = self.weights
        return np.tanh(np.maximum(inputs @ first + bias, 0) @ second + offset)

    def fit(self, inputs: np.ndarray, actions: np.ndarray, results: np.ndarray, rate: float = 1e-3) -> None:
        """Move the values of the chosen actions towards the results."""
        first, bias, second, offset = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        values = np.tanh(hidden @ second + offset)
        places = np.arange(len(actions))
        chosen = values[places, actions]
        slope = np.zeros_like(values)
        slope[places, actions] = 2 * (chosen - results) * (1 - chosen**2) / len(actions)
        back = (slope @ second.T) * (hidden > 0)
        self.fits += 1
        for weights, gradient, mean, square in zip(
            self.weights,
            (inputs.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)),
            self.means,
            self.squares,
            strict=True,
        ):
            mean[...] += 0.1 * (gradient - mean)
            square[...] += 0.001 * (gradient**2 - square)
            scale = rate * np.sqrt(1 - 0.999**self.fits) / (1 - 0.9**self.fits)
            weights[...] -= np.float32(scale) * mean / (np.sqrt(square) + 1e-8)


def best_actions(
    network: Network, seen: dict, noise: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best legal actions, their numbers among the relabelled ones, and the inputs."""
    inputs, places = inputs_of(seen)
    mask = np.column_stack(
        [seen["action_mask"][:, :1], np.take_along_axis(seen["action_mask"][:, 1:], places, axis=1)]
    )
    values = (
        network.values(inputs)
        if noise is None
        else np.where(noise[:, :1] < 0, noise[:, 1:], network.values(inputs))
    )
    chosen = np.where(mask, values, -9).argmax(axis=1)
    cards = places[np.arange(len(places)), np.maximum(chosen - 1, 0)]
    return np.where(chosen == 0, 0, 1 + cards), chosen, inputs


def results_of(rewards: np.ndarray, has_ended: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return how the game of each step ended for whoever acted; not a number where it has not ended yet."""
    results, latest = np.full(rewards.shape, np.nan), np.full(rewards.shape[1], np.nan)
    for step in range(len(rewards) - 1, -1, -1):
        latest = np.where(has_ended[step], rewards[step], latest)
        results[step] = latest
    return np.where(seats == 0, results, -results)


def train(network: Network, rounds: int, seed: int) -> list[tuple[int, float]]:
    """Play and fit; return the score against the sample engine after growing numbers of decisions."""
    env = gymnasium.make_vec("croupier/Durak-v0", GAMES, "vector_entry_point", opponent="self")
    chance = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    curve = [(0, score_against(network, "durak-dummy"))]
    for number in range(1, rounds + 1):
        records = []
        for _ in range(STEPS):
            noise = chance.random((GAMES, 1 + ACTIONS))
            noise[:, 0] -= 0.05  # one random action in twenty
            actions, chosen, inputs = best_actions(network, seen, noise)
            seats = info["seat"]
            seen, rewards, has_ended, _, info = env.step(actions)
            records.append((inputs.astype(np.float16), chosen, seats, rewards, has_ended))
        inputs, chosen, seats, rewards, has_ended = (
            np.stack(column) for column in zip(*records, strict=True)
        )
        results = results_of(rewards, has_ended, seats)
        is_known = ~np.isnan(results)
        inputs, chosen, results = inputs[is_known], chosen[is_known], results[is_known].astype(np.float32)
        order = chance.permutation(len(chosen))
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            network.fit(inputs[part].astype(np.float32), chosen[part], results[part])
        if number % max(1, rounds // 10) == 0:
            curve.append((number * GAMES * STEPS, score_against(network, "durak-dummy")))
            print(f"{curve[-1][0]:,} decisions: {curve[-1][1]:.1%} against durak-dummy", flush=True)
    env.close()
    return curve


def score_against(network: Network, opponent: str, games: int = 1000) -> float:
    """Return the share of points against a compiled opponent."""
    env = gymnasium.make_vec("croupier/Durak-v0", games, "vector_entry_point", opponent=opponent)
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
    parser.add_argument("--rounds", type=int, default=60, help=f"rounds of {GAMES * STEPS:,} decisions")
    parser.add_argument(
        "--pairs", type=int, default=100, help="pairs of games against each engine of the arena"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--weights", type=Path, help="keep the network in this file (.npz), or serve it from there"
    )
    parser.add_argument("--serve", action="store_true", help="be an engine")
    parser.add_argument("--plot", help="write the learning curve to this picture")
    given = parser.parse_args()
    network = Network(given.seed)
    if given.serve:
        with np.load(given.weights) as kept:
            network.weights = [kept[name] for name in kept.files]
        durak.serve(NetworkEngine(network))
        return
    curve = train(network, given.rounds, given.seed)
    if given.weights:
        np.savez(given.weights, *network.weights)
    for engine in ("durak-dummy", "durak-master --level 2 --seed 1", "durak-master --level 3 --seed 1"):
        print(durak.match(NetworkEngine(network), engine, pairs=given.pairs, seed=1))
    if given.plot:
        import matplotlib.pyplot as plt  # noqa: PLC0415 - comes with an extra

        plt.plot(
            [steps for steps, _ in curve], [100 * score for _, score in curve], marker=".", label="network"
        )
        plt.axhline(50, color="black", linestyle="--", label="durak-dummy")
        plt.xlabel("decisions")
        plt.ylabel("% of the points against durak-dummy")
        plt.legend()
        plt.savefig(given.plot)


if __name__ == "__main__":
    main()
