"""Draw the pictures of the README and the docs: python docs/pictures/draw.py."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from croupier import banluck
from croupier.cli.banluck_tables import dealer_chart_tables, headline, player_chart_table

FOLDER = Path(__file__).parent


def draw_chart() -> None:
    """Save the solved reference game as the terminal shows it, without fonts from elsewhere."""
    solution = banluck.solve(tolerance=1e-9)
    console = Console(record=True, width=84, file=StringIO())
    console.print(headline(solution))
    console.print(player_chart_table(solution.chart))
    console.print(dealer_chart_tables(solution.dealer_chart))
    picture = console.export_svg(title="croupier banluck chart", unique_id="banluck")
    own_fonts = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (FOLDER / "banluck-chart.svg").write_text(own_fonts, encoding="utf-8")


if __name__ == "__main__":
    draw_chart()
