"""Which program an engine is, and how it is run: command line, folder, environment, limits.

An engine is named by the path of an executable, by a command line (``"python3 my_engine.py --fast"``), by a bare name
that is found on the PATH or beside the running Python, or by an engine file::

    command = "python3 my_engine.py"   # a program such as ./my_engine is looked for beside this file first
    name = "my engine"                 # in tables and logs; otherwise made from the command
    version = "1.2"                    # told apart from other versions in rating lists
    folder = "/srv/engines/mine"       # where it runs; otherwise where the arena runs
    keep_alive = true                  # one process for all games; see below
    start_limit = 20.0                 # seconds, instead of the match's
    time_limit = 1.0

    [environment]
    THREADS = "1"

Keep-alive is an extension of the protocol. By default every game has a fresh process. An engine that is declared to stay
alive finds ``DURAK_KEEP_ALIVE=1`` in its environment; after ``game_end`` it does not exit but reads on, and the next line is
``init`` of a new game, or the end of the input. If it exits all the same, a new process is started for the next game.
"""

import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from croupier.durak.arena.confinement import Confinement
from croupier.durak.engine.protocol import KEEP_ALIVE_VARIABLE
from croupier.errors import InputError
from croupier.files import read_text

#: What an engine sees of the arena's own environment. Everything else (tokens, keys, sockets) stays here.
PASSED_ON = frozenset((
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
    "VIRTUAL_ENV", "JAVA_HOME", "XDG_CACHE_HOME", "CROUPIER_CACHE", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "PYTHONPATH",
    "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH",
))  # fmt: skip

#: The longest limit in seconds: a day.
_LONGEST = 86_400

_Seconds = Annotated[float, Field(gt=0, le=_LONGEST)]


class EngineError(InputError):
    """An engine that cannot be run; the message says why and what would be right."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may take.

    Attributes
    ----------
    start
        Seconds from the start of its process to its first answer.
    answer
        Seconds for an answer.
    game, increment
        A clock for a whole game in seconds, and what each answer to a question adds to it; None for no clock.

    Examples
    --------
    >>> Limits(start=0)
    Traceback (most recent call last):
    croupier.errors.InputError: start limit 0 s: a limit is more than 0 and at most 86400 seconds
    """

    start: float = 10.0
    answer: float = 5.0
    game: float | None = None
    increment: float = 0.0

    def __post_init__(self) -> None:
        for name, seconds in (("start", self.start), ("time", self.answer), ("game", self.game)):
            if seconds is not None and not 0 < seconds <= _LONGEST:
                raise InputError(
                    f"{name} limit {seconds:g} s: a limit is more than 0 and at most {_LONGEST} seconds"
                )
        if not 0 <= self.increment <= _LONGEST:
            raise InputError(f"increment {self.increment:g} s: at least 0 and at most {_LONGEST} seconds")

    @property
    def clock(self) -> str:
        """The clock of a game as people write it, such as ``60+0.5``; empty where there is none."""
        return "" if self.game is None else f"{self.game:g}+{self.increment:g}"

    def to_dict(self) -> dict[str, float]:
        """Return plain values for JSON; the clock is there only where a game has one."""
        clock = {} if self.game is None else {"game": self.game, "increment": self.increment}
        return {"start": self.start, "answer": self.answer, **clock}


def read_clock(text: str | None) -> tuple[float | None, float]:
    """Read the clock of a game: its seconds, and the seconds that each answer adds.

    >>> read_clock("60+0.5"), read_clock("30"), read_clock(None)
    ((60.0, 0.5), (30.0, 0.0), (None, 0.0))
    """
    if text is None:
        return None, 0.0
    game, _, increment = text.partition("+")
    try:
        return float(game), float(increment or 0)
    except ValueError:
        raise InputError(f"clock '{text}': write seconds, or SECONDS+INCREMENT such as 60+0.5") from None


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine, ready to be started.

    Attributes
    ----------
    command
        The program (an absolute path) and its arguments.
    name
        What it is called in tables and logs.
    folder
        Where it runs; None for the arena's own folder.
    environment
        Variables for it alone, beside those of ``PASSED_ON``.
    keep_alive
        Whether one process plays game after game.
    start_limit, time_limit
        Limits of its own in seconds; None for those of the match.
    version
        Which version of the engine it is, for rating lists; empty where that is not known.
    confinement
        How much it may use and see; None for as much as whoever runs it.
    options
        What it is told at the beginning of a game by the second version of the protocol.
    """

    command: tuple[str, ...]
    name: str
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    keep_alive: bool = False
    start_limit: float | None = None
    time_limit: float | None = None
    version: str = ""
    confinement: Confinement | None = None
    options: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def full_command(self) -> tuple[str, ...]:
        """The command line that is run: the engine's own, or one that confines it."""
        return self.command if self.confinement is None else self.confinement.command(self.command)

    def staying_alive(self) -> "EngineSpec":
        """Return the engine with the keep-alive extension switched on."""
        return replace(self, keep_alive=True)

    def limits(self, of_match: Limits) -> Limits:
        """Return its limits in a match: its own where it has them, else those of the match."""
        return Limits(
            of_match.start if self.start_limit is None else self.start_limit,
            of_match.answer if self.time_limit is None else self.time_limit,
            of_match.game,
            of_match.increment,
        )

    def full_environment(self) -> dict[str, str]:
        """Return all the variables that its process gets."""
        inherited = {
            name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith("LC_")
        }
        extension = {KEEP_ALIVE_VARIABLE: "1"} if self.keep_alive else {}
        return inherited | extension | dict(self.environment)


