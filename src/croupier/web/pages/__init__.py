"""The pages: thin layers over the models."""

from croupier.web import shell
from croupier.web.pages import (
    banluck_explorer,
    banluck_table,
    blackjack_counter,
    blackjack_simulator,
    blackjack_table,
    blackjack_trainer,
    durak_arena,
    durak_exercise,
    durak_party,
    durak_replay,
    durak_table,
    friends,
    home,
    my_game,
    solana,
    solana_stranger,
)
from croupier.web.services import Services

_PAGES = (
    home,
    my_game,
    banluck_explorer,
    banluck_table,
    blackjack_table,
    blackjack_trainer,
    blackjack_counter,
    blackjack_simulator,
    durak_table,
    durak_party,
    durak_exercise,
    durak_arena,
    durak_replay,
    solana,
    solana_stranger,
    friends,
)


def register_all(services: Services) -> None:
    """Register every page."""
    shell.register(services)
    for page in _PAGES:
        page.register(services)
