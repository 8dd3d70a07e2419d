"""Counts that beat side bets: expected compositions against dealt shoes."""

import pytest

from croupier.blackjack.counting.side_counts import dealt_wins, side_count
from croupier.blackjack.counting.system import HI_LO
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.casino_side_bets import (
    CASINO_SIDE_BETS,
    find_side_bet,
    full_shoe,
    side_bet_value,
)
from croupier.errors import InputError

RULES = BlackjackRules(decks=6)

#: S. Wong's Crush count for Over/Under 13, 2 to A, as E. Jacobson quotes it (Professional Blackjack).
CRUSH = (2, 1, 0, 0, 0, 0, 0, -1, -1, 2)


@pytest.mark.parametrize("name", CASINO_SIDE_BETS)
def test_a_bet_made_every_round_has_its_value(name: str) -> None:
    bet = find_side_bet(name)
    won, often = dealt_wins(bet, RULES, HI_LO, index=-1000, shoes=300, seed=4)
    assert often == 1.0
    assert won.stderr is not None
    assert abs(won.value - 100 * side_bet_value(bet, full_shoe(RULES))) < 4 * won.stderr


def test_dealt_shoes_win_what_expected_compositions_say() -> None:
    """Compositions scatter around the expected one, which costs the bet up to a fifth of its win."""
    for name in ("over-13", "under-13"):
        found = side_count(name, RULES, shoes=6000, seed=3)
        assert found.dealt is not None
        assert found.dealt.stderr is not None
        assert found.dealt_bets is not None
        assert abs(found.dealt.value - found.win_per_100) < 3 * found.dealt.stderr + 0.2 * found.win_per_100
        assert found.dealt.value > 2 * found.dealt.stderr
        assert found.dealt_bets == pytest.approx(found.bets, rel=0.2)


def test_our_tags_agree_better_than_those_of_the_books() -> None:
    crush, ours = side_count("over-13", RULES, tags=CRUSH), side_count("over-13", RULES)
    assert ours.correlation > crush.correlation > 0.9
    assert (crush.break_even, crush.system.tags) == (3, CRUSH)
    assert (
        side_count("over-13", RULES, level=3).correlation
        > ours.correlation
        > side_count("over-13", RULES, level=1).correlation
    )
    assert side_count("lucky-ladies", RULES).system.tags == (1, 1, 1, 1, 1, 1, 1, 1, -2, 0)


def test_suits_cannot_be_counted_by_ranks() -> None:
    royal = side_count("royal-match", RULES, shoes=10, seed=1)
    assert (royal.break_even, royal.win_per_100, royal.dealt) == (None, 0.0, None)
    assert "never" in str(royal)


def test_effects_add_up_to_nothing() -> None:
    """Taking out a random card changes nothing on average."""
    for name in CASINO_SIDE_BETS:
        effects = side_count(name, RULES).effects
        mean = sum((4 if card == "T" else 1) * effect for card, effect in effects.items())
        assert abs(mean) < 1e-12


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"bet": "over-12"}, "no side bet 'over-12'"),
        ({"bet": "over-13", "level": 9}, "level 9: the largest tag, 1 to 4"),
        ({"bet": "over-13", "tags": (1,) * 10}, "add up to 0 over a pack"),
    ],
)
def test_bad_input_is_refused(words: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError) as refused:
        side_count(rules=RULES, **words)  # type: ignore[arg-type]
    assert complaint in str(refused.value)
