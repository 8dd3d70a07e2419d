"""Measure the strengths of ``durak-master --strength``: each number of rounds a move against the one below it, then ``durak-dummy``.

    .venv/bin/python -m benchmarks.durak_strengths [--quick] [--pairs N] [--json FILE]

Elo adds up from ``durak-dummy``, which has 1000; so do the squares of the errors. Rounds are counted, not time, so a busy machine
changes nothing.
"""

import math
from itertools import pairwise

from benchmarks.report import Report, argument_parser
from croupier import durak
from croupier.durak.players.budget import Budget
from croupier.durak.players.levels import DUMMY_ELO, MEASURED_LEVEL, RUNGS
from croupier.durak.players.master import MasterEngine

_SEED = 2026


def _engine(rounds: int) -> MasterEngine:
    return MasterEngine(Budget(rounds=rounds), level=MEASURED_LEVEL)


def main() -> None:
    """Play every pair of neighbours and print the ladder."""
    parser = argument_parser("Measure the strengths of durak-master.", "10 pairs")
    parser.add_argument(
        "--pairs", type=int, metavar="N", help="pairs of games for each step (150; 10 with --quick)"
    )
    arguments = parser.parse_args()
    pairs = arguments.pairs or (10 if arguments.quick else 150)
    report = Report("Durak, strengths")
    elo, variance = float(DUMMY_ELO), 0.0
    with report.console.status("playing") as status:
        for below, above in pairwise((0, *(rung.rounds for rung in RUNGS))):
            status.update(f"{above} rounds against {below or 'durak-dummy'}")
            weaker = _engine(below) if below else "durak-dummy"
            result = durak.match(_engine(above), weaker, pairs, _SEED)
            elo += result.elo
            variance += result.error**2
            note = f"{100 * result.score:.1f} % of {2 * pairs} games against the step below; ± {math.sqrt(variance):.0f} in all"
            report.add("strength", f"{above} rounds a move", elo, "Elo", note=note)
            report.console.print(f"{above} rounds: {elo:.0f} Elo; {note}", markup=False)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
