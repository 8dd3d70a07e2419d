"""One decision in full: what each action is worth, how the hand then ends, against what, and why."""

import math
from dataclasses import dataclass
from typing import Any

from croupier.banluck.analysis.explain import ActionStory
from croupier.banluck.analysis.phrases import against_phrase, kind_phrase, way_phrase
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.solvers.opponent import Role
from croupier.numerics.numbers import signed
from croupier.texts import figure, say
from croupier.web.models.banluck_charts import Composition, compositions
from croupier.web.models.banluck_question import Question

#: Purple for stopping, orange for going on, as in the charts; hatched too, for those who see no difference.
_COLOURS = ("#8073ac", "#e08214")
_PATTERNS = ("", "/")


def edge_sentence(value: float) -> str:
    """Say who has the edge, and what a hand costs on average.

    >>> edge_sentence(-0.011894)
    'The dealer has the edge: with best play the player loses 1.19 % of the bet a hand, 1.19 of every 100 staked.'
    >>> edge_sentence(0.0101)
    'The player has the edge: with best play the player wins 1.01 % of the bet a hand, 1.01 of every 100 staked.'
    """
    return say(f"banluck.edge.{'player' if value > 0 else 'dealer'}", share=100 * abs(value))


@dataclass(frozen=True, slots=True)
class ActionFigures:
    """What one action is worth, how often it is right to take it, and how the hand then ends."""

    action: str
    worth: str
    frequency: str
    is_best: bool
    wins: str
    pushes: str
    loses: str


@dataclass(frozen=True, slots=True)
class Study:
    """Everything about one decision.

    Attributes
    ----------
    question, title, cost, reach
        The decision, in words, what a mistake costs, and how often it comes up.
    actions
        The two actions, or the one that the rules leave.
    sentences
        Why.
    endings, against
        How the hand ends under each action, and where its worth comes from: Plotly figures; empty if there is none.
    compositions
        All hands that look alike in the chart.
    """

    question: Question
    title: str
    cost: str
    reach: str
    actions: tuple[ActionFigures, ...]
    sentences: tuple[str, ...]
    endings: dict[str, Any]
    against: dict[str, Any]
    compositions: tuple[Composition, ...]


def study(game: Solution, question: Question) -> Study:
    """Look into a decision.

    Raises
    ------
    InputError
        If the hand leaves nothing to decide under these rules.

    Examples
    --------
    >>> from croupier.web.models.banluck_question import asked
    >>> from croupier import banluck
    >>> found = study(banluck.solve(), asked("T-6"))
    >>> [(figures.action, figures.worth, figures.is_best) for figures in found.actions]
    [('stand', '−0.4513', True), ('hit', '−0.4867', False)]
    """
    explanation = game.explain(
        question.hand, player_cards=None if question.side is Role.PLAYER else question.player_cards
    )
    advice, stories = explanation.advice, explanation.stories
    return Study(
        question=question,
        title=_title(advice, question),
        cost=figure(advice.cost_of_mistake, ".4f")
        if math.isfinite(advice.cost_of_mistake)
        else say("banluck.coach.unknown"),
        reach=figure(advice.reach, ".1%"),
        actions=tuple(_figures(advice, story) for story in stories),
        sentences=explanation.sentences,
        endings=_endings(stories) if stories else {},
        against=_against(stories, question) if stories else {},
        compositions=compositions(game, question),
    )


def _title(advice: Advice, question: Question) -> str:
    return say(
        f"banluck.study.{question.side.value}",
        hand=format_multiset(advice.hand),
        kind=kind_phrase(is_soft=advice.value.is_soft),
        total=advice.value.total,
        cards=advice.value.card_count,
        against=against_phrase(advice.against),
    )


def _figures(advice: Advice, story: ActionStory) -> ActionFigures:
    frequency = advice.go_frequency if story.action == advice.go else 1.0 - advice.go_frequency
    outcomes = story.outcomes
    return ActionFigures(
        action=story.action,
        worth=signed(advice.expected(story.action), 4),
        frequency=figure(frequency, ".1%"),
        is_best=story.action == advice.best,
        wins=figure(outcomes.win, ".1%"),
        pushes=figure(outcomes.push, ".1%"),
        loses=figure(outcomes.loss, ".1%"),
    )


def _endings(stories: tuple[ActionStory, ...]) -> dict[str, Any]:
    """Draw how likely each result is under each action."""
    results = sorted({units for story in stories for units in story.outcomes.by_units()})
    shares = [story.outcomes.by_units() for story in stories]
    data = [
        _bars(
            story,
            place,
            [figure(units, "+g") if units else "0" for units in results],
            [shares[place].get(units, 0.0) for units in results],
            say("banluck.plot.ending"),
        )
        for place, story in enumerate(stories)
    ]
    return {
        "data": data,
        "layout": _layout(say("banluck.plot.units"), say("banluck.plot.share"), tickformat=".0%"),
    }


def _against(stories: tuple[ActionStory, ...], question: Question) -> dict[str, Any]:
    """Draw what each kind of hand of the other side adds to each action's worth."""
    hands = list(dict.fromkeys(row.hand for story in stories for row in story.against))
    data = []
    for place, story in enumerate(stories):
        adds = {row.hand: row.probability * row.units for row in story.against}
        data.append(
            _bars(story, place, hands, [adds.get(hand, 0.0) for hand in hands], say("banluck.plot.adds"))
        )
    other = say("banluck.plot.dealer_ends" if question.side is Role.PLAYER else "banluck.plot.player_holds")
    return {"data": data, "layout": _layout(other, say("banluck.plot.adds_units"), tickformat="+.2f")}


def _bars(
    story: ActionStory, place: int, names: list[str], heights: list[float], told: str
) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": way_phrase(story.action),
        "x": names,
        "y": heights,
        "marker": {"color": _COLOURS[place], "pattern": {"shape": _PATTERNS[place]}},
        "hovertemplate": told,
    }


def _layout(across: str, up: str, *, tickformat: str) -> dict[str, Any]:
    return {
        "barmode": "group",
        "xaxis": {"title": {"text": across}, "type": "category", "fixedrange": True, "automargin": True},
        "yaxis": {"title": {"text": up}, "tickformat": tickformat, "fixedrange": True},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "dragmode": False,
        "margin": {"l": 56, "r": 8, "t": 36, "b": 48},
    }
