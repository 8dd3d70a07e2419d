"""Rule sets for the cross-tests, dealt from the fields of the rules model: every value of every option comes up, none is forgotten.

An option with few values brings them itself. For a range the values stand in ``REPRESENTATIVES``, bounds included; a new option that
has neither makes every cross-test fail.
"""

import random
from collections.abc import Iterator

from croupier.blackjack.engine.rules import BlackjackRules

#: Values that stand for a range.
REPRESENTATIVES: dict[str, tuple[object, ...]] = {
    "decks": (1, 2, 3, 6, 8, "infinite"),
    "penetration": (0.1, 0.5, 0.75, 0.95, 1.0),
    "natural_pays": ("3:2", "6:5", "1:1", "2:1", "7:5", "4:3"),
    "redoubles": (0, 0, 1, 3),
    "split_hands": (1, 2, 3, 4, 8),
    "never_split": ("none", "none", "5", "4 5", "8 A"),
    "surrender_returns": ("1/2", "1/4", "2/3"),
    "charlie": ("off", 5, 6, 7, 10),
    "minimum_bet": (1, 0.5),
    "maximum_bet": (1000, 1_000_000),
    "perfect_pairs": ((25, 12, 6), (30, 10, 5)),
    "twenty_one_plus_three": ((100, 40, 30, 10, 5), (9, 9, 9, 9, 9)),
    "lucky_ladies": ((1000, 200, 25, 10, 4), (1000, 125, 19, 9, 0)),
    "royal_match": ((25, 2.5), (30, 0)),
    "over_under_13": ((1, 1), (2, 1.5)),
    "lucky_lucky": ((200, 100, 50, 30, 15, 3, 2, 2), (0, 100, 50, 30, 10, 3, 2, 2)),
}


#: Options of games that the automaton leaves to the general kernel.
USUAL: dict[str, object] = {
    "charlie": "off",
    "ten_spots": True,
    "natural_always_wins": False,
    "ties_lose": False,
    "bonus_21": "none",
    "double_any_cards": False,
    "surrender_any_cards": False,
    "redoubles": 0,
    "double_rescue": False,
    "free_doubles": False,
    "free_splits": False,
}


def option_values() -> dict[str, tuple[object, ...]]:
    """Return the values of every option, in the order of the model."""
    values = {}
    for option in BlackjackRules.options():
        values[option.name] = option.choices or REPRESENTATIVES.get(option.name, ())
        assert values[option.name], f"option '{option.name}' has no values here: add them to REPRESENTATIVES"
    return values


def rule_sets(seed: object, **fixed: object) -> Iterator[BlackjackRules]:
    """Deal rule sets without end: each option goes through all its values, in an order of its own, before one comes again."""
    chance = random.Random(f"rule sets {seed}")
    values = option_values()
    decks: dict[str, list[object]] = {name: [] for name in values}
    while True:
        options = {}
        for name, deck in decks.items():
            if not deck:
                deck.extend(chance.sample(values[name], len(values[name])))
            options[name] = deck.pop()
        options |= fixed
        if options["double_split_aces"] and "double_after_split" not in fixed:
            options["double_after_split"] = True
        yield BlackjackRules.create(without_contradictions(options))


def without_contradictions(options: dict[str, object]) -> dict[str, object]:
    """Return options of which none forbids another: of free bets and doubled hands that go on, by chance one or the other stays."""
    options = dict(options)
    options["double_split_aces"] = options["double_split_aces"] and options["double_after_split"]
    if options["free_doubles"] or options["free_splits"]:
        if options["double_rescue"] and options["soft17"] == "hit":
            options |= {"free_doubles": False, "free_splits": False}
        else:
            options |= {"double_rescue": False, "redoubles": 0}
    if options["double_rescue"] or options["redoubles"]:
        options["doubled_card"] = "open"
    if options["hole_card"] == "open" and options["surrender"] != "none":
        options["surrender"] = "late"
    if options["surrender_any_cards"]:
        options["free_splits"] = False
        if options["surrender"] != "none":
            options["surrender"] = "late"
    return options


def solvable(rules: BlackjackRules) -> BlackjackRules:
    """Return the rules, with no hand paid at once where the exact solver refuses them as they are."""
    if rules.hole_card == "no-peek-original-bet":
        return rules.replaced({"twenty_one_pays_at_once": False, "charlie": "off", "bonus_21": "none"})
    return rules
