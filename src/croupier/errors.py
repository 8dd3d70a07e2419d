"""InputError: a mistake that a person can correct; and what to say of letters that only look right."""


class InputError(ValueError):
    """Something a person can get wrong: the message says what it was and what would be right.

    The command line prints the message as one line and exits with code 2; anything else that
    is raised is a defect of Croupier.

    Examples
    --------
    >>> raise InputError("hand '1X': no rank '1'; ranks are 2-9, T, J, Q, K, A")
    Traceback (most recent call last):
    croupier.errors.InputError: hand '1X': no rank '1'; ranks are 2-9, T, J, Q, K, A
    """

    @property
    def said(self) -> str:
        """The message as it was given: a phrase can be put into another language."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


def foreign_letters(text: str) -> str:
    """Name the letters of a text that are no Latin ones, because some look exactly like one; empty where there is none.

    Examples
    --------
    >>> foreign_letters("7\N{CYRILLIC CAPITAL LETTER ES}")
    '; the second character is CYRILLIC CAPITAL LETTER ES'
    >>> foreign_letters("7C")
    ''
    """
    import unicodedata  # noqa: PLC0415 - engine processes import this module, and seldom need the names

    places = ("first", "second", "third")
    named = [
        f"the {places[place] if place < len(places) else f'{place + 1}th'} character is {unicodedata.name(letter, 'unknown')}"
        for place, letter in enumerate(text)
        if letter.isalpha() and not letter.isascii()
    ]
    return f"; {', '.join(named)}" if named else ""
