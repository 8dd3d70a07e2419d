"""The pictures show the numbers of the book, nothing is cut off, and files come out the same every time."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from croupier.banluck.analysis import plots
from croupier.banluck.analysis.chart import cells_of
from croupier.banluck.analysis.heat_map import HeatMap, dealer_heats, player_heat
from croupier.banluck.analysis.sensitivity import PairRow, SensitivityRow, interaction_matrix
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import BANLUCK
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.files import FileError
from tests.long_cases import cases

Solved = Callable[[str], Solution]

PRESETS = [preset.name for preset in BANLUCK.presets]
ROWS = (
    SensitivityRow("reveal", "none", -0.0099, 0.002),
    SensitivityRow("ace_values", ((1, 11),) * 4, -0.0183, -0.0064),
    SensitivityRow("dealer_collects_multiples", True, -0.086, -0.0741),
    SensitivityRow("surrender", "after_specials", -0.0119, 1e-9),
)
PAIRS = tuple(
    PairRow(first, second, first.game_value, first.change, 0.001 * place - 0.002)
    for place, (first, second) in enumerate(combinations(ROWS, 2))
)


def figures_of(solution: Solution) -> dict[str, Figure]:
    book = solution.book
    return {
        "player": plots.player_heat_map(book),
        "dealer": plots.dealer_heat_map(book),
        "convergence": plots.convergence_plot({solution.algorithm.value: solution.curve}),
        "tornado": plots.tornado_plot(ROWS),
        "pairs": plots.pair_heat_map(PAIRS),
        "outcomes": plots.outcome_plot(solution.outcomes),
    }


def book_of(**options: object) -> StrategyBook:
    rules = BanluckRules().replaced(options)
    return StrategyBook(stand_on(16, rules), classic_dealer(rules), rules)


def settings() -> dict[str, object]:
    # looking at the backend chooses one
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}


def texts_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_every_decision_is_in_one_cell_of_a_heat_map(solved: Solved, preset: str) -> None:
    book = solved(preset).book
    drawing = [advice for advice in book.dealer_decisions if advice.go == "draw"]
    for heats, decisions in (((player_heat(book),), book.player_decisions), (dealer_heats(book), drawing)):
        cells = [cell for heat in heats for cell in heat.cells.values()]
        assert len(cells) == len(cells_of(decisions))
        assert sum(cell.hands for cell in cells) == len(decisions)
        assert sum(cell.reach for cell in cells) == pytest.approx(sum(advice.reach for advice in decisions))


def test_a_cell_is_the_average_of_its_hands(solved: Solved) -> None:
    book = solved("singapore").book
    hands = [
        advice
        for advice in book.player_decisions
        if (advice.value.card_count, advice.value.is_soft, advice.value.total) == (2, False, 16)
    ]
    weights = np.array([advice.reach for advice in hands])
    cell = player_heat(book).cells["2 cards, hard", 16]
    assert cell.ev_go == pytest.approx(np.average([advice.ev_go for advice in hands], weights=weights))
    assert cell.go_frequency == pytest.approx(
        np.average([advice.go_frequency for advice in hands], weights=weights)
    )
    assert cell.label == f"{cell.go_frequency:.0%}"  # this is the hand on which singapore mixes


def test_a_forced_hit_has_no_gain_and_says_so() -> None:
    book = book_of(below_minimum="must_hit")
    cell = player_heat(book).cells["2 cards, hard", 15]
    assert (cell.ev_stop, cell.gain, cell.label) == (None, None, "H")
    assert any("the rules force the hit" in text for text in texts_of(plots.player_heat_map(book)))


@pytest.mark.parametrize("preset", cases(["reference", "singapore"], long=["singapore"]))
def test_each_cell_shows_its_label(solved: Solved, preset: str) -> None:
    book = solved(preset).book
    heat = player_heat(book)
    shown = texts_of(plots.player_heat_map(book))
    for label in {cell.label for cell in heat.cells.values()}:
        assert shown.count(label) == sum(cell.label == label for cell in heat.cells.values())


@pytest.mark.parametrize(
    ("options", "panels"),
    [
        ({}, ["2 cards", "3 cards", "4 cards", "5 cards"]),
        ({"reveal": "mandatory"}, ["2 cards"]),
        ({"reveal": "none"}, ["any number of cards"]),
        ({"dealer_choice_max": 15}, []),
    ],
)
def test_the_dealer_has_a_panel_for_what_the_dealer_can_tell_apart(
    options: dict[str, object], panels: list[str]
) -> None:
    book = book_of(**options)
    figure = plots.dealer_heat_map(book)
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles == [f"player holds {panel}" for panel in panels]
    assert bool(panels) != any("no choice" in text for text in texts_of(figure))


def test_a_grid_without_a_cell_holds_nan() -> None:
    heat = HeatMap("", ("2 cards, soft",), (12, 13), {})
    assert np.isnan(heat.grid(lambda cell: cell.gain)).all()


@pytest.mark.parametrize("preset", cases(["reference", "singapore"], long=["singapore"]))
def test_nothing_is_cut_off(solved: Solved, preset: str) -> None:
    for name, figure in figures_of(solved(preset)).items():
        figure.draw_without_rendering()  # lays the figure out
        box = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        assert box.x0 > -0.05, name
        assert box.y0 > -0.05, name
        assert box.x1 < width + 0.05, name
        assert box.y1 < height + 0.05, name


def test_bar_labels_of_the_results_stay_clear_of_the_title(solved: Solved) -> None:
    """With a result just under a tick the label once lay across the title."""
    solution = solved("singapore")
    figure = plots.outcome_plot(solution.outcomes)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    # matplotlib keeps a title on the left in an artist of its own, which only the children name
    title = next(
        text for text in axes.get_children() if isinstance(text, Text) and "Results" in text.get_text()
    )
    assert axes.texts
    for label in axes.texts:
        assert not label.get_window_extent().overlaps(title.get_window_extent())


def test_the_tornado_is_sorted_and_idle_options_have_no_sign() -> None:
    axes = plots.tornado_plot(ROWS).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [row.label for row in sorted(ROWS, key=lambda row: -abs(row.change))]
    assert [text.get_text() for text in axes.texts] == ["−0.0741", "−0.0064", "+0.0020", "0"]


def test_interactions_are_symmetric_and_empty_where_no_pair_was_made() -> None:
    labels, matrix = interaction_matrix(PAIRS[1:])
    assert set(labels) == {row.label for row in ROWS}
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.isnan(matrix).sum() == len(ROWS) + 2


def test_files_are_pictures_of_a_sensible_size_and_leave_no_trace_in_the_global_state(
    solved: Solved, tmp_path: Path
) -> None:
    before = settings()
    for name, figure in figures_of(solved("reference")).items():
        png, svg = plots.save_figure(figure, tmp_path / "new" / "folder", name)
        with Image.open(png) as picture:
            assert picture.format == "PNG"
            assert 900 <= picture.width <= 3000
            assert 400 <= picture.height <= 3000
            colours = picture.convert("RGB").getcolors(maxcolors=1 << 20)
            assert colours is None or len(colours) > 20  # not a blank sheet
        assert ElementTree.parse(svg).getroot().tag.endswith("svg")
        assert "<dc:date>" not in svg.read_text(encoding="utf-8")
    assert settings() == before
    assert pyplot.get_fignums() == []


def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (
        [
            path.read_bytes()
            for path in plots.save_figure(plots.tornado_plot(ROWS), tmp_path / folder, "tornado")
        ]
        for folder in ("first", "second")
    )
    assert first == second


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileError, match="it is a file; name a folder"):
        plots.save_figure(plots.convergence_plot({}), tmp_path / "taken", "convergence")
