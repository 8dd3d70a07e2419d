"""The seats of a shared table: who sits there, and who plays for them."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from unicodedata import normalize

from croupier.errors import InputError
from croupier.texts import say

LONGEST_NAME = 20

#: How engines are called; the name is the same in every saved table.
_ENGINE_NAME = re.compile(r"Engine [0-9]{1,3}")

#: A longer text is cut before anybody looks at it.
_LONGEST_TYPED = 1000

#: Letters without a shape, which would make a name that nobody sees.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0")

#: The name of the bank in lists of payments; nobody else is called so.
BANK = say("friends.bank")


class Holder(StrEnum):
    """Who plays a seat.

    An engine plays for somebody who is away, or on an empty seat. It plays the hand of somebody who leaves to its end.
    """

    PERSON = "person"
    ENGINE = "engine"
    LEAVING = "leaving"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat.

    Attributes
    ----------
    name
        What the others call whoever sits here.
    holder
        Who plays it.
    visitor
        The id of the person whose seat it is; None if it is nobody's.
    """

    name: str
    holder: Holder = Holder.PERSON
    visitor: str | None = None

    @property
    def shown(self) -> str:
        """The name as others read it: an engine's can be said in their language.

        >>> from croupier.texts import Texts
        >>> Texts("ru").shown(Seat("Engine 2", Holder.ENGINE).shown), Seat("Ann").shown
        ('Движок 2', 'Ann')
        """
        if self.visitor is not None or not _ENGINE_NAME.fullmatch(self.name):
            return self.name
        return say("friends.engine", number=int(self.name.rpartition(" ")[2]))

    @property
    def is_dealt(self) -> bool:
        """Whether it takes part in the next hand."""
        return self.holder in (Holder.PERSON, Holder.ENGINE)

    @property
    def is_engine(self) -> bool:
        """Whether an engine moves here."""
        return self.holder in (Holder.ENGINE, Holder.LEAVING)

    def left(self) -> "Seat":
        """Return the seat after its hand, if its owner has left."""
        return replace(self, holder=Holder.NOBODY) if self.holder is Holder.LEAVING else self


#: All seats of a table; a seat's number is its place here.
Seats = tuple[Seat, ...]


def verified_name(name: str) -> str:
    """Return a person's name without spaces around it, and in one spelling, so that no two names look alike by their encoding.

    Raises
    ------
    InputError
        If it is no name.

    Examples
    --------
    >>> verified_name("  Ann ")
    'Ann'
    >>> verified_name(" ")
    Traceback (most recent call last):
    croupier.errors.InputError: a name is missing; type one of 1 to 20 characters
    """
    name = " ".join(normalize("NFKC", name[:_LONGEST_TYPED]).split())
    if not any(sign.isalnum() and sign not in _BLANKS for sign in name):
        raise InputError(say("friends.refused.name_missing", most=LONGEST_NAME))
    if len(name) > LONGEST_NAME:
        raise InputError(say("friends.refused.name_long", length=len(name), most=LONGEST_NAME))
    if name.casefold() == BANK.casefold():
        raise InputError(say("friends.refused.name_bank", bank=BANK))
    if not name.isprintable():
        raise InputError(say("friends.refused.name_signs"))
    return name


def engine_name(seats: Seats) -> str:
    """Return a name for another engine.

    >>> engine_name((Seat("Ann"), Seat("Engine 1", Holder.ENGINE)))
    'Engine 2'
    """
    taken = {seat.name for seat in seats}
    return next(name for number in range(1, len(seats) + 2) if (name := f"Engine {number}") not in taken)
