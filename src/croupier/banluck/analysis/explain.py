"""Why an action is right: where its expected value comes from, in sentences and numbers."""

import math
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from croupier.banluck.analysis import html
from croupier.banluck.analysis.outcomes import OutcomeDistribution, final_hands
from croupier.banluck.analysis.phrases import against_phrase, kind_phrase, way_phrase
from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.hand import HandValue
from croupier.banluck.engine.multisets import (
    MULTISETS,
    PACK_COUNTS,
    Multiset,
    format_multiset,
    multiset_index,
)
from croupier.banluck.engine.settlement import Outcome, forfeits
from croupier.banluck.solvers.dealer_play import DealerPlay
from croupier.banluck.solvers.hand_table import OUTCOMES, Floats, deals, hand_table
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy
from croupier.texts import say


@dataclass(frozen=True, slots=True)
class AgainstRow:
    """What happens against one kind of hand of the other side: how often it comes, and what it brings on average."""

    hand: str
    probability: float
    units: float


@dataclass(frozen=True, slots=True)
class ActionStory:
    """One action: its worth, how the hand then ends, and against what.

    Attributes
    ----------
    ev
        Expected units of the side that decides.
    outcomes
        How the hand ends, in units of the side that decides.
    against
        The same, by the final hand of the other side, weakest first.
    """

    action: str
    ev: float
    outcomes: OutcomeDistribution
    against: tuple[AgainstRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the story as plain JSON data."""
        return {
            "action": self.action,
            "ev": self.ev,
            "win": self.outcomes.win,
            "push": self.outcomes.push,
            "lose": self.outcomes.loss,
            "outcomes": [
                {"outcome": row.outcome.value, "units": row.units, "probability": row.probability}
                for row in self.outcomes.rows
            ],
            "against": [
                {"hand": row.hand, "probability": row.probability, "units": row.units} for row in self.against
            ],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision with the story of each action, and the sentences that sum it up."""

    side: str
    advice: Advice
    stories: tuple[ActionStory, ...]
    sentences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain JSON data."""
        return {
            "side": self.side,
            "decision": self.advice.to_dict(),
            "actions": [story.to_dict() for story in self.stories],
            "sentences": list(self.sentences),
        }

    def __str__(self) -> str:
        lines = list(self.sentences)
        if self.stories:
            lines += ["", f"{'action':<10}{'worth':>9}{'wins':>8}{'pushes':>8}{'loses':>8}"]
        for story in self.stories:
            ends = story.outcomes
            lines.append(
                f"{story.action:<10}{story.ev:>+9.4f}{ends.win:>8.1%}{ends.push:>8.1%}{ends.loss:>8.1%}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = (
            {
                "action": story.action,
                "worth": f"{story.ev:+.4f}",
                "wins": f"{story.outcomes.win:.1%}",
                "pushes": f"{story.outcomes.push:.1%}",
                "loses": f"{story.outcomes.loss:.1%}",
            }
            for story in self.stories
        )
        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences) + html.table(rows)


def explain_player(book: StrategyBook, hand: Multiset) -> Explanation:
    """Explain the player's decision with a hand.

    Examples
    --------
    >>> from croupier import banluck
    >>> from croupier.banluck.engine.multisets import parse_multiset
    >>> book = banluck.solve().book
    >>> print(explain_player(book, parse_multiset("T-6")).sentences[0])
    You hold T-6, a hard 16 in two cards: stand (worth −0.451 units); hit is worth −0.487 and costs 0.035.
    """
    advice = book.player_advice(hand)
    if math.isnan(advice.ev_go):
        return _never_reached("player", advice)
    play = DealerPlay.of(book.dealer, book.rules)
    stories = []
    for action in (advice.stop, advice.go):
        if action == advice.stop and advice.ev_stop is None:
            continue
        endings = _player_endings(book, hand, hits=action == advice.go)
        stories.append(_player_story(book, play, action, endings))
    sentences: list[str] = [
        _verdict("player", advice),
        *_player_reasons(book, advice, stories),
        _dealer_effect(book, advice),
    ]
    return Explanation("player", advice, tuple(stories), tuple(sentences))


def explain_dealer(book: StrategyBook, hand: Multiset, player_cards: int) -> Explanation:
    """Explain the dealer's decision with a hand against a player of some cards.

    Examples
    --------
    >>> from croupier import banluck
    >>> from croupier.banluck.engine.multisets import parse_multiset
    >>> book = banluck.solve().book
    >>> explain_dealer(book, parse_multiset("T-7"), player_cards=2).advice.best
    'stand'
    """
    advice = book.dealer_advice(hand, player_cards)
    if math.isnan(advice.ev_go):
        return _never_reached("dealer", advice)
    counts = PLAYER_CARD_COUNTS if book.rules.reveal == "none" else (player_cards,)
    likely = book.player_hands_against(hand, counts)
    stories = [
        _dealer_story(book, advice.stop, hand, likely, draws=False),
        _dealer_story(book, advice.go, hand, likely, draws=True),
    ]
    sentences = [_verdict("dealer", advice), *_dealer_reasons(book, advice, stories, likely)]
    return Explanation("dealer", advice, tuple(stories), tuple(sentences))


def _never_reached(side: str, advice: Advice) -> Explanation:
    return Explanation(side, advice, (), (say("banluck.why.never"),))


def _player_endings(book: StrategyBook, hand: Multiset, *, hits: bool) -> list[tuple[int, float]]:
    """List the player's final hands after an action, followed by the best play against this dealer."""
    start = multiset_index(hand)
    if not hits:
        return [(start, 1.0)]
    table = deals()
    reach = np.zeros(len(MULTISETS))
    possible = table.child[start] >= 0
    left = _left_after(start)
    reach[table.child[start][possible]] = left[possible] / left.sum()
    return list(final_hands(reach, book.best_player_reply, book.rules))


def _left_after(hand: int) -> Floats:
    left: Floats = np.array(PACK_COUNTS, dtype=float) - deals().counts[hand]
    return left


def _player_story(
    book: StrategyBook, play: DealerPlay, action: str, endings: list[tuple[int, float]]
) -> ActionStory:
    story = _StoryBuilder(book, sign=1)
    for own, probability in endings:
        dealer_hands = probability * play.final_hands(own)
        for other in np.flatnonzero(dealer_hands):
            story.add(own, int(other), float(dealer_hands[other]), seen=int(other))
    return story.finish(action)


def _dealer_story(
    book: StrategyBook, action: str, hand: Multiset, likely: Floats, *, draws: bool
) -> ActionStory:
    play = DealerPlay.of(book.best_dealer_reply, book.rules)
    own = multiset_index(hand)
    story = _StoryBuilder(book, sign=-1)
    for other in np.flatnonzero(likely):
        if draws:
            endings = play.final_hands_after_draw(own, int(other))
            for final in np.flatnonzero(endings):
                story.add(int(other), int(final), float(likely[other] * endings[final]), seen=int(other))
        else:
            story.add(int(other), own, float(likely[other]), seen=int(other))
    return story.finish(action)


#: Who wins is told from the side that decides.
_SEEN_BY_DEALER = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}


