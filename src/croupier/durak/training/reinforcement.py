"""Self-play from nothing: a policy that learns from its own games, with a critic that sees all cards.

Proximal policy optimization (J. Schulman and others, "Proximal policy optimization algorithms", 2017): games are played with the
present policy; choices after which things went better than the critic expected become likelier, within limits. The critic knows where
every card lies, so little of what it does not expect is luck; it only judges, so the policy still rests on what a player sees. What
a choice brings is estimated from the critic's later values (J. Schulman and others, "High-dimensional continuous control using
generalized advantage estimation", 2016), from both players' choices alike, because what one wins the other loses. A little entropy
is rewarded: a player that always does the same can be read.

Training goes in blocks. Each begins with new games and a seed of its own, so an interrupted training that goes on from the last
block ends with the same weights.
"""

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from croupier.durak.players.network_shapes import CounterShape, ValueShape
from croupier.durak.training.networks import (
    Policy,
    Value,
    bout_inputs,
    dealt_inputs,
    new_bout_value,
    new_critic,
    seen_inputs,
)
from croupier.durak.training.tensor_games import CheapGames, Dealt, Seen, TensorGames
from croupier.errors import InputError

#: The discount of later surprises in what a choice brought, and in what a bout is worth.
_CHOICE_MEMORY = 0.85
_BOUT_MEMORY = 0.95

#: How far the probability of a choice may move in one step.
_CLIP = 0.2

#: How slowly the averaged policy follows: it is the one that is kept.
_AVERAGING = 0.998

_WEIGHT_DECAY = 1e-5
_LONGEST_GRADIENT = 1.0
_WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Settings:
    """How long and how fast to learn; the defaults made the shipped weights.

    Attributes
    ----------
    games
        Games side by side.
    moves
        Choices of each game in a round of learning.
    blocks, rounds
        Blocks of the training, and rounds of learning in each.
    value_rounds
        Rounds in which the value of a bout's start is learnt afterwards.
    batch
        Choices in one step.
    rates
        The learning rate at first and at last.
    entropies
        What entropy is worth at first and at last.
    """

    games: int = 131_072
    moves: int = 32
    blocks: int = 12
    rounds: int = 100
    value_rounds: int = 90
    batch: int = 65_536
    rates: tuple[float, float] = (1e-3, 3e-5)
    entropies: tuple[float, float] = (0.03, 0.003)


class Rival(NamedTuple):
    """Whom the policy learns against.

    Attributes
    ----------
    name, prefix
        Its name, and how those of the networks begin.
    games
        The games that they play.
    shape
        What a bout is worth in them.
    settings
        How long to learn.
    """

    name: str
    prefix: str
    games: type[TensorGames]
    shape: type[ValueShape]
    settings: Settings


#: The policy plays itself, or from seat 0 a player that always plays its cheapest card, where there is nothing to hide.
ITSELF = Rival("itself", "", TensorGames, ValueShape, Settings())
DUMMY = Rival(
    "dummy",
    "counter_",
    CheapGames,
    CounterShape,
    Settings(blocks=4, value_rounds=60, entropies=(0.03, 0.0003)),
)
RIVALS = {rival.name: rival for rival in (ITSELF, DUMMY)}


class Played(NamedTuple):
    """Choices that were made, one after another, and what came of them.

    Attributes
    ----------
    seen, choices, chosen, chances
        What the player saw, what it could choose, what it chose, and the logarithm of how likely that was.
    dealt
        Where every card was.
    gains
        How much better it went than the critic expected, for the player.
    returns
        What the critic should have expected, for the attacker.
    """

    seen: Seen
    choices: Tensor
    chosen: Tensor
    chances: Tensor
    dealt: Dealt
    gains: Tensor
    returns: Tensor

    def rows(self, where: Tensor) -> "Played":
        """Return some of the rows."""
        return Played(
            Seen(*(part[where] for part in self.seen)),
            self.choices[where],
            self.chosen[where],
            self.chances[where],
            Dealt(*(part[where] for part in self.dealt)),
            self.gains[where],
            self.returns[where],
        )


def _drawn(chances: Tensor) -> Tensor:
    """Draw one choice a row, by the logarithms of their probabilities."""
    noise = torch.empty_like(chances).exponential_().log()
    return (chances - noise).argmax(1)


