"""The recorded games and the recorded conversation of the first implementation, played again here to the letter."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import lowest_trump_leader, start
from croupier.durak.engine.pack import read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import Notice, notices, opening, parse_answer, parse_command, question
from croupier.durak.engine.record import PLAYERS, GameRecord, build_record, format_record, parse_log
from croupier.durak.engine.record_check import check_record, replay_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState

DATA = Path(__file__).parents[2] / "data" / "durak"
CONVERSATION = (DATA / "conversation.txt").read_text(encoding="utf-8").splitlines()
_LINE = re.compile(r"engine([12]) (<-|->) ?(.*)")


def recorded_lines() -> list[tuple[int, str, str]]:
    """Each line of the conversation: the seat, the direction, the text."""
    matches = [_LINE.fullmatch(line) for line in CONVERSATION]
    return [(int(match[1]) - 1, match[2], match[3]) for match in matches if match]


def deck_of_the_conversation() -> list[int]:
    """Put the deck together from the deals: both hands, then what the attacker drew, then what the defender drew."""
    commands = [(seat, parse_command(text)) for seat, arrow, text in recorded_lines() if arrow == "<-"]
    deals = [(seat, command.cards) for seat, command in commands if command.name == "deal"]
    attackers = [seat for seat, command in commands if command.name == "move" and not command.cards]
    deck = [*deals[0][1], *deals[1][1]]
    for bout, place in enumerate(range(2, len(deals), 2)):
        drawn = dict(deals[place : place + 2])
        for seat in (attackers[bout], 1 - attackers[bout]):
            deck += [card for card in drawn[seat] if card not in deck]
    return deck


def played_conversation() -> tuple[list[tuple[int, str, str]], GameState]:
    """Play the recorded answers and write down what both engines would have read and written."""
    answers = iter([text for _, arrow, text in recorded_lines() if arrow == "->" and text != "ok"])
    state = start(DurakRules(), deck_of_the_conversation())
    lines: list[tuple[int, str, str]] = []

    def tell(notice: Notice) -> None:
        lines.append((notice.seat, "<-", notice.line))
        if notice.line != "game_end":
            lines.append((notice.seat, "->", "ok"))

    for notice in opening(state):
        tell(notice)
    while (asked := question(state)) is not None:
        text = next(answers)
        lines += [(asked.seat, "<-", asked.line), (asked.seat, "->", text)]
        before, state = state, answer(state, parse_answer(text, state.phase))
        for notice in notices(before, state):
            tell(notice)
    return lines, state


def test_the_recorded_conversation_is_spoken_to_the_letter() -> None:
    lines, state = played_conversation()
    assert len(recorded_lines()) == len(CONVERSATION) == 146
    for number, (ours, recorded) in enumerate(zip(lines, recorded_lines(), strict=True), start=1):
        assert ours == recorded, f"line {number}"
    assert state.winner == 1


def test_the_log_holds_20_games_and_all_of_them_can_be_read() -> None:
    games = parse_log((DATA / "old-games.log").read_text(encoding="utf-8"))
    assert [type(game) for game in games] == [GameRecord] * 20


def test_every_recorded_game_replays_card_by_card_to_its_result(recorded_games: list[GameRecord]) -> None:
    assert [check_record(game) for game in recorded_games] == [None] * 20
    assert Counter(game.result.value for game in recorded_games) == {"0-1": 9, "1-0": 6, "s-s": 5}


@pytest.mark.parametrize("number", range(20))
def test_the_recorded_bouts_are_those_of_a_game_played_from_the_raw_json(number: int) -> None:
    """A second reading of the log that shares nothing with the record module but the engine."""
    data = json.loads((DATA / "old-games.log").read_text(encoding="utf-8").splitlines()[2 * number + 1])
    deck = read_cards(" ".join(data["deck"]))
    state = start(DurakRules(), deck, PLAYERS.index(data["moves"][0]["to_move"]))
    for bout in data["moves"]:
        assert [set(hand) for hand in state.hands] == [
            set(read_cards(" ".join(bout[f"{player}_cards"]))) for player in PLAYERS
        ]
        assert (PLAYERS[state.attacker], state.deck_count) == (bout["to_move"], bout["deck_count"])
        begun = state.bout
        for card in bout["moves_and_responds"]:
            assert state.bout == begun
            state = answer(state, (read_card(card),))
        if state.bout == begun and not state.is_over:
            state = answer(state, ())
        if state.phase is Phase.THROW_IN:
            state = answer(state, read_cards(" ".join(bout["given_more"])))
        else:
            assert bout["given_more"] == []
    assert state.result == data["result"]


def test_the_lowest_trump_leads_in_every_recorded_game(recorded_games: list[GameRecord]) -> None:
    for game in recorded_games:
        assert lowest_trump_leader(game.deck) in (None, game.moves[0].attacker)


def test_a_record_built_from_a_replayed_game_is_the_recorded_one(recorded_games: list[GameRecord]) -> None:
    for game in recorded_games:
        state = replay_record(game)
        built = build_record(state, game.player1_name, game.player2_name, game.started_at, game.ended_at)
        again = parse_log(format_record(built))[0]
        assert isinstance(again, GameRecord)
        assert again.header == game.header
        assert json.dumps(comparable(again)) == json.dumps(comparable(game))


def comparable(game: GameRecord) -> dict[str, object]:
    """A record as plain data; the old program kept hands in no order."""
    bouts = [
        (
            sorted(bout.player1_cards),
            sorted(bout.player2_cards),
            bout.to_move,
            bout.deck_count,
            bout.moves_and_responds,
            bout.given_more,
        )
        for bout in game.moves
    ]
    return {
        "names": (game.player1_name, game.player2_name),
        "times": (game.started_at, game.ended_at),
        "deck": game.deck,
        "trump": game.opened_trump,
        "result": game.result,
        "bouts": bouts,
    }
