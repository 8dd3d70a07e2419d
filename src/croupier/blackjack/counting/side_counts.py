"""Counts that beat side bets: tags from the effects of removal, where the bet breaks even, and what it then wins.

Two methods. The expected composition at a count gives the value of the bet there. Shuffled shoes, dealt card by card, show what a player wins
who bets from the break-even count on.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from croupier.blackjack.counting.answers import Figure
from croupier.blackjack.counting.index_values import count_shares
from croupier.blackjack.counting.scale import CountScale, count_scale
from croupier.blackjack.counting.system import CountingSystem, counted_shoe, verify_countable
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers.casino_side_bets import (
    CASINO_SIDE_BETS,
    CasinoSideBet,
    find_side_bet,
    full_shoe,
    side_bet_chances,
    side_bet_effects,
    side_bet_value,
)
from croupier.blackjack.solvers.hands import Floats
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import ACE_CLASS, DECK_SIZE, POINT_CLASSES, TEN_CLASS, point_class, point_class_of_rank
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed, verify_seed
from croupier.results import FromRules, Result

#: Cards of a round, where shoes are dealt for a side bet alone: one player against a dealer takes 5.4 on average.
ROUND_CARDS = 6

#: Scales that are tried to make whole tags of effects of removal.
_SCALES = 40

#: Shoes that are dealt at a time.
_BLOCK_SHOES = 2000


@dataclass(frozen=True, slots=True, repr=False)
class SideCount(FromRules, Result):
    """A side bet and the count that beats it.

    Attributes
    ----------
    bet, value, chances
        The bet, what it is worth from the full shoe, and how often each kind comes.
    effects
        By how much a card of each point class, taken out, changes the value.
    system, correlation
        The balanced count with the largest correlation to the effects, among those of its level.
    break_even
        The true count, rounded down, from which the bet wins; None if it never does.
    bets, win_per_100
        Which part of the rounds is bet, and what one unit there wins in 100 rounds, from expected compositions.
    dealt, dealt_bets
        The same from shoes that were dealt; None if none were.
    shoes, seed
        How many shoes, and their cards.
    """

    rules: BlackjackRules
    bet: CasinoSideBet
    value: float
    chances: dict[str, float]
    effects: dict[str, float]
    system: CountingSystem
    correlation: float
    break_even: int | None
    bets: float
    win_per_100: float
    dealt: Figure | None = None
    dealt_bets: float | None = None
    shoes: int = 0
    seed: int | None = None

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "bet": self.bet.name,
            "source": self.bet.source,
            "value": self.value,
            "pays": dict(self.bet.pays),
            "chances": self.chances,
            "effects": self.effects,
            "tags": dict(zip(POINT_CLASSES, self.system.tags, strict=True)),
            "correlation": self.correlation,
            "break_even": self.break_even,
            "bets": self.bets,
            "win_per_100": self.win_per_100,
            "dealt": None if self.dealt is None else self.dealt.to_dict(),
            "dealt_bets": self.dealt_bets,
            "shoes": self.shoes,
            "seed": self.seed,
        }

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        found = {
            self.bet.name: f"{self.value:+.4%} of the bet",
            "tags 2 to A": " ".join(map(str, self.system.tags)),
            "correlation": f"{self.correlation:.3f}",
        }
        if self.break_even is None:
            found["breaks even"] = "never"
        else:
            found["breaks even"] = (
                f"from a true count of {self.break_even:+d} on, {self.bets:.2%} of the rounds"
            )
            found["wins per 100 rounds"] = f"{self.win_per_100:+.4f} units"
        if self.dealt is not None:
            found["dealt"] = (
                f"{self.dealt.value:+.4f} ± {self.dealt.stderr or 0.0:.4f}, {self.shoes:,} shoes, seed {self.seed}"
            )
        return found | {"rules": BLACKJACK.describe(self.rules)}


def best_tags(effects: Floats, level: int) -> tuple[int, ...]:
    """Return the balanced whole tags up to a level that agree best with effects of removal by point class.

    A card whose removal helps counts above 0. Effects are scaled; every tag is one of the two whole numbers beside its effect.

    >>> best_tags(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0]), level=1)
    (1, 1, 1, 1, 1, 0, 0, 0, -1, -1)
    """
    weights = np.array([4 if point == TEN_CLASS else 1 for point in range(len(POINT_CLASSES))])
    found: tuple[float, tuple[int, ...]] | None = None
    for scale in np.linspace(0.5, level + 0.5, _SCALES) / np.abs(effects).max():
        low = np.floor(effects * scale)
        tags = np.clip(low + np.array(list(product((0, 1), repeat=len(effects)))), -level, level)
        tags = tags[(tags @ weights == 0) & (tags != 0).any(axis=1)]
        if not len(tags):
            continue
        agreements = _correlations(tags, effects, weights)
        best = int(np.argmax(agreements))
        if found is None or agreements[best] > found[0] + 1e-12:
            found = float(agreements[best]), tuple(int(tag) for tag in tags[best])
    if found is None:
        raise InputError(f"no balanced count of level {level} agrees with this bet; try a higher level")
    return found[1]


def _correlations(tags: Floats, effects: Floats, weights: Floats) -> Floats:
    """Return the correlation of each line of tags with effects, over the cards of a pack."""
    centred = effects - effects @ weights / weights.sum()
    from_mean = tags - (tags @ weights / weights.sum())[:, None]
    found: Floats = (
        (from_mean * centred) @ weights / np.sqrt((from_mean**2 @ weights) * (centred**2 @ weights))
    )
    return found


def _values_at_counts(
    bet: CasinoSideBet, rules: BlackjackRules, system: CountingSystem, scale: CountScale
) -> Floats:
    """Return what a side bet is worth at the expected composition of each count."""
    full = ShoeCounts.full(rules)
    ranks = [counted_shoe(full, system, excess).ranks for excess in scale.excesses.tolist()]
    return np.array([side_bet_value(bet, np.repeat(each, 4) / 4.0) for each in ranks])


def dealt_wins(
    bet: CasinoSideBet, rules: BlackjackRules, system: CountingSystem, index: int, shoes: int, seed: int
) -> tuple[Figure, float]:
    """Deal shoes, bet a unit from a true count on, and return what 100 rounds won, with its error, and how often a bet was made.

    Every round takes six cards: the player's two, the dealer's two, and two more.

    >>> from croupier.blackjack.counting.system import HI_LO
    >>> won, often = dealt_wins(find_side_bet("over-13"), BlackjackRules(decks=6), HI_LO, -99, shoes=500, seed=1)
    >>> abs(won.value + 6.555) < 4 * won.stderr, often
    (True, 1.0)
    """
    decks = verify_countable(rules)
    pack = np.repeat(np.arange(DECK_SIZE), decks)
    card_tags = np.array([system.tags[point_class(card)] for card in range(DECK_SIZE)])
    starts = np.arange(0, int(len(pack) * rules.penetration), ROUND_CARDS)
    starts = starts[starts + 4 <= len(pack)]
    stream, of_shoes, made = np.random.default_rng(seed), [], 0
    for first in range(0, shoes, _BLOCK_SHOES):
        dealt = stream.permuted(np.tile(pack, (min(_BLOCK_SHOES, shoes - first), 1)), axis=1)
        running = np.concatenate(
            [np.zeros((len(dealt), 1), np.int64), card_tags[dealt].cumsum(axis=1)], axis=1
        )[:, starts]
        is_bet = np.floor(running * DECK_SIZE / (len(pack) - starts)) >= index
        hands = np.stack([dealt[:, starts + place] for place in range(4)], axis=-1)
        units = np.zeros(is_bet.shape)
        units[is_bet] = _settled(bet, hands[is_bet])
        of_shoes.append(units.sum(axis=1))
        made += int(is_bet.sum())
    won = np.concatenate(of_shoes) / len(starts)
    error = float(won.std(ddof=1)) / np.sqrt(len(won)) if len(won) > 1 else None
    return (
        Figure(100.0 * float(won.mean()), None if error is None else 100.0 * float(error)),
        made / (shoes * len(starts)),
    )


def _settled(bet: CasinoSideBet, hands: np.ndarray[Any, np.dtype[np.int64]]) -> Floats:
    """Return what a unit won on dealt cards: the player's two, the up-card and the hole card."""
    prizes = np.full(len(hands), -1.0)
    with_natural = next((pays for kind, pays in bet.pays.items() if "natural" in kind), None)
    for number, cards in enumerate(hands.tolist()):
        kind = bet.classify(tuple(cards[: bet.size]))
        if kind is None or not bet.pays[kind]:
            continue
        prizes[number] = bet.pays[kind]
        if with_natural is not None and kind.startswith("queens"):
            dealer = {point_class(cards[2]), point_class(cards[3])}
            if dealer == {TEN_CLASS, ACE_CLASS}:
                prizes[number] = with_natural
    return prizes


