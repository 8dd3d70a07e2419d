"""The pages: thin, over the models."""

from croupier.web.lab import WebLab
from croupier.web.pages import (
    banluck_explorer,
    banluck_table,
    blackjack_lab,
    blackjack_table,
    blackjack_trainer,
    durak_arena,
    durak_replay,
    durak_table,
    home,
    solana,
)

_PAGES = (
    home,
    banluck_explorer,
    banluck_table,
    blackjack_table,
    blackjack_trainer,
    blackjack_lab,
    durak_table,
    durak_arena,
    durak_replay,
    solana,
)


def register_all(lab: WebLab) -> None:
    """Put every page on its address."""
    for page in _PAGES:
        page.register(lab)
