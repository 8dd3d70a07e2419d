"""The report: complete, self-contained, safe, the same bytes every time, and its look-up is the book."""

import json
import math
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.heat_map import dealer_heats
from croupier.banluck.analysis.plots import dealer_heat_map
from croupier.banluck.analysis.report import write_report
from croupier.banluck.analysis.report_figures import convergence_figure, heat_figure
from croupier.banluck.analysis.report_lookup import lookup_table
from croupier.banluck.analysis.sensitivity import PairRow, SensitivityRow
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.multisets import MULTISETS, format_multiset, parse_multiset
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.errors import InputError
from croupier.files import FileError
from tests.long_cases import cases

Solved = Callable[[str], Solution]

SECTIONS = (
    "headline", "rules", "lookup", "player", "dealer", "outcomes", "convergence", "sensitivity", "research",
    "definitions", "files",
)  # fmt: skip
ATTACK = "<script>alert('cards')</script>"
FINDINGS = (
    Finding("attack", f"Is {ATTACK} a question?", f'No: {ATTACK} & "quotes".', {f"{ATTACK}_share": 0.5}),
    Finding(
        "table",
        "What is in a table?",
        "All kinds of values.",
        {"endless": math.inf, "none": math.nan},
        ({"name": ATTACK, "number": -0.25, "is_it": True}, {"name": "short", "number": None}),
    ),
)
ROWS = (SensitivityRow("reveal", "none", -0.0099, 0.002), SensitivityRow("surrender", "none", 0.0101, 0.022))
PAIRS = (PairRow(*ROWS, 0.012, 0.0239, -0.0001),)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page(HTMLParser):
    """What a browser would find in the page: ids, links, loaded things, scripts and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.policy = ""
        self.data: dict[str, str] = {}
        self.text = ""
        self._inside: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.loaded += [
            value or "" for name, value in attrs if name in ("src", "srcset", "data", "poster", "action")
        ]
        if tag == "link":
            self.loaded.append(given["href"] or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if tag == "script":
            self.scripts.append(given)
            self._inside = given.get("id") or ""
        if tag == "style":
            self._inside = "style"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.text += data
        else:
            self.data[self._inside] = self.data.get(self._inside, "") + data


def written(
    folder: Path,
    solution: Solution,
    *,
    findings: tuple[Finding, ...] = FINDINGS,
    rows: tuple[SensitivityRow, ...] = ROWS,
    pairs: tuple[PairRow, ...] = PAIRS,
) -> Path:
    curves = {solution.algorithm.value: solution.curve, f"{ATTACK}": (CurvePoint(16, -0.02, 0.01, 0.5),)}
    return write_report(folder, solution, findings, rows, pairs, curves)


@pytest.fixture(scope="module")
def report(solved: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("report"), solved("reference"))


@pytest.fixture(scope="module")
def page(report: Path) -> Page:
    return Page(report.read_text(encoding="utf-8"))


@cache
def solved_with(**options: object) -> Solution:
    return solve(BanluckRules().replaced(options), tolerance=1e-6)


def test_every_section_is_there_and_linked(page: Page) -> None:
    assert set(SECTIONS) <= set(page.ids)
    assert [link[1:] for link in page.links if link.startswith("#")] == list(SECTIONS)
    assert len(page.ids) == len(set(page.ids))


def test_the_headline_holds_the_certified_figures(page: Page, solved: Solved) -> None:
    solution = solved("reference")
    for figure in (
        "−0.011894",
        "+1.189%",
        f"{solution.exploitability:.1e}",
        "1.0551 units",
        "pcfr+",
        "Banluck solved: reference",
    ):
        assert figure in page.text
    assert "The defaults throughout" in page.text


def test_the_page_loads_nothing(page: Page) -> None:
    assert page.loaded == ["data:,"]
    assert all("src" not in script for script in page.scripts)
    assert "default-src 'none'" in page.policy
    assert not re.search(r"https?:", page.data["style"])
    assert "@import" not in page.data["style"]
    assert not [link for link in page.links if "//" in link or link.startswith("/")]


def test_plotly_is_inside_once(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert len(re.findall(r"plotly\.js v\d", text)) == 1


def test_text_that_others_wrote_is_escaped(report: Path, page: Page) -> None:
    assert len(page.scripts) == 4  # two tables of data, Plotly, the page's own
    assert ATTACK not in report.read_text(encoding="utf-8")
    assert f'No: {ATTACK} & "quotes".' in page.text
    names = [trace["name"] for trace in json.loads(page.data["figures-data"])["convergence"]["data"]]
    assert names == ["pcfr+", "&lt;script&gt;alert('cards')&lt;/script&gt;"]


def test_values_of_tables_are_written_for_people(page: Page) -> None:
    for written_value in ("−0.25", "yes", "∞", "–"):
        assert written_value in page.text


@pytest.mark.parametrize("preset", cases(["reference", "mandatory-reveal", "singapore"], long=["singapore"]))
def test_the_look_up_is_the_book(solved: Solved, preset: str) -> None:
    book = solved(preset).book
    table = json.loads(json.dumps(lookup_table(book), allow_nan=False))
    assert list(table) == [format_multiset(hand) for hand in MULTISETS]
    decisions = 0
    for advice in book.player_decisions:
        assert_same(table[format_multiset(advice.hand)]["decisions"]["player"], advice)
        decisions += 1
    for (hand, cards), advice in book.dealer_lookup.items():
        assert_same(table[format_multiset(hand)]["decisions"][f"dealer against {cards} cards"], advice)
        decisions += 1
    for advice in book.dealer_decisions:
        if advice.go == "keep":
            key = f"dealer's surrender, {advice.against}"
            assert_same(table[format_multiset(advice.hand)]["decisions"][key], advice)
            decisions += 1
    listed = [said for hand in table.values() for said in hand["decisions"].values()]
    assert sum(isinstance(said, dict) for said in listed) == decisions
    assert all(said for said in listed)  # where there is no decision, there is a reason


def assert_same(figures: dict[str, Any], advice: Advice) -> None:
    data = advice.to_dict()
    assert figures == {name: data[name] for name in figures}
    assert {"ev_stop", "ev_go", "go_frequency", "cost_of_mistake", "reach"} <= set(figures)


def test_the_page_embeds_that_look_up(page: Page, solved: Solved) -> None:
    assert json.loads(page.data["lookup-data"]) == lookup_table(solved("reference").book)


@pytest.mark.parametrize(
    ("options", "hand", "who", "reason"),
    [
        ({}, "A-A", "player", "a Ban hand is settled at once"),
        ({}, "T-T-5", "player", "the hand is bust"),
        ({}, "7-7-7", "player", "21 must stand"),
        ({}, "4-3-3-2-2", "player", "five cards are the most"),
        ({}, "T-5", "dealer", "the dealer must draw below 16"),
        ({}, "T-8", "dealer", "the dealer stands on 18"),
        (
            {"reveal": "mandatory"},
            "T-7",
            "dealer against 3 cards",
            "players of three or more cards must be opened now",
        ),
    ],
)
def test_a_hand_without_a_decision_says_why(
    options: dict[str, object], hand: str, who: str, reason: str
) -> None:
    assert lookup_table(solved_with(**options).book)[hand]["decisions"][who] == reason


def test_pictures_and_tables_lie_next_to_the_page(report: Path, page: Page) -> None:
    files = [link for link in page.links if not link.startswith("#")]
    names = ("player", "dealer", "outcomes", "convergence", "sensitivity", "pairs")
    assert {f"figures/{name}.{ending}" for name in names for ending in ("png", "svg")} <= set(files)
    assert {f"tables/{side}.{ending}" for side in ("player", "dealer") for ending in ("csv", "json")} <= set(
        files
    )
    on_disk = {
        path.relative_to(report.parent).as_posix() for path in report.parent.rglob("*") if path.is_file()
    }
    assert on_disk == {*files, "index.html"}


@pytest.mark.verify
def test_the_same_inputs_give_the_same_bytes_whatever_the_clock_says(
    report: Path, solved: Solved, tmp_path: Path
) -> None:
    solution = solved("reference")
    slower = replace(
        solution,
        seconds=solution.seconds + 1000,
        curve=tuple(replace(point, seconds=point.seconds + 1000) for point in solution.curve),
    )
    written(tmp_path, slower)
    for path in sorted(report.parent.rglob("*.*")):
        assert path.read_bytes() == (tmp_path / path.relative_to(report.parent)).read_bytes(), path.name


@pytest.mark.verify
def test_a_rule_set_of_its_own_lists_its_differences(solved: Solved, tmp_path: Path) -> None:
    solution = solved_with(below_minimum="must_hit", surrender="after_specials", pays_777=21)
    page = Page(written(tmp_path, solution, rows=(), pairs=()).read_text(encoding="utf-8"))
    assert "pays_777 = 21" in page.text
    assert "Where these rules differ from the defaults" in page.text
    assert "Grey: the rules force the hit." in page.text
    assert "Ban Luck shown" in page.text


@pytest.mark.verify
@pytest.mark.parametrize("options", [{"reveal": "none"}, {"dealer_choice_max": 15}])
def test_what_does_not_exist_is_said_not_drawn(tmp_path: Path, options: dict[str, object]) -> None:
    solution = solved_with(**options)
    curves: dict[str, tuple[CurvePoint, ...]] = {}
    path = write_report(tmp_path, solution, (), (), (), curves)
    text = Page(path.read_text(encoding="utf-8")).text
    for missing in (
        "No convergence curve was recorded",
        "No sensitivity was computed",
        "No questions were asked",
    ):
        assert missing in text
    assert ("leave the dealer no choice" in text) == ("dealer_choice_max" in options)


def test_a_report_on_a_file_is_refused(solved: Solved, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileError, match="it is a file; name a folder"):
        written(tmp_path / "taken", solved("reference"))


def test_cells_tell_their_figures_and_the_hands_that_differ(solved: Solved) -> None:
    book = solved("singapore").book
    heat = next(heat for heat in dealer_heats(book) if any(cell.exceptions for cell in heat.cells.values()))
    told = " ".join(text for row in heat_figure(heat)["data"][0]["hovertext"] for text in row)
    for words in ("EV(stand)", "EV(draw)", "cost of a mistake", "comes up in", "better the other way"):
        assert words in told


def test_a_decision_that_never_comes_up_is_unknown_not_a_number() -> None:
    """Against a player who never hits, the dealer's decisions against three cards have no expected value."""
    rules = BanluckRules()
    book = StrategyBook(stand_on(2, rules), classic_dealer(rules), rules)
    decision = lookup_table(book)["T-7"]["decisions"]["dealer against 3 cards"]
    assert (decision["ev_go"], decision["cost_of_mistake"], decision["reach"]) == (None, None, 0)
    figure = json.dumps(heat_figure(dealer_heats(book)[1]), allow_nan=False)
    assert "EV(draw) unknown" in figure
    assert "cost of a mistake unknown" in figure
    assert dealer_heat_map(book).axes


