"""How both networks learn: Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: The share of the steps in which the learning rate rises.
_RISE = 0.3


def rate_at(share: float, highest: float) -> float:
    """Return the learning rate after a share of the steps: it rises to its highest, then falls to zero.

    >>> rate_at(0.3, 0.01), rate_at(1.0, 0.01)
    (0.01, 0.0)
    """
    return highest * min(share / _RISE, 1.0) * (1 - max(0.0, share - _RISE) / (1 - _RISE))


class Adam:
    """Moves weights against their gradients; it remembers the mean and the mean square of each.

    Parameters
    ----------
    weights
        What is learnt; changed in place.
    """

    def __init__(self, weights: Sequence[Floats]) -> None:
        self._weights = weights
        self._means = [np.zeros_like(part) for part in weights]
        self._squares = [np.zeros_like(part) for part in weights]
        self._steps = 0

    def step(self, gradients: Sequence[Floats], rate: float) -> None:
        """Make one step at a learning rate."""
        self._steps += 1
        scale = np.float32(rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for weights, gradient, mean, square in zip(
            self._weights, gradients, self._means, self._squares, strict=True
        ):
            mean[...] += np.float32(0.1) * (gradient - mean)
            square[...] += np.float32(0.001) * (gradient**2 - square)
            weights[...] -= scale * mean / (np.sqrt(square) + np.float32(1e-8))
