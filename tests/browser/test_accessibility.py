"""axe-core finds no violation of any level on any page, in any state, size and colour scheme.

npm installs axe-core; the tests are skipped where it cannot.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from croupier.web.shell import PAGES
from tests.browser.conftest import Witness
from tests.browser.scenes import SCENES, Scene, prepare
from tests.npm import install_packages
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

#: Plain pages, without a socket.
PLAIN = ("/offline", "/no-such-page")
SIZES = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})

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


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., WebServer]) -> WebServer:
    """Return a web app in whose store the tables of all scenes are."""
    return start_lab("scenes", prepare=prepare)


def test_every_page_has_a_scene() -> None:
    shown = {scene.path.partition("?")[0] for scene in SCENES}
    assert {address for pages in PAGES.values() for address, *_ in pages} <= shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing(
    new_context: Callable[..., BrowserContext], lab_url: str, axe: Path, scene: Scene, scheme: str
) -> None:
    page = scene.open(new_context(bypass_csp=True, reduced_motion="reduce", color_scheme=scheme), lab_url)
    page.wait_for_load_state("networkidle")
    assert violations(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PLAIN)
def test_axe_finds_nothing_on_plain_pages(
    new_context: Callable[..., BrowserContext],
    lab_url: str,
    witness: Witness,
    axe: Path,
    path: str,
    scheme: str,
) -> None:
    page = new_context(bypass_csp=True, color_scheme=scheme).new_page()
    page.goto(lab_url + path)
    witness.complaints.clear()  # the browser complains about the address, as it should
    assert violations(page, axe) == []
