"""Measure what a visitor waits for: the weight, the requests and the time until it can be used, of every page in Chromium.

    .venv/bin/python -m benchmarks.web_pages [--quick] [--json FILE] [PATH ...]

Every page is opened twice: with an empty cache, and again. A page can be used when its socket is connected and its main button or
heading is on screen. Scripting is the processor time of the page's own thread, which depends less on what else the machine does.
"""

import os
import shutil
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Report, argument_parser
from benchmarks.web import services
from croupier.web.shell import PAGES

QUICK = ("/", "/banluck/table", "/blackjack/table", "/durak/table")

#: What has to be on screen before a page can be used.
USABLE = ".table-foot button:enabled, .table-foot input, h1"


class Traffic:
    """Counts what a page fetches over the network; what comes from the cache weighs nothing."""

    def __init__(self, page: Page) -> None:
        self.bytes = self.requests = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketFrameReceived", self._framed)

    def _finished(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        self.bytes += size
        self.requests += size > 0

    def _framed(self, event: dict[str, Any]) -> None:
        self.bytes += len(event["response"]["payloadData"])


def visit(page: Page, address: str) -> tuple[Traffic, float, float]:
    """Open a page; return its traffic, the milliseconds until it could be used, and the milliseconds of scripting."""
    traffic = Traffic(page)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_function("window.did_handshake")
    page.locator(USABLE).first.wait_for()
    usable = float(page.evaluate("performance.now()"))
    page.wait_for_load_state("networkidle")
    metrics = {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}
    return traffic, usable, 1000 * metrics["TaskDuration"]


def measure(report: Report, browser: Browser, address: str, path: str) -> None:
    """Open one page with an empty cache and again."""
    context = browser.new_context(
        service_workers="block"
    )  # what one fetches for a page is not seen by the page
    context.set_default_timeout(120_000)
    for what in ("first visit", "again"):
        page = context.new_page()
        traffic, usable, scripting = visit(page, address + path)
        report.add(path, f"{what}: weight", traffic.bytes / 1000, "kB")
        report.add(path, f"{what}: requests", traffic.requests, "")
        report.add(path, f"{what}: usable after", usable, "ms")
        report.add(path, f"{what}: scripting", scripting, "ms")
        page.close()
    context.close()


def main() -> None:
    """Measure all pages, or those that are named."""
    parser = argument_parser(
        "Measure the pages as a visitor meets them.", "the home page and the three tables"
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="the pages, such as /banluck; all if none is named"
    )
    arguments = parser.parse_args()
    every = ["/", *(address for pages in PAGES.values() for address, *_ in pages)]
    report = Report("Pages")
    load, processors = os.getloadavg()[0], os.cpu_count() or 1
    print(f"load {load:.1f} on {processors} processors: {'quiet' if load < 0.5 * processors else 'busy'}")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with services() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for path in arguments.paths or (QUICK if arguments.quick else every):
            measure(report, browser, address, path)
        browser.close()
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