@torch.no_grad()
def play(games: TensorGames, policy: Policy, critic: Value, moves: int, memory: float) -> Played:
    """Let the policy make so many choices in every game, and judge them."""
    steps: list[tuple[Seen, Tensor, Tensor, Tensor, Dealt, Tensor]] = []
    flow: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    games.shuffle()
    for _ in range(moves):
        phases = games.phases()
        seen, choices, dealt = games.seen(phases), games.choices(phases), games.dealt(phases)
        chances = policy(seen_inputs(seen), choices)
        chosen = _drawn(chances)
        sides = 1 - 2 * games.attacker
        value = critic(dealt_inputs(dealt), games.attacker) * sides
        chance = chances.gather(1, chosen[:, None])[:, 0]
        is_over, result = games.play(phases, chosen)
        is_own = 1 - 2 * (phases == 1).long()
        steps.append((seen, choices, chosen.to(torch.int8), chance, dealt, sides))
        flow.append((value, ~is_over, result.float(), sides * is_own))
        games.begin(is_over)
    last = critic(dealt_inputs(games.dealt(games.phases())), games.attacker)
    gains, returns = _judged(flow, last * (1 - 2 * games.attacker), memory)
    columns = list(zip(*steps, strict=True))
    return Played(
        _joined(Seen, columns[0]),
        torch.cat(columns[1]),
        torch.cat(columns[2]),
        torch.cat(columns[3]),
        _joined(Dealt, columns[4]),
        torch.cat(gains),
        torch.cat([wanted * side for wanted, side in zip(returns, columns[5], strict=True)]),
    )


def _joined(kind: Any, parts: Any) -> Any:
    return kind(*(torch.cat(part) for part in zip(*parts, strict=True)))


def _judged(
    flow: list[tuple[Tensor, Tensor, Tensor, Tensor]], later: Tensor, memory: float
) -> tuple[list[Tensor], list[Tensor]]:
    """Return what each choice gained its player, and what the critic should have said for seat 0, from the last choice backwards."""
    gains, returns = [], []
    surprise = torch.zeros_like(later)
    for value, goes_on, result, side in reversed(flow):
        surprise = result + goes_on * (later + memory * surprise) - value
        gains.append(surprise * side)
        returns.append(surprise + value)
        later = value
    return gains[::-1], returns[::-1]


