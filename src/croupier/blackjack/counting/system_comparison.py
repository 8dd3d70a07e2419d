"""Counting systems side by side on the same cards: what each wins with its best bets, and by how much they differ."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.blackjack.counting.answers import Answer, Figure, answer_of, score_samples, with_error
from croupier.blackjack.counting.profile_runs import profile_plan
from croupier.blackjack.counting.questions import bet_choice, question_of
from croupier.blackjack.counting.runs import IndexChoice
from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.solvers.hands import Floats
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.streams import fresh_seed
from croupier.results import FromRules, Result
from croupier.runs.execution import Progress

if TYPE_CHECKING:
    import pandas as pd

#: Shoes that are dealt to every system when nothing else is asked for.
USUAL_SHOES = 200_000


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system in a comparison.

    Attributes
    ----------
    system, indices
        The system, and which plays change with its count.
    answer
        What its best bets of the spread come to.
    score_difference
        Its SCORE less that of the first system, with the error of the difference.
    """

    system: CountingSystem
    indices: IndexChoice
    answer: Answer
    score_difference: Figure

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "system": self.system.to_dict(),
            "indices": str(self.indices),
            "score_difference": self.score_difference.to_dict(),
            **self.answer.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class SystemComparison(FromRules, Result):
    """Counting systems side by side, the first one being what the others are compared with.

    Attributes
    ----------
    spread, shoes, seed
        The largest bet in units, how many shoes every system was dealt, and their cards.
    systems
        The systems, in the order in which they were named.
    rounding, estimate
        How true counts became whole numbers, and how finely the cards left were estimated.
    """

    rules: BlackjackRules
    spread: float
    shoes: int
    seed: int
    systems: tuple[ComparedSystem, ...]
    rounding: Rounding = "floor"
    estimate: int = 1

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "spread": self.spread,
            "shoes": self.shoes,
            "seed": self.seed,
            "rounding": self.rounding,
            "estimate": self.estimate,
            "systems": [compared.to_dict() for compared in self.systems],
        }

    def facts(self) -> dict[str, str]:
        """Return the SCORE of each system, as text."""
        lines = {
            f"{compared.system.name}, {compared.indices} indices": (
                f"SCORE {compared.answer.score.value:.2f}, {compared.answer.win_per_100.value:+.3f} per 100 rounds; "
                f"{compared.score_difference.value:+.2f} ± {compared.score_difference.stderr or 0.0:.2f}"
            )
            for compared in self.systems
        }
        dealt = {"shoes": f"{self.shoes:,}, seed {self.seed}", "spread": f"1 to {self.spread:g}"}
        return lines | dealt | {"rules": BLACKJACK.describe(self.rules)}

    def to_frame(self) -> "pd.DataFrame":
        """Return a line per system as a data frame."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame(
            [
                {
                    "system": compared.system.name,
                    "indices": str(compared.indices),
                    "score": compared.answer.score.value,
                    "stderr": compared.answer.score.stderr,
                    "difference": compared.score_difference.value,
                    "difference_stderr": compared.score_difference.stderr,
                    "win_per_100": compared.answer.win_per_100.value,
                    "ramp": compared.answer.ramp,
                }
                for compared in self.systems
            ]
        )


def compare_systems(
    rules: BlackjackRules | None = None,
    systems: Sequence[CountingSystem | str] = ("hi-lo", "ko", "omega-ii", "zen"),
    *,
    indices: IndexChoice | Sequence[IndexChoice] = "all",
    rounding: Rounding = "floor",
    estimate: int = 1,
    spread: float = 8,
    shoes: int = USUAL_SHOES,
    seed: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> SystemComparison:
    """Deal the same shoes to counting systems, and compare their SCORE: each with its own best ramp of the spread.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given.
    systems
        Names or systems of your own; the others are compared with the first. One may be named twice with other indices.
    indices
        Which plays change with the count: one choice for all systems, or one for each. A number takes so many of those that earn most with
        the usual bets of the spread.
    rounding, estimate
        How a true count becomes a whole number, and how finely the cards left are estimated, as in
        :func:`~croupier.blackjack.counting.runs.count`; running counts know neither.
    spread
        The largest bet in units; the smallest is 1 and every round is played.
    shoes
        How many shoes every system is dealt.
    seed, workers, progress
        As in :func:`~croupier.blackjack.simulation.runs.simulate`.

    Raises
    ------
    InputError
        If a name is unknown or a number out of its range.

    Examples
    --------
    >>> compared = compare_systems(BlackjackRules(decks=1), ["hi-lo", "ko"], indices="none", shoes=20_000, seed=1)
    >>> [line.system.name for line in compared.systems], compared.systems[0].score_difference.value
    (['hi-lo', 'ko'], 0.0)
    """
    table = BlackjackRules() if rules is None else rules
    if not systems:
        raise InputError("systems: name one or more, such as hi-lo and ko")
    choices = [indices] * len(systems) if isinstance(indices, str | int) else list(indices)
    if len(choices) != len(systems):
        raise InputError(
            f"indices: {len(choices)} choices for {len(systems)} systems; give one, or one for each"
        )
    chosen_seed = fresh_seed() if seed is None else seed
    found: list[ComparedSystem] = []
    first: Floats | None = None
    question = question_of("0:1", {})
    for system, choice in zip(systems, choices, strict=True):
        plan = profile_plan(
            table,
            system,
            indices=choice,
            rounding=rounding,
            estimate=estimate,
            spread=round(spread),
            seed=chosen_seed,
        )
        profile = replace(plan, shoes=shoes).run(workers=workers, progress=progress)
        bets = bet_choice(profile, question, spread)
        answer, scores = answer_of(profile, bets), score_samples(profile, bets)
        first = scores if first is None else first
        found.append(ComparedSystem(plan.strategy.system, choice, answer, with_error(scores - first)))
    return SystemComparison(table, spread, shoes, chosen_seed, tuple(found), rounding, estimate)
