"""``croupier solana``: the commands in the order of the help; their work is imported when they run."""

from croupier.cli import solana_network_commands  # noqa: F401 I001 - importing registers the commands, in this order
from croupier.cli import solana_house_commands  # noqa: F401
from croupier.cli import solana_game_commands  # noqa: F401
from croupier.cli.solana_options import app

__all__ = ["app"]
