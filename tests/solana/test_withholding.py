"""With stakes nobody gains by withholding, in any single game; without them both sides do."""

import pytest

from benchmarks.solana_withholding import STRATEGIES, WAGERS, Strategy, ending, gains, played
from croupier.numerics.streams import RandomStream
from croupier.solana.codes import Result

GAMES = [played(RandomStream((5, number))) for number in range(80)]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_withholding_never_gains_with_stakes(strategy: Strategy) -> None:
    (_, void), (_, plain), (_, bonded) = WAGERS
    assert max(gains(GAMES, strategy, plain)) <= 0
    stopped = [game for game in GAMES if ending(*game, strategy) is not game[1]]
    assert stopped
    if strategy.side == "house":
        assert max(gains(stopped, strategy, bonded)) < 0, "with a bond, silence costs more than any loss"
    assert max(gains(GAMES, strategy, void)) > 0, "without stakes, some game is better left unfinished"


def test_the_games_end_in_every_way() -> None:
    by_cards = set(Result) - {Result.OPEN, Result.HOUSE_FORFEIT, Result.PLAYER_FORFEIT}
    assert {result for _, result in GAMES} == by_cards
