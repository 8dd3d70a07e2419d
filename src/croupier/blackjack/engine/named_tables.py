"""The presets of blackjack: tables that are known by a name, and the options in which they differ from the default rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class NamedTable(NamedTuple):
    """A table that people know by a name.

    Attributes
    ----------
    name, meaning
        How it is called, and what is special about it.
    changes
        The options that differ from the default ones.
    """

    name: str
    meaning: str
    changes: Mapping[str, Any] = MappingProxyType({})


NAMED_TABLES = (
    NamedTable(
        "six-deck",
        "the defaults: six decks, stands on all 17s, double any two cards also after a split, up to four hands",
    ),
    NamedTable(
        "vegas-strip",
        "four decks, stands on all 17s, double any two cards also after a split, up to four hands",
        {"decks": 4},
    ),
    NamedTable(
        "downtown",
        "two decks, hits soft 17, double any two cards also after a split, up to four hands",
        {"decks": 2, "soft17": "hit"},
    ),
    NamedTable(
        "single-deck-6to5",
        "one deck, hits soft 17, naturals pay 6:5, double any two cards but not after a split",
        {
            "decks": 1,
            "soft17": "hit",
            "natural_pays": "6:5",
            "double_after_split": False,
            "penetration": 0.5,
        },
    ),
    NamedTable(
        "european",
        "six decks, no hole card, a dealer's natural takes all bets, double on 9-11, one split",
        {
            "hole_card": "no-peek",
            "double": "9-11",
            "double_soft": False,
            "split_hands": 2,
            "split_by": "rank",
        },
    ),
    NamedTable(
        "british",
        "six decks, one card to the dealer first, a natural takes all bets, double on 9-11 also after a split",
        {"hole_card": "no-peek", "double": "9-11", "double_soft": False, "split_hands": 4},
    ),
    NamedTable(
        "console",
        "one deck, double on 9-11 only, splits of equal rank, a player's 21 is paid at once",
        {
            "decks": 1,
            "shuffle": "continuous",
            "double": "9-11",
            "double_soft": False,
            "split_by": "rank",
            "twenty_one_pays_at_once": True,
        },
    ),
    NamedTable(
        "autoplay-demo",
        "stands on all 17s, naturals pay 1:1, double any two cards also after a split, up to four hands, aces too, surrender without a peek, no insurance",
        {
            "hole_card": "no-peek",
            "natural_pays": "1:1",
            "resplit_aces": True,
            "surrender": "early",
            "insurance": False,
        },
    ),
    NamedTable(
        "spanish-21",
        "Spanish 21: six packs without tens, hits soft 17, a player's 21 always wins and has bonuses, double any number of cards, doubled hands may be given up, late surrender, split aces are played like other hands",
        {
            "ten_spots": False,
            "soft17": "hit",
            "natural_always_wins": True,
            "twenty_one_pays_at_once": True,
            "bonus_21": "spanish-21",
            "double_any_cards": True,
            "double_rescue": True,
            "resplit_aces": True,
            "hit_split_aces": True,
            "double_split_aces": True,
            "surrender": "late",
        },
    ),
    NamedTable(
        "free-bet",
        "Free Bet: six decks, hits soft 17, free doubles on hard 9 to 11, free splits but of tens, up to four hands, aces too, a dealer's 22 pushes",
        {
            "soft17": "hit",
            "free_doubles": True,
            "free_splits": True,
            "resplit_aces": True,
            "dealer_22_pushes": True,
        },
    ),
    NamedTable(
        "double-exposure",
        "Double Exposure: both dealer cards face up, ties lose but for naturals, naturals pay 1:1, eight decks, hits soft 17, double any two cards but not after a split, one split",
        {
            "decks": 8,
            "hole_card": "open",
            "soft17": "hit",
            "ties_lose": True,
            "natural_pays": "1:1",
            "double_after_split": False,
            "split_hands": 2,
            "insurance": False,
        },
    ),
    NamedTable(
        "super-fun-21",
        "Super Fun 21: one deck, hits soft 17, naturals always win, 1:1 or 2:1 in diamonds, a 21 of five cards or more 2:1, six cards win, double and surrender with any number of cards, doubled hands may be given up, split aces are played like other hands",
        {
            "decks": 1,
            "penetration": 0.5,
            "soft17": "hit",
            "natural_pays": "1:1",
            "natural_always_wins": True,
            "bonus_21": "super-fun-21",
            "charlie": 6,
            "double_any_cards": True,
            "double_rescue": True,
            "resplit_aces": True,
            "hit_split_aces": True,
            "double_split_aces": True,
            "surrender": "late",
            "surrender_any_cards": True,
        },
    ),
    NamedTable(
        "solana-v1",
        "one deck shuffled every round, hit or stand only, naturals are ordinary 21s, ties push",
        {
            "decks": 1,
            "shuffle": "continuous",
            "hole_card": "no-peek",
            "natural_pays": "1:1",
            "natural_beats_21": False,
            "double": "none",
            "split_hands": 1,
            "insurance": False,
        },
    ),
)
