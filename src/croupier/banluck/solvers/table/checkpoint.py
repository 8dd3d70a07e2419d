"""Saving the solve of a table of two, and resuming it as if nothing had happened.

A checkpoint is an archive as for one player (:mod:`~croupier.banluck.solvers.checkpoint`): how the seats play, the surrender, and the
strategies of the dealer that mixing has met. What can be computed from these is computed again.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier import __version__
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.checkpoint import (
    CheckpointError,
    counter,
    matching,
    read_archive,
    verify_saved_rules,
    write_archive,
)
from croupier.banluck.solvers.strategy import Shown
from croupier.banluck.solvers.table.dealer_states import COUNTS, dealer_hands
from croupier.banluck.solvers.table.equilibrium import TableRun
from croupier.banluck.solvers.table.mixing import Cut, Mixing
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.strategy import Information, PackedPolicy, SeatPlay
from croupier.banluck.solvers.table.two_seats import policy_shapes

Array = NDArray[Any]

_FORMAT = "croupier banluck table of two 1"
_BY_DECISION = ("hit", "mass", "difference", "slope")


def save_table_run(run: TableRun, path: Path, rules: BanluckRules, information: Information) -> None:
    """Save how far a solve has come, replacing an earlier save at once."""
    mixing = run.mixing
    header = {
        "format": _FORMAT,
        "version": __version__,
        "rules": rules.model_dump(mode="json"),
        "information": information,
        "surrenders": run.surrenders,
        "rounds": run.rounds,
        "cuts": 0 if mixing is None else len(mixing.cuts),
        "center": 0 if mixing is None else mixing.center,
        "step": 0.0 if mixing is None else mixing.step,
    }
    arrays: dict[str, Array] = {
        "first": run.play.first,
        "second": run.play.second,
        "surrender": run.surrender,
    }
    if mixing is not None:
        arrays["is_mixed"] = mixing.is_mixed
        arrays["total"] = np.array([cut.total for cut in mixing.cuts])
        arrays["policies"] = np.array([cut.policy.bits for cut in mixing.cuts])
        arrays |= {name: np.array([getattr(cut, name) for cut in mixing.cuts]) for name in _BY_DECISION}
    write_archive(path, header, arrays)


def load_table_run(path: Path, rules: BanluckRules, information: Information) -> TableRun:
    """Read a saved solve of the same rules and information.

    Raises
    ------
    CheckpointError
        If the file is damaged, of another program, or of another game; the message says which.
    """
    header, arrays = read_archive(path, _FORMAT)
    verify_saved_rules(header, path, rules)
    if header.get("information") != information:
        raise CheckpointError(
            f"save file '{path}' is of information '{header.get('information')}', not '{information}'; it is left as it is"
        )
    hands = len(MULTISETS)
    surrender = np.empty((len(dealer_hands(rules).hands), len(Shown), len(Shown)))
    play = SeatPlay(
        matching(arrays, "first", np.empty(hands), path),
        matching(arrays, "second", np.empty((COUNTS, hands)), path),
    )
    return TableRun(
        play,
        matching(arrays, "surrender", surrender, path),
        int(counter(header, "surrenders", path)),
        int(counter(header, "rounds", path)),
        _mixing(header, arrays, path, rules),
    )


def _mixing(
    header: dict[str, Any], arrays: dict[str, Array], path: Path, rules: BanluckRules
) -> Mixing | None:
    cuts, center = (int(counter(header, name, path)) for name in ("cuts", "center"))
    if cuts == 0:
        return None
    if center >= cuts:
        raise CheckpointError(f"save file '{path}' is damaged ('center'); it is left as it is")
    shapes = policy_shapes(seat_hands(rules), dealer_hands(rules))
    rows = np.empty((1 + COUNTS, len(MULTISETS)))
    size = math.ceil(sum(math.prod(shape) for shape in shapes) / 8)
    policies = matching(arrays, "policies", np.empty((cuts, size), dtype=np.uint8), path)
    total = matching(arrays, "total", np.empty(cuts), path)
    hit, mass, difference, slope = (
        matching(arrays, name, np.empty((cuts, *rows.shape)), path) for name in _BY_DECISION
    )
    return Mixing(
        tuple(
            Cut(
                PackedPolicy(policies[cut], shapes),
                hit[cut],
                mass[cut],
                difference[cut],
                slope[cut],
                float(total[cut]),
            )
            for cut in range(cuts)
        ),
        center,
        matching(arrays, "is_mixed", rows.astype(np.bool_), path).astype(np.bool_),
        counter(header, "step", path),
    )
