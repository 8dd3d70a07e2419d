"""Photograph every page in every size, light and dark, or retake the pictures of the documentation.

python -m tests.browser.photograph FOLDER                     every scene, for looking at
python -m tests.browser.photograph FOLDER --only durak --language ru
python -m tests.browser.photograph --docs                     the pictures of docs/pictures
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.scenes import SCENES, prepare
from tests.web.serving import WebServer

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = ((1440, 900), (1280, 720), (390, 844))

#: The scenes that the documentation shows, and the height of their pictures.
SHOWN = {"banluck-explorer": 1180, "blackjack-table-choice": 860, "durak-table": 860, "durak-party-four": 860}


@contextmanager
def opened() -> Iterator[tuple[WebServer, Browser]]:
    """Start a server that has everything the scenes need, and a browser."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = WebServer(Path(folder))
        prepare(server)
        server.start()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield server, browser
        finally:
            browser.close()
            server.stop()


def photograph_all(folder: Path, words: Sequence[str], schemes: Sequence[str], language: str) -> None:
    """Write ``SCENE-WIDTH-SCHEME.png`` for the scenes whose names begin with one of some words."""
    with opened() as (server, browser):
        for scene in SCENES:
            if words and not scene.name.startswith(tuple(words)):
                continue
            context = browser.new_context(
                locale=language, viewport=ViewportSize(width=1440, height=900), reduced_motion="reduce"
            )
            try:
                page = scene.open(context, server.url)
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    for scheme in schemes:
                        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                        page.wait_for_timeout(250)  # plots are drawn again
                        name = f"{scene.name}-{width}-{scheme}.png"
                        page.screenshot(path=folder / name, full_page=not scene.is_table and width < 1440)
                        print(name, flush=True)
            except Exception as error:  # one scene that fails must not cost the others
                print(f"{scene.name}: {str(error).splitlines()[0]}", flush=True)
            context.close()


def photograph_docs() -> None:
    """Retake the pictures of the documentation."""
    with opened() as (server, browser):
        for scene in SCENES:
            if height := SHOWN.get(scene.name):
                context = browser.new_context(
                    locale="en-GB", viewport=ViewportSize(width=1280, height=height)
                )
                page = scene.open(context, server.url)
                page.screenshot(
                    path=DOCS / f"{scene.name.removesuffix('-choice')}.png", animations="disabled"
                )
                context.close()


def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--docs", action="store_true", help="the pictures of docs/pictures")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="how the scenes' names begin")
    parser.add_argument("--schemes", nargs="*", default=["light", "dark"])
    parser.add_argument("--language", default="en-GB", help="en-GB, ru-RU, zh-CN or vi-VN")
    chosen = parser.parse_args()
    if chosen.docs:
        photograph_docs()
    elif chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        photograph_all(chosen.folder, chosen.only, chosen.schemes, chosen.language)
    else:
        parser.error("name a folder for the pictures, or say --docs")


if __name__ == "__main__":
    main()
