"""Side bets of casino floors, exactly valued from any cards that are left: Lucky Ladies, Royal Match, Over 13, Under 13, Lucky Lucky.

Here they have the pay tables that are printed somewhere, for counting; tables take them at the prizes of their rules
(:mod:`~croupier.blackjack.solvers.side_bets`). All are settled by a player's first two cards, some with the dealer's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.side_bets import (
    LadiesKind,
    classify_ladies,
    classify_lucky,
    classify_match,
    classify_over,
    classify_under,
)
from croupier.blackjack.solvers.hands import Flags, Floats
from croupier.blackjack.solvers.side_bets import combinations_of, ways_of_combinations
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN_CLASS, point_class, rank_of
from croupier.errors import InputError

_RANKS = DECK_SIZE // 4

#: The two queens of hearts with a dealer's natural: the one prize that needs the dealer's second card.
_WITH_NATURAL, _QUEENS = LadiesKind.QUEENS_AND_NATURAL.value, LadiesKind.QUEENS.value


@dataclass(frozen=True, slots=True)
class CasinoSideBet:
    """A side bet and its pay table.

    Attributes
    ----------
    name, source
        What it is called, and where the pay table is printed.
    size
        How many cards settle it: two of the player's, and the up-card if there is a third.
    pays
        What each kind pays to one, best first; everything else loses.
    classify
        Which kind some cards make, in any order; None for nothing that pays.
    """

    name: str
    source: str
    size: int
    pays: Mapping[str, float]
    classify: Callable[[tuple[int, ...]], str | None]


_WIZARD = "M. Shackleford, Wizard of Odds"

CASINO_SIDE_BETS: Mapping[str, CasinoSideBet] = {
    bet.name: bet
    for bet in (
        CasinoSideBet(
            "lucky-ladies", f"{_WIZARD}, Lucky Ladies, pay table B", 2,
            {_WITH_NATURAL: 1000, _QUEENS: 200, "matched 20": 25, "suited 20": 10, "any 20": 4}, classify_ladies,
        ),
        CasinoSideBet(
            "lucky-ladies-a", f"{_WIZARD}, Lucky Ladies, pay table A", 2,
            {_WITH_NATURAL: 1000, _QUEENS: 125, "matched 20": 19, "suited 20": 9, "any 20": 4}, classify_ladies,
        ),
        CasinoSideBet(
            "royal-match", f"{_WIZARD}, Royal Match, version 1", 2, {"royal match": 25, "easy match": 2.5}, classify_match
        ),
        CasinoSideBet("over-13", f"{_WIZARD}, Over/Under 13", 2, {"over 13": 1}, classify_over),
        CasinoSideBet("under-13", f"{_WIZARD}, Over/Under 13", 2, {"under 13": 1}, classify_under),
        CasinoSideBet(
            "lucky-lucky", f"{_WIZARD}, Lucky Lucky, pay table 1", 3,
            {"suited 7-7-7": 200, "suited 6-7-8": 100, "7-7-7": 50, "6-7-8": 30, "suited 21": 15, "21": 3, "total 20": 2,
             "total 19": 2}, classify_lucky,
        ),
        CasinoSideBet(
            "lucky-lucky-2", f"{_WIZARD}, Lucky Lucky, pay table 2 (two decks)", 3,
            {"suited 7-7-7": 0, "suited 6-7-8": 100, "7-7-7": 50, "6-7-8": 30, "suited 21": 10, "21": 3, "total 20": 2,
             "total 19": 2}, classify_lucky,
        ),
    )
}  # fmt: skip


def find_side_bet(name: str) -> CasinoSideBet:
    """Return a side bet by its name.

    >>> find_side_bet("lucky")
    Traceback (most recent call last):
    croupier.errors.InputError: no side bet 'lucky'; there are lucky-ladies, lucky-ladies-a, royal-match, over-13, under-13, lucky-lucky, lucky-lucky-2
    """
    if name not in CASINO_SIDE_BETS:
        raise InputError(f"no side bet '{name}'; there are {', '.join(CASINO_SIDE_BETS)}")
    return CASINO_SIDE_BETS[name]


def full_shoe(rules: BlackjackRules) -> Floats:
    """Return how many of each of the 52 cards a full shoe holds.

    Raises
    ------
    InputError
        For infinite packs, from which nothing can be taken.
    """
    if rules.decks == "infinite":
        raise InputError("side bets are counted in a finite shoe; set decks to a number from 1 to 8")
    return np.full(DECK_SIZE, float(rules.decks))


@lru_cache(maxsize=16)
def _kinds(name: str) -> tuple[str | None, ...]:
    """Return what each combination of cards makes."""
    bet = CASINO_SIDE_BETS[name]
    return tuple(bet.classify(tuple(cards)) for cards in combinations_of(bet.size).tolist())


@lru_cache(maxsize=64)
def _flags(name: str, kind: str) -> Flags:
    return np.array([found == kind for found in _kinds(name)], dtype=np.bool_)


def side_bet_chances(bet: CasinoSideBet, left: Floats) -> dict[str, float]:
    """Return how often each kind comes from cards that are left.

    Parameters
    ----------
    left
        How many of each of the 52 cards are left. They may be fractions: the expected composition at a count.

    Examples
    --------
    >>> chances = side_bet_chances(find_side_bet("lucky-lucky"), full_shoe(BlackjackRules(decks=6)))
    >>> round(chances["6-7-8"] * 5_013_320)
    12960
    """
    cards = float(left.sum())
    if cards < bet.size + 2:
        raise InputError(f"{bet.name} needs {bet.size + 2} cards; the shoe holds {cards:g}")
    ways = ways_of_combinations(left, bet.size)
    chances = {kind: float(ways[_flags(bet.name, kind)].sum()) for kind in bet.pays if kind != _WITH_NATURAL}
    if _WITH_NATURAL in bet.pays:
        tens = sum(float(left[card]) for card in range(DECK_SIZE) if point_class(card) == TEN_CLASS) - 2.0
        aces = sum(float(left[card]) for card in range(DECK_SIZE) if point_class(card) == ACE_CLASS)
        natural = max(2.0 * aces * tens / ((cards - 2) * (cards - 3)), 0.0)
        both = chances[_QUEENS] * natural
        chances = {_WITH_NATURAL: both, **chances, _QUEENS: chances[_QUEENS] - both}
    return chances


def side_bet_value(bet: CasinoSideBet, left: Floats) -> float:
    """Return what a unit on a side bet is worth, from cards that are left.

    Examples
    --------
    >>> six = full_shoe(BlackjackRules(decks=6))
    >>> [round(100 * side_bet_value(bet, six), 2) for bet in CASINO_SIDE_BETS.values()]
    [-17.64, -24.71, -6.67, -6.55, -10.07, -2.66, -5.63]
    """
    chances = side_bet_chances(bet, left)
    return sum(chance * (bet.pays[kind] + 1.0) for kind, chance in chances.items() if bet.pays[kind]) - 1.0


def side_bet_effects(bet: CasinoSideBet, rules: BlackjackRules) -> tuple[float, ...]:
    """Return by how much taking one card of each rank out of the full shoe changes the value, averaged over its four suits.

    Examples
    --------
    >>> effects = side_bet_effects(find_side_bet("over-13"), BlackjackRules(decks=6))
    >>> effects[-1] > 0 > effects[8]  # an ace and a ten
    True
    """
    full = full_shoe(rules)
    base = side_bet_value(bet, full)
    effects = np.zeros(_RANKS)
    for card in range(DECK_SIZE):
        without = full.copy()
        without[card] -= 1.0
        effects[rank_of(card)] += (side_bet_value(bet, without) - base) / 4.0
    return tuple(effects.tolist())