def side_count(
    bet: str,
    rules: BlackjackRules | None = None,
    *,
    level: int = 2,
    tags: tuple[int, ...] | None = None,
    shoes: int = 0,
    seed: int | None = None,
) -> SideCount:
    """Find the count that beats a side bet, from where on to bet, and what that wins.

    Parameters
    ----------
    bet
        The name of a side bet, such as ``over-13``.
    rules
        The shoe and its cut card; the default rules if none are given.
    level, tags
        The largest tag; or balanced tags of your own, from the deuce to the ace.
    shoes, seed
        How many shoes to deal as a second method, and their cards.

    Raises
    ------
    InputError
        If there is no such bet, or the tags are not balanced.

    Examples
    --------
    >>> over = side_count("over-13", BlackjackRules(decks=6))
    >>> over.system.tags[-1] > 0 > over.system.tags[-2], over.break_even
    (True, 3)
    >>> over.win_per_100 > 0
    True
    """
    table, chosen = BlackjackRules() if rules is None else rules, find_side_bet(bet)
    verify_countable(table)
    if not 1 <= level <= 4:
        raise InputError(f"level {level}: the largest tag, 1 to 4")
    effects = _by_class(side_bet_effects(chosen, table))
    system = CountingSystem(f"{chosen.name} count", best_tags(effects, level) if tags is None else tags)
    if len(system.tags) != len(POINT_CLASSES) or not system.is_balanced or not any(system.tags):
        raise InputError(
            f"tags {system.tags}: ten whole numbers from the deuce to the ace that add up to 0 over a pack"
        )
    weights = np.array([4.0 if point == TEN_CLASS else 1.0 for point in range(len(POINT_CLASSES))])
    correlation = float(_correlations(np.array([system.tags], dtype=np.float64), effects, weights)[0])
    scale = count_scale(table, system)
    values, shares = (
        _values_at_counts(chosen, table, system, scale),
        count_shares(table, system, "floor", scale),
    )
    winning = np.flatnonzero(values > 0)
    start = int(winning[0]) if len(winning) else len(values)
    index = scale.counts[start] if len(winning) else None
    full = full_shoe(table)
    dealt: Figure | None = None
    often, fresh = None, None
    if shoes:
        fresh = fresh_seed() if seed is None else seed
        verify_seed(fresh)
        if index is not None:
            dealt, often = dealt_wins(chosen, table, system, index, shoes, fresh)
    return SideCount(
        table, chosen, side_bet_value(chosen, full), side_bet_chances(chosen, full),
        dict(zip(POINT_CLASSES, effects.tolist(), strict=True)), system, correlation, index,
        float(shares[start:].sum()), 100.0 * float(shares[start:] @ values[start:]), dealt, often, shoes, fresh,
    )  # fmt: skip


def _by_class(effects: tuple[float, ...]) -> Floats:
    """Average effects by rank over point classes: over the four ranks that count ten."""
    found = np.zeros(len(POINT_CLASSES))
    for rank, effect in enumerate(effects):
        point = point_class_of_rank(rank)
        found[point] += effect / (4.0 if point == TEN_CLASS else 1.0)
    return found


def side_counts(rules: BlackjackRules | None = None, **others: Any) -> tuple[SideCount, ...]:
    """Find the counts of all side bets; see :func:`side_count`.

    >>> [found.bet.name for found in side_counts(BlackjackRules(decks=6), level=1)][:2]
    ['lucky-ladies', 'lucky-ladies-a']
    """
    return tuple(side_count(name, rules, **others) for name in CASINO_SIDE_BETS)
