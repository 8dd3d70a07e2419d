"""An engine that plays any legal move, each as likely as the others."""

import os
import sys
from collections.abc import Sequence

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import beats, rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.players.base import Engine, play_process
from croupier.durak.players.splitmix import SplitMix64

_USAGE = "usage: durak-random [--seed N]"


class RandomPolicy:
    """Any legal move, from a seed: each card that may be played, and doing without where that is allowed.

    After a take each card that may be thrown in is, with even odds, until the limit is reached.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("AC 6H TC"), read_cards("9C"), (), 24, 5, read_card("8H"))
    >>> policy = RandomPolicy(seed=1)
    >>> [cards_text(policy(seen)) for _ in range(5)]
    ['AC', 'AC', '', 'TC', 'TC']
    """

    def __init__(self, seed: int) -> None:
        self._words = SplitMix64(seed)

    def __call__(self, seen: Observation) -> tuple[int, ...]:
        """Answer a question."""
        hand = sorted(seen.hand)
        if seen.phase is Phase.DEFEND:
            return self._one_of([card for card in hand if beats(card, seen.table[-1], seen.trump_suit)])
        if not seen.table:
            return (hand[self._words.below(len(hand))],)
        ranks = {rank_of(card) for card in seen.table}
        fitting = [card for card in hand if rank_of(card) in ranks]
        if seen.phase is Phase.ATTACK:
            return self._one_of(fitting)
        thrown: list[int] = []
        for card in fitting:
            if len(thrown) < seen.throw_in_limit and self._words.below(2):
                thrown.append(card)
        return tuple(thrown)

    def _one_of(self, cards: list[int]) -> tuple[int, ...]:
        """Choose one of the cards, or none, which is as likely as each of them."""
        place = self._words.below(len(cards) + 1)
        return tuple(cards[place : place + 1])


class RandomEngine(Engine):
    """The random engine; each game begins with its seed anew, in a process of its own or not."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._policy = RandomPolicy(seed)

    def new_game(self) -> None:
        """Begin with the seed again."""
        self._policy = RandomPolicy(self._seed)

    def choose(self, seen: Observation) -> Sequence[int]:
        """Answer as the policy does."""
        return self._policy(seen)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play one game over the standard streams: the command ``durak-random``, without a seed different each time."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in (["--help"], ["-h"]):
        print(f"{_USAGE}\n\nA durak engine that plays any legal move. Example: durak-random --seed 7")
        return
    if not words:
        seed = int.from_bytes(os.urandom(8), "little")
    elif len(words) == 2 and words[0] == "--seed" and words[1].isdecimal():
        seed = int(words[1])
    else:
        print(
            f"error: cannot read {' '.join(words)!r}; {_USAGE}, N a whole number from 0 up", file=sys.stderr
        )
        raise SystemExit(2)
    play_process(RandomEngine(seed))


if __name__ == "__main__":
    main()
