"""The sample engine plays as the one of the first implementation did: its recorded games are the proof."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.record import GameRecord, build_record, parse_log
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.dummy import dummy_policy

DATA = Path(__file__).parents[2] / "data" / "durak"
DUMMY = Path(sys.executable).parent / "durak-dummy"
GAMES = parse_log((DATA / "old-games.log").read_text(encoding="utf-8"))


def played_by_dummies(rules: DurakRules, deck: tuple[int, ...], leader: int) -> GameState:
    state = start(rules, deck, leader)
    while state.to_act is not None:
        state = answer(state, dummy_policy(observe(state, state.to_act)))
    return state


@pytest.mark.parametrize("game", GAMES, ids=range(1, len(GAMES) + 1))
def test_the_policy_plays_the_recorded_game_move_for_move(game: GameRecord) -> None:
    state = played_by_dummies(DurakRules(), game.deck, game.moves[0].attacker)
    ours = build_record(state, "", "", "", "").moves
    assert len(ours) == len(game.moves)
    for bout, recorded in zip(ours, game.moves, strict=True):
        assert bout.moves_and_responds == recorded.moves_and_responds
        assert bout.given_more == recorded.given_more
        assert bout.to_move == recorded.to_move
    assert state.result is game.result


@pytest.mark.parametrize("engine", ["engine1", "engine2"])
def test_the_process_answers_the_recorded_conversation_as_recorded(engine: str) -> None:
    lines = (DATA / "conversation.txt").read_text(encoding="utf-8").splitlines()
    sent = [line.split(" <- ")[1] for line in lines if line.startswith(f"{engine} <-")]
    recorded = [re.sub(r"^engine\d -> ?", "", line) for line in lines if line.startswith(f"{engine} ->")]
    run = subprocess.run(
        [DUMMY], input="".join(line + "\n" for line in sent), capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == recorded
    assert run.stderr == ""


def test_the_policy_obeys_the_caps_of_the_table() -> None:
    rules = DURAK.preset("table").rules
    for game in GAMES:
        assert isinstance(game, GameRecord)
        assert played_by_dummies(rules, game.deck, game.moves[0].attacker).is_over
