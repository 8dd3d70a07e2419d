"""axe-core finds no violation of any level on any page, in any size, dark or light, with something to show.

npm installs axe-core; the tests are skipped where it cannot.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from croupier.web.shell import PAGES
from tests.browser.conftest import Witness
from tests.browser.test_my_game import play_hands
from tests.npm import install_packages

pytestmark = pytest.mark.verify

Visit = Callable[..., Page]

ADDRESSES = [
    "/",
    "/offline",
    "/no-such-page",
    *(address for pages in PAGES.values() for address, *_ in pages),
]
SIZES = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})
LOG = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"

#: Every rule that axe has, best practices among them.
RUN_AXE = """async () => (await axe.run()).violations.map(
  found => `${found.id} (${found.impact}): ${found.nodes.map(node => node.html.slice(0, 120)).join(" ; ")}`)"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return axe-core's script."""
    folder = install_packages(Path(__file__).parent / "javascript", tmp_path_factory.mktemp("axe"))
    return folder / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page, axe: Path) -> list[str]:
    """Return what axe finds in every size."""
    found: list[str] = []
    page.add_script_tag(path=axe)
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found += [f"{size['width']}: {line}" for line in page.evaluate(RUN_AXE)]
    return found


def open_quietly(visit: Visit, path: str, scheme: str = "light") -> Page:
    """Open a page on which nothing moves and axe may run."""
    return visit(path, bypass_csp=True, reduced_motion="reduce", color_scheme=scheme)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ADDRESSES)
def test_axe_finds_nothing(
    visit: Visit,
    new_context: Callable[..., BrowserContext],
    lab_url: str,
    witness: Witness,
    axe: Path,
    path: str,
    scheme: str,
) -> None:
    if path in ("/offline", "/no-such-page"):  # plain pages without a socket
        page = new_context(bypass_csp=True, color_scheme=scheme).new_page()
        page.goto(lab_url + path)
        witness.complaints.clear()  # the browser complains about the address, as it should
    else:
        page = open_quietly(visit, path, scheme)
        page.wait_for_load_state("networkidle")
    assert violations(page, axe) == []


def test_axe_finds_nothing_where_there_is_something_to_show(visit: Visit, lab_url: str, axe: Path) -> None:
    page = open_quietly(visit, "/blackjack/table")
    page.get_by_test_id("coach").click()
    play_hands(page, 3)
    assert violations(page, axe) == []
    for path in ("/", "/my-game"):
        page.goto(lab_url + path)
        expect(page.get_by_test_id("my-hands")).to_have_text("3")
        assert violations(page, axe) == []


def test_axe_finds_nothing_in_a_reviewed_game(visit: Visit, axe: Path) -> None:
    page = open_quietly(visit, "/durak/replay")
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("upload").click()
    chooser.value.set_files(LOG)
    page.get_by_test_id("review").click()
    expect(page.locator(".chart-spot").first).to_be_visible(timeout=300_000)
    assert violations(page, axe) == []
