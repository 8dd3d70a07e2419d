"""Measure the web app under load: people who arrive at once, and a hundred people, each at their own table, all clicking.

    .venv/bin/python -m benchmarks.web [--quick] [--json FILE] [--arrivals-only] [--tables N --at PATH] [--soak VISITS]
                                       [--program CROUPIER]

The web app is a real ``croupier serve`` process. The people are tabs in this process that speak the page's protocol, so both share
the machine's processors. A click is timed until the page has changed. Processor time of the server is given too: unlike the clock,
it hardly depends on what else the machine does. See ``benchmarks/README.md``.
"""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles

from benchmarks.report import Report, argument_parser
from benchmarks.web_tab import Tab

TABLES = 100
ARRIVAL_SECONDS = 10.0
THINKING_SECONDS = (1.0, 4.0)  # the pause of a quick person between two clicks


#: A soak looks at the memory so many times.
LOOKS = 10

#: The program that is measured; another checkout's can be named, to compare the two with the same script.
OWN_PROGRAM = str(Path(sys.executable).with_name("croupier"))


@contextmanager
def services(program: str = OWN_PROGRAM) -> Iterator[tuple[str, int]]:
    """Serve the web app with a new store, and return its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            program,
            "serve",
            "--port",
            "0",
            "--store",
            f"{folder}/lab.sqlite",
            "--folder",
            f"{folder}/web",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address, "the web app prints its address"
            try:
                yield address[0], server.pid
            finally:
                server.terminate()


async def play(tab: Tab, dice: random.Random, clicks: int, *, pause: bool) -> list[tuple[float, float]]:
    """Click random choices, with a pause before each as a person makes.

    Returns
    -------
    list of tuple of float
        For each click, the seconds until the page changed, and until it offered the next choice.
    """
    times = []
    choices = await tab.until_choices()
    for _ in range(clicks):
        if pause:
            await asyncio.sleep(dice.uniform(*THINKING_SECONDS))
        started = time.perf_counter()
        changed = await tab.click(dice.choice(choices))
        choices = await tab.until_choices()
        times.append((changed, time.perf_counter() - started))
    return times


async def measure(report: Report, program: str, path: str, tables: int, clicks: int) -> None:
    """Let people play at tables of one game."""
    with services(program) as (address, process):
        async with AsyncExitStack() as stack:
            started = time.perf_counter()
            tabs = [await stack.enter_async_context(Tab(address, path)) for _ in range(tables)]
            opening = (time.perf_counter() - started) / tables
            alone = await play(tabs[0], random.Random(0), max(clicks, 10), pause=False)
            before, began, own = processor_seconds(process), time.perf_counter(), time.process_time()
            times = await asyncio.gather(
                *(play(tab, random.Random(seat), clicks, pause=True) for seat, tab in enumerate(tabs))
            )
            spent, lasted = processor_seconds(process) - before, time.perf_counter() - began
            own = time.process_time() - own
            memory = resident_mb(process)
        every = [changed for one in times for changed, _ in one]
        answered = [offered for one in times for _, offered in one]
        first = median(changed for changed, _ in alone)
        name = f"{path}, {tables} tables"
        report.add(name, "opening a table", opening * 1000, "ms")
        report.add(name, "a click, alone", first * 1000, "ms")
        note = f"{len(every)} clicks, {len(every) / lasted:.0f} a second; {median(every) / first:.1f} times as long as alone"
        report.add(name, "a click, median", median(every) * 1000, "ms", "under 200", note)
        report.add(name, "a click, 95th percentile", quantiles(every, n=20)[-1] * 1000, "ms", "under 300")
        report.add(name, "until the next choice, median", median(answered) * 1000, "ms")
        report.add(name, "processor time of the server, a click", spent / len(every) * 1e6, "µs")
        report.add(name, "processor time of the tabs, a click", own / len(every) * 1e6, "µs")
        report.add(name, "memory of the server", memory, "MB")


async def measure_arrivals(report: Report, program: str, path: str, visitors: int) -> None:
    """Let people arrive one after another within ten seconds, whether or not those before have been served."""
    with services(program) as (address, process):
        async with AsyncExitStack() as stack:

            async def arrive(number: int) -> float:
                await asyncio.sleep(number * ARRIVAL_SECONDS / visitors)
                started = time.perf_counter()
                await stack.enter_async_context(Tab(address, path))
                return time.perf_counter() - started

            async with Tab(address, path):  # the first page of a server loads what the others share
                before = processor_seconds(process)
                times = await asyncio.gather(*(arrive(number) for number in range(visitors)))
                spent = processor_seconds(process) - before
            name = f"{path}, {visitors} arrivals in {ARRIVAL_SECONDS:g} s"
            report.add(name, "until the page is connected, median", median(times) * 1000, "ms", "under 1000")
            report.add(name, "95th percentile", quantiles(times, n=20)[-1] * 1000, "ms")
            report.add(name, "processor time of the server, each", spent / visitors * 1000, "ms")
            report.add(name, "memory of the server", resident_mb(process), "MB")


async def measure_soak(report: Report, program: str, path: str, visits: int) -> None:
    """Let people come one after another, ten at a time, choose once and leave; memory must not grow with their number."""
    with services(program) as (address, process):
        done, name = 0, f"{path}, {visits:,} visits"
        before = processor_seconds(process)

        async def visit() -> None:
            async with Tab(address, path) as tab:
                await tab.click((await tab.until_choices())[0])

        for look in range(1, LOOKS + 1):
            while done < look * visits // LOOKS:
                await asyncio.gather(*(visit() for _ in range(10)))
                done += 10
            memory = report.add(name, f"memory after {done:,}", resident_mb(process), "MB")
            report.console.print(f"{done:,} visits: {memory:.0f} MB")
        spent = processor_seconds(process) - before
        report.add(name, "processor time of the server, a visit", spent / done * 1000, "ms")


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has used (Linux); unlike the clock, it hardly depends on what else runs."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: int) -> float:
    """Return the memory that a process holds, in MB (Linux)."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1000 if found else float("nan")


