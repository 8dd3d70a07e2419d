"""Measure the cards to carry: whole commands, each in a process of its own.

    .venv/bin/python -m benchmarks.printed_cards [--quick] [--json FILE]

Every card is drawn for rules that were never asked before, and again. The baseline of the same run is Matplotlib, which draws as many boxes and
words. Compiled kernels are loaded from their cache. See ``benchmarks/README.md``.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.report import Report, argument_parser, run_child
from croupier.numerics.streams import fresh_seed

_CROUPIER = str(Path(sys.executable).with_name("croupier"))

#: Import Matplotlib, and draw as much as on the card of a chart.
_MATPLOTLIB = """
import sys
from matplotlib.figure import Figure
figure = Figure(figsize=(5.83, 8.27))
axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
for y in range(28):
    for x in range(10):
        axes.fill((x, x + 1, x + 1, x), (y, y, y + 1, y + 1), color="#56b4e9", linewidth=0)
        axes.text(x + 0.5, y + 0.5, "H", ha="center", va="center", fontsize=7)
figure.savefig(sys.argv[1])
"""

_COMMANDS = {
    "blackjack chart --pdf": ("blackjack", "chart", "--pdf"),
    "blackjack count --card": ("blackjack", "count", "--spread", "8", "--card"),
    "banluck chart --pdf": ("banluck", "chart", "--pdf"),
}


def _new_rules(game: str) -> list[str]:
    """Return an option that no earlier run has had, and that changes no chart."""
    part = fresh_seed() % 10**9 / 10**12
    return [
        "--set",
        f"penetration={0.75 + part:.12f}" if game == "blackjack" else f"pays_777={7 + part:.12f}",
    ]


def measure_cards(report: Report, repetitions: int, folder: Path) -> None:
    """Time every command for new rules and for the same rules again, beside Matplotlib."""
    picture = str(folder / "card.pdf")
    baseline = min(run_child([sys.executable, "-c", _MATPLOTLIB, picture])[0] for _ in range(repetitions))
    report.add("baseline", "Matplotlib draws a chart", baseline, "s")
    for name, words in _COMMANDS.items():
        rules = [_new_rules(words[0]) for _ in range(repetitions)]
        for when in ("new rules", "again"):
            seconds = min(run_child([_CROUPIER, *words, picture, *chosen])[0] for chosen in rules)
            report.add(name, when, seconds, "s", "< 2 s", f"{seconds / baseline:.2f} of the baseline")


def main() -> None:
    """Measure and report."""
    arguments = argument_parser("Measure the cards to carry.", "fewer repetitions").parse_args()
    report = Report("Cards to carry")
    with tempfile.TemporaryDirectory() as folder:
        measure_cards(report, 2 if arguments.quick else 5, Path(folder))
    report.print()
    if arguments.json:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
