"""The save file of a match: which games are over and how they ended, so that an interrupted match can be resumed.

JSON, one line each: first the match (engines, seed, limits, fixed deals), then one line for each game that is over. Games in the file are
not played again; a line that was cut off by a sudden end is dropped, and its game is played again.
"""

import hashlib
import json
import shlex
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from croupier.durak.arena.append_file import AppendFile, Closed, whole_json_lines
from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.entrant import EngineObject, Entrant
from croupier.durak.arena.game_number import Deal, GameNumber
from croupier.durak.arena.outcome import GameOutcome
from croupier.durak.engine.pack import cards_text
from croupier.errors import InputError
from croupier.files import read_text

_FORMAT = "croupier durak match 1"

#: What two matches must have in common to be the same, and how it is called.
_MEANINGS = {"engines": "engines", "limits": "limits", "seed": "seed", "deals": "fixed deals"}


class Journal(Closed):
    """A save file that is being written.

    Parameters
    ----------
    path
        The file.
    first, second, limits
        The match. A file that holds another one is refused.
    seed
        The seed; None to take the one in the file.
    resume
        Whether to resume the match in the file if it exists; otherwise an existing file is refused.
    new_seed
        The seed of a new match for which none is given.
    deals
        Fixed deals, if it is played from some.
    durable
        Whether every game is forced to the disk.
    """

    def __init__(
        self,
        path: Path,
        first: Entrant,
        second: Entrant,
        limits: Limits,
        *,
        seed: int | None,
        new_seed: int,
        deals: Sequence[Deal] = (),
        resume: bool = False,
        durable: bool = False,
    ) -> None:
        self._path = path
        match = {
            "format": _FORMAT,
            "engines": [_description(first), _description(second)],
            "limits": limits.to_dict(),
            "seed": seed,
            "deals": _digest(deals),
        }
        exists = path.exists() and path.stat().st_size > 0
        if exists and not resume:
            raise InputError(f"save file '{path}' exists; resume it (--resume), or name another file")
        self._file = AppendFile(
            path, "save file", durable=durable, is_exclusive=True, repaired=whole_json_lines
        )
        try:
            lines = read_text(path, what="save file").splitlines() if exists else []
            if lines:
                header = self._read_header(lines[0], match)
            else:
                header = match | {"seed": new_seed if seed is None else seed, "match_id": uuid.uuid4().hex}
                self._file.append(json.dumps(header) + "\n")
            self.seed = int(header["seed"])
            self.match_id = str(header["match_id"])
            self.outcomes = self._read_outcomes(lines[1:])
        except BaseException:
            self._file.close()
            raise

    def append(self, outcome: GameOutcome) -> None:
        """Record a game that is over."""
        self.outcomes[outcome.number] = outcome
        self._file.append(json.dumps(outcome.to_dict()) + "\n")

    def adopt(self, outcomes: Iterable[GameOutcome]) -> None:
        """Record games that are over but not in the file yet."""
        for outcome in outcomes:
            if outcome.number not in self.outcomes:
                self.append(outcome)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_header(self, line: str, match: dict[str, Any]) -> dict[str, Any]:
        header = _parse(line)
        if header is None or header.get("format") != _FORMAT or "match_id" not in header:
            raise InputError(f"save file '{self._path}': not the save file of a durak match")
        for key, meaning in _MEANINGS.items():
            is_free = key == "seed" and match[key] is None
            if not is_free and header.get(key) != match[key]:
                raise InputError(
                    f"save file '{self._path}' is of a match with other {meaning}: {_brief(header.get(key))}, "
                    f"not {_brief(match[key])}"
                )
        return header

    def _read_outcomes(self, lines: list[str]) -> dict[GameNumber, GameOutcome]:
        outcomes = {}
        for number, line in enumerate(lines, start=2):
            data = _parse(line)
            if data is None:
                raise InputError(f"save file '{self._path}', line {number}: not JSON")
            try:
                outcome = GameOutcome.from_dict(data)
            except InputError as error:
                raise InputError(f"save file '{self._path}', line {number}: {error}") from None
            outcomes[outcome.number] = outcome
        return outcomes


def _digest(deals: Sequence[Deal]) -> str | None:
    """Return what tells sets of fixed deals apart; None for a match that is dealt from its seed."""
    if not deals:
        return None
    return hashlib.sha256("\n".join(cards_text(deal.deck) for deal in deals).encode()).hexdigest()[:16]


def _description(entrant: Entrant) -> dict[str, Any]:
    """Return what makes two engines the same one for a match."""
    if isinstance(entrant, EngineObject):
        raise InputError(
            f"save: {entrant.name} is an object of this process; only matches between programs can be saved"
        )
    return {
        "name": entrant.name,
        "command": list(entrant.command),
        "folder": None if entrant.folder is None else str(entrant.folder),
        "environment": dict(entrant.environment),
        "limits": [entrant.start_limit, entrant.time_limit],
    }


def _parse(line: str) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _brief(value: Any) -> str:
    if isinstance(value, list):
        return " and ".join(f"'{shlex.join(engine['command'])}'" for engine in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {number:g} s" for key, number in value.items())
    return str(value)