class _EngineFile(BaseModel):
    """The fields of an engine file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    command: str
    name: str | None = None
    version: str = ""
    folder: str | None = None
    environment: dict[str, str] = Field(default_factory=dict)
    options: dict[str, str] = Field(default_factory=dict)
    keep_alive: bool = False
    start_limit: _Seconds | None = None
    time_limit: _Seconds | None = None


def read_engine(text: str) -> EngineSpec:
    """Read an engine as a person names it: a path, a command line, a bare name or an engine file (``*.toml``).

    Raises
    ------
    EngineError
        If there is no such program, or it may not be executed.

    Examples
    --------
    >>> read_engine("durak-dummy").name
    'durak-dummy'
    >>> read_engine("/no/such/engine --fast")
    Traceback (most recent call last):
    croupier.durak.arena.engine_spec.EngineError: engine '/no/such/engine': there is no such file
    """
    if text.endswith(".toml"):
        return _read_engine_file(Path(text))
    return _from_command_line(text)


def _from_command_line(text: str) -> EngineSpec:
    if "\0" in text:
        raise EngineError(f"engine {text!r}: a command line holds no NUL character")
    if _is_file(text):
        words = [text]
    else:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise EngineError(f"engine '{text}': {str(error).lower()}; quote it as a shell would") from None
    if not words or not words[0]:
        raise EngineError("engine '': empty; name an executable, such as durak-dummy or './my_engine --fast'")
    program, *arguments = words
    shown = " ".join([Path(program).name, *(_without_folders(word) for word in arguments)])
    return EngineSpec((_executable(program), *arguments), name=" ".join(shown.split()))


def _is_file(text: str) -> bool:
    """Tell whether a whole text is the path of a file; a long command line is more than a path can be."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _without_folders(word: str) -> str:
    is_path = word.startswith(("/", "./", "../", "~"))
    return Path(word).name or word if is_path else word


def _executable(program: str) -> str:
    """Find a program as a shell does, and beside the running Python, where the engines of Croupier are."""
    if os.sep not in program:
        found = shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))
        if found is None:
            here = f"; for the file in this folder write './{program}'" if _is_file(program) else ""
            raise EngineError(f"engine '{program}': neither on the PATH nor beside this Python{here}")
        return str(Path(found).absolute())
    path = Path(program).expanduser()
    if path.is_dir():
        raise EngineError(f"engine '{program}': it is a directory; name an executable")
    if not path.exists():
        raise EngineError(f"engine '{program}': there is no such file")
    if not os.access(path, os.X_OK):
        raise EngineError(
            f"engine '{program}': not executable; make it so (chmod +x), or write 'INTERPRETER {program}'"
        )
    return str(path.absolute())


def _read_engine_file(path: Path) -> EngineSpec:
    text = read_text(path, what="engine file")
    try:
        content = _EngineFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise EngineError(f"engine file '{path}': {place}: {problem['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise EngineError(f"engine file '{path}' is not TOML: {error}") from None
    spec = _from_command_line(_found_beside(path, content.command))
    folder = None if content.folder is None else (path.parent / Path(content.folder).expanduser()).absolute()
    if folder is not None and not folder.is_dir():
        raise EngineError(f"engine file '{path}': folder '{folder}' does not exist")
    return replace(
        spec,
        name=" ".join((content.name or spec.name).split()),
        folder=folder,
        version=" ".join(content.version.split()),
        environment=content.environment,
        options=content.options,
        keep_alive=content.keep_alive,
        start_limit=content.start_limit,
        time_limit=content.time_limit,
    )


def _found_beside(path: Path, command: str) -> str:
    """Return a command line whose program is taken from the folder of its engine file, where there is one of that name."""
    program, space, arguments = command.partition(" ")
    beside = path.parent / program
    if os.sep in program and not Path(program).is_absolute() and beside.is_file():
        return f"{shlex.quote(str(beside.absolute()))}{space}{arguments}"
    return command
