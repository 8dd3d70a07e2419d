"""The rules of durak as one frozen record, and the presets."""

from pydantic import Field, StrictBool

from croupier.durak.engine.pack import PACK_SIZE
from croupier.rulebook import Preset, RuleBook, Rules


class DurakRules(Rules):
    """The rules of a game of durak; by default those of the engine protocol.

    Examples
    --------
    >>> DurakRules(six_card_cap=True).attack_cap(bout=1)
    6
    >>> DurakRules.create({"six_card_cap": "yes"})
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: option 'six_card_cap': "yes" is not allowed; allowed: true, false
    """

    six_card_cap: StrictBool = Field(
        default=False, description="at most six attack cards in a bout, thrown-in cards included"
    )
    five_card_first_bout: StrictBool = Field(
        default=False,
        description="at most five attack cards in the first bout of a game, thrown-in cards included",
    )

    def attack_cap(self, bout: int) -> int:
        """Return how many attack cards a bout (the first is 1) may see; the whole pack where nothing limits them."""
        if self.five_card_first_bout and bout == 1:
            return 5
        return 6 if self.six_card_cap else PACK_SIZE


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
            DurakRules(six_card_cap=True, five_card_first_bout=True),
        ),
    ),
)


def find_rules(preset: str = "protocol", **options: bool) -> DurakRules:
    """Return the rules of a preset, with options changed.

    Raises
    ------
    InputError
        If there is no such preset or option.

    Examples
    --------
    >>> find_rules("table", six_card_cap=False).changes()
    {'five_card_first_bout': True}
    """
    return DurakRules.create(DURAK.preset(preset).rules.model_dump() | options)
