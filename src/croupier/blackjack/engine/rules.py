"""Everything in which blackjack tables differ, as one frozen record, and the presets."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictBool, ValidationInfo, field_validator, model_validator

from croupier.blackjack.engine.named_tables import NAMED_TABLES
from croupier.rulebook import Preset, RuleBook, Rules
from croupier.texts import say

#: What a kind of a side bet pays to one; 0 if it loses.
_Prize = Annotated[int, Field(strict=True, ge=0)] | Annotated[float, Field(strict=True, ge=0, le=1e6)]

_RATIO = re.compile(r"([1-9]\d{0,2}):([1-9]\d{0,2})")
_PART = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")


class BlackjackRules(Rules):
    """The rules of one blackjack table.

    Examples
    --------
    >>> BlackjackRules().natural_fraction
    Fraction(3, 2)
    >>> BlackjackRules.create({"soft17": "maybe"})
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'soft17': "maybe" is not allowed; allowed: "stand", "hit"
    """

    decks: Annotated[int, Field(strict=True, ge=1, le=8)] | Literal["infinite"] = Field(
        default=6,
        description="packs in the shoe; infinite means that drawn cards change nothing",
        json_schema_extra={"allowed": 'a whole number from 1 to 8, "infinite"'},
    )
    ten_spots: StrictBool = Field(
        default=True, description="the packs hold the four tens; without them a pack has 48 cards"
    )
    penetration: Annotated[float, Field(strict=True, gt=0, le=1)] = Field(
        default=0.75,
        description="share of the shoe in front of the cut card; the round in which it comes up is the last",
    )
    shuffle: Literal["shoe", "continuous"] = Field(
        default="shoe", description="play on until the cut card, or shuffle everything before every round"
    )
    hole_card: Literal["peek", "no-peek", "no-peek-original-bet", "open"] = Field(
        default="peek",
        description=(
            "the dealer looks for a natural before the players act; or the second card comes after them and a natural "
            "takes all bets; or it takes only the original bet; or both cards are dealt face up, and a natural ends the round"
        ),
    )
    soft17: Literal["stand", "hit"] = Field(default="stand", description="what the dealer does on a soft 17")
    ties_lose: StrictBool = Field(
        default=False, description="equal totals lose instead of pushing; two naturals still push"
    )
    natural_pays: str = Field(
        default="3:2",
        description="what a natural is paid",
        json_schema_extra={"allowed": 'a ratio such as "3:2", "6:5", "1:1"'},
    )
    natural_beats_21: StrictBool = Field(
        default=True,
        description="a natural beats a 21 of more cards; else it is an ordinary 21, paid and tied as one",
    )
    natural_always_wins: StrictBool = Field(
        default=False, description="a player's natural is paid even if the dealer has one too"
    )
    bonus_21: Literal["none", "spanish-21", "super-fun-21"] = Field(
        default="none",
        description=(
            "a player's 21 that wins at once and is paid more, unless the hand is doubled; spanish-21: of five cards 3:2, six 2:1, seven "
            "or more 3:1, and 6-7-8 or 7-7-7 of mixed suits 3:2, of one suit 2:1, of spades 3:1; super-fun-21: of five cards or more "
            "2:1, and a natural in diamonds 2:1"
        ),
    )
    double: Literal["any", "9-11", "10-11", "none"] = Field(
        default="any", description="the totals that may be doubled"
    )
    double_any_cards: StrictBool = Field(
        default=False, description="hands of any number of cards may be doubled, not of two only"
    )
    double_soft: StrictBool = Field(default=True, description="soft hands may be doubled too")
    double_after_split: StrictBool = Field(
        default=True, description="hands that come from a split may be doubled"
    )
    redoubles: Annotated[int, Field(strict=True, ge=0, le=3)] = Field(
        default=0,
        description="how often a doubled hand may be doubled again, with one more card each time",
    )
    double_rescue: StrictBool = Field(
        default=False, description="a doubled hand may be given up for half of what lies on it"
    )
    doubled_card: Literal["open", "closed"] = Field(
        default="open",
        description="the card of a doubled hand is dealt open, or closed and shown when the dealer has played",
    )
    free_doubles: StrictBool = Field(
        default=False,
        description="two cards of hard 9, 10 or 11 are doubled with a free bet, which wins as a bet does and costs nothing if it loses",
    )
    split_hands: Annotated[int, Field(strict=True, ge=1, le=8)] = Field(
        default=4, description="the most hands that splitting may make of one; 1 means no splitting"
    )
    free_splits: StrictBool = Field(
        default=False,
        description="pairs, but not of ten-value cards, are split with a free bet on the second hand",
    )
    split_by: Literal["rank", "value"] = Field(
        default="value",
        description="ten-value cards are a pair if they are of the same rank, or of the same value",
    )
    split_tens: StrictBool = Field(default=True, description="ten-value pairs may be split")
    never_split: str = Field(
        default="none",
        description="ranks whose pairs may not be split; ten-value pairs have an option of their own",
        json_schema_extra={"allowed": '"none", ranks from 2 to 9 and A such as "5", "4 5"'},
    )
    resplit_aces: StrictBool = Field(
        default=False, description="an ace dealt to a split ace may be split again"
    )
    hit_split_aces: StrictBool = Field(
        default=False, description="split aces may be hit; else they get one card each"
    )
    double_split_aces: StrictBool = Field(
        default=False, description="split aces may be doubled, where hands from a split may be"
    )
    surrender: Literal["none", "late", "early", "early-not-ace", "early-ace"] = Field(
        default="none",
        description=(
            "giving up the first two cards for a part of the bet: not at all, after the dealer has no natural, before that is known, "
            "before it is known except against an ace, or before it is known against an ace only; at a table without a peek, late "
            "loses all to a natural"
        ),
    )
    surrender_returns: str = Field(
        default="1/2",
        description="the part of the bet that a surrender gives back",
        json_schema_extra={"allowed": 'a part below 1 such as "1/2", "1/4", "2/3"'},
    )
    surrender_any_cards: StrictBool = Field(
        default=False,
        description="hands of any number of cards may be surrendered, and those from a split; else the first two cards only",
    )
    insurance: StrictBool = Field(
        default=True, description="insurance and even money are offered against an ace"
    )
    twenty_one_pays_at_once: StrictBool = Field(
        default=False,
        description="a player's 21 of any kind is paid at once (after the peek, if any), even money unless it is a natural",
    )
    charlie: Annotated[int, Field(strict=True, ge=5, le=10)] | Literal["off"] = Field(
        default="off",
        description="a hand of this many cards that is not bust wins at once; a 21 of fewer cards stands",
        json_schema_extra={"allowed": '"off", a whole number from 5 to 10'},
    )
    dealer_22_pushes: StrictBool = Field(
        default=False,
        description="a dealer's 22 pushes every hand that is still in play, instead of losing to it; a natural is paid before",
    )
    minimum_bet: Annotated[float, Field(strict=True, gt=0, le=1e6)] = Field(
        default=1, description="the smallest bet"
    )
    maximum_bet: Annotated[float, Field(strict=True, gt=0, le=1e6)] = Field(
        default=1000, description="the largest bet"
    )
    perfect_pairs: tuple[Annotated[int, Field(strict=True, ge=0)], ...] = Field(
        default=(25, 12, 6),
        description="side bet on the first two cards: what a pair of the same suit, colour and rank pays to one",
        json_schema_extra={"allowed": "three whole numbers, such as [25, 12, 6]"},
    )
    twenty_one_plus_three: tuple[Annotated[int, Field(strict=True, ge=0)], ...] = Field(
        default=(100, 40, 30, 10, 5),
        description=(
            "side bet on the first two cards and the up-card: what suited trips, straight flush, trips, straight and flush pay to one"
        ),
        json_schema_extra={"allowed": "five whole numbers, such as [100, 40, 30, 10, 5]"},
    )
    lucky_ladies: tuple[_Prize, ...] = Field(
        default=(1000, 200, 25, 10, 4),
        description=(
            "side bet on a first two cards' 20: what two queens of hearts with a dealer's natural, the queens alone, two cards alike, of one suit "
            "and any 20 pay to one"
        ),
        json_schema_extra={"allowed": "five numbers, such as [1000, 200, 25, 10, 4]"},
    )
    royal_match: tuple[_Prize, ...] = Field(
        default=(25, 2.5),
        description="side bet on the first two cards: what a king and a queen of one suit, and other cards of one suit pay to one",
        json_schema_extra={"allowed": "two numbers, such as [25, 2.5]"},
    )
    over_under_13: tuple[_Prize, ...] = Field(
        default=(1, 1),
        description="side bets on the first two cards, an ace as one: what more than 13, and what less than 13 pays to one",
        json_schema_extra={"allowed": "two numbers, such as [1, 1]"},
    )
    lucky_lucky: tuple[_Prize, ...] = Field(
        default=(200, 100, 50, 30, 15, 3, 2, 2),
        description=(
            "side bet on the first two cards and the up-card: what 7-7-7 and 6-7-8 of one suit, 7-7-7, 6-7-8, a 21 of one suit, any 21, a 20 and "
            "a 19 pay to one"
        ),
        json_schema_extra={"allowed": "eight numbers, such as [200, 100, 50, 30, 15, 3, 2, 2]"},
    )

    @field_validator("natural_pays")
    @classmethod
    def _is_a_ratio(cls, value: str) -> str:
        if not _RATIO.fullmatch(value):
            raise ValueError(say("rules.refused.ratio"))
        return value

    @field_validator("never_split", mode="before")
    @classmethod
    def _is_text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("never_split")
    @classmethod
    def _are_ranks(cls, value: str) -> str:
        ranks = value.split()
        if value != "none" and (
            not ranks or not set(ranks) <= set("23456789A") or len(set(ranks)) < len(ranks)
        ):
            raise ValueError(say("rules.refused.ranks"))
        return value

    @field_validator("surrender_returns")
    @classmethod
    def _is_a_part(cls, value: str) -> str:
        found = _PART.fullmatch(value)
        if found is None or int(found[1]) >= int(found[2]):
            raise ValueError(say("rules.refused.part"))
        return value

    @field_validator("perfect_pairs")
    @classmethod
    def _has_three_prizes(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if len(value) != 3:
            raise ValueError(say("rules.refused.count", count=len(value)))
        return value

    @field_validator("twenty_one_plus_three")
    @classmethod
    def _has_five_prizes(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if len(value) != 5:
            raise ValueError(say("rules.refused.count", count=len(value)))
        return value

    @field_validator("lucky_ladies", "royal_match", "over_under_13", "lucky_lucky")
    @classmethod
    def _has_its_prizes(cls, value: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        if len(value) != len(cls.model_fields[str(info.field_name)].default):
            raise ValueError(say("rules.refused.count", count=len(value)))
        return value

    @model_validator(mode="after")
    def _options_do_not_contradict(self) -> Self:
        if self.minimum_bet > self.maximum_bet:
            raise ValueError(say("rules.refused.bets", least=self.minimum_bet, most=self.maximum_bet))
        if self.double_split_aces and not self.double_after_split:
            raise ValueError(say("rules.refused.double_split_aces"))
        if self.hole_card == "open" and self.surrender not in ("none", "late"):
            raise ValueError(say("rules.refused.open_surrender"))
        if self.surrender_any_cards and self.surrender not in ("none", "late"):
            raise ValueError(say("rules.refused.surrender_any_cards"))
        if self.surrender_any_cards and self.free_splits:
            raise ValueError(say("rules.refused.free_surrender"))
        goes_on = self.double_rescue or self.redoubles > 0
        if goes_on and (self.free_doubles or self.free_splits):
            raise ValueError(say("rules.refused.free_bets"))
        if goes_on and self.doubled_card == "closed":
            raise ValueError(say("rules.refused.doubled_card"))
        return self

    @property
    def natural_fraction(self) -> Fraction:
        """What a natural wins, in bets."""
        won, bet = self.natural_pays.split(":")
        return Fraction(int(won), int(bet))

    @property
    def sees_natural_first(self) -> bool:
        """Whether a dealer's natural is known before the players act: after a peek, or because both cards lie open.

        >>> BlackjackRules().sees_natural_first, BlackjackRules(hole_card="no-peek").sees_natural_first
        (True, False)
        """
        return self.hole_card in ("peek", "open")

    @property
    def surrender_loss(self) -> Fraction:
        """What a surrender costs, in bets.

        >>> BlackjackRules(surrender_returns="1/4").surrender_loss
        Fraction(3, 4)
        """
        return 1 - Fraction(self.surrender_returns)


_BASE = BlackjackRules()

BLACKJACK = RuleBook(
    game="blackjack",
    model=BlackjackRules,
    presets=tuple(Preset(table.name, table.meaning, _BASE.replaced(table.changes)) for table in NAMED_TABLES),
)

#: The rules of every preset, by its name.
presets: Mapping[str, BlackjackRules] = MappingProxyType(
    {preset.name: preset.rules for preset in BLACKJACK.presets}
)


def rules(preset: str | None = None, **changes: Any) -> BlackjackRules:
    """Return the rules of a preset, with some options changed.

    Parameters
    ----------
    preset
        The name of a preset, one of :data:`presets`; the default rules if none is named.
    changes
        Options and their values.

    Raises
    ------
    RulesError
        If there is no such preset or option, or the value is not allowed; the message says what is.

    Examples
    --------
    >>> rules("downtown", surrender="late").surrender
    'late'
    >>> rules("vegas-strip", decks=9)
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'decks': 9 is not allowed; allowed: a whole number from 1 to 8, "infinite"
    """
    return BLACKJACK.rules(preset, **changes)
