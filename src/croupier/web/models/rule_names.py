"""Names for people of every option of the rules and of its values, in groups; the options' own names are for files and commands."""

from croupier.errors import InputError
from croupier.rulebook import Option, Rules, parse_setting

#: For each game: the groups in the order of the form, and in them the options with their names.
GROUPS: dict[str, dict[str, dict[str, str]]] = {
    "banluck": {
        "Counting": {
            "ace_values": "Aces count",
            "player_minimum": "Players need at least",
            "below_minimum": "A player below that",
            "five_card_below_minimum": "Five cards below that",
        },
        "The dealer": {
            "dealer_minimum": "Must draw below",
            "dealer_choice_max": "May choose up to",
            "reveal": "Opening players before drawing",
            "reveal_from": "Opens players with at least (cards)",
            "surrender": "Giving up a hard 15",
            "dealer_collects_multiples": "Special hands of the dealer collect multiples",
        },
        "Five cards and busts": {
            "five_card_mirror": "Five cards against five cards",
            "five_card_bust_player": "A player bust on the fifth card pays",
            "five_card_bust_dealer": "A dealer bust on the fifth card pays",
            "both_bust": "Both bust",
        },
        "What special hands pay, to one": {
            "special_777": "Three sevens are special",
            "pays_ban_ban": "Ban Ban (two aces)",
            "pays_ban_luck": "Ban Luck (ace and ten)",
            "pays_777": "Three sevens",
            "pays_five_card_21": "Five cards of exactly 21",
            "pays_five_card": "Five cards under 21",
        },
    },
    "blackjack": {
        "The shoe": {
            "decks": "Decks",
            "penetration": "Share before the cut card",
            "shuffle": "Shuffling",
        },
        "The dealer": {
            "hole_card": "Hole card",
            "soft17": "On a soft 17",
            "dealer_22_pushes": "A dealer's 22 pushes",
        },
        "Naturals and 21": {
            "natural_pays": "A natural pays",
            "natural_beats_21": "A natural beats other 21s",
            "twenty_one_pays_at_once": "A player's 21 is paid at once",
            "charlie": "Cards that win at once",
            "insurance": "Insurance is offered",
        },
        "Doubling": {
            "double": "Totals to double",
            "double_soft": "Soft hands too",
            "double_after_split": "After a split too",
        },
        "Splitting and surrender": {
            "split_hands": "Hands from splitting, at most",
            "split_by": "Tens are a pair",
            "split_tens": "Tens may be split",
            "resplit_aces": "Aces may be split again",
            "hit_split_aces": "Split aces may be hit",
            "double_split_aces": "Split aces may be doubled",
            "surrender": "Surrender",
        },
        "Bets": {
            "minimum_bet": "Smallest bet",
            "maximum_bet": "Largest bet",
            "perfect_pairs": "Perfect pairs pay",
            "twenty_one_plus_three": "21+3 pays",
        },
    },
}

#: The values of options, where their own names do not say enough.
_VALUES: dict[str, dict[object, str]] = {
    "below_minimum": {"forfeit": "may stand, and loses", "must_hit": "must hit"},
    "five_card_below_minimum": {"forfeit": "are lost", "counts": "count as five cards"},
    "reveal": {"optional": "if the dealer likes", "mandatory": "always", "none": "never"},
    "five_card_mirror": {"compare": "the higher total wins", "push": "a push"},
    "both_bust": {"player_loses": "the player loses", "push": "a push"},
    "shuffle": {"shoe": "after the cut card", "continuous": "before every round"},
    "hole_card": {
        "peek": "the dealer looks for a natural",
        "no-peek": "comes later, a natural takes all bets",
        "no-peek-original-bet": "comes later, a natural takes the first bet",
    },
    "soft17": {"stand": "stands", "hit": "hits"},
    "double": {"any": "any two cards", "9-11": "9 to 11", "10-11": "10 and 11", "none": "none"},
    "split_by": {"rank": "if of one rank", "value": "always"},
    "surrender": {
        "none": "none",
        "blind": "before anything is shown",
        "after_specials": "after Ban hands are shown",
        "late": "after the dealer's look",
        "early": "before the dealer's look",
        "early-not-ace": "before the look, not against an ace",
    },
    "charlie": {"off": "none"},
    "decks": {"infinite": "infinite"},
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
    "split_hands": (1, 2, 3, 4, 5, 6, 7, 8),
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
    return next(names[option] for names in GROUPS[game].values() if option in names)


def value_name(option: str, value: object) -> str:
    """Return the name of an option's value for people.

    >>> value_name("reveal", "none"), value_name("double_soft", True), value_name("pays_777", 7.0)
    ('never', 'yes', '7')
    >>> value_name("ace_values", ((10, 11), (1, 10), (1,), (1,)))
    '10 or 11 in two cards, 1 or 10 in three, 1 in four, 1 in five'
    """
    if option == "ace_values" and isinstance(value, tuple | list):
        counts = zip(value, ("two cards", "three", "four", "five"), strict=True)
        return ", ".join(f"{' or '.join(map(str, ace))} in {cards}" for ace, cards in counts)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(f"{number:g}" for number in value)
    if isinstance(value, float):
        return f"{value:g}"
    return _VALUES.get(option, {}).get(value, str(value))


def offered_values(option: Option, current: object) -> tuple[object, ...]:
    """Return the values to choose from, the current one among them; none where a person types a number."""
    offered = option.choices or _USUAL.get(option.name, ())
    return offered if not offered or current in offered else (*offered, current)


def typed_value(rules: Rules, option: str, text: str) -> object:
    """Return the value that a person means by a text; lists are written with commas.

    Raises
    ------
    InputError
        If it is not a value at all; whether the rules take it is seen when they are changed.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules
    >>> typed_value(BlackjackRules(), "perfect_pairs", "25, 12, 6"), typed_value(BlackjackRules(), "minimum_bet", "5")
    ([25, 12, 6], 5)
    """
    if not text.strip():
        raise InputError(f"{option_name(_game_of(rules), option)}: empty; type a value")
    is_list = isinstance(getattr(rules, option), tuple)
    return parse_setting(f"{option}=[{text}]" if is_list else f"{option}={text}")[1]


def _game_of(rules: Rules) -> str:
    return next(
        game
        for game, groups in GROUPS.items()
        if {name for names in groups.values() for name in names} == set(type(rules).model_fields)
    )
