"""The networks that learn by self-play, and what they are shown, as tensors.

Two of them are shipped. The policy (:mod:`~croupier.durak.players.policy_network_kernel`) sees what a player sees; the value
(:mod:`~croupier.durak.players.value_kernel`) sees where every card lies at the start of a bout. The critic is a larger value, for
any moment, which only training needs.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import log_softmax, one_hot

from croupier.durak.players.network_shapes import PLACES, STOCK_SIZES, PolicyShape, ValueShape
from croupier.durak.training.tensor_games import Dealt, Seen

Floats = NDArray[np.float32]

#: A set of cards is shown as five bytes, the stock as a row of cards for each of its places.
_SET_BITS = 40
_STOCK_BITS = (STOCK_SIZES - 1) * PLACES

#: How many values each number of what is seen has.
_SEEN_VALUES = (STOCK_SIZES, PolicyShape.COUNTS, PolicyShape.KINDS, PolicyShape.RANKS, PolicyShape.ROOMS)

_SEEN_INPUTS = PolicyShape.SETS * _SET_BITS + sum(_SEEN_VALUES)
_BOUT_INPUTS = ValueShape.SETS * _SET_BITS + _STOCK_BITS + STOCK_SIZES

#: The critic sees six sets of cards, the stock, its size, and what is asked for.
_DEALT_SETS = 6
_PHASES = 3
_DEALT_INPUTS = _DEALT_SETS * _SET_BITS + _STOCK_BITS + STOCK_SIZES + _PHASES

#: Units of the critic's hidden layers.
_CRITIC_UNITS = (512, 256)

_IMPOSSIBLE = -1e9


def number_type(device: str | torch.device) -> torch.dtype:
    """Return the type of the inputs: short numbers on a GPU."""
    return torch.bfloat16 if "cuda" in str(device) else torch.float32


def _bits(sets: Tensor) -> Tensor:
    """Return sets of cards as columns of zeros and ones."""
    shifts = torch.arange(8, dtype=torch.uint8, device=sets.device)
    octets = sets.contiguous().view(torch.uint8).view(*sets.shape, 8)[..., : _SET_BITS // 8]
    return (octets[..., None] >> shifts & 1).flatten(1).to(number_type(sets.device))


def _stock_bits(dealt: Dealt) -> Tensor:
    """Return for each place in the stock, the next card first, which card lies there."""
    stock = dealt.stock.long()
    first = PLACES - stock.shape[1]
    place = torch.arange(first, PLACES, device=stock.device) - dealt.numbers[:, :1].long()
    column = torch.where(place >= 0, place * PLACES + stock, _STOCK_BITS)
    bits = torch.zeros(len(stock), _STOCK_BITS + 1, dtype=number_type(stock.device), device=stock.device)
    return bits.scatter_(1, column, 1.0)[:, :_STOCK_BITS]


def _sizes(dealt: Dealt) -> Tensor:
    return one_hot(PLACES - dealt.numbers[:, 0].long(), STOCK_SIZES).to(number_type(dealt.sets.device))


def seen_inputs(seen: Seen) -> Tensor:
    """Return the inputs of the policy."""
    numbers = seen.numbers.long()
    hot = [one_hot(numbers[:, column], values) for column, values in enumerate(_SEEN_VALUES)]
    return torch.cat([_bits(seen.sets), torch.cat(hot, 1).to(number_type(seen.sets.device))], 1)


def dealt_inputs(dealt: Dealt) -> Tensor:
    """Return the inputs of the critic."""
    phases = one_hot(dealt.numbers[:, 1].long(), _PHASES).to(number_type(dealt.sets.device))
    return torch.cat([_bits(dealt.sets), _stock_bits(dealt), _sizes(dealt), phases], 1)


def bout_inputs(dealt: Dealt) -> Tensor:
    """Return the inputs of the value, at starts of bouts."""
    return torch.cat([_bits(dealt.sets[:, : ValueShape.SETS]), _stock_bits(dealt), _sizes(dealt)], 1)


def _layers(sizes: Iterable[int]) -> nn.Sequential:
    """Return layers with rectified sums between them."""
    parts: list[nn.Module] = []
    for before, after in pairwise(sizes):
        parts += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*parts[:-1])


class _Network(nn.Module):
    def __init__(self, sizes: Iterable[int]) -> None:
        super().__init__()
        self.layers = _layers(sizes)

    def _outputs(self, inputs: Tensor) -> Tensor:
        is_short = inputs.dtype is torch.bfloat16
        with torch.autocast(inputs.device.type, dtype=torch.bfloat16, enabled=is_short):
            outputs: Tensor = self.layers(inputs)
        return outputs.float()

    def linear(self) -> Iterator[nn.Linear]:
        """Yield the layers with weights."""
        return (layer for layer in self.layers if isinstance(layer, nn.Linear))


class Policy(_Network):
    """How a player chooses: the logarithm of the probability of each card, and of no card."""

    def __init__(self) -> None:
        units = PolicyShape.FIRST_UNITS, PolicyShape.SECOND_UNITS
        super().__init__((_SEEN_INPUTS, *units, PolicyShape.OUTPUTS))

    def forward(self, inputs: Tensor, choices: Tensor) -> Tensor:
        """Return logarithms of probabilities; those of what may not be chosen are far below all others."""
        outputs = self._outputs(inputs)
        allowed = _bits(choices[:, None])[:, : outputs.shape[1]] > 0
        return log_softmax(outputs.masked_fill(~allowed, _IMPOSSIBLE), 1)


class Value(_Network):
    """What a deal is worth for the attacker, -1 to 1: the same in both seats, or one number for an attacker in each."""

    def forward(self, inputs: Tensor, attackers: Tensor) -> Tensor:
        """Return one number a row."""
        outputs = torch.tanh(self._outputs(inputs))
        column = attackers.long() if outputs.shape[1] > 1 else torch.zeros_like(attackers, dtype=torch.int64)
        return outputs.gather(1, column[:, None])[:, 0]


def new_critic(shape: type[ValueShape]) -> Value:
    """Return the value of any moment of a game."""
    return Value((_DEALT_INPUTS, *_CRITIC_UNITS, shape.OUTPUTS))


def new_bout_value(shape: type[ValueShape]) -> Value:
    """Return the value of the start of a bout."""
    return Value((_BOUT_INPUTS, shape.FIRST_UNITS, shape.SECOND_UNITS, shape.OUTPUTS))


def _columns_of_cards(sets: int) -> list[int]:
    return [_SET_BITS * number + place for number in range(sets) for place in range(PLACES)]


def _flat(network: _Network, sets: int, biased_rows: int) -> Floats:
    """Return weights as the kernels read them: a row an input, and the first biases within rows of which one always counts.

    ``biased_rows`` is how many rows lie before those.
    """
    first, *others = network.linear()
    columns = [*_columns_of_cards(sets), *range(sets * _SET_BITS, first.in_features)]
    rows = first.weight.detach().cpu()[:, columns].T.contiguous()
    rows[biased_rows : biased_rows + STOCK_SIZES] += first.bias.detach().cpu()
    parts = [rows]
    for layer in others:
        parts += [layer.weight.detach().cpu().T.contiguous(), layer.bias.detach().cpu()]
    return np.concatenate([part.float().numpy().ravel() for part in parts])


def policy_weights(policy: Policy) -> Floats:
    """Return the weights of the policy as its kernel reads them."""
    return _flat(policy, PolicyShape.SETS, PolicyShape.STOCK)


def bout_value_weights(value: Value) -> Floats:
    """Return the weights of the value as its kernel reads them."""
    return _flat(value, ValueShape.SETS, ValueShape.SIZE)
