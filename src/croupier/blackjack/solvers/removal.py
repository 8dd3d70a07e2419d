"""What single cards are worth: insurance from any shoe, and the effect of removing a card."""

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import POINT_CLASSES, TEN_CLASS
from croupier.errors import InputError


def insurance_value(shoe: ShoeCounts) -> float:
    """Return the expected result of one unit of insurance, from the cards that are not seen.

    Insurance pays 2:1 if the dealer's other card is a ten-value card.

    Examples
    --------
    >>> full = ShoeCounts.full(BlackjackRules(decks=1))
    >>> round(insurance_value(full.without([12])), 6)  # only the up-card, an ace, is seen
    -0.058824
    """
    return float(3.0 * shoe.classes[TEN_CLASS] / shoe.cards - 1.0)


def effects_of_removal(rules: BlackjackRules) -> dict[str, float]:
    """Return by how much taking one card of each class out of the full shoe changes the value of the game.

    Raises
    ------
    InputError
        For infinite packs, from which nothing can be taken.
    """
    if rules.decks == "infinite":
        raise InputError("effects of removal need a finite shoe; set decks to a number from 1 to 8")
    full = ShoeCounts.full(rules)
    base = analyse(rules, full).value
    effects = {}
    for point, letter in enumerate(POINT_CLASSES):
        rank = full.ranks_of_class(point)[0]
        effects[letter] = analyse(rules, full.without([rank])).value - base
    return effects
