"""Games as the log keeps them: written, read back, kept as they were, and refused where they do not fit."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import PACK, read_card
from croupier.durak.engine.record import (
    BrokenGame,
    GameRecord,
    RecordError,
    build_record,
    format_record,
    header_line,
    parse_game,
    parse_log,
)
from croupier.durak.engine.record_check import RecordMisfit, check_record, replay_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.numerics.streams import RandomStream
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

TIMES = ("2026-11-15T05:48:09.975492", "2026-11-15T05:48:10.007371")


def played_at_random(seed: int, rules: DurakRules, moves: int = 10_000) -> GameState:
    stream = RandomStream((seed, 7))
    state = start(rules, shuffle(PACK, seed), leader=seed % 2)
    while moves and (legal := legal_actions(state)):
        state = answer(state, legal[stream.below(len(legal))].cards)
        moves -= 1
    return state


def as_json(record: GameRecord) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(format_record(record).splitlines()[1])
    return data


def from_data(data: dict[str, Any]) -> GameRecord:
    return parse_game(json.dumps(data))


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_games_of_any_rules_are_written_read_and_replayed(rules: DurakRules) -> None:
    for seed in range(20):
        state = played_at_random(seed, rules)
        record = build_record(state, "a", "b", *TIMES)
        again = parse_log(format_record(record))
        assert again == (record,)
        assert replay_record(record) == state
        assert record.extra.get("rules", {}) == rules.changes()


def test_the_header_names_time_players_and_result(recorded_games: list[GameRecord]) -> None:
    record = replace(recorded_games[0], player1_name="one\nline", player2_name="b", result=Result.DRAW)
    assert header_line(record) == "####2026-11-15T05:48:09, one line - b (s-s)####"
    assert format_record(record).count("\n") == 2


def test_unknown_fields_are_ignored_and_kept(recorded_games: list[GameRecord]) -> None:
    data = as_json(recorded_games[0])
    data["event"] = {"name": "open"}
    data["moves"][0]["clock"] = 12
    record = from_data(data)
    assert check_record(record) is None
    assert as_json(record) == data


def test_malformed_games_are_told_and_the_rest_is_read(recorded_games: list[GameRecord]) -> None:
    good = [format_record(game) for game in recorded_games[:3]]
    header, body = good[0].splitlines()
    text = "\n".join(
        [
            *good[0].splitlines(),
            "",
            header,
            body[:100],
            *good[1].splitlines(),
            header,
            header,
            body,
            body,
            "#### what is this ####",
            body,
            *(line + "\r" for line in good[2].splitlines()),
            header,
        ]
    )
    games = parse_log(text)
    kinds = ["broken" if isinstance(game, BrokenGame) else "game" for game in games]
    assert kinds == ["game", "broken", "game", "broken", "game", "broken", "broken", "game", "broken"]
    broken = [game for game in games if isinstance(game, BrokenGame)]
    assert [game.line for game in broken] == [4, 8, 11, 12, 16]
    assert broken[0].reason.startswith("not JSON (")
    assert [game.reason for game in broken[1:]] == [
        "no game after the header",
        "no header line before it",
        "the header is not of the form ####TIME, NAME1 - NAME2 (RESULT)####",
        "no game after the header",
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.pop("deck"), "no field 'deck'"),
        (lambda data: data.update(moves=3), "'moves' is not a list"),
        (lambda data: data.update(moves=[3]), "bout 1: not a JSON object"),
        (lambda data: data.update(result="2-0"), "result '2-0'; results are 1-0, 0-1, s-s"),
        (lambda data: data.update(result=[]), "result"),
        (lambda data: data.update(player1_name=1), "'player1_name' is 1, not a text"),
        (lambda data: data.update(deck="6C"), "'deck' is not a list of cards"),
        (lambda data: data.update(opened_trump="8d"), "'opened_trump': card '8d': lower case; write 8D"),
        (lambda data: data["moves"][1].pop("given_more"), "bout 2: no field 'given_more'"),
        (lambda data: data["moves"][1].update(to_move=1), "bout 2: 'to_move' is 1"),
        (lambda data: data["moves"][1].update(deck_count=True), "bout 2: 'deck_count' is True"),
        (lambda data: data["moves"][1]["given_more"].append(5), "bout 2: 'given_more': 5 is no card"),
    ],
)
def test_a_game_that_cannot_be_read_says_why(
    change: Callable[[dict[str, Any]], object], reason: str, recorded_games: list[GameRecord]
) -> None:
    data = as_json(recorded_games[0])
    change(data)
    with pytest.raises(RecordError) as caught:
        from_data(data)
    assert reason in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "3", '"x"', "[" * 100_000])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        parse_game(text)


def swap_cards(data: dict[str, Any], bout: int, first: int, second: int) -> None:
    cards = data["moves"][bout]["moves_and_responds"]
    cards[first], cards[second] = cards[second], cards[first]


@pytest.mark.parametrize(
    ("change", "misfit"),
    [
        (lambda data: data.update(result="1-0"), "result: 1-0 is recorded, the cards give 0-1"),
        (lambda data: data.update(opened_trump="6C"), "opened_trump: 6C is recorded, the last card of the deck is 8D"),
        (lambda data: data["deck"].__setitem__(20, "JC"), "card JC is twice in the deck"),
        (lambda data: data.update(moves=[]), "no bout is recorded"),
        (lambda data: data["moves"][3].update(to_move="player2"), "bout 4: to_move: player2 is recorded"),
        (lambda data: data["moves"][3].update(deck_count=15), "bout 4: deck_count: 15 is recorded, the stock holds 16"),
        (
            lambda data: data["moves"][3]["player1_cards"].__setitem__(0, "6S"),
            "bout 4: player1_cards: 6S 7D JH JS KD AH are recorded, the hand is 7D JH JS QC KD AH",
        ),
        (lambda data: swap_cards(data, 3, 0, 2), "bout 4, card 4: QS does not beat JH"),
        (lambda data: swap_cards(data, 3, 2, 4), "bout 4, card 3: cannot add QC"),
        (lambda data: data["moves"][3]["moves_and_responds"].pop(), "bout 5: player2_cards: 7C TC TS QD KS AS are recorded, the hand is 6D TS"),
        (lambda data: data["moves"][3]["moves_and_responds"].append("KS"), "bout 4, card 7: player 1 does not hold KS"),
        (lambda data: data["moves"][3]["given_more"].append("KS"), "bout 4: given_more: KS are recorded"),
        (lambda data: data["moves"].pop(), "result: 0-1 is recorded, but the cards do not end the game"),
        (lambda data: data["moves"].append(data["moves"][0]), "bout 12: recorded after the game had ended with 0-1"),
        (lambda data: data.update(rules={"no_such": 1}), "unknown option 'no_such'"),
        (lambda data: data.update(rules=3), "unknown option 'rules'"),
    ],
)  # fmt: skip
def test_a_record_that_does_not_fit_says_precisely_where(
    change: Callable[[dict[str, Any]], object], misfit: str, recorded_games: list[GameRecord]
) -> None:
    data = as_json(recorded_games[0])
    assert check_record(from_data(data)) is None
    change(data)
    found = check_record(from_data(data))
    assert found is not None
    assert misfit in found


def test_a_header_that_contradicts_the_game_is_told(recorded_games: list[GameRecord]) -> None:
    found = check_record(replace(recorded_games[0], result=Result.DRAW))
    assert found is not None
    assert found.startswith("the header says ####2026-11-15T05:48:09, durak-dummy - durak-dummy (0-1)####")


def test_cards_after_the_end_of_a_bout_are_told(recorded_games: list[GameRecord]) -> None:
    data = as_json(recorded_games[0])
    data["moves"][10]["moves_and_responds"].append("AH")
    assert "bout 11, card 10 (AH): the bout had ended before it" in str(check_record(from_data(data)))


def test_a_forfeited_game_stops_before_its_end_and_is_lost() -> None:
    state = played_at_random(5, DurakRules(), moves=21)
    assert not state.is_over
    forfeit = {"player": "player1", "reason": "silent"}
    record = build_record(state, "a", "b", *TIMES, result=Result.SECOND, extra={"forfeit": forfeit})
    assert check_record(record) is None
    assert parse_log(format_record(record)) == (record,)
    assert check_record(replace(record, result=Result.FIRST)) == (
        "result: 1-0 is recorded, but player1 forfeited the game"
    )
    assert check_record(replace(record, extra={})) == (
        "result: 0-1 is recorded, but the cards do not end the game"
    )
    assert "'player' is 'me'" in str(check_record(replace(record, extra={"forfeit": {"player": "me"}})))


def test_a_game_that_the_cards_ended_was_not_forfeited() -> None:
    record = build_record(played_at_random(5, DurakRules()), "a", "b", *TIMES)
    forfeited = replace(record, extra={"forfeit": {"player": "player1"}})
    assert "the cards had ended the game" in str(check_record(forfeited))


def test_any_moment_of_a_game_can_be_the_end_of_a_forfeited_one() -> None:
    length = len(played_at_random(8, DurakRules()).history)
    for moves in range(0, length, 3):
        state = played_at_random(8, DurakRules(), moves)
        record = build_record(
            state, "a", "b", *TIMES, result=Result.FIRST, extra={"forfeit": {"player": "player2"}}
        )
        if state.thrown_in == () and not state.is_taking:
            assert replay_record(record).hands == state.hands
        assert check_record(record) is None


def test_an_unfinished_game_needs_a_result_to_be_recorded() -> None:
    with pytest.raises(RecordError, match="the game is not over"):
        build_record(start(DurakRules(), PACK), "a", "b", *TIMES)


def test_a_misfit_is_raised_by_the_replay(recorded_games: list[GameRecord]) -> None:
    with pytest.raises(RecordMisfit, match="opened_trump"):
        replay_record(replace(recorded_games[0], opened_trump=read_card("6C")))
