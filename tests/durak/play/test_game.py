"""One game as an object: dealt, played, shown, logged and read again."""

import random
from datetime import datetime
from pathlib import Path

import pytest

from croupier import durak
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.record import GameRecord, parse_log
from croupier.durak.engine.record_check import check_record
from croupier.durak.engine.record_steps import steps
from croupier.errors import InputError
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

OLD_GAMES = Path(__file__).parents[2] / "data" / "durak" / "old-games.log"


def play_at_random(game: durak.Game, chance: random.Random, actions: int = 1000) -> durak.Game:
    for _ in range(actions):
        if game.is_over:
            break
        game.play(chance.choice(game.legal))
    return game


def test_a_seed_names_the_cards_of_the_first_pair_of_a_match() -> None:
    game, deal = durak.Game.deal(seed=3), deal_of_pair(3, 0)
    assert (game.state.deck, game.state.leader) == (deal.deck, deal.leader)
    assert durak.Game.deal(seed=3, leader=1 - deal.leader).turn == 1 - deal.leader


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_every_legal_word_can_be_played_and_every_position_comes_back_from_its_log(
    rules: durak.Rules,
) -> None:
    """Whatever was done last: attacked, beaten, taken, thrown in."""
    for seed in range(3):
        game, chance = durak.Game.deal(seed, rules), random.Random(seed)
        for _ in range(30):
            for word in game.legal:
                game.copy().play(word)
            text = game.to_log()
            (record,) = parse_log(text)
            assert isinstance(record, GameRecord)
            assert check_record(record) is None
            assert durak.Game.from_log(text).state == game.state
            play_at_random(game, chance, actions=1)
        again = durak.Game.from_log(play_at_random(game, chance).to_log())
        assert again.is_over
        assert (again.state, again.result) == (game.state, game.result)


def test_a_refused_play_changes_nothing() -> None:
    game = durak.Game.deal(seed=3)
    before = game.state
    for wrong in ("7S", "7c", "take", "done", None, "7C 6H", 3.5, "nonsense"):
        with pytest.raises(InputError):
            game.play(wrong)  # type: ignore[arg-type]
    assert game.state is before


def test_a_finished_game_offers_nothing_and_takes_nothing() -> None:
    game = play_at_random(durak.Game.deal(seed=1), random.Random(1))
    assert (game.legal, game.turn) == ((), None)
    assert game.result in ("1-0", "0-1", "s-s")
    with pytest.raises(InputError, match="the game is over"):
        game.play("7C")


def test_a_copy_is_played_by_itself() -> None:
    game = durak.Game.deal(seed=3)
    other = game.copy().play("7C")
    assert (len(game.state.history), len(other.state.history)) == (0, 1)


def test_what_a_player_sees_is_what_that_seat_may_know() -> None:
    game = durak.Game.deal(seed=3).play("7C")
    assert game.seen().hand == game.state.hands[0]
    assert game.seen(1).hand == game.state.hands[1]
    with pytest.raises(InputError, match="name a seat"):
        game.seen(2)


def test_a_game_shows_itself() -> None:
    game = durak.Game.deal(seed=3).play("7C")
    assert repr(game) == "<Game player 1 - player 2: player 1 to defend, 1 actions>"
    html = game._repr_html_()
    assert all(card in html for card in ("7♣", "A♠", "Q♣"))
    assert html.count("#c00") == sum(card % 4 in (1, 2) for hand in game.state.hands for card in hand)
    assert game.story.splitlines()[-1] == "  Player 2 plays 7♣."


def test_an_unfinished_game_is_marked_in_its_log(tmp_path: Path) -> None:
    game = durak.Game.deal(seed=3).play("7C").play("take")
    text = game.to_log(at=datetime(2026, 11, 15))
    (record,) = parse_log(text)
    assert isinstance(record, GameRecord)
    assert (record.unfinished, str(record.result)) == ({"is_taking": True}, "s-s")
    assert list(steps(record))[-1].state == game.state
    path = tmp_path / "games.log"
    path.write_text(text + text, encoding="utf-8")
    assert durak.Game.from_log(path, number=2).state == game.state
    with pytest.raises(InputError, match="no game 3; it holds 2"):
        durak.Game.from_log(path, number=3)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('"result": "s-s"', '"result": "1-0"'), "the game is not over"),
        (('"is_taking": false', '"is_taking": true'), None),
        (('"moves_and_responds": ["7C"]', '"moves_and_responds": ["7C", "6D"]'), "card 2"),
    ],
)
def test_a_log_that_cannot_be_true_is_refused(change: tuple[str, str], complaint: str | None) -> None:
    text = durak.Game.deal(seed=3).play("7C").to_log()
    assert change[0] in text
    changed = text.replace(*change).replace("(s-s)", "(1-0)" if "1-0" in change[1] else "(s-s)")
    if complaint is None:
        assert durak.Game.from_log(changed).state.is_taking
    else:
        with pytest.raises(InputError, match=complaint):
            durak.Game.from_log(changed)


def test_old_logs_open() -> None:
    game = durak.Game.from_log(OLD_GAMES, number=20)
    assert (game.is_over, game.names[0]) == (True, "durak-dummy")


def test_a_forfeited_game_says_who_lost_it_and_comes_back_from_its_log() -> None:
    def impossible(_seen: durak.Observation) -> str:
        return "nothing of the kind"

    game = durak.Game.between(impossible, "durak-dummy", seed=1)
    assert (game.result, game.is_over, game.legal) == ("0-1", True, ())
    assert game.forfeit is not None
    again = durak.Game.from_log(game.to_log())
    assert (again.state, again.forfeit, again.result) == (game.state, game.forfeit, "0-1")
