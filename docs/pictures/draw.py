"""Draw the pictures of the README and the docs: python docs/pictures/draw.py."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from croupier.banluck.analysis.chart import dealer_chart, player_chart
from croupier.banluck.analysis.outcomes import outcome_distribution
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.equilibrium import solve_equilibrium
from croupier.cli.banluck_tables import dealer_chart_tables, headline, player_chart_table

FOLDER = Path(__file__).parent


def draw_chart() -> None:
    """Save the solved reference game as the terminal shows it, without fonts from elsewhere."""
    solution = solve_equilibrium(BanluckRules(), tolerance=1e-9)
    book = StrategyBook(solution.player, solution.dealer, solution.rules)
    console = Console(record=True, width=84, file=StringIO())
    console.print(headline(solution, outcome_distribution(solution.player, solution.dealer, solution.rules)))
    console.print(player_chart_table(player_chart(solution, book)))
    console.print(dealer_chart_tables(dealer_chart(book)))
    picture = console.export_svg(title="croupier banluck chart", unique_id="banluck")
    own_fonts = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (FOLDER / "banluck-chart.svg").write_text(own_fonts, encoding="utf-8")


if __name__ == "__main__":
    draw_chart()
