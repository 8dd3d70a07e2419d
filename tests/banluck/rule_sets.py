"""Rule sets to compare readers of the rules on: drawn from the fields of the rules model itself.

Choices list their own values. A field that is a number or a list needs values here; a new field without any fails every
test that asks for rule sets, with its name.
"""

import random
from collections.abc import Mapping
from typing import Any

from croupier.banluck.engine import BanluckRules
from croupier.rulebook import RulesError

NUMBERS: Mapping[str, tuple[Any, ...]] = {
    "ace_values": (
        ((10, 11), (1, 10), (1, 10), (1, 10)),
        ((10, 11), (1, 10), (1,), (1,)),
        ((1, 11),) * 4,
        ((1,),) * 4,
        ((11,), (3, 7), (2, 5, 9), (1, 4, 11)),
    ),
    "player_minimum": (12, 14, 15, 16, 17, 19),
    "dealer_minimum": (13, 14, 15, 16, 17, 18),
    "dealer_choice_max": (15, 16, 17, 18, 19, 20),
    "reveal_from": (2, 3, 4, 5),
    "five_card_bust_player": (1, 2),
    "five_card_bust_dealer": (1, 2),
    "pays_ban_ban": (0.5, 1, 3, 10),
    "pays_ban_luck": (0.5, 1, 1.5, 2, 3),
    "pays_777": (0.5, 1, 7, 21),
    "pays_five_card_21": (0.5, 1, 3, 7),
    "pays_five_card": (0.5, 1, 2, 3),
}


def _values() -> dict[str, tuple[Any, ...]]:
    values: dict[str, tuple[Any, ...]] = {}
    for option in BanluckRules.options():
        if not option.choices and option.name not in NUMBERS:
            raise AssertionError(
                f"option '{option.name}' has no values to test; add some to tests/banluck/rule_sets.py"
            )
        values[option.name] = tuple(sorted(option.choices, key=str)) or NUMBERS[option.name]
    return values


#: The values of every option that are compared.
VALUES = _values()


def drawn(chance: random.Random) -> BanluckRules:
    """Draw a combination of all options; the dealer's range is drawn from the totals that its minimum allows."""
    options = {name: chance.choice(values) for name, values in VALUES.items()}
    return BanluckRules.create(
        {**options, "dealer_choice_max": chance.randint(options["dealer_minimum"] - 1, 20)}
    )


def random_rules(number: int) -> BanluckRules:
    """Draw a combination of all options from a number."""
    return drawn(random.Random(f"rules {number}"))


def _covering() -> tuple[BanluckRules, ...]:
    """Combine values until every value of every option has come up, those that have not first."""
    missing = {name: list(values) for name, values in VALUES.items()}
    chance = random.Random("covering")
    found = []
    while any(missing.values()):
        options = {name: (missing[name] or VALUES[name])[0] for name in VALUES}
        for name in VALUES:
            if not missing[name]:
                options[name] = chance.choice(VALUES[name])
        try:
            rules = BanluckRules.create(options)
        except (
            RulesError
        ):  # a dealer's range that cannot be: widen it, and keep the value for the next combination
            rules = BanluckRules.create({**options, "dealer_choice_max": 20})
        for name, values in missing.items():
            missing[name] = [value for value in values if value != getattr(rules, name)]
        found.append(rules)
    return tuple(found)


#: A few rule sets in which every value of every option occurs.
COVERING = _covering()
