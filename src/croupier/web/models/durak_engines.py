"""The engines that the web app may start: the built-in ones, and those that people have added; nothing else is ever started."""

import hmac
import json
import threading
from dataclasses import asdict
from typing import Any

from croupier.durak.arena.engine_process import verify_startable
from croupier.durak.arena.engine_spec import EngineError, EngineSpec, read_engine
from croupier.durak.play.opponents import Opponent, built_in_opponents
from croupier.durak.play.refusal import DurakRefusal
from croupier.files import make_folder, read_text, write_text
from croupier.web.settings import Settings

#: How long a name and a command line may be, and how many engines may be added.
LONGEST_NAME, LONGEST_COMMAND, MOST_ENGINES = 40, 400, 50

_FILE = "engines.json"
_FORMAT = "croupier durak engines 1"


class EngineList:
    """The list, kept in a file of the web app's folder.

    Parameters
    ----------
    settings
        Where the web app keeps its files, and who may add engines: anybody where only this machine can reach the web app, otherwise
        whoever knows the token.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     engines = EngineList(Settings(folder=Path(folder)))
    ...     engines.add("cat", "cat")
    ...     [entry.name for entry in engines.entries()][-2:]
    ['durak-random', 'cat']
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.folder / "durak"
        self._lock = threading.Lock()

    @property
    def needs_token(self) -> bool:
        """Whether a token has to be given to change the list."""
        return self._settings.is_public

    def entries(self) -> tuple[Opponent, ...]:
        """Return all engines, the built-in ones first.

        Raises
        ------
        DurakRefusal
            If the file of added engines is damaged.
        """
        return (*built_in_opponents(), *self._added())

    def find(self, name: str) -> Opponent:
        """Return an engine by its name.

        Raises
        ------
        DurakRefusal
            If there is none.
        """
        for entry in self.entries():
            if entry.name == name:
                return entry
        raise DurakRefusal("durak.refused.no_engine", name=name)

    def spec(self, name: str) -> EngineSpec:
        """Return what starts an engine of the list as a process; the built-in ones stay alive between games.

        Raises
        ------
        DurakRefusal
            If it is not in the list, or its program cannot be run any more.
        """
        entry = self.find(name)
        try:
            program = read_engine(entry.command)
        except EngineError as error:
            raise DurakRefusal("durak.refused.engine", reason=str(error)) from None
        is_built_in = entry.built_in is not None
        return EngineSpec(program.command, entry.name, program.folder, keep_alive=is_built_in)

    def verify_change(self, token: str | None) -> None:
        """Raise unless whoever gives this token may change the list."""
        if not self.needs_token:
            return
        expected = self._settings.token
        if expected is None:
            raise DurakRefusal("durak.refused.closed")
        if not hmac.compare_digest((token or "").encode(), expected.encode()):
            raise DurakRefusal("durak.refused.token")

    def add(self, name: str, command: str, token: str | None = None) -> None:
        """Add an engine; its program is started once and ended again, to see that it starts.

        Raises
        ------
        DurakRefusal
            If it may not be added, saying why.
        """
        self.verify_change(token)
        entry = Opponent(" ".join(name.split()), command.strip())
        self._verify_entry(entry)
        with self._lock:
            added = self._added()
            if len(added) >= MOST_ENGINES:
                raise DurakRefusal("durak.refused.too_many_engines", limit=MOST_ENGINES)
            if entry.name.lower() in (known.name.lower() for known in self.entries()):
                raise DurakRefusal("durak.refused.name_taken", name=entry.name)
            self._write((*added, entry))

    def remove(self, name: str, token: str | None = None) -> None:
        """Take an added engine off the list.

        Raises
        ------
        DurakRefusal
            If it is built in, or not in the list, or this visitor may not change the list.
        """
        self.verify_change(token)
        if self.find(name).built_in is not None:
            raise DurakRefusal("durak.refused.built_in", name=name)
        with self._lock:
            self._write(tuple(entry for entry in self._added() if entry.name != name))

    @staticmethod
    def _verify_entry(entry: Opponent) -> None:
        if not 0 < len(entry.name) <= LONGEST_NAME or not entry.name.isprintable():
            raise DurakRefusal("durak.refused.name_length", limit=LONGEST_NAME)
        if not 0 < len(entry.command) <= LONGEST_COMMAND or not entry.command.isprintable():
            raise DurakRefusal("durak.refused.command_length", limit=LONGEST_COMMAND)
        if entry.command.endswith(".toml"):
            raise DurakRefusal("durak.refused.engine_file")
        try:
            verify_startable(read_engine(entry.command))
        except EngineError as error:
            raise DurakRefusal("durak.refused.engine", reason=str(error)) from None

    def _added(self) -> tuple[Opponent, ...]:
        path = self._folder / _FILE
        if not path.exists():
            return ()
        try:
            data: Any = json.loads(read_text(path, what="engine list"))
            if data["format"] != _FORMAT:
                raise DurakRefusal("durak.refused.engine_list")
            return tuple(Opponent(str(entry["name"]), str(entry["command"])) for entry in data["engines"])
        except (KeyError, TypeError, ValueError, RecursionError):
            raise DurakRefusal("durak.refused.engine_list") from None

    def _write(self, added: tuple[Opponent, ...]) -> None:
        make_folder(self._folder)
        data = {"format": _FORMAT, "engines": [asdict(entry) for entry in added]}
        write_text(self._folder / _FILE, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
