"""The rules of durak as one frozen record: what each option means is said here, and asked for everywhere else."""

from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field, StrictBool, StrictInt, model_validator

from croupier.durak.engine.pack import HAND_SIZE, SUITS, beats, pack_of, suit_of
from croupier.rulebook import Preset, RuleBook, Rules

Transfer = Literal["none", "card", "card_or_shown_trump"]
ThrowIn = Literal["none", "attacker", "neighbours", "all"]
Teams = Literal["none", "pairs", "two_sides"]
LeadAfterFool = Literal["lowest_trump", "at_fool", "after_fool"]


class DurakRules(Rules):
    """The rules of a game of durak; by default those of the engine protocol.

    Examples
    --------
    >>> DurakRules(six_card_cap=True).attack_cap(bout=1)
    6
    >>> DurakRules.create({"six_card_cap": "yes"})
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'six_card_cap': "yes" is not allowed; allowed: true, false
    >>> DurakRules(players=5, pack=24)
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'players': 24 cards are dealt to 4 players at most, not to 5; set pack = 36 or more
    """

    players: StrictInt = Field(default=2, ge=2, le=6, description="how many play")
    pack: Literal[24, 36, 52, 54] = Field(
        default=36,
        description="24 cards from the nine, 36 from the six, 52 from the two, 54 with a black and a red joker, "
        "which are the highest trumps",
    )
    transfer: Transfer = Field(
        default="none",
        description="a defender who has beaten nothing yet may pass the attack on with a card of its rank, or also by "
        "showing the trump of that rank, once a bout",
    )
    transfer_in_first_bout: StrictBool = Field(
        default=True, description="the attack may be passed on in the first bout of a game too"
    )
    throw_in: ThrowIn = Field(
        default="all",
        description="who may add cards to an attack: nobody, the attacker, also the player after the defender, or everybody",
    )
    teams: Teams = Field(
        default="none",
        description="everybody alone, pairs who sit opposite, or two sides who sit alternately; nobody attacks a partner",
    )
    six_card_cap: StrictBool = Field(
        default=False, description="at most six attack cards in a bout, thrown-in cards included"
    )
    five_card_first_bout: StrictBool = Field(
        default=False,
        description="at most five attack cards in the first bout of a game, thrown-in cards included",
    )
    trumps: Literal["open_card", "diamonds"] = Field(
        default="open_card",
        description="the suit of the open card under the stock is trumps, or always diamonds",
    )
    spades_by_spades: StrictBool = Field(
        default=False, description="spades are beaten by higher spades only, not by trumps"
    )
    draws: StrictBool = Field(
        default=True,
        description="a defender whose last cards beat the last attack draws; otherwise the attackers have won before",
    )
    lead_after_fool: LeadAfterFool = Field(
        default="lowest_trump",
        description="who leads the next game: the lowest trump, the player before the fool (who defends then), or the one "
        "after; for two, the last two mean the winner",
    )

    @model_validator(mode="after")
    def _cards_suffice(self) -> Self:
        if self.players * HAND_SIZE > self.pack:
            raise ValueError(
                f"option 'players': {self.pack} cards are dealt to {self.pack // HAND_SIZE} players at most, not to "
                f"{self.players}; set pack = 36 or more"
            )
        return self

    @model_validator(mode="after")
    def _teams_are_equal(self) -> Self:
        if self.teams != "none" and self.players not in (4, 6):
            raise ValueError(
                f"option 'teams': \"{self.teams}\" needs 4 or 6 players, not {self.players}; set players = 4, or teams = none"
            )
        return self

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the pack, lowest code first.

        >>> len(DurakRules(pack=54).cards)
        54
        """
        return pack_of(self.pack)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether the compiled positions, the protocol and its logs cover this game: two players and 36 cards, any caps.

        Examples
        --------
        >>> DurakRules(six_card_cap=True).is_compiled, DurakRules(draws=False).is_compiled
        (True, False)
        """
        return self.throw_in != "none" and not self.changes().keys() - _COMPILED_OPTIONS

    def to_saved(self) -> dict[str, Any]:
        """Return the options as saved games keep them: both caps, as ever, and the others that are not the protocol's.

        >>> DurakRules(players=3).to_saved()
        {'players': 3, 'six_card_cap': False, 'five_card_first_bout': False}
        """
        kept = {"six_card_cap", "five_card_first_bout", *self.changes()}
        return self.model_dump(mode="json", include=kept)

    def attack_cap(self, bout: int) -> int:
        """Return how many attack cards a bout (the first is 1) may see; the whole pack where nothing limits them."""
        if self.five_card_first_bout and bout == 1:
            return 5
        return 6 if self.six_card_cap else self.pack

    def trump_suit(self, open_card: int) -> int:
        """Return the suit of trumps, 0-3, from the open card under the stock.

        >>> SUITS[DurakRules().trump_suit(51)], SUITS[DurakRules(trumps="diamonds").trump_suit(51)]
        ('S', 'D')
        """
        return suit_of(open_card) if self.trumps == "open_card" else SUITS.index("D")

    def beats(self, card: int, other: int, trump_suit: int) -> bool:
        """Tell whether a card beats another.

        >>> DurakRules().beats(51, 46, trump_suit=3), DurakRules(spades_by_spades=True).beats(50, 19, trump_suit=2)
        (True, False)
        """
        return beats(card, other, trump_suit, spades_by_spades=self.spades_by_spades)

    def may_transfer(self, bout: int) -> bool:
        """Tell whether the attack of a bout (the first is 1) may be passed on.

        >>> DurakRules(transfer="card", transfer_in_first_bout=False).may_transfer(1)
        False
        """
        return self.transfer != "none" and (bout > 1 or self.transfer_in_first_bout)

    def side_of(self, seat: int) -> int:
        """Return the number of the side on which a seat plays; partners have the same.

        Examples
        --------
        >>> [DurakRules(players=6, teams="pairs").side_of(seat) for seat in range(6)]
        [0, 1, 2, 0, 1, 2]
        >>> [DurakRules(players=6, teams="two_sides").side_of(seat) for seat in range(6)]
        [0, 1, 0, 1, 0, 1]
        """
        match self.teams:
            case "none":
                return seat
            case "pairs":
                return seat % (self.players // 2)
            case "two_sides":
                return seat % 2


#: The options that the compiled positions read, and those that make no difference to a game of two.
_COMPILED_OPTIONS = {
    "six_card_cap",
    "five_card_first_bout",
    "throw_in",
    "transfer_in_first_bout",
    "lead_after_fool",
}

_TABLE = DurakRules(six_card_cap=True, five_card_first_bout=True)

DURAK = RuleBook(
    game="durak",
    model=DurakRules,
    presets=(
        Preset(
            "protocol",
            "the rules of the engine protocol: an attack is limited by the hands alone",
            DurakRules(),
        ),
        Preset(
            "table",
            "as played at the table: at most six attack cards a bout, five in the first",
            _TABLE,
        ),
        Preset(
            "podkidnoy",
            "throw-in durak (подкидной) for four: the neighbours of the defender add cards, caps as at the table",
            _TABLE.replaced({"players": 4, "throw_in": "neighbours", "lead_after_fool": "after_fool"}),
        ),
        Preset(
            "perevodnoy",
            "passing durak (переводной) for four: the defender may pass the attack on, everybody adds cards",
            _TABLE.replaced({"players": 4, "transfer": "card", "lead_after_fool": "after_fool"}),
        ),
        Preset(
            "proezdnoy",
            "perevodnoy in which the trump of the rank need only be shown (проездной)",
            _TABLE.replaced(
                {"players": 4, "transfer": "card_or_shown_trump", "lead_after_fool": "after_fool"}
            ),
        ),
        Preset(
            "para-na-paru",
            "two against two (пара на пару): partners sit opposite and do not attack each other",
            _TABLE.replaced({"players": 4, "teams": "pairs", "lead_after_fool": "at_fool"}),
        ),
        Preset(
            "quick",
            "a short game for two with 24 cards, from the nine",
            _TABLE.replaced({"pack": 24}),
        ),
        Preset(
            "full-pack",
            "throw-in durak for five with 52 cards",
            _TABLE.replaced({"players": 5, "pack": 52, "lead_after_fool": "after_fool"}),
        ),
        Preset(
            "jokers",
            "perevodnoy for six with 54 cards; the jokers are the highest trumps",
            _TABLE.replaced({"players": 6, "pack": 54, "transfer": "card", "lead_after_fool": "after_fool"}),
        ),
        Preset(
            "japanese",
            "Japanese durak (японский) for three: diamonds are always trumps, spades are beaten by spades only, nobody adds "
            "cards",
            DurakRules(players=3, trumps="diamonds", spades_by_spades=True, throw_in="none", draws=False),
        ),
    ),
)


def find_rules(preset: str = "protocol", **options: bool | int | str) -> DurakRules:
    """Return the rules of a preset, with options changed.

    Raises
    ------
    InputError
        If there is no such preset or option, or the options contradict each other.

    Examples
    --------
    >>> find_rules("table", six_card_cap=False).changes()
    {'five_card_first_bout': True}
    >>> find_rules("perevodnoy", players=3).transfer
    'card'
    """
    return DURAK.rules(preset, **options)
