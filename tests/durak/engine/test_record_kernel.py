"""The compiled check of recorded games never says yes where the readable one finds something wrong."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.durak.engine.record import BrokenGame, LogEntry, log_entries, read_game
from croupier.durak.engine.record_check import check_record
from croupier.durak.engine.record_kernel import certainly_fits

OLD_GAMES = Path(__file__).parents[2] / "data" / "durak" / "old-games.log"
ENTRIES = list(log_entries(OLD_GAMES.read_text().split("\n")))


def fits(entry: LogEntry) -> bool:
    game = read_game(entry)
    return not isinstance(game, BrokenGame) and check_record(game) is None


def test_every_recorded_game_certainly_fits() -> None:
    assert all(certainly_fits(entry) for entry in ENTRIES)


def test_a_game_written_in_another_way_certainly_fits() -> None:
    for entry in ENTRIES:
        data = json.loads(entry.text)
        for text in (json.dumps(data, sort_keys=True), json.dumps(data, indent=1).replace("\n", " ")):
            assert certainly_fits(entry._replace(text=text))


def changed_texts(text: str, chance: random.Random) -> Iterator[str]:
    """Change a game as people and disks do: a byte, a card for another, two cards of a list swapped, a piece cut out."""
    at = chance.randrange(len(text))
    yield text[:at] + chance.choice('"[]{}, 0123456789TJQKACDHSx') + text[at + 1 :]
    quotes = [place for place in range(len(text) - 3) if text[place] == text[place + 3] == '"']
    first, second = chance.sample(quotes, 2)
    cards = list(text)
    cards[first : first + 4], cards[second : second + 4] = (
        cards[second : second + 4],
        cards[first : first + 4],
    )
    yield "".join(cards)
    begin = text.index(",", at) if "," in text[at:] else at
    yield text[:begin] + text[begin + 6 :]
    yield text[:at]


@pytest.mark.parametrize("entry", ENTRIES[:6], ids=lambda entry: f"line {entry.line}")
def test_a_changed_game_is_never_certain_unless_it_fits(entry: LogEntry) -> None:
    chance = random.Random(entry.line)
    for _ in range(60):
        for text in changed_texts(entry.text, chance):
            changed = entry._replace(text=text)
            if certainly_fits(changed):
                assert fits(changed)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"deck_count": 24', '"deck_count": 024'),
        ('"deck_count": 24', '"deck_count": 23'),
        ('"to_move": "player1"', '"to_move": "player2"'),
        ('"given_more": []', '"given_more": ["6C"]'),
        ('], "ended_at"', '], "moves": [], "ended_at"'),
        ('"ended_at": ', '"ended_at": 7, "x": '),
        ('{"moves": [', '{"forfeit": {"player": "player1", "reason": ""}, "moves": ['),
    ],
)
def test_what_is_wrong_or_unusual_is_not_certain(before: str, after: str) -> None:
    text = ENTRIES[0].text
    assert before in text
    assert not certainly_fits(ENTRIES[0]._replace(text=text.replace(before, after, 1)))


def test_a_header_that_says_something_else_is_not_certain() -> None:
    header = ENTRIES[0].header
    for other in (header.replace("durak-dummy", "durak-rummy", 1), header.replace("0-1", "1-0"), ""):
        assert not certainly_fits(ENTRIES[0]._replace(header=other))
