"""What each option of the rules is worth: the value of the game with one option changed, and with two."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.equilibrium import solve_equilibrium
from croupier.banluck.solvers.solution import Solution
from croupier.rulebook import RulesError, as_toml

Progress = Callable[[int, int], None]

#: What real tables do instead, option by option.
ALTERNATIVES: Mapping[str, tuple[Any, ...]] = {
    "ace_values": (((10, 11), (1, 10), (1, 10), (1, 10)), ((10, 11), (1, 10), (1,), (1,)), ((1, 11),) * 4),
    "player_minimum": (15, 16, 17),
    "below_minimum": ("forfeit", "must_hit"),
    "five_card_below_minimum": ("forfeit", "counts"),
    "dealer_minimum": (15, 16, 17),
    "dealer_choice_max": (15, 16, 17, 18, 19, 20),
    "reveal": ("optional", "mandatory", "none"),
    "surrender": ("blind", "after_specials", "none"),
    "dealer_collects_multiples": (False, True),
    "five_card_mirror": ("compare", "push"),
    "five_card_bust_player": (1, 2),
    "five_card_bust_dealer": (1, 2),
    "both_bust": ("player_loses", "push"),
    "pays_ban_ban": (2, 3, 4),
    "pays_ban_luck": (1, 2, 3),
    "pays_777": (3, 7, 21),
    "pays_five_card_21": (2, 3, 4),
    "pays_five_card": (1, 2, 3),
}

#: Certified exploitability of every figure here.
TOLERANCE = 1e-7


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """One option set to another value.

    Attributes
    ----------
    game_value
        The value of the changed game, in player's units per hand.
    change
        The same, less the value of the game as it was.
    """

    option: str
    value: Any
    game_value: float
    change: float

    @property
    def label(self) -> str:
        """The option and its value, as a rule file spells them."""
        return f"{self.option} = {as_toml(self.value)}"


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two options changed together.

    Attributes
    ----------
    interaction
        By how much the joint change differs from the sum of the two single ones: 0 where options do not touch.
    """

    first: SensitivityRow
    second: SensitivityRow
    game_value: float
    change: float
    interaction: float


def option_sensitivity(
    rules: BanluckRules, *, options: Collection[str] = tuple(ALTERNATIVES), progress: Progress | None = None
) -> tuple[SensitivityRow, ...]:
    """Solve the game with each option changed to each of its alternatives, one at a time.

    Combinations that the rules do not allow (a dealer's range that contradicts itself) are left out.

    Examples
    --------
    >>> for row in option_sensitivity(BanluckRules(), options=["reveal"]):
    ...     print(f"{row.label}: {row.change:+.4f}")
    reveal = "mandatory": +0.0213
    reveal = "none": +0.0020
    """
    base = game_value(rules)
    changes = [
        (option, value)
        for option in options
        for value in ALTERNATIVES[option]
        if value != getattr(rules, option) and _is_possible(rules, {option: value})
    ]
    rows = []
    for done, (option, value) in enumerate(changes, start=1):
        changed = game_value(rules.replaced({option: value}))
        rows.append(SensitivityRow(option, value, changed, changed - base))
        if progress is not None:
            progress(done, len(changes))
    return tuple(rows)


def pair_sensitivity(
    rules: BanluckRules, rows: Sequence[SensitivityRow], *, progress: Progress | None = None
) -> tuple[PairRow, ...]:
    """Solve the game with each pair of changes made together.

    Pairs of values of one option, and pairs that the rules do not allow, are left out.
    """
    pairs = [
        (first, second)
        for first, second in combinations(rows, 2)
        if first.option != second.option
        and _is_possible(rules, {first.option: first.value, second.option: second.value})
    ]
    base = game_value(rules)
    results = []
    for done, (first, second) in enumerate(pairs, start=1):
        value = game_value(rules.replaced({first.option: first.value, second.option: second.value}))
        change = value - base
        results.append(PairRow(first, second, value, change, change - first.change - second.change))
        if progress is not None:
            progress(done, len(pairs))
    return tuple(results)


def strongest_changes(rows: Sequence[SensitivityRow]) -> tuple[SensitivityRow, ...]:
    """Return for each option the alternative that moves the value most: the rows of a pair table."""
    strongest: dict[str, SensitivityRow] = {}
    for row in rows:
        if row.option not in strongest or abs(row.change) > abs(strongest[row.option].change):
            strongest[row.option] = row
    return tuple(strongest.values())


def game_value(rules: BanluckRules) -> float:
    """Return the certified value of a rule set.

    >>> f"{game_value(BanluckRules()):.6f}"
    '-0.011894'
    """
    return certified_solution(rules).value


def certified_solution(rules: BanluckRules) -> Solution:
    """Solve a rule set by regret minimisation, or by the linear program where that is slow.

    >>> certified_solution(BanluckRules()).exploitability <= TOLERANCE
    True
    """
    solution = solve_equilibrium(rules, tolerance=TOLERANCE, max_iterations=2000)
    if solution.converged:
        return solution
    from croupier.banluck.solvers.linear_program import (  # noqa: PLC0415 - SciPy takes half a second to import
        solve_linear_program,
    )

    return solve_linear_program(rules, tolerance=TOLERANCE)


def _is_possible(rules: BanluckRules, changes: Mapping[str, Any]) -> bool:
    try:
        rules.replaced(changes)
    except RulesError:
        return False
    return True
