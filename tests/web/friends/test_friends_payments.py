"""Who owes whom: everybody ends at zero, with the fewest payments."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from croupier.web.friends.payments import fewest_payments


def partitions(people: list[str]) -> Iterator[list[list[str]]]:
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for division in partitions(rest):
        yield [[first], *division]
        for place in range(len(division)):
            yield [*division[:place], [first, *division[place]], *division[place + 1 :]]


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=4))
def test_everybody_ends_at_zero_with_the_fewest_payments(cents: list[int]) -> None:
    totals = {f"p{place}": amount for place, amount in enumerate([*cents, -sum(cents)])}
    payments = fewest_payments(totals)
    left = dict(totals)
    for payment in payments:
        assert payment.cents > 0
        left[payment.payer] += payment.cents
        left[payment.payee] -= payment.cents
    assert not any(left.values())
    owing = [name for name, amount in totals.items() if amount]
    groups = max(
        (
            len(division)
            for division in partitions(owing)
            if all(sum(totals[name] for name in group) == 0 for group in division)
        ),
        default=0,
    )
    assert len(payments) == len(owing) - groups
