"""What each option of the rules is worth: the value of the game with one option changed, and with two."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier import __version__
from croupier.banluck.analysis import html
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import REFERENCE, BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.extras import needs
from croupier.rulebook import RulesError, as_toml

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

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
    "reveal_from": (2, 3),
    "surrender": ("blind", "after_specials", "none"),
    "dealer_collects_multiples": (False, True),
    "five_card_mirror": ("compare", "push"),
    "five_card_bust_player": (1, 2),
    "five_card_bust_dealer": (1, 2),
    "both_bust": ("player_loses", "push"),
    "special_777": (True, False),
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
class Sensitivity:
    """What each option of a rule set is worth.

    Examples
    --------
    >>> from croupier import banluck
    >>> print(banluck.sensitivity(banluck.Rules(), options=["reveal"]))
    The game is worth -0.011894 units a hand; with one option changed:
    reveal = "mandatory"    +0.009370   +0.021264
    reveal = "none"         -0.009885   +0.002009
    """

    rules: BanluckRules
    value: float
    rows: tuple[SensitivityRow, ...]

    @property
    def ordered(self) -> tuple[SensitivityRow, ...]:
        """The rows, the strongest change first."""
        return tuple(sorted(self.rows, key=lambda row: -abs(row.change)))

    def plot(self) -> "Figure":
        """Draw the changes as a tornado, the strongest on top."""
        needs("plots")
        from croupier.banluck.analysis.plots import tornado_plot  # noqa: PLC0415 - loads the plotting libraries

        return tornado_plot(self.rows)

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a table."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame(self.to_dict()["rows"])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON data."""
        return {
            "value": self.value,
            "rows": [
                {"option": row.option, "value": row.value, "game_value": row.game_value, "change": row.change}
                for row in self.ordered
            ],
            "rules": self.rules.model_dump(mode="json"),
            "version": __version__,
        }

    def __str__(self) -> str:
        width = max((len(row.label) for row in self.rows), default=0)
        head = f"The game is worth {self.value:+.6f} units a hand; with one option changed:"
        rows = (f"{row.label:<{width}} {row.game_value:>+12.6f} {row.change:>+11.6f}" for row in self.ordered)
        return "\n".join([head, *rows])

    def _repr_html_(self) -> str:
        rows = (
            {"change": row.label, "value": f"{row.game_value:+.6f}", "difference": f"{row.change:+.6f}"}
            for row in self.ordered
        )
        return html.table(rows, f"Value {self.value:+.6f} units a hand; with one option changed:")


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


def sensitivity(
    rules: BanluckRules = REFERENCE,
    *,
    options: Collection[str] = tuple(ALTERNATIVES),
    progress: Progress | None = None,
) -> Sensitivity:
    """Solve the game with each option changed to each of its alternatives, one at a time.

    Combinations that the rules do not allow (a dealer's range that contradicts itself) are left out.

    Parameters
    ----------
    rules
        The rules to change.
    options
        The options to change; all by default, which are some 30 games.
    progress
        Called with the games solved so far and the games to solve.

    Raises
    ------
    InputError
        If there is no such option.

    Examples
    --------
    >>> for row in sensitivity(options=["reveal"]).rows:
    ...     print(f"{row.label}: {row.change:+.4f}")
    reveal = "mandatory": +0.0213
    reveal = "none": +0.0020
    """
    for option in options:
        if option not in ALTERNATIVES:
            raise RulesError(f"no option '{option}'; choose {', '.join(ALTERNATIVES)}")
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
    return Sensitivity(rules, base, tuple(rows))


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


@lru_cache(maxsize=1024)
def game_value(rules: BanluckRules) -> float:
    """Return the certified value of a rule set; kept, because many questions ask for the same few games.

    >>> f"{game_value(BanluckRules()):.6f}"
    '-0.011894'
    """
    return solve(rules, tolerance=TOLERANCE).value


def _is_possible(rules: BanluckRules, changes: Mapping[str, Any]) -> bool:
    try:
        rules.replaced(changes)
    except RulesError:
        return False
    return True


def interaction_matrix(pairs: Sequence[PairRow]) -> tuple[list[str], Floats]:
    """Return the labels of the changes and the matrix of their interactions, NaN where a pair was not made.

    Examples
    --------
    >>> reveal = SensitivityRow("reveal", "none", -0.002, 0.01)
    >>> surrender = SensitivityRow("surrender", "none", 0.018, 0.03)
    >>> interaction_matrix([PairRow(reveal, surrender, 0.027, 0.039, -0.001)])[1].tolist()
    [[nan, -0.001], [-0.001, nan]]
    """
    labels = list(dict.fromkeys(row.label for pair in pairs for row in (pair.first, pair.second)))
    matrix = np.full((len(labels), len(labels)), np.nan)
    for pair in pairs:
        first, second = labels.index(pair.first.label), labels.index(pair.second.label)
        matrix[first, second] = matrix[second, first] = pair.interaction
    return labels, matrix