@dataclass
class Training:
    """A training under way: its networks, and how many blocks are done."""

    settings: Settings
    seed: int
    device: str
    rival: Rival = ITSELF
    block: int = 0
    policy: Policy = field(init=False)
    critic: Value = field(init=False)

    def __post_init__(self) -> None:
        torch.manual_seed(self.seed)
        torch.set_float32_matmul_precision("high")
        self.policy, self.critic = Policy().to(self.device), new_critic(self.rival.shape).to(self.device)
        last = list(self.policy.linear())[-1]
        with torch.no_grad():
            last.weight *= 0.1
        self.averaged = deepcopy(self.policy)
        self._weights = [*self.policy.parameters(), *self.critic.parameters()]
        self._optimizer = torch.optim.AdamW(
            self._weights, lr=self.settings.rates[0], betas=(0.9, 0.99), weight_decay=_WEIGHT_DECAY
        )

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on later."""
        parts = {name: part.state_dict() for name, part in self._parts().items()}
        return {"settings": self._told(), "seed": self.seed, "block": self.block, **parts}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state of a training with the same settings.

        Raises
        ------
        InputError
            If it was another training.
        """
        if (state["settings"], state["seed"]) != (self._told(), self.seed):
            raise InputError(
                f"the training there has seed {state['seed']} and {state['settings']}: go on with those, or take another folder"
            )
        self.block = state["block"]
        for name, part in self._parts().items():
            part.load_state_dict(state[name])

    def _told(self) -> str:
        return f"{self.settings} against {self.rival.name}"

    def _parts(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "critic": self.critic,
            "averaged": self.averaged,
            "optimizer": self._optimizer,
        }

    @property
    def is_done(self) -> bool:
        """Whether the policy has learnt for all blocks."""
        return self.block == self.settings.blocks

    def learn_block(self, tell: Callable[[str], None]) -> None:
        """Play and learn for one block."""
        settings, games = self.settings, self._new_games()
        for number in range(settings.rounds):
            done = self.block * settings.rounds + number
            share = done / (settings.blocks * settings.rounds)
            entropy = _between(settings.entropies, share)
            rate = _between(settings.rates, share) * min(1.0, (done + 1) / _WARM_UP)
            played = play(games, self.policy, self.critic, settings.moves, _CHOICE_MEMORY)
            surprise = self._learn(played, rate, entropy)
            self._average(1 - min(_AVERAGING, done / (done + 10)))
        self.block += 1
        tell(
            f"block {self.block} of {settings.blocks}: {100 * surprise:.1f} % of the results' variance unexplained, "
            f"seat 0 scores {100 * games.score():.1f} %"
        )

    @torch.no_grad()
    def _average(self, share: float) -> None:
        """Move the averaged policy a share of the way to the present one."""
        for kept, present in zip(self.averaged.parameters(), self.policy.parameters(), strict=True):
            kept.lerp_(present, share)

    def _new_games(self) -> TensorGames:
        seed = self.seed + 1_000_003 * (self.block + 1)
        torch.manual_seed(seed)
        return self.rival.games(self.settings.games, self.device, seed)

    def _learn(self, played: Played, rate: float, entropy: float) -> float:
        """Take the steps of one round; return the share of the variance that the critic did not expect."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        is_choice = (played.choices & (played.choices - 1)) != 0
        scale = played.gains[is_choice].std()
        for where in _batches(len(played.choices), self.settings.batch, self.device):
            rows, matters = played.rows(where), is_choice[where].float()
            loss = self._loss(rows, rows.gains / scale, matters / matters.sum(), entropy)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self._weights, _LONGEST_GRADIENT)
            self._optimizer.step()
        return float(played.gains.var() / played.returns.var())

    def _loss(self, rows: Played, gains: Tensor, weights: Tensor, entropy: float) -> Tensor:
        chances = self.policy(seen_inputs(rows.seen), rows.choices)
        ratio = (chances.gather(1, rows.chosen.long()[:, None])[:, 0] - rows.chances).exp()
        bounded = ratio.clamp(1 - _CLIP, 1 + _CLIP)
        gained = torch.minimum(ratio * gains, bounded * gains)
        spread = -(chances.exp() * chances.clamp(min=-100)).sum(1)
        missed = (self.critic(dealt_inputs(rows.dealt), rows.dealt.numbers[:, 2]) - rows.returns) ** 2
        return missed.mean() - (weights * (gained + entropy * spread)).sum()

    def fit_value(self, tell: Callable[[str], None]) -> Value:
        """Learn what the start of a bout is worth when the averaged policy plays on."""
        settings, games = self.settings, self._new_games()
        value: Value = new_bout_value(self.rival.shape).to(self.device)
        optimizer = torch.optim.AdamW(value.parameters(), lr=2 * settings.rates[0], betas=(0.9, 0.99))
        missed = torch.ones((), device=self.device)
        for number in range(settings.value_rounds):
            share = number / settings.value_rounds
            for group in optimizer.param_groups:
                group["lr"] = _between((2 * settings.rates[0], settings.rates[1]), share)
            played = play(games, self.averaged, self.critic, settings.moves, _BOUT_MEMORY)
            starts = ((played.dealt.sets[:, 2] == 0) & (played.dealt.numbers[:, 1] == 0)).nonzero()[:, 0]
            bouts = played.rows(starts)
            for where in _batches(len(starts), settings.batch // 4, self.device):
                dealt = Dealt(*(part[where] for part in bouts.dealt))
                loss = ((value(bout_inputs(dealt), dealt.numbers[:, 2]) - bouts.returns[where]) ** 2).mean()
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
                missed = loss.detach()
        tell(
            f"value: {float(missed):.4f} squared error at the starts of bouts, seat 0 scores {100 * games.score():.2f} %"
        )
        return value


def _between(ends: tuple[float, float], share: float) -> float:
    """Return the number a share of the way from one to the other, in equal ratios."""
    return ends[0] * math.pow(ends[1] / ends[0], share)


def _batches(size: int, batch: int, device: str) -> Iterator[Tensor]:
    """Yield all rows in a random order, so many at a time; a last batch that is much too small is left out."""
    parts = torch.randperm(size, device=device).split(batch)
    return (part for part in parts if len(part) >= batch // 2 or len(parts) == 1)
