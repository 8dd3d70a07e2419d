"""The folder for playing on a cluster: one's own key, the house's secret if one is the house, the newest game.

Player and house are strangers: each has a folder of its own and knows the other by address. One person who plays both
sides has both keys in one folder.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.files import make_folder, read_text, write_text
from croupier.solana.house import House
from croupier.solana.keys import create_key, read_key
from croupier.solana.verification import Expected


class TableError(InputError):
    """Something is missing in the folder; the message says how to create it."""


Side = Literal["player", "house"]
SIDES: tuple[Side, ...] = ("player", "house")


@dataclass(frozen=True, slots=True)
class NewestGame:
    """The newest game that was opened from a folder: its number and both sides' addresses."""

    number: int
    player: Pubkey
    house: Pubkey | None


@dataclass(frozen=True, slots=True)
class Table:
    """The folder; the keys and the addresses can be overridden.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Table(Path(folder))
    ...     [path.name for path in table.create_keys()]
    ...     table.player.pubkey() == table.player.pubkey(), table.create_keys()
    ['player.json', 'house.json', 'house-secret.json']
    (True, [])
    >>> table.player  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    croupier.solana.table.TableError: key file '.../player.json': not found; `croupier solana keygen` creates it
    """

    folder: Path
    player_file: Path | None = None
    house_file: Path | None = None
    program_address: str | None = None
    player_address: str | None = None
    house_address: str | None = None

    def create_keys(self, side: Side | None = None) -> list[Path]:
        """Create the missing files of one side, or of both, and return their paths."""
        make_folder(self.folder, what="table")
        made = []
        keys: dict[Side, Path] = {"player": self._player_path, "house": self._house_path}
        for path in keys.values() if side is None else [keys[side]]:
            if not path.exists():
                create_key(path)
                made.append(path)
        if side != "player" and not self._secret_path.exists():
            House.create(self._secret_path)
            made.append(self._secret_path)
        return made

    def has_key(self, side: Side) -> bool:
        """Whether this folder has the key of a side."""
        return (self._player_path if side == "player" else self._house_path).exists()

    def key_of(self, side: Side | None) -> Keypair:
        """Return the key of a side; by default the player's, or that of a house whose folder has no player's key."""
        if side is None:
            side = "house" if self.has_key("house") and not self.has_key("player") else "player"
        return self.player if side == "player" else self.house_key

    def player_pubkey(self, program: Pubkey) -> Pubkey:
        """Return the player's address: the given one, that of the key, or that of the newest game.

        Raises
        ------
        TableError
            If none of them is there.
        """
        if self.player_address is not None:
            return _address(self.player_address, "player")
        if self.player_file is not None or self.has_key("player"):
            return self.player.pubkey()
        newest = self.newest_game(program)
        if newest is None:
            raise TableError(
                f"player: '{self.folder}' has neither a key nor a game of one; give --player ADDRESS"
            )
        return newest.player

    def house_pubkey(self, program: Pubkey) -> Pubkey:
        """Return the house's address: the given one, that of the key, or that of the newest game.

        Raises
        ------
        TableError
            If none of them is there.
        """
        if self.house_address is not None:
            return _address(self.house_address, "house")
        if self.house_file is not None or self.has_key("house"):
            return self.house_key.pubkey()
        newest = self.newest_game(program)
        if newest is None or newest.house is None:
            raise TableError(
                f"house: '{self.folder}' has neither a key nor a game of one; give --house ADDRESS"
            )
        return newest.house

    @property
    def player(self) -> Keypair:
        """The player's key."""
        return _key(self._player_path)

    @property
    def house_key(self) -> Keypair:
        """The house's key."""
        return _key(self._house_path)

    @property
    def house(self) -> House:
        """The house's chains of hashes."""
        _verify_exists(self._secret_path, "house file", "`croupier solana keygen` creates it")
        return House.load(self._secret_path)

    @property
    def program(self) -> Pubkey:
        """The program's address: the given one, or that of the key under which it was deployed."""
        if self.program_address is None:
            _verify_exists(
                self._program_path, "key file", "`croupier solana deploy` creates it, or give --program"
            )
            return read_key(self._program_path).pubkey()
        return _address(self.program_address, "program")

    def program_key(self) -> Keypair:
        """Return the key under which the program is deployed, creating it if it is missing."""
        make_folder(self.folder, what="table")
        return read_key(self._program_path) if self._program_path.exists() else create_key(self._program_path)

    def buffer_key(self) -> Keypair:
        """Return the key of the buffer of an unfinished deployment, creating it if there is none.

        It is on disk before the buffer costs anything, so that a deployment that fails can be resumed.
        """
        make_folder(self.folder, what="table")
        return read_key(self._buffer_path) if self._buffer_path.exists() else create_key(self._buffer_path)

    def forget_buffer(self) -> None:
        """Remove the key of a buffer that is used up or closed."""
        self._buffer_path.unlink(missing_ok=True)

    def newest_game(self, program: Pubkey) -> NewestGame | None:
        """Return the newest game that was opened from this folder."""
        path = self.folder / "game.json"
        if not path.exists():
            return None
        try:
            game = json.loads(read_text(path, what="game file"))
            number, of_program = game["number"], game["program"]
            # Older files name the number only; its player is the one whose key is here.
            player = Pubkey.from_string(game["player"]) if "player" in game else self.player.pubkey()
            house = Pubkey.from_string(game["house"]) if "house" in game else None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise TableError(
                f"game file '{path}': it names no game; remove it, or give --game and --player"
            ) from None
        if not isinstance(number, int) or of_program != str(program):
            return None
        return NewestGame(number, player, house)

    def remember_game(self, program: Pubkey, game: NewestGame) -> None:
        """Save the newest game."""
        addresses = {"player": str(game.player)} | ({} if game.house is None else {"house": str(game.house)})
        text = json.dumps({"program": str(program), "number": game.number, **addresses}) + "\n"
        write_text(self.folder / "game.json", text, what="game file")

    def expected(
        self, *, program_hash: str | None, is_final: bool, authority: str | None, opening: int | None
    ) -> Expected:
        """Return what a verification must find: the addresses that were given, and these.

        Raises
        ------
        TableError
            If an address or the hash is not one.
        """
        if program_hash is not None and not re.fullmatch("[0-9a-fA-F]{64}", program_hash):
            raise TableError(f"program hash '{program_hash}': give the 64 hex digits of a SHA-256")
        return Expected(
            None if self.program_address is None else self.program,
            None if self.house_address is None else _address(self.house_address, "house"),
            None if self.player_address is None else _address(self.player_address, "player"),
            None if program_hash is None else (program_hash.lower(),),
            None if authority is None else _address(authority, "authority"),
            is_final,
            opening,
        )

    @property
    def _player_path(self) -> Path:
        return self.player_file or self.folder / "player.json"

    @property
    def _house_path(self) -> Path:
        return self.house_file or self.folder / "house.json"

    @property
    def _secret_path(self) -> Path:
        return self.folder / "house-secret.json"

    @property
    def _buffer_path(self) -> Path:
        return self.folder / "buffer.json"

    @property
    def _program_path(self) -> Path:
        return self.folder / "program.json"


def _key(path: Path) -> Keypair:
    _verify_exists(path, "key file", "`croupier solana keygen` creates it")
    return read_key(path)


def _address(text: str, what: str) -> Pubkey:
    try:
        return Pubkey.from_string(text)
    except ValueError:
        raise TableError(f"{what} '{text}': not an address; it has 32 bytes in base58") from None


def _verify_exists(path: Path, what: str, advice: str) -> None:
    if not path.exists():
        raise TableError(f"{what} '{path}': not found; {advice}")
