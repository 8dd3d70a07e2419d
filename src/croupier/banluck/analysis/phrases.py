"""What decisions are called for people: actions, hands, and what the other side has shown."""

from croupier.texts import figure, say

#: How opening one of several players is named in a judgement, before the player's number.
OPENING = "opening player "

_AGAINST = {
    "any number of cards": "any",
    "nothing seen": "nothing",
    "no Ban hand shown": "no_ban",
    "Ban Luck shown": "ban_luck",
    "Ban Ban shown": "ban_ban",
}


def way_phrase(name: str) -> str:
    """Name an action in a sentence.

    >>> way_phrase("reveal"), way_phrase("opening player 2")
    ('reveal', 'opening player 2')
    """
    player = name.removeprefix(OPENING)
    return say(f"banluck.way.{name}") if player == name else say("banluck.way.open_player", number=player)


def letter_phrase(label: str, actions: tuple[str, str], frequency: float) -> str:
    """Write a cell of a chart: the letter of an action, or how often the second one is taken.

    >>> letter_phrase("S", ("stand", "hit"), 0.0), letter_phrase("25%", ("stand", "hit"), 0.25)
    ('S', '25%')
    """
    chosen = next((action for action in actions if action[0].upper() == label), None)
    return figure(frequency, ".0%") if chosen is None else say(f"banluck.letter.{chosen}")


def advice_phrase(advice: str) -> str:
    """Say what a strategy does: an action, or how often it goes on.

    >>> advice_phrase("hit"), advice_phrase("hit 25%")
    ('hit', 'hit 25%')
    """
    action, _, share = advice.partition(" ")
    if not share:
        return way_phrase(action)
    return say("banluck.mixed", action=way_phrase(action), share=int(share.removesuffix("%")) / 100)


def against_phrase(against: str) -> str:
    """Say what a decision is made against.

    >>> against_phrase("3 cards"), against_phrase("nothing seen"), against_phrase("")
    ('3 cards', 'nothing seen', 'these cards')
    """
    count, _, _ = against.partition(" cards")
    if count.isdigit():
        return say("banluck.seen.cards", cards=int(count))
    return say(f"banluck.seen.{_AGAINST.get(against, 'these')}")


def side_phrase(side: str) -> str:
    """Name a side of a table of several, as its solution does.

    >>> side_phrase("player 2"), side_phrase("dealer")
    ('Player 2', 'Dealer')
    """
    number = side.removeprefix("player ")
    if number == side:
        return say("banluck.place.dealer")
    return say("banluck.place.player_of_several", number=int(number))


def kind_phrase(*, is_soft: bool) -> str:
    """Return what a hand with, or without, an ace that counts more than 1 is called."""
    return say("banluck.kind.soft" if is_soft else "banluck.kind.hard")


def row_phrase(row: str, *, short: bool = False) -> str:
    """Name the row of a chart.

    >>> row_phrase("2 cards, hard"), row_phrase("2 cards, hard", short=True)
    ('2 cards, hard', '2 hard')
    """
    count, kind = row.split(" cards, ")
    if short:
        return say(f"banluck.row.short_{kind}", cards=int(count))
    return say("banluck.row.long", cards=int(count), kind=kind_phrase(is_soft=kind == "soft"))
