"""Who owes whom at the end of an evening, with the fewest payments."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from croupier.texts import figure


class Payment(NamedTuple):
    """An amount, in cents, that one pays to another."""

    payer: str
    payee: str
    cents: int


def fewest_payments(totals: Mapping[str, int]) -> tuple[Payment, ...]:
    """Settle totals that add up to zero with as few payments as possible.

    People whose totals add up to zero settle among themselves, with one payment less than there are people. So the fewest payments
    come from the most such groups, which are found by trying all; at a table of eight that is quick.

    Parameters
    ----------
    totals
        What each has won or lost, in cents.

    Examples
    --------
    >>> for payment in fewest_payments({"Ann": 500, "Ben": -500, "Cem": 300, "Dao": -200, "Eva": -100}):
    ...     print(*payment)
    Ben Ann 500
    Dao Cem 200
    Eva Cem 100
    """
    owing = {name: cents for name, cents in totals.items() if cents}
    if sum(owing.values()):
        raise ValueError("the totals of an evening add up to zero")
    payments: list[Payment] = []
    for group in _zero_groups(owing):
        payments += _settled({name: owing[name] for name in group})
    return tuple(sorted(payments, key=lambda payment: -payment.cents))


@lru_cache(maxsize=64)
def settled_between(totals: tuple[tuple[str, int], ...]) -> tuple[Payment, ...]:
    """Return the fewest payments, and remember them: every page of a table asks for the same ones.

    >>> settled_between((("Ann", 100), ("Ben", -100)))
    (Payment(payer='Ben', payee='Ann', cents=100),)
    """
    return fewest_payments(dict(totals))


def _zero_groups(totals: Mapping[str, int]) -> list[list[str]]:
    """Divide people into as many groups as possible whose totals add up to zero."""
    names = list(totals)
    sums = [0] * (1 << len(names))
    # For each set of people: the most groups within it, and the set that is left after its last group.
    most: list[tuple[int, int]] = [(0, 0)] * (1 << len(names))
    for people in range(1, 1 << len(names)):
        lowest = people & -people
        sums[people] = sums[people ^ lowest] + totals[names[lowest.bit_length() - 1]]
        smaller = (people ^ (1 << place) for place in range(len(names)) if people >> place & 1)
        groups, rest = max(((most[part][0], part) for part in smaller), key=lambda found: found[0])
        is_zero = sums[people] == 0
        most[people] = (groups + is_zero, rest)
    found: list[list[str]] = [[]]
    people = (1 << len(names)) - 1
    while people:
        rest = most[people][1]
        if sums[people] == 0 and found[-1]:
            found.append([])
        found[-1].append(names[(people ^ rest).bit_length() - 1])
        people = rest
    return [sorted(group, key=names.index) for group in reversed(found) if group]


def _settled(totals: Mapping[str, int]) -> list[Payment]:
    """Let the largest debt of a group go to its largest gain, until nobody owes anything."""
    left = dict(totals)
    payments = []
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        cents = min(-left[payer], left[payee])
        payments.append(Payment(payer, payee, cents))
        left[payer] += cents
        left[payee] -= cents
    return payments


def money(cents: int) -> str:
    """Write an amount for a person.

    >>> money(1250), money(-500), money(0)
    ('12.50', '−5', '0')
    """
    return figure(cents / 100, ",.0f" if cents % 100 == 0 else ",.2f")


def signed_money(cents: int) -> str:
    """Write what was won or lost, with its sign.

    >>> signed_money(300), signed_money(-25)
    ('+3', '−0.25')
    """
    return figure(cents / 100, "+,.0f" if cents % 100 == 0 else "+,.2f") if cents else money(cents)
