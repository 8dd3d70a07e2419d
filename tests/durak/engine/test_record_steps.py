from itertools import pairwise
from pathlib import Path

from croupier.durak.arena.log import read_log
from croupier.durak.engine.actions import act
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.record_steps import GameEntry, steps

OLD_GAMES = Path(__file__).parents[2] / "data" / "durak" / "old-games.log"


def test_the_steps_of_a_game_follow_from_each_other_and_end_where_the_game_does() -> None:
    for record in read_log(OLD_GAMES):
        assert isinstance(record, GameRecord)
        moments = list(steps(record))
        for before, after in pairwise(moments):
            assert after.action is not None
            assert after.seat == before.state.to_act
            assert after.state == act(before.state, after.action)
            assert after.ends_bout == (after.state.bout != before.state.bout)
        assert moments[-1].state == replay_record(record)


def test_a_row_is_found_by_all_of_its_words() -> None:
    entries = [GameEntry(number, game) for number, game in enumerate(read_log(OLD_GAMES), start=1)]
    assert sum(entry.matches("durak-dummy 05:48", None) for entry in entries) == 20
    assert not any(entry.matches("durak-dummy chess", None) for entry in entries)