class _StoryBuilder:
    """Adds up settlements, from the side of whoever decides (sign +1 player, -1 dealer)."""

    def __init__(self, book: StrategyBook, sign: int) -> None:
        self._table = hand_table(book.rules)
        self._rules = book.rules
        self._sign = sign
        self._outcomes: dict[tuple[Outcome, float], float] = defaultdict(float)
        self._against: dict[tuple[int, str], list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, player: int, dealer: int, probability: float, seen: int) -> None:
        table = self._table
        codes = table.code[player], table.code[dealer]
        units = self._sign * float(table.payoff[codes]) + 0.0
        outcome = OUTCOMES[table.outcome[codes]]
        if self._sign == -1:
            outcome = _SEEN_BY_DEALER.get(outcome, outcome)
        self._outcomes[outcome, units] += probability
        row = self._against[self._label(table.values[seen])]
        row[0] += probability
        row[1] += probability * units

    def _label(self, value: HandValue) -> tuple[int, str]:
        """Group the other side's hands as a person would: bust, a forfeit, a total, five cards, 777."""
        if value.is_bust:
            return 0, say("banluck.final.bust")
        if self._sign == -1 and forfeits(value, self._rules):
            return 1, say("banluck.final.below")
        if value.card_count == 5:
            if value.total == 21:
                return 101, say("banluck.final.five_card_21")
            return 100, say("banluck.final.five_card")
        if str(value) == "777":
            return 200, "777"
        return 2 + value.total, str(value.total)

    def finish(self, action: str) -> ActionStory:
        outcomes = OutcomeDistribution.of(self._outcomes)
        total = sum(probability for probability, _ in self._against.values())
        rows = [
            AgainstRow(label, probability / total, units / probability)
            for (_, label), (probability, units) in sorted(self._against.items())
        ]
        return ActionStory(action, outcomes.mean, outcomes, tuple(rows))


