"""Many games at once: what the game between sample engines looks like, the same on any number of workers."""

from dataclasses import replace

import pytest

from croupier.durak.engine.rules import DURAK
from croupier.durak.players.mass_play import BuiltIn, play_many
from croupier.errors import InputError


def test_a_fifth_of_the_games_of_sample_engines_are_drawn_and_the_first_to_move_scores_55_percent() -> None:
    """Both figures were observed in the first implementation: about 20 % and about 55 %."""
    result = play_many(BuiltIn.DUMMY, BuiltIn.DUMMY, games=200_000, seed=5)
    assert result.draw_share == pytest.approx(0.207, abs=0.005)
    assert result.first_mover_points == pytest.approx(0.55, abs=0.006)
    assert result.player1_points == pytest.approx(0.5, abs=0.005)


def test_the_sample_engine_scores_98_percent_against_random_play() -> None:
    """As observed in the first implementation, from either seat."""
    assert play_many(BuiltIn.DUMMY, BuiltIn.RANDOM, 50_000, seed=5).player1_points == pytest.approx(
        0.98, abs=0.005
    )
    assert play_many(BuiltIn.RANDOM, BuiltIn.DUMMY, 50_000, seed=5).player1_points == pytest.approx(
        0.02, abs=0.005
    )


def test_the_same_games_are_played_on_any_number_of_workers() -> None:
    alone, together = (play_many(BuiltIn.DUMMY, BuiltIn.RANDOM, 70_000, seed=9, workers=n) for n in (1, 3))
    assert replace(alone, seconds=0) == replace(together, seconds=0)
    assert alone.draws + alone.player1_wins < alone.games == 70_000


def test_the_rules_of_the_table_play_other_games() -> None:
    protocol, table = (
        play_many(BuiltIn.RANDOM, BuiltIn.RANDOM, 50_000, seed=9, rules=preset.rules)
        for preset in DURAK.presets
    )
    assert protocol.first_mover_wins != table.first_mover_wins


@pytest.mark.parametrize(("games", "seed", "workers"), [(0, 1, 1), (10, -1, 1), (10, 1, 0)])
def test_numbers_out_of_range_are_refused(games: int, seed: int, workers: int) -> None:
    with pytest.raises(InputError, match="from 1 up"):
        play_many(BuiltIn.DUMMY, BuiltIn.DUMMY, games, seed, workers=workers)
