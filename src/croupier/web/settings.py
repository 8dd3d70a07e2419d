"""The settings of the web app: where it listens and where it saves its data."""

import ipaddress
import socket
from dataclasses import dataclass, field
from pathlib import Path

from croupier.errors import InputError
from croupier.files import FileError, make_folder
from croupier.folders import data_folder

#: The host names that a browser on the same machine uses.
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")

LARGEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the web app.

    Attributes
    ----------
    host, port
        Where it listens; port 0 takes any free port.
    store
        The database of tables and runs, a file or a SQLAlchemy URL; by default the user's.
    folder
        The folder for the cookie key, added engines and logs.
    token
        The secret word for adding an engine when other machines can reach the web app.
    names
        Further names of this machine that browsers may use, such as that of a reverse proxy.

    Examples
    --------
    >>> Settings().is_public, Settings(host="0.0.0.0").is_public
    (False, True)
    """

    host: str = "127.0.0.1"
    port: int = 8080
    store: str | None = None
    folder: Path = field(default_factory=lambda: data_folder() / "web")
    token: str | None = None
    names: tuple[str, ...] = ()

    @property
    def is_public(self) -> bool:
        """Whether other machines can reach the web app."""
        if self.host == "localhost":
            return False
        try:
            return not ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return True

    @property
    def allowed_names(self) -> frozenset[str]:
        """The allowed host names, without a port; if other machines can reach the web app, its own name is one of them."""
        own = (socket.gethostname(), f"{socket.gethostname()}.local") if self.is_public else ()
        return frozenset({*LOCAL_NAMES, self.host, *own, *self.names})

    def verify(self) -> None:
        """Check the settings and create the folder.

        Raises
        ------
        InputError
            If a setting is not valid.

        Examples
        --------
        >>> Settings(port=70000).verify()
        Traceback (most recent call last):
        croupier.errors.InputError: port 70000: ports run from 0 (any free one) to 65535
        """
        if not 0 <= self.port <= LARGEST_PORT:
            raise InputError(f"port {self.port}: ports run from 0 (any free one) to {LARGEST_PORT}")
        if self.token is not None and not self.token.strip():
            raise InputError("token '': empty; a token is a word that others cannot guess")
        try:
            make_folder(self.folder, what="folder of the web app")
        except FileError as error:
            raise InputError(f"{error}; name another with --folder") from None


def network_address() -> str | None:
    """Return this machine's address in its network, or None without one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        except OSError:
            return None
        return str(probe.getsockname()[0])
