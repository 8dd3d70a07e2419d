"""Fixed deals for matches: a file with one pack a line, and the suite of openings that comes with the package.

Engines that play the same suite meet the same cards, in any arena that reads the file (``durak/arena/suites/openings.txt``).
"""

from importlib.resources import files
from pathlib import Path

from croupier.durak.arena.game_number import Deal
from croupier.durak.engine.dealing import lowest_trump_leader
from croupier.durak.engine.pack import PACK_SIZE, read_cards
from croupier.errors import InputError
from croupier.files import read_text

#: The name under which the suite is asked for.
OPENINGS = "openings"


def read_deals(source: str) -> tuple[Deal, ...]:
    """Return the deals of a file, or of the suite.

    A line holds the 36 cards of a pack in the order in which they are dealt: six to the first seat, six to the second, the stock; the
    last card is the open trump. Empty lines and lines that begin with # are left out. The seat with the
    lowest trump leads, or the first if neither has one.

    Parameters
    ----------
    source
        A path, or ``openings``.

    Raises
    ------
    InputError
        If the file cannot be read, holds no deal, or a line is not a pack.

    Examples
    --------
    >>> len(read_deals("openings"))
    100
    """
    if source == OPENINGS:
        text = (files("croupier.durak.arena.suites") / f"{OPENINGS}.txt").read_text(encoding="utf-8")
    else:
        text = read_text(Path(source), what="deals")
    deals = tuple(
        _read_deal(line, f"deals '{source}', line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    )
    if not deals:
        raise InputError(f"deals '{source}': no deal in it; a line is the 36 cards of a pack")
    return deals


def _read_deal(line: str, where: str) -> Deal:
    try:
        deck = read_cards(line)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if len(deck) != PACK_SIZE or len(set(deck)) != PACK_SIZE:
        raise InputError(
            f"{where}: {len(deck)} cards, {len(set(deck))} of them different; a pack has {PACK_SIZE}"
        )
    leader = lowest_trump_leader(deck)
    return Deal(deck, 0 if leader is None else leader)
