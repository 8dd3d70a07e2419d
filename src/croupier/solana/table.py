"""The folder for playing on a cluster: keys, the house's secret, the number of the newest game."""

import json
from dataclasses import dataclass
from pathlib import Path

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.files import make_folder, read_text, write_text
from croupier.solana.house import House
from croupier.solana.keys import create_key, read_key


class TableError(InputError):
    """Something is missing in the folder; the message says how to create it."""


@dataclass(frozen=True, slots=True)
class Table:
    """The folder; the keys and the program's address can be overridden.

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

    def create_keys(self) -> list[Path]:
        """Create the missing files (player's key, house's key, house's secret) and return their paths."""
        make_folder(self.folder, what="table")
        made = []
        for path in (self._player_path, self._house_path):
            if not path.exists():
                create_key(path)
                made.append(path)
        if not self._secret_path.exists():
            House.create(self._secret_path)
            made.append(self._secret_path)
        return made

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
        try:
            return Pubkey.from_string(self.program_address)
        except ValueError:
            raise TableError(
                f"program '{self.program_address}': not an address; it has 32 bytes in base58"
            ) from None

    def program_key(self) -> Keypair:
        """Return the key under which the program is deployed, creating it if it is missing."""
        make_folder(self.folder, what="table")
        return read_key(self._program_path) if self._program_path.exists() else create_key(self._program_path)

    def newest_game(self, program: Pubkey) -> int | None:
        """Return the number of the newest game that was opened from this folder."""
        path = self.folder / "game.json"
        if not path.exists():
            return None
        try:
            game = json.loads(read_text(path, what="game file"))
            number, of_program = game["number"], game["program"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise TableError(f"game file '{path}': it names no game; remove it, or give --game") from None
        if not isinstance(number, int) or of_program != str(program):
            return None
        return number

    def remember_game(self, program: Pubkey, number: int) -> None:
        """Save the number of the newest game."""
        text = json.dumps({"program": str(program), "number": number}) + "\n"
        write_text(self.folder / "game.json", text, what="game file")

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
    def _program_path(self) -> Path:
        return self.folder / "program.json"


def _key(path: Path) -> Keypair:
    _verify_exists(path, "key file", "`croupier solana keygen` creates it")
    return read_key(path)


def _verify_exists(path: Path, what: str, advice: str) -> None:
    if not path.exists():
        raise TableError(f"{what} '{path}': not found; {advice}")
