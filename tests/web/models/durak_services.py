"""A folder of the web app with an engine list, and engines of the arena's zoo in a folder of their own, so that each process is known."""

import os
import select
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from croupier.durak.arena.engine_spec import Limits
from croupier.durak.engine.rules import DurakRules
from croupier.durak.play.facts import TableSetting
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.web.models.durak_engines import EngineList
from croupier.web.settings import Settings

ZOO = Path(__file__).parents[2] / "durak" / "arena" / "zoo"
OLD_GAMES = Path(__file__).parents[2] / "data" / "durak" / "old-games.log"


@dataclass(slots=True)
class DurakServices:
    """What tables and arenas need."""

    folder: Path
    engines: EngineList
    seats: EngineSeats

    def table(self, opponent: str = "durak-dummy", seed: int = 1, **setting: object) -> DurakTable:
        rules = setting.pop("rules", DurakRules())
        assert isinstance(rules, DurakRules)
        chosen = TableSetting(opponent, rules, **setting)  # type: ignore[arg-type]
        return DurakTable.opened(chosen, self.engines, self.seats, seed)

    def add_animal(self, name: str) -> str:
        """Put an animal of the zoo on the list; return its name."""
        cage = self.folder / "zoo"
        if not cage.exists():
            shutil.copytree(ZOO, cage, ignore=shutil.ignore_patterns("__pycache__"))
        self.engines.add(name, f"{sys.executable} -S -E {cage / name}")
        return name

    def add_script(self, name: str, text: str) -> str:
        """Put an engine of a few lines of Python on the list."""
        path = self.folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        self.engines.add(name, f"{sys.executable} {path}")
        return name

    def processes(self) -> list[int]:
        """Return all processes that were started from this folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(self.folder).encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
        return [number for number in found if number != os.getpid()]

    def wait_until_alone(self) -> None:
        """Wait until no process of this folder is left; one that stays fails the test."""
        for number in self.processes():
            with suppress(ProcessLookupError):
                process = os.pidfd_open(number)
                ended, _, _ = select.select([process], [], [], 60)
                os.close(process)
                assert ended, f"process {number} is still there"


@contextmanager
def durak_services(folder: Path, answer_limit: float = 30.0) -> Iterator[DurakServices]:
    seats = EngineSeats(limits=Limits(start=60.0, answer=answer_limit))
    yield DurakServices(folder, EngineList(Settings(folder=folder)), seats)
    seats.close()
