import pytest

from croupier.durak.arena.log import read_log
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import Verdict
from croupier.durak.engine.actions import act, action_of
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.record import BrokenGame, GameRecord, log_entries, parse_log
from croupier.durak.engine.record_steps import FORFEITED, MALFORMED, steps
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import GameState
from croupier.durak.engine.variant_record import (
    VariantOutline,
    build_variant_record,
    format_variant_record,
    read_any_game,
)
from croupier.durak.play.phrases import replay_result, step_phrase, verdict_phrase
from croupier.durak.play.replay import Replay
from croupier.durak.players.built_in import built_in_player
from croupier.texts import Texts
from tests.web.models.durak_services import OLD_GAMES


@pytest.fixture(scope="module")
def old_games() -> Replay:
    return Replay("old.log", read_log(OLD_GAMES))


@pytest.fixture(scope="module")
def damaged() -> Replay:
    lines = OLD_GAMES.read_text().splitlines()
    lines[3] = lines[3][:700]
    lines[5] = lines[5].replace('"to_move": "player1"', '"to_move": "player2"', 1)
    return Replay("damaged.log", parse_log("\n".join(lines) + "\n"))


def test_every_game_of_the_old_log_steps_from_the_deal_to_its_result(old_games: Replay) -> None:
    assert old_games.size == 20
    for number, record in enumerate(read_log(OLD_GAMES), start=1):
        game = old_games.game(number)
        assert game is not None
        assert isinstance(record, GameRecord)
        assert len(game.positions) == len(list(steps(record)))
        assert game.positions[0].action is None
        assert game.positions[0].deck_count == 24
        assert game.positions[-1].result == game.result == str(record.result)
        for position in game.positions:
            table = [card for pair in position.table for card in pair if card is not None]
            shown = [*position.hands[0], *position.hands[1], *table]
            assert len(set(shown)) == len(shown)
            assert len(shown) + position.deck_count + position.discard_count == len(PACK)
    assert old_games.game(0) is None
    assert old_games.game(21) is None


def test_games_are_found_by_result_and_by_words(old_games: Replay) -> None:
    by_result = {kind: len(old_games.rows(kind=kind)) for kind in ("1-0", "0-1", "s-s")}
    assert sum(by_result.values()) == 20
    assert min(by_result.values()) > 0
    assert len(old_games.rows("DURAK-dummy")) == 20
    assert old_games.rows("deep blue") == ()
    assert [row.number for row in old_games.rows("05:48:09")] == [1]


def test_a_game_that_cannot_be_read_is_listed_as_such(damaged: Replay) -> None:
    [row] = damaged.rows(kind=MALFORMED)
    assert row.number == 2
    assert row.players is None
    assert row.problem.startswith("line 3: not JSON")
    game = damaged.game(2)
    assert game is not None
    assert game.positions == ()
    assert game.problem.startswith("line 3: not JSON")
    assert game.clamped(5) == 0


def test_a_game_that_does_not_replay_says_where(damaged: Replay) -> None:
    game = damaged.game(3)
    assert game is not None
    assert game.problem.startswith("bout")
    assert game.players == ("durak-dummy", "durak-dummy")


def test_a_forfeited_game_ends_with_its_forfeit() -> None:
    header, line = OLD_GAMES.read_text().splitlines()[:2]
    record = parse_log(f"{header}\n{line}\n")[0]
    assert isinstance(record, GameRecord)
    bouts = line.index(', "ended_at"')
    first_bout = line[: line.index("}, {")] + "}]" + line[bouts:]
    forfeit = '{"player": "player1", "verdict": "crash", "reason": "ended with status 1"}'
    text = f'{header}\n{first_bout[:-1]}, "forfeit": {forfeit}}}\n'
    replay = Replay("x.log", parse_log(text))
    game = replay.game(1)
    assert game is not None
    assert game.problem == ""
    assert game.positions[-1].is_forfeit
    assert [row.forfeit for row in replay.rows(kind=FORFEITED)] == ["crash"]
    told = step_phrase(game.positions[-1], game, Texts("en"))
    assert "forfeits: it ended, or raised an error, before its answer. ended with status 1" in told


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_step_and_every_verdict_has_words_in_every_language(old_games: Replay, language: str) -> None:
    texts = Texts(language)
    game = old_games.game(1)
    assert game is not None
    told = [step_phrase(position, game, texts) for position in game.positions]
    assert all(told)
    assert len(set(told)) > len(told) // 2
    assert all(verdict_phrase(verdict, texts) != str(verdict) for verdict in Verdict)
    assert verdict_phrase("sulking", texts) == "sulking"


def test_a_step_beyond_the_game_is_the_nearest_one(old_games: Replay) -> None:
    game = old_games.game(1)
    assert game is not None
    assert (game.clamped(-3), game.clamped(10**6)) == (1, len(game.positions))


def variant_state(preset: str) -> GameState:
    rules = DURAK.preset(preset).rules
    state = start(rules, deal_of_pair(7, 0, rules).deck)
    dummy = built_in_player("durak-dummy")
    while not state.is_over:
        state = act(state, action_of(state, dummy.answer(state, 1)))
    return state


def variant_log(preset: str, *, players: int | None = None) -> Replay:
    state = variant_state(preset)
    names = ["dummy"] * (players or len(state.hands))
    record = build_variant_record(state, names, "2026-11-15T05:48:09", "2026-11-15T05:49:00")
    return Replay(
        "variants.log", tuple(map(read_any_game, log_entries(format_variant_record(record).split("\n"))))
    )


@pytest.mark.parametrize("preset", [preset.name for preset in DURAK.presets[1:]])
def test_a_game_of_every_variant_steps_from_the_deal_to_its_fool(preset: str) -> None:
    replay, final = variant_log(preset), variant_state(preset)
    [row] = replay.rows()
    game = replay.game(1)
    assert game is not None
    assert game.problem == ""
    assert game.state == final
    assert len(game.positions) == 1 + len(final.history)
    pack = len(final.rules.cards)
    for position in game.positions:
        table = [card for pair in position.table for card in pair if card is not None]
        shown = [card for hand in position.hands for card in hand] + table
        assert len(set(shown)) == len(shown)
        assert len(shown) + position.deck_count + position.discard_count == pack
    told = [step_phrase(position, game, Texts("en")) for position in game.positions]
    fools = [f"dummy (player {seat + 1})" for seat in final.losers]
    if len(final.hands) > 2 and fools:
        assert told[-1].endswith(f"The fool: {', '.join(fools)}.")
        assert replay_result(game, Texts("en")) == f"fool: {', '.join(fools)}"
    assert row.players == ("dummy",) * len(final.hands)
    assert [found.number for found in replay.rows("dummy 05:48:09")] == [1]
    assert replay.rows(kind="1-0") == ()


def test_a_variant_that_cannot_be_played_again_says_why() -> None:
    text = variant_log("podkidnoy")
    [entry] = text._entries
    assert isinstance(entry.game, VariantOutline)
    broken = entry.game.entry._replace(text=entry.game.entry.text.replace('"leader": 0', '"leader": 9'))
    outline = read_any_game(broken)
    game = Replay("variants.log", (outline,)).game(1)
    assert game is not None
    assert game.problem
    assert game.positions == ()
    unreadable = read_any_game(broken._replace(text='{"players": ["a"]}'))
    assert isinstance(unreadable, BrokenGame)
    assert unreadable.reason == "no field 'started_at'"
