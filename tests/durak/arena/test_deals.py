"""Matches from fixed deals: the suite of openings, files of one's own, and what is refused."""

from pathlib import Path

import pytest

from croupier import durak
from croupier.durak.arena.deals import read_deals
from croupier.durak.arena.log import read_log
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK, cards_text
from croupier.durak.engine.record import GameRecord
from croupier.errors import InputError
from tests.cli.calling import call

PACK_LINE = cards_text(PACK)


def cheapest(seen: Observation) -> tuple[int, ...]:
    """Play the cheapest card that fits."""
    return tuple(seen.by_cost(seen.playable)[:1])


@pytest.fixture
def two_deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.txt"
    path.write_text(f"# two deals\n{PACK_LINE}\n\n{cards_text(reversed(PACK))}\n", encoding="utf-8")
    return path


def test_the_suite_is_dealt_from_its_seed() -> None:
    suite = read_deals("openings")
    assert [deal.deck for deal in suite] == [deal_of_pair(2026, pair).deck for pair in range(100)]


def test_a_match_plays_each_deal_with_both_seats_and_begins_again(two_deals: Path, tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    result = durak.match(cheapest, cheapest, seed=1, deals=str(two_deals))
    assert result.tally.games == 4
    durak.match(cheapest, cheapest, pairs=3, seed=1, deals=str(two_deals), log=log)
    games = [game for game in read_log(log) if isinstance(game, GameRecord)]
    ascending, descending = PACK, tuple(reversed(PACK))
    assert sorted((game.extra["pair"], game.deck) for game in games) == [
        (pair, deck) for pair, deck in enumerate((ascending, descending, ascending)) for _ in range(2)
    ]


def test_a_tournament_plays_fixed_deals(two_deals: Path) -> None:
    result = durak.tournament([cheapest, cheapest], seed=1, deals=str(two_deals))
    assert [match.tally.games for match in result.matches.values()] == [4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no deal in it"),
        ("6C 7C", "line 1: 2 cards, 2 of them different; a pack has 36"),
        (f"{PACK_LINE}\n{PACK_LINE[:-2]}6C", "line 2: 36 cards, 35 of them different"),
        ("6X", "line 1: card '6X': not in the pack"),
    ],
)
def test_what_is_no_pack_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_deals(str(path))


def test_deals_of_other_packs_are_refused(two_deals: Path) -> None:
    rules = durak.rules("quick", players=2)
    with pytest.raises(InputError, match="they are of 36 cards; these rules have 24"):
        durak.match(cheapest, cheapest, deals=str(two_deals), rules=rules)


def test_a_saved_match_keeps_to_its_deals(two_deals: Path, tmp_path: Path) -> None:
    words = ("durak", "match", "durak-dummy", "durak-dummy", "--save", str(tmp_path / "match"), "--seed", "1")
    assert call(*words, "--pairs", "1", "--deals", str(two_deals)).returncode == 0
    refused = call(*words, "--pairs", "1", "--resume")
    assert refused.returncode == 2
    assert "is of a match with other fixed deals" in refused.stderr
    assert call(*words, "--pairs", "1", "--resume", "--deals", str(two_deals)).returncode == 0
