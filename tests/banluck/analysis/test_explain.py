import json
from collections.abc import Callable

import pytest

from croupier.banluck.analysis.explain import explain_dealer, explain_player
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.multisets import parse_multiset
from croupier.errors import InputError
from tests.long_cases import cases

Solved = Callable[[str], Solution]
SOME = 17


@pytest.mark.parametrize("preset", cases(["reference", "singapore"], long=["singapore"]))
def test_the_stories_add_up_to_the_values_of_the_book(solved: Solved, preset: str) -> None:
    """The story walks forward with conditional probabilities, the book backward on plans."""
    book = solved(preset).book
    for advice in book.player_decisions[::SOME]:
        for story in explain_player(book, advice.hand).stories:
            assert story.ev == pytest.approx(advice.expected(story.action), abs=1e-12)
    for (hand, cards), advice in list(book.dealer_lookup.items())[:: 3 * SOME]:
        if advice.reach > 0:
            for story in explain_dealer(book, hand, cards).stories:
                assert story.ev == pytest.approx(advice.expected(story.action), abs=1e-12)


@pytest.mark.parametrize("hand", ["T-6", "A-7", "5-5-6", "2-2-3-4"])
def test_probabilities_of_a_story_add_up_to_one(solved: Solved, hand: str) -> None:
    book = solved("reference").book
    for story in explain_player(book, parse_multiset(hand)).stories:
        outcomes = story.outcomes
        assert sum(row.probability for row in outcomes.rows) == pytest.approx(1, abs=1e-12)
        assert sum(row.probability for row in story.against) == pytest.approx(1, abs=1e-12)
        assert sum(row.probability * row.units for row in story.against) == pytest.approx(story.ev, abs=1e-12)
        assert outcomes.win + outcomes.push + outcomes.loss == pytest.approx(1, abs=1e-12)


def test_a_16_that_stands_can_win_only_by_a_dealer_bust(solved: Solved) -> None:
    book = solved("reference").book
    stand = explain_player(book, parse_multiset("T-6")).stories[0]
    assert stand.action == "stand"
    assert {str(row.outcome) for row in stand.outcomes.rows if row.units > 0} == {"dealer bust"}


def test_a_15_that_stands_is_told_to_have_forfeited(solved: Solved) -> None:
    book = solved("reference").book
    text = " ".join(explain_player(book, parse_multiset("T-5")).sentences)
    assert "below the minimum of 16 and always loses" in text
    assert "hit (worth" in text


def test_the_sentences_name_the_best_action_and_the_cost_of_the_other(solved: Solved) -> None:
    book = solved("reference").book
    advice = book.player_advice(parse_multiset("A-7"))
    first = explain_player(book, parse_multiset("A-7")).sentences[0]
    assert first.startswith("You hold A-7, a soft 18 in two cards: hit (worth +0.048 units)")
    assert f"costs {advice.cost_of_mistake:.3f}" in first


def test_a_mixed_decision_is_told_as_a_mix(solved: Solved) -> None:
    book = solved("singapore").book
    mixed = [advice for advice in book.player_decisions if 0.05 < advice.go_frequency < 0.95]
    assert mixed
    assert "of the time; both actions are worth" in explain_player(book, mixed[0].hand).sentences[0]


def test_must_hit_leaves_one_action_to_explain(solved: Solved) -> None:
    book = solved("singapore").book
    explanation = explain_player(book, parse_multiset("T-5"))
    assert [story.action for story in explanation.stories] == ["hit"]
    assert "the rules say hit" in explanation.sentences[0]


def test_an_explanation_is_json(solved: Solved) -> None:
    book = solved("reference").book
    for explanation in (
        explain_player(book, parse_multiset("T-6")),
        explain_dealer(book, parse_multiset("T-7"), 2),
    ):
        data = json.loads(json.dumps(explanation.to_dict()))
        assert data["actions"][0]["action"] in ("stand", "reveal")


def test_a_hand_without_a_decision_is_refused(solved: Solved) -> None:
    book = solved("reference").book
    with pytest.raises(InputError, match="leaves no decision"):
        explain_dealer(book, parse_multiset("T-9"), 2)
