"""What the Counter page asks a profile: the positions of its sliders, in its address and in the store."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self
from urllib.parse import urlencode

from croupier.blackjack.counting.answers import Answer
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.system import verify_countable
from croupier.cards import DECK_SIZE
from croupier.errors import InputError
from croupier.texts import say

#: How bets are chosen: the best ramp of a spread, Kelly's bets for the bankroll, or a ramp of one's own.
Mode = Literal["spread", "kelly", "ramp"]
MODES: tuple[Mode, ...] = ("spread", "kelly", "ramp")

#: The longest value that is taken from an address.
_LONGEST = 200

_WHOLE = ("enter", "leave", "sit_out_below", "two_from")
_OPTIONAL = (*_WHOLE, "penetration", "minimum", "maximum", "chip", "goal", "tips")


@dataclass(frozen=True, slots=True)
class CounterQuestion:
    """The positions of all sliders; None for what is not asked.

    Attributes
    ----------
    mode, spread, kelly, ramp
        How bets are chosen.
    bankroll, unit, minimum, maximum, chip
        Money.
    enter, leave, returns, sit_out_below
        Coming and going, and the count below which nothing is bet.
    places, two_from
        How many places are played, and from which count on; None for all counts.
    penetration
        How much of the shoe is dealt.
    hours, rounds_per_hour, goal, tips
        The trip, and what the dealers get of it an hour.
    """

    mode: Mode = "spread"
    spread: float = 8.0
    kelly: float = 0.5
    ramp: str = "0:1,1:2,2:4,3:8"
    bankroll: float = 10_000.0
    unit: float = 10.0
    minimum: float | None = None
    maximum: float | None = None
    chip: float | None = 5.0
    enter: int | None = None
    leave: int | None = None
    returns: bool = True
    sit_out_below: int | None = None
    places: int = 1
    two_from: int | None = None
    penetration: float | None = None
    hours: float = 40.0
    rounds_per_hour: float = 100.0
    goal: float | None = None
    tips: float | None = None

    def changed(self, name: str, value: Any) -> Self:
        """Return the question with one slider moved; an empty value is none.

        >>> CounterQuestion().changed("spread", "12").spread, CounterQuestion().changed("enter", "").enter
        (12.0, None)
        >>> CounterQuestion().changed("spread", "wide")
        Traceback (most recent call last):
        croupier.errors.InputError: spread: 'wide' is no number
        """
        return replace(self, **{name: _read(name, value)})

    def to_query(self) -> dict[str, str]:
        """Return what differs from a fresh page, for an address.

        >>> CounterQuestion(spread=12.0, enter=2).to_query()
        {'spread': '12', 'enter': '2'}
        """
        fresh = CounterQuestion()
        return {
            entry.name: _written(getattr(self, entry.name))
            for entry in fields(self)
            if getattr(self, entry.name) != getattr(fresh, entry.name)
        }

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read an address; names that are no slider's are left alone.

        >>> CounterQuestion.from_query({"spread": "12", "preset": "six-deck"}).spread
        12.0
        """
        question = cls()
        for entry in fields(cls):
            text = query.get(entry.name)
            if text is not None:
                if len(text) > _LONGEST:
                    raise InputError(say("counter.refused.number", name=entry.name, value=f"{text[:20]}…"))
                question = question.changed(entry.name, text)
        return question

    def fitted(self, profile: CountProfile) -> Self:
        """Return the question without what a profile does not know: its entries, exits, places and depths."""
        layout = profile.layout
        enter = self.enter if self.enter in layout.enters else None
        leave = self.leave if self.leave in layout.leaves else None
        depth = (
            None
            if self.penetration is None
            else min(penetrations(profile), key=lambda known: abs(known - (self.penetration or 0)))
        )
        return replace(
            self,
            enter=enter,
            leave=leave,
            # Who does not name a count to come back at stays away.
            returns=self.returns and not (enter is None and leave is not None),
            places=min(self.places, profile.spots),
            penetration=depth,
        )

    def refusals(self, profile: CountProfile) -> tuple[InputError, ...]:
        """Say what :meth:`fitted` leaves out: counts to come and go at that a profile does not know, and more places than it has."""
        layout, found = profile.layout, []
        for name, asked, known in (
            ("enter", self.enter, layout.enters),
            ("leave", self.leave, layout.leaves),
        ):
            if asked is not None and asked not in known:
                counts = ", ".join(f"{count:+d}" for count in known)
                found.append(say(f"counter.refused.{name}", count=asked, known=counts))
        if self.places > profile.spots:
            found.append(say("counter.refused.places", places=self.places, most=profile.spots))
        return tuple(InputError(said) for said in found)

    def ask(self, profile: CountProfile) -> Answer:
        """Ask a profile.

        Raises
        ------
        InputError
            If the question makes no sense, or the profile does not hold what is asked for.
        """
        asked = self.fitted(profile)
        places: int | str = asked.places
        if asked.places > 1 and asked.two_from is not None:
            places = f"{asked.two_from - 1}:1,{asked.two_from}:{asked.places}"
        circumstances = {
            name: getattr(asked, name)
            for name in (
                "bankroll", "unit", "minimum", "maximum", "chip", "enter", "leave", "returns", "penetration", "hours",
                "rounds_per_hour", "goal", "kelly",
            )
        } | {"spots": places, "tips": asked.tips or 0.0}  # fmt: skip
        if asked.mode == "ramp":
            return profile.answer(asked.ramp, **circumstances)
        kelly = circumstances.pop("kelly")
        if asked.mode == "kelly":
            return profile.bets(kelly=kelly, sit_out_below=asked.sit_out_below, **circumstances)
        return profile.bets(spread=asked.spread, sit_out_below=asked.sit_out_below, **circumstances)


def penetrations(profile: CountProfile) -> tuple[float, ...]:
    """List how much of the shoe may be dealt before the cut card, as a profile knows it, rising."""
    whole = verify_countable(profile.rules) * DECK_SIZE
    layout = profile.layout
    return tuple(min(step * layout.step_cards, layout.cut) / whole for step in range(1, layout.steps + 1))


def address_of(rules_query: str, system: str, question: CounterQuestion) -> str:
    """Return the query of a link to share: rules, system and sliders.

    >>> address_of("preset=six-deck", "hi-lo", CounterQuestion(bankroll=5000.0))
    'preset=six-deck&system=hi-lo&bankroll=5000'
    """
    return f"{rules_query}&{urlencode({'system': system, **question.to_query()})}"


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _read(name: str, value: Any) -> Any:
    """Read the value of a slider, a field or an address."""
    if name == "mode":
        mode = next((known for known in MODES if known == value), None)
        if mode is None:
            raise InputError(say("counter.refused.mode", value=str(value), modes=", ".join(MODES)))
        return mode
    if name == "ramp":
        return str(value)
    if name == "returns":
        return value if isinstance(value, bool) else value == "yes"
    if value is None or value == "":
        if name in _OPTIONAL:
            return None
        raise InputError(say("counter.refused.number", name=name, value=""))
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(say("counter.refused.number", name=name, value=str(value))) from None
    if name not in (*_WHOLE, "places"):
        return number
    if not number.is_integer():
        raise InputError(say("counter.refused.whole", name=name, value=str(value)))
    return int(number)
