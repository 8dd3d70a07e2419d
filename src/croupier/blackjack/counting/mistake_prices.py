"""What common mistakes cost: exactly with one unit every round, and with the bets of a counter in rounds that are played twice."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.blackjack.counting.answers import Figure, win_samples, with_error
from croupier.blackjack.counting.bet_ramp import BetRamp, parse_ramp
from croupier.blackjack.counting.indices import CountIndices
from croupier.blackjack.counting.mistakes import MISTAKES, ChartMistake
from croupier.blackjack.counting.people import Slips
from croupier.blackjack.counting.profile_runs import ProfilePlan, profile_plan
from croupier.blackjack.counting.questions import bet_choice, question_of
from croupier.blackjack.counting.replayed_play import gain_over
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.runs import counting_plan
from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.counted_play import ALWAYS
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.streams import fresh_seed
from croupier.results import FromRules, Result

if TYPE_CHECKING:
    import pandas as pd

#: Rounds that each mistake is dealt when nothing else is asked for.
USUAL_ROUNDS = 2_000_000

#: Rates of miscounts and misplays that are priced.
_RATES = (0.01, 0.05, 0.2)

_PACK = 52


@dataclass(frozen=True, slots=True)
class MistakePrice:
    """What a mistake costs in 100 rounds, in units.

    Attributes
    ----------
    name
        What is done.
    flat
        With one unit every round, from the exact solver; None for mistakes of counting and betting.
    played
        With the bets of the counter, from rounds that were played with the mistake and without it.
    """

    name: str
    flat: float | None
    played: Figure

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"name": self.name, "flat": self.flat, "played": self.played.to_dict()}


@dataclass(frozen=True, slots=True, repr=False)
class MistakePrices(FromRules, Result):
    """Common mistakes and what they cost, the most costly first.

    Attributes
    ----------
    system, ramp
        What is counted and bet by somebody who makes no mistake.
    prices
        The mistakes.
    rounds, seed
        How many rounds each was dealt, and their cards.
    """

    rules: BlackjackRules
    system: CountingSystem
    ramp: BetRamp
    prices: tuple[MistakePrice, ...]
    rounds: int
    seed: int

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "system": self.system.to_dict(),
            "ramp": str(self.ramp),
            "prices": [price.to_dict() for price in self.prices],
            "rounds": self.rounds,
            "seed": self.seed,
        }

    def facts(self) -> dict[str, str]:
        """Return the prices, as text."""
        lines = {
            price.name: f"{price.played.value:.3f} ± {price.played.stderr or 0.0:.3f} units per 100 rounds"
            for price in self.prices
        }
        return lines | {"bets": str(self.ramp), "rules": BLACKJACK.describe(self.rules)}

    def to_frame(self) -> "pd.DataFrame":
        """Return a line per mistake as a data frame."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame([price.to_dict() for price in self.prices])


def mistake_prices(
    rules: BlackjackRules | None = None,
    system: CountingSystem | str = "hi-lo",
    *,
    spread: int = 8,
    ramp: BetRamp | str | None = None,
    rounds: int = USUAL_ROUNDS,
    seed: int | None = None,
    workers: int | None = None,
) -> MistakePrices:
    """Price what people commonly get wrong at the table, with their count and with their bets.

    Parameters
    ----------
    rules, system, spread, ramp
        As in :func:`~croupier.blackjack.counting.runs.count`. Without mistakes, all index plays are made.
    rounds, seed, workers
        How many rounds each mistake is dealt, the cards, and on how many processors.

    Examples
    --------
    >>> found = mistake_prices(BlackjackRules(decks=1), rounds=20_000, seed=1)
    >>> prices = {price.name: price for price in found.prices}
    >>> prices["plays like the dealer"].flat > prices["stands with soft 17"].flat > 0
    True
    """
    table = BlackjackRules() if rules is None else rules
    if rounds < 1:
        raise InputError(f"rounds = {rounds}: at least 1 round has to be played")
    chosen_seed = fresh_seed() if seed is None else seed
    plan = counting_plan(table, system, spread=spread, ramp=ramp, seed=chosen_seed)
    if plan.system.aces:
        raise InputError(f"{plan.system.name}: mistakes are priced for systems with one count")
    right = plan.prepared().strategy
    assert right is not None, "a prepared plan has a strategy"
    found = []
    for name, wrong, mistake in _ways(right, table):
        gain = gain_over(table, right, wrong, rounds=rounds, seed=chosen_seed, workers=workers)
        flat = None if mistake is None else 100.0 * _loss(table, right, mistake)
        found.append(MistakePrice(name, flat, _per_100(gain)))
    bets = parse_ramp(ramp) if isinstance(ramp, str) else plan.ramp
    profile = profile_plan(table, plan.system, rounds=rounds, seed=chosen_seed)
    found += _slips(profile, bets, rounds, workers)
    found.sort(key=lambda price: -price.played.value)
    return MistakePrices(table, plan.system, bets, tuple(found), rounds, chosen_seed)


def _ways(
    right: CountingStrategy, rules: BlackjackRules
) -> Iterator[tuple[str, CountingStrategy, ChartMistake | None]]:
    """Name the mistakes that change a round: at the table, then with the count and the bets."""
    for mistake in MISTAKES:
        chart = mistake.chart(right.chart)
        if chart != right.chart:
            wrong = {cell for cell in chart if chart[cell] != right.chart[cell]}
            plays = tuple(play for play in right.indices.plays if (play.row, play.up_card) not in wrong)
            yield (
                mistake.name,
                replace(right, chart=chart, indices=replace(right.indices, plays=plays)),
                mistake,
            )
    yield "ignores the indices", replace(right, indices=replace(right.indices, plays=())), None
    if rules.insurance:
        never = CountIndices(None, None, right.indices.plays)
        yield "never insures", replace(right, indices=never), None
        yield "always insures", replace(right, indices=replace(never, insurance=ALWAYS)), None
    yield "bets one unit whatever the count", replace(right, ramp=BetRamp(((0, 1),))), None
    if right.system.is_balanced:
        yield "estimates the cards left to whole packs", replace(right, estimate=_PACK), None


def _loss(rules: BlackjackRules, right: CountingStrategy, mistake: ChartMistake) -> float:
    """Return what a mistake loses of an initial bet, exactly."""
    return chart_value(rules, right.chart) - chart_value(rules, mistake.chart(right.chart))


def _per_100(gain: Figure) -> Figure:
    return Figure(100.0 * gain.value, None if gain.stderr is None else 100.0 * gain.stderr)


def _slips(plan: ProfilePlan, ramp: BetRamp, rounds: int, workers: int | None) -> Iterator[MistakePrice]:
    """Price rates of miscounts and misplays, on the same shoes."""
    shoes = replace(plan, rounds=1, shoes=None).run(workers=1)  # as many rounds as one shoe has, at least
    per_shoe = max(shoes.rounds, 1)
    paired = replace(plan, shoes=max(rounds // per_shoe, 1))
    wins = {}
    for slips in (
        Slips(),
        *(Slips(miscounts=rate) for rate in _RATES),
        *(Slips(misplays=rate) for rate in _RATES),
    ):
        profile = replace(paired, slips=slips).run(workers=workers)
        wins[slips] = win_samples(profile, bet_choice(profile, question_of(ramp, {})))
    right = wins.pop(Slips())
    for slips, won in wins.items():
        what = (
            f"miscounts by one in {slips.miscounts:.0%}"
            if slips.miscounts
            else f"misplays {slips.misplays:.0%}"
        )
        yield MistakePrice(f"{what} of the rounds", None, _per_100(with_error(right - won)))
