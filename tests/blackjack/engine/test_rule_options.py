"""The rules as data: what an option may be, what contradicts what, and what is said about it."""

import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.rulebook import RulesError


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("decks=0", "option 'decks'"),
        ("decks=9", "option 'decks'"),
        ("decks=six", "option 'decks'"),
        ("decks=1.5", "option 'decks'"),
        ("penetration=0", "option 'penetration'"),
        ("penetration=1.01", "option 'penetration'"),
        ("shuffle=sometimes", 'allowed: "shoe", "continuous"'),
        ("hole_card=peak", 'allowed: "peek", "no-peek", "no-peek-original-bet"'),
        ("natural_pays=3-2", "it is not a ratio of two whole numbers"),
        ("natural_pays=0:1", "it is not a ratio of two whole numbers"),
        ("natural_pays=3:0", "it is not a ratio of two whole numbers"),
        ("double=8-11", "option 'double'"),
        ("split_hands=0", "option 'split_hands'"),
        ("surrender=sometimes", "option 'surrender'"),
        ("charlie=4", "option 'charlie'"),
        ("insurance=1", "option 'insurance'"),
        ("perfect_pairs=[25, 12]", "three whole numbers, such as [25, 12, 6]"),
        ("twenty_one_plus_three=[9]", "five whole numbers, such as [100, 40, 30, 10, 5]"),
        ("perfect_pairs=[25, 12, -1]", "option 'perfect_pairs"),
        ("royal_match=[25]", "two numbers, such as [25, 2.5]"),
        ("lucky_lucky=[1, 2, 3]", "eight numbers, such as [200, 100, 50, 30, 15, 3, 2, 2]"),
        ("over_under_13=[1, -0.5]", "option 'over_under_13"),
        ("minimum_bet=0", "option 'minimum_bet'"),
        ("minimum_bet=2000", "options 'minimum_bet' and 'maximum_bet': 2000 is above 1000"),
        ("soft_17=hit", "soft17"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(setting: str, complaint: str) -> None:
    with pytest.raises(RulesError) as refusal:
        BLACKJACK.load(None, None, [setting])
    assert complaint in str(refusal.value)


def test_split_aces_cannot_be_doubled_where_no_split_hand_can() -> None:
    with pytest.raises(RulesError, match="set double_after_split = true or double_split_aces = false"):
        BLACKJACK.load(None, None, ["double_after_split=false", "double_split_aces=true"])


def test_options_are_judged_together_not_one_after_another() -> None:
    rules = BLACKJACK.load(None, None, ["minimum_bet=2000", "maximum_bet=5000"])
    assert isinstance(rules, BlackjackRules)
    assert (rules.minimum_bet, rules.maximum_bet) == (2000, 5000)


@pytest.mark.parametrize(
    ("pays", "won"), [("3:2", 1.5), ("6:5", 1.2), ("1:1", 1.0), ("2:1", 2.0), ("7:5", 1.4)]
)
def test_a_natural_may_pay_any_ratio(pays: str, won: float) -> None:
    assert float(BlackjackRules(natural_pays=pays).natural_fraction) == won


def test_rules_are_hashable_and_equal_by_their_options() -> None:
    assert {BlackjackRules(decks=2), BlackjackRules(decks=2)} == {BlackjackRules(decks=2)}
    assert BlackjackRules(decks=2) != BlackjackRules(decks=2, soft17="hit")