def main() -> None:
    """Measure every table and print the report."""
    parser = argument_parser("Measure the web app under load.", "ten tables, five clicks")
    parser.add_argument("--arrivals-only", action="store_true", help="only people who arrive")
    parser.add_argument("--tables", type=int, metavar="N", help="only so many open tables, at --at")
    parser.add_argument(
        "--at", default="/blackjack/table", metavar="PATH", help="the page of --tables and --soak"
    )
    parser.add_argument(
        "--soak", type=int, metavar="VISITS", help="only this many short visits, and the memory they leave"
    )
    parser.add_argument(
        "--program",
        default=OWN_PROGRAM,
        metavar="CROUPIER",
        help="the croupier to measure; by default this checkout's",
    )
    arguments = parser.parse_args()
    report = Report("Web app")
    run(report, arguments)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


def run(report: Report, arguments: argparse.Namespace) -> None:
    """Measure what was asked for."""
    program = arguments.program
    tables, clicks = (10, 5) if arguments.quick else (TABLES, 12)
    if arguments.soak:
        asyncio.run(measure_soak(report, program, arguments.at, arguments.soak))
        return
    if arguments.tables:
        asyncio.run(measure(report, program, arguments.at, arguments.tables, clicks))
        return
    for path in ("/", "/blackjack/table", "/banluck"):
        with report.console.status(f"arriving at {path}"):
            asyncio.run(measure_arrivals(report, program, path, tables))
    if arguments.arrivals_only:
        return
    for path in ("/blackjack/table", "/banluck/table", "/durak/table"):
        with report.console.status(f"playing at {path}"):
            asyncio.run(measure(report, program, path, tables, clicks))


if __name__ == "__main__":
    main()
