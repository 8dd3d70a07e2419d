"""A game's public record: the events that the program logged, in a file for later verification."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.files import read_text, write_text
from croupier.solana.events import Created, Event, decode_event, encode_event
from croupier.solana.layout import LayoutError


class RecordError(InputError):
    """The text or file is not the record of a game."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The program, and the events of one game in order.

    Examples
    --------
    >>> from croupier.solana.codes import Result, Status
    >>> from croupier.solana.events import Claimed
    >>> event = Claimed(Status.CREATED, Result.PLAYER_FORFEIT, 17, Pubkey.default())
    >>> record = GameRecord(Pubkey.default(), (event,))
    >>> GameRecord.from_json(record.to_json()) == record
    True
    """

    program: Pubkey
    events: tuple[Event, ...]

    @classmethod
    def of_game(cls, program: Pubkey, game: Pubkey, events: Iterable[Event]) -> "GameRecord":
        """Select one game's events; of several games at the same address, the last."""
        own: list[Event] = []
        for event in events:
            if event.game == game:
                own = [event] if isinstance(event, Created) else [*own, event]
        return cls(program, tuple(own))

    def to_json(self) -> str:
        """Return the record as JSON; each event is the bytes that the program logged, in base64."""
        events = [base64.b64encode(encode_event(event)).decode() for event in self.events]
        return json.dumps({"program": str(self.program), "events": events}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Read a record from JSON.

        Raises
        ------
        RecordError
            If the text is not a record.
        """
        try:
            data = json.loads(text)
            program = Pubkey.from_string(data["program"])
            events = tuple(decode_event(base64.b64decode(event, validate=True)) for event in data["events"])
        except LayoutError as error:
            raise RecordError(f"record of a game: {error}") from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RecordError("record of a game: not JSON with a 'program' and its 'events'") from None
        return cls(program, events)

    def save(self, path: Path) -> None:
        """Write the record to a file."""
        write_text(path, self.to_json(), what="record")

    @classmethod
    def load(cls, path: Path) -> "GameRecord":
        """Read a record from a file.

        Raises
        ------
        FileError
            If the file cannot be read.
        RecordError
            If it is not a record.
        """
        text = read_text(path, what="record")
        try:
            return cls.from_json(text)
        except RecordError as error:
            raise RecordError(f"'{path}': {error}") from None
