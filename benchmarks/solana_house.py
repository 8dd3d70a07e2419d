"""Measure the house of blackjack on Solana: opening chains, finding a pre-image among a million, and its memory.

.venv/bin/python -m benchmarks.solana_house [--quick] [--json FILE]
"""

import hashlib
import resource
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

from benchmarks.report import Report, argument_parser
from croupier.solana.house import LINKS, House, HouseError, chain_links

CHAINS = 1_000_000
BATCH = 10_000
LOOK_UPS = 300
SECRET = b"b" * 32


def peak_memory() -> float:
    """Return this process's peak memory in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def look_up_seconds(house: House, tips: list[bytes]) -> list[float]:
    """Time the search for the pre-image of each tip; a foreign tip has none."""
    seconds = []
    for tip in tips:
        started = time.perf_counter()
        with suppress(HouseError):
            house.preimage_of(tip)
        seconds.append(time.perf_counter() - started)
    return seconds


def main() -> None:
    """Open the chains, look some of them up, and print the report."""
    arguments = argument_parser("Measure the house's chains.", "fewer chains").parse_args()
    chains = CHAINS // 100 if arguments.quick else CHAINS
    report = Report("The house's chains")
    with tempfile.TemporaryDirectory() as folder, report.console.status("opening chains"):
        house = House.create(Path(folder) / "house.json", SECRET)
        before = peak_memory()
        started = time.perf_counter()
        for _ in range(chains // BATCH):
            house.open_chains(BATCH)
        report.add(
            "opening", f"{chains:,} chains", time.perf_counter() - started, "s", "", f"{BATCH:,} at a time"
        )
        places = [(chains * number // LOOK_UPS, number % LINKS) for number in range(LOOK_UPS)]
        own = [chain_links(SECRET, chain)[LINKS - depth] for chain, depth in places]
        foreign = [hashlib.sha256(b"%d" % number).digest() for number in range(LOOK_UPS)]
        again = House.load(Path(folder) / "house.json")
        for what, tips in (("a tip of its own", own), ("a foreign tip", foreign)):
            seconds = look_up_seconds(again, tips)
            note = f"at most {1e6 * max(seconds):,.0f} µs"
            report.add("look-up", what, 1e6 * median(seconds), "µs", "below 1,000", note)
        report.add("memory", "growth of the process", peak_memory() - before, "MB", "bounded")
        index = (Path(folder) / "house.index").stat().st_size
        report.add("memory", "the index on disk", index / 2**20, "MB")
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