def test_an_interval_of_no_width_has_no_point_on_a_logarithmic_axis() -> None:
    points = [CurvePoint(16, -0.2, 0.1, 0.0), CurvePoint(32, -0.1, -0.1, 0.0)]
    assert convergence_figure({"lp": points})["data"][0]["x"] == [16]


@pytest.mark.verify
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_real_browser_shows_the_page_without_a_complaint(report: Path, tmp_path: Path) -> None:
    dom, complaints = browsed(report, tmp_path)
    assert not re.findall("CONSOLE.*", complaints)
    assert dom.count('class="main-svg"') >= 9 * 2  # every figure is drawn
    assert "dealer against 5 cards" in dom  # the look-up answers the hand that it opens with


@pytest.mark.verify
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_the_browser_reads_hands_as_python_does(report: Path, tmp_path: Path) -> None:
    texts = [
        "A-6", "T 6", "K,6", "10 6", "T6", "106", "KS 6H", "ks6h", "a;k", "J-Q-K", "2 2 2 2 3", "10H10S", "K♠ 6♥",
        "", "T", "A1", "1X 2Y", "KS KS", "10S TS", "5 5 5 5 5", "A A A A A", "T-T-T-T-T-T", "<b>A</b>", "KS 6", "--", "6 S",
    ]  # fmt: skip
    script = f"""<script>document.title = JSON.stringify({json.dumps(texts)}.map((text) => {{
        try {{ return handName(text); }} catch (error) {{ return null; }} }}));</script></body>"""
    copy = tmp_path / "read.html"
    copy.write_text(report.read_text(encoding="utf-8").replace("</body>", script), encoding="utf-8")
    dom, _ = browsed(copy, tmp_path)
    title = re.search("<title>(.*?)</title>", dom)
    assert title is not None
    assert dict(zip(texts, json.loads(title.group(1)), strict=True)) == {text: read(text) for text in texts}


def read(text: str) -> str | None:
    try:
        return format_multiset(parse_multiset(text))
    except InputError:
        return None


def browsed(path: Path, folder: Path) -> tuple[str, str]:
    """Return the page as Chromium has built it, and what Chromium has logged."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom",
        path.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout, done.stderr