def _verdict(side: str, advice: Advice) -> str:
    best, other = (advice.go, advice.stop) if advice.best == advice.go else (advice.stop, advice.go)
    if advice.ev_stop is None:
        key, best, other = "forced", advice.go, advice.go
    elif 1e-4 < advice.go_frequency < 1 - 1e-4:
        key = "mixed"
    else:
        key = "best"
    return say(
        f"banluck.why.{side}_{key}",
        hand=format_multiset(advice.hand),
        kind=kind_phrase(is_soft=advice.value.is_soft),
        total=advice.value.total,
        cards=say(f"banluck.why.in_{advice.value.card_count}"),
        against=against_phrase(advice.against),
        go=way_phrase(advice.go),
        best=way_phrase(best),
        other=way_phrase(other),
        worth=advice.expected(best),
        other_worth=advice.expected(other),
        frequency=advice.go_frequency,
        cost=advice.cost_of_mistake,
    )


def _player_reasons(book: StrategyBook, advice: Advice, stories: list[ActionStory]) -> list[str]:
    sentences: list[str] = []
    for story in stories:
        outcomes = story.outcomes
        if story.action == advice.stop and forfeits(advice.value, book.rules):
            minimum = book.rules.player_minimum
            sentences.append(say("banluck.why.forfeits", total=advice.value.total, minimum=minimum))
            continue
        parts = outcomes.by_outcome()
        bust = parts.get(Outcome.BUST, 0.0) + parts.get(Outcome.BOTH_BUST, 0.0)
        dealer_bust = next((row.probability for row in story.against if row.hand == "bust"), 0.0)
        sentences.append(
            say(
                "banluck.why.player_go" if story.action == advice.go else "banluck.why.player_stop",
                action=way_phrase(story.action),
                win=outcomes.win,
                push=outcomes.push,
                loss=outcomes.loss,
                bust=bust,
                dealer_bust=dealer_bust,
            )
        )
    return sentences


def _dealer_effect(book: StrategyBook, advice: Advice) -> str:
    """Say what the dealer's choices at 16 and 17 do to this hand, by comparing dealers who never and always draw."""
    never, always = (
        book.player_worth_against(_dealer_who(book, draws=draws), advice.hand) for draws in (False, True)
    )
    now = max(advice.ev_go, -np.inf if advice.ev_stop is None else advice.ev_stop)
    low, high = book.rules.dealer_minimum, book.rules.dealer_choice_max
    if high < low:
        return say("banluck.why.no_choices")
    return say("banluck.why.effect", low=low, high=high, now=float(now), never=never, always=always)


def _dealer_who(book: StrategyBook, *, draws: bool) -> DealerStrategy:
    draw = book.dealer.draw.copy()
    for (hand, player_cards), _ in book.dealer_lookup.items():
        draw[multiset_index(hand), PLAYER_CARD_COUNTS.index(player_cards)] = draws
    return DealerStrategy(draw, book.dealer.surrender)


def _dealer_reasons(
    book: StrategyBook, advice: Advice, stories: list[ActionStory], likely: Floats
) -> list[str]:
    table = hand_table(book.rules)
    beaten = sum(
        float(likely[hand])
        for hand in np.flatnonzero(likely)
        if table.payoff[table.code[hand], table.code[multiset_index(advice.hand)]] < 0
    )
    forfeited = sum(
        float(likely[hand]) for hand in np.flatnonzero(likely) if forfeits(table.values[hand], book.rules)
    )
    sentences: list[str] = [
        say(
            "banluck.why.beats_forfeited" if forfeited > 0 else "banluck.why.beats",
            against=against_phrase(advice.against),
            total=advice.value.total,
            beaten=beaten,
            forfeited=forfeited,
        )
    ]
    for story in stories:
        outcomes = story.outcomes
        own_bust = outcomes.by_outcome().get(Outcome.DEALER_BUST, 0.0) + outcomes.by_outcome().get(
            Outcome.BOTH_BUST, 0.0
        )
        sentences.append(
            say(
                "banluck.why.dealer_go" if story.action == advice.go else "banluck.why.dealer_stop",
                action=way_phrase(story.action),
                win=outcomes.win,
                push=outcomes.push,
                loss=outcomes.loss,
                bust=own_bust,
            )
        )
    return sentences
