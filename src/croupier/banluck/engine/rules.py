"""Everything in which Banluck tables differ, as one frozen record, and the presets."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictInt, field_validator, model_validator

from croupier.rulebook import Preset, RuleBook, Rules, RulesError
from croupier.texts import say

Total = Annotated[int, Field(strict=True, ge=2, le=21)]
CardCount = Annotated[int, Field(strict=True, ge=2, le=5)]
BustPrice = Annotated[int, Field(strict=True, ge=1, le=2)]
Multiple = Annotated[float, Field(strict=True, gt=0, le=100)]
_AceChoices = tuple[StrictInt, ...]
AceValues = tuple[_AceChoices, _AceChoices, _AceChoices, _AceChoices]

MIN_CARDS, MAX_CARDS = 2, 5
_ACE_VALUES_ALLOWED = (
    "four lists, for hands of 2, 3, 4 and 5 cards, each of whole numbers from 1 to 11 in ascending order, "
    "such as [[10, 11], [1, 10], [1, 10], [1, 10]]"
)


class BanluckRules(Rules):
    """The rules of one Banluck table; the defaults are the preset ``reference``.

    Examples
    --------
    >>> BanluckRules().player_minimum
    16
    >>> BanluckRules.create({"reveal": "perhaps"})
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'reveal': "perhaps" is not allowed; allowed: "optional", "mandatory", "none"
    """

    ace_values: AceValues = Field(
        default=((10, 11), (1, 10), (1, 10), (1, 10)),
        description="what an ace may count in a hand of 2, 3, 4 and 5 cards; each ace is chosen by itself",
        json_schema_extra={"allowed": _ACE_VALUES_ALLOWED},
    )
    player_minimum: Total = Field(
        default=16, description="the lowest total on which a player may stand and win"
    )
    below_minimum: Literal["forfeit", "must_hit"] = Field(
        default="forfeit",
        description="a player below the minimum may stand and loses whatever the dealer does, or must hit",
    )
    five_card_below_minimum: Literal["forfeit", "counts"] = Field(
        default="forfeit",
        description="a player's five-card hand below the minimum is lost, or counts as a five-card hand",
    )
    dealer_minimum: Total = Field(default=16, description="the dealer must draw below this total")
    dealer_choice_max: Annotated[int, Field(strict=True, ge=1, le=20)] = Field(
        default=17,
        description="from the dealer's minimum up to this total the dealer chooses; above it the dealer stands",
    )
    reveal: Literal["optional", "mandatory", "none"] = Field(
        default="optional",
        description=(
            "at a total of choice the dealer may open players one by one before drawing, "
            "must open them, or must decide without using the players' card counts"
        ),
    )
    reveal_from: CardCount = Field(
        default=3, description="the dealer may open players who hold at least this many cards"
    )
    surrender: Literal["blind", "after_specials", "none"] = Field(
        default="blind",
        description=(
            "a dealer with a hard 15 may void the hand: before anything is shown, "
            "after Ban hands are shown (it voids them too), or not at all"
        ),
    )
    dealer_collects_multiples: Annotated[bool, Field(strict=True)] = Field(
        default=False,
        description="a dealer who wins with a special hand is paid that hand's multiple",
    )
    five_card_mirror: Literal["compare", "push"] = Field(
        default="compare",
        description="five cards against five cards: the higher total wins 1:1, or always a push",
    )
    five_card_bust_player: BustPrice = Field(
        default=1, description="what a player pays for busting on the fifth card"
    )
    five_card_bust_dealer: BustPrice = Field(
        default=1, description="what the dealer pays at least for busting on the fifth card"
    )
    both_bust: Literal["player_loses", "push"] = Field(
        default="player_loses",
        description="a player's bust is settled at once, or stays closed and pushes if the dealer busts too",
    )
    special_777: Annotated[bool, Field(strict=True)] = Field(
        default=True, description="three sevens are a special hand; otherwise they are a 21 like any other"
    )
    pays_ban_ban: Multiple = Field(default=3, description="Ban Ban (two aces dealt) pays this to one")
    pays_ban_luck: Multiple = Field(
        default=2, description="Ban Luck (ace and ten-value dealt) pays this to one"
    )
    pays_777: Multiple = Field(default=7, description="three sevens pay this to one")
    pays_five_card_21: Multiple = Field(default=3, description="five cards of exactly 21 pay this to one")
    pays_five_card: Multiple = Field(default=2, description="five cards under 21 pay this to one")

    @field_validator("ace_values")
    @classmethod
    def _ace_values_ascend(cls, value: AceValues) -> AceValues:
        for choices in value:
            if not choices or list(choices) != sorted(set(choices)) or choices[0] < 1 or choices[-1] > 11:
                raise ValueError(say("rules.refused.ace_values", values=str(list(choices))))
        return value

    @model_validator(mode="after")
    def _dealer_range_is_possible(self) -> Self:
        if self.dealer_choice_max < self.dealer_minimum - 1:
            raise ValueError(
                say(
                    "rules.refused.dealer_choice_max",
                    value=self.dealer_choice_max,
                    minimum=self.dealer_minimum,
                    low=self.dealer_minimum - 1,
                )
            )
        return self

    def ace_choices(self, card_count: int) -> tuple[int, ...]:
        """Return what an ace may count in a hand of this many cards.

        >>> BanluckRules().ace_choices(3)
        (1, 10)
        """
        if not MIN_CARDS <= card_count <= MAX_CARDS:
            raise RulesError(f"a hand of {card_count} cards: hands have {MIN_CARDS} to {MAX_CARDS} cards")
        return self.ace_values[card_count - MIN_CARDS]


REFERENCE = BanluckRules()

BANLUCK = RuleBook(
    game="banluck",
    model=BanluckRules,
    presets=(
        Preset(
            "reference",
            "optional reveal, blind surrender, specials pay the player only",
            REFERENCE,
            aliases=("prd",),
        ),
        Preset(
            "mandatory-reveal",
            "as reference, but the dealer must open players of three or more cards before drawing at 16 or 17",
            REFERENCE.replaced({"reveal": "mandatory"}),
            aliases=("prd-literal",),
        ),
        Preset(
            "symmetric",
            "as reference, but the dealer collects multiples too and a low five-card hand counts",
            REFERENCE.replaced({"dealer_collects_multiples": True, "five_card_below_minimum": "counts"}),
        ),
        Preset(
            "singapore",
            "ace is 1 from four cards on, must hit below 16, both bust and five against five push, the dealer may draw "
            "up to 20 and collects multiples, no surrender, a low five-card hand counts",
            REFERENCE.replaced(
                {
                    "ace_values": ((10, 11), (1, 10), (1,), (1,)),
                    "below_minimum": "must_hit",
                    "both_bust": "push",
                    "five_card_mirror": "push",
                    "dealer_choice_max": 20,
                    "dealer_collects_multiples": True,
                    "surrender": "none",
                    "five_card_below_minimum": "counts",
                }
            ),
        ),
        Preset(
            "xi-dach",
            "xì dách, the Vietnamese game: the dealer (cái) may open (xét) any player from 15 on, one by one, and draw between "
            "up to 20; players (con) need 16; both bust (quắc) push; xì bàn (two aces) 3:1, xì dách 2:1 and "
            "five cards (ngũ linh) 2:1 for either side",
            REFERENCE.replaced(
                {
                    "ace_values": ((10, 11), (1, 10), (1,), (1,)),
                    "five_card_below_minimum": "counts",
                    "dealer_minimum": 15,
                    "dealer_choice_max": 20,
                    "reveal_from": 2,
                    "surrender": "none",
                    "dealer_collects_multiples": True,
                    "five_card_mirror": "push",
                    "both_bust": "push",
                    "special_777": False,
                    "pays_five_card_21": 2,
                }
            ),
            aliases=("xi-lat",),
        ),
    ),
)


#: The presets by name.
presets: Mapping[str, BanluckRules] = {preset.name: preset.rules for preset in BANLUCK.presets}


def rules(preset: str | None = None, **changes: Any) -> BanluckRules:
    """Return the rules of a preset (``reference`` if none is named) with some options changed.

    Raises
    ------
    RulesError
        If there is no such preset or option, or the options contradict each other; the message says what would be right.

    Examples
    --------
    >>> rules("singapore", pays_777=21).pays_777
    21.0
    >>> list(presets)
    ['reference', 'mandatory-reveal', 'symmetric', 'singapore', 'xi-dach']
    """
    return BANLUCK.rules(preset, **changes)
