"""Names for people of every option of the rules and of its values, in groups; the options' own names are for files and commands."""

from typing import Any

from croupier.errors import InputError
from croupier.rulebook import Option, Preset, Rules, parse_setting
from croupier.texts import (
    DEFAULT_LANGUAGE,
    Phrase,
    Texts,
    either,
    figure,
    load_texts,
    original,
    say,
    sentence,
)

#: For each game: the groups of options in the order of the form.
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "banluck": {
        "counting": (
            "ace_values",
            "player_minimum",
            "below_minimum",
            "five_card_below_minimum",
        ),
        "dealer": (
            "dealer_minimum",
            "dealer_choice_max",
            "reveal",
            "reveal_from",
            "surrender",
            "dealer_collects_multiples",
        ),
        "five_cards": (
            "five_card_mirror",
            "five_card_bust_player",
            "five_card_bust_dealer",
            "both_bust",
        ),
        "pays": (
            "special_777",
            "pays_ban_ban",
            "pays_ban_luck",
            "pays_777",
            "pays_five_card_21",
            "pays_five_card",
        ),
    },
    "blackjack": {
        "shoe": (
            "decks",
            "ten_spots",
            "penetration",
            "shuffle",
        ),
        "dealer": (
            "hole_card",
            "soft17",
            "dealer_22_pushes",
            "ties_lose",
        ),
        "naturals": (
            "natural_pays",
            "natural_beats_21",
            "natural_always_wins",
            "bonus_21",
            "twenty_one_pays_at_once",
            "charlie",
            "insurance",
        ),
        "doubling": (
            "double",
            "double_soft",
            "double_any_cards",
            "double_after_split",
            "redoubles",
            "double_rescue",
            "doubled_card",
            "free_doubles",
        ),
        "splitting": (
            "split_hands",
            "free_splits",
            "split_by",
            "split_tens",
            "never_split",
            "resplit_aces",
            "hit_split_aces",
            "double_split_aces",
            "surrender",
            "surrender_returns",
            "surrender_any_cards",
        ),
        "bets": (
            "minimum_bet",
            "maximum_bet",
            "perfect_pairs",
            "twenty_one_plus_three",
            "lucky_ladies",
            "royal_match",
            "over_under_13",
            "lucky_lucky",
        ),
    },
}

#: Values to choose from of options that take others too.
_USUAL: dict[str, tuple[object, ...]] = {
    "ace_values": (
        ((10, 11), (1, 10), (1, 10), (1, 10)),
        ((10, 11), (1, 10), (1,), (1,)),
        ((1, 11), (1, 11), (1, 11), (1, 11)),
    ),
    "decks": (1, 2, 3, 4, 5, 6, 7, 8, "infinite"),
    "natural_pays": ("3:2", "6:5", "1:1", "2:1"),
    "redoubles": (0, 1, 2, 3),
    "split_hands": (1, 2, 3, 4, 5, 6, 7, 8),
    "never_split": ("none", "5", "4 5", "4 5 A"),
    "surrender_returns": ("1/2", "1/4", "3/4"),
    "charlie": ("off", 5, 6, 7, 8, 9, 10),
    "reveal_from": (2, 3, 4, 5),
    "five_card_bust_player": (1, 2),
    "five_card_bust_dealer": (1, 2),
}


def option_name(game: str, option: str) -> str:
    """Return the name of an option for people.

    >>> option_name("blackjack", "soft17")
    'On a soft 17'
    """
    return say(f"rules.{game}.name.{option}")


def option_meaning(game: str, option: Option) -> str:
    """Return what an option means, in a sentence."""
    return original(f"rules.{game}.meaning.{option.name}", sentence(option.meaning))


def preset_meaning(game: str, preset: Preset[Any]) -> str:
    """Return what sort of table a preset is, in a sentence."""
    return original(f"rules.{game}.preset.{preset.name}", sentence(preset.meaning))


def value_name(option: str, value: object) -> str:
    """Return the name of an option's value for people.

    >>> value_name("reveal", "none"), value_name("double_soft", True), value_name("pays_777", 7.0)
    ('never', 'yes', '7')
    >>> value_name("ace_values", ((10, 11), (1, 10), (1,), (1,)))
    '10 or 11 in two cards, 1 or 10 in three, 1 in four, 1 in five'
    """
    if option == "ace_values" and isinstance(value, tuple | list):
        two, three, four, five = (either([str(number) for number in ace]) for ace in value)
        return say("rules.aces", two=two, three=three, four=four, five=five)
    if isinstance(value, bool):
        return say("rules.yes" if value else "rules.no")
    if isinstance(value, tuple | list):
        return ", ".join(f"{number:g}" for number in value)
    if isinstance(value, float):
        return figure(value, ".10g")
    key = f"rules.value.{option}.{value}"
    return say(key) if key in load_texts(DEFAULT_LANGUAGE) else str(value)


def named_refusal(game: str, error: InputError) -> str:
    """Say why rules were refused, with the option's name for people."""
    said = error.said
    if isinstance(said, Phrase) and said.values.get("name") in _options(game):
        return say(said.key, **{**said.values, "name": option_name(game, said.values["name"])})
    return said


def offered_values(option: Option, current: object) -> tuple[object, ...]:
    """Return the values to choose from, the current one among them; none where a person types a number."""
    offered = option.choices or _USUAL.get(option.name, ())
    return offered if not offered or current in offered else (*offered, current)


def typed_value(rules: Rules, option: str, text: str, texts: Texts) -> object:
    """Return the value that a person means by a text, written as in the person's language; lists are written with commas.

    Raises
    ------
    InputError
        If nothing was written; whether the rules take a value is seen when they are changed.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules
    >>> rules, russian = BlackjackRules(), Texts("ru")
    >>> typed_value(rules, "perfect_pairs", "25, 12, 6", russian), typed_value(rules, "minimum_bet", "2,5", russian)
    ([25, 12, 6], 2.5)
    >>> typed_value(rules, "minimum_bet", "½", russian)
    '½'
    """
    if not text.strip():
        game = next(game for game in GROUPS if _options(game) == set(type(rules).model_fields))
        raise InputError(say("rules.refused.empty", name=option_name(game, option)))
    is_list = isinstance(getattr(rules, option), tuple)
    try:
        return parse_setting(f"{option}=[{text}]" if is_list else f"{option}={texts.locale.read(text)}")[1]
    except InputError:
        return text.strip()  # the rules refuse it, and say what they take


def _options(game: str) -> set[str]:
    return {option for options in GROUPS[game].values() for option in options}
