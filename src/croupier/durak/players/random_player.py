"""An engine that plays any legal move, each as likely as the others."""

import sys
from collections.abc import Sequence

from croupier.durak.engine.observation import Observation, PassOn, Reply
from croupier.durak.engine.phases import Phase
from croupier.durak.players.base import PolicyEngine, serve
from croupier.durak.players.splitmix import SplitMix64

_USAGE = "usage: durak-random [--seed N]"


class RandomPolicy:
    """Any legal move, from a seed: each card that may be played, and none where that is allowed.

    After a take, each card that fits is thrown in with probability ½ until the limit is reached.

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
        cards = sorted(seen.playable)
        if seen.phase is not Phase.THROW_IN:
            return self._one_of(cards, can_pass=seen.can_pass)
        thrown: list[int] = []
        for card in cards:
            if len(thrown) < seen.throw_in_limit and self._words.below(2):
                thrown.append(card)
        return tuple(thrown)

    def reply(self, seen: Observation) -> Reply:
        """Answer a question of any variant: passing the attack on is one more thing that a defender can do."""
        if seen.variant is None or not (seen.variant.transfers or seen.variant.shows):
            return self(seen)
        replies: list[Reply] = [(), *((card,) for card in sorted(seen.playable))]
        replies += [PassOn(card) for card in seen.variant.transfers]
        replies += [PassOn(card, is_shown=True) for card in seen.variant.shows]
        return replies[self._words.below(len(replies))]

    def _one_of(self, cards: list[int], *, can_pass: bool) -> tuple[int, ...]:
        """Choose one of the cards, or none where that is allowed, each as likely as the others."""
        place = self._words.below(len(cards) + can_pass)
        return tuple(cards[place : place + 1])


class RandomEngine(PolicyEngine):
    """The random engine.

    Parameters
    ----------
    seed
        Every game begins with this seed; without one, each game with a new seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def new_game(self) -> None:
        """Begin with the seed again, or with a new one."""
        self._policy = RandomPolicy(self.game_seed if self._seed is None else self._seed).reply


def main(arguments: Sequence[str] | None = None) -> None:
    """Play over the standard streams: the command ``durak-random``; without a seed, different each time."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in (["--help"], ["-h"]):
        print(f"{_USAGE}\n\nA durak engine that plays any legal move. Example: durak-random --seed 7")
        return
    if words and not (len(words) == 2 and words[0] == "--seed" and words[1].isdecimal()):
        print(
            f"error: cannot read {' '.join(words)!r}; {_USAGE}, N a whole number from 0 up", file=sys.stderr
        )
        raise SystemExit(2)
    serve(RandomEngine(int(words[1]) if words else None))


if __name__ == "__main__":
    main()
