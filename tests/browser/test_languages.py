"""Every scene for a Chinese reader: no Latin sentence, where English would show."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.scenes import SCENES, Scene, prepare
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

#: Two Latin words and more; names of commands and variables have signs in them or stand in code.
LATIN = re.compile(r"\b[A-Za-z][a-z']+(?:[ ,;:.]+[A-Za-z][a-z']+)+")
COMMAND = re.compile(r"croupier (?:serve|solana (?:demo|verify))")

#: Everything that is read or spoken, but for code and what says that it is in another language.
TEXTS = """() => {
  const found = [];
  const other = "script, style, code, pre, [lang]:not(html)";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(other)) found.push(walk.currentNode.textContent);
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll(`[${name}]`)) if (!element.closest(other)) found.push(element.getAttribute(name));
  return found;
}"""


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., WebServer]) -> WebServer:
    """Return a web app in whose store the tables of all scenes are."""
    return start_lab("scenes", prepare=prepare)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_chinese_reader_meets_no_english(
    new_context: Callable[..., BrowserContext], lab_url: str, scene: Scene
) -> None:
    page = scene.open(new_context(locale="zh-CN"), lab_url)
    shown = [COMMAND.sub("", text) for text in page.evaluate(TEXTS)]
    assert [text for text in shown if LATIN.search(text)] == []
