"""Rules in the address of a page: ``?preset=reference&set=reveal%3Dnone`` means ``--preset reference --set reveal=none``."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

from croupier.rulebook import RuleBook, Rules, RulesError, as_toml

RulesT = TypeVar("RulesT", bound=Rules)

#: Limits for addresses from outside; ours are far shorter.
LONGEST_SETTING = 500
MOST_SETTINGS = 100


def rules_from_query(book: RuleBook[RulesT], preset: str | None, settings: Sequence[str]) -> RulesT:
    """Compose rules from the parts of an address.

    Raises
    ------
    RulesError
        If the rules are not valid; the message says which option and why.

    Examples
    --------
    >>> from croupier.blackjack.engine.rules import BLACKJACK
    >>> rules_from_query(BLACKJACK, "vegas-strip", ["decks=2"]).decks
    2
    """
    if len(settings) > MOST_SETTINGS or any(len(setting) > LONGEST_SETTING for setting in settings):
        raise RulesError(
            f"settings: give at most {MOST_SETTINGS}, of at most {LONGEST_SETTING} characters each"
        )
    return book.load(preset or None, None, settings)


def rules_to_query(book: RuleBook[RulesT], rules: RulesT) -> str:
    """Return the shortest query for rules: the nearest preset, and the options that differ from it.

    >>> from croupier.blackjack.engine.rules import BLACKJACK
    >>> rules_to_query(BLACKJACK, BLACKJACK.preset("vegas-strip").rules.replaced({"decks": 2}))
    'preset=six-deck&set=decks%3D2'
    """
    nearest = book.nearest(rules)
    changes = rules.changes(nearest.rules)
    settings = [("set", f"{name}={as_toml(value)}") for name, value in changes.items()]
    return urlencode([("preset", nearest.name), *settings])
