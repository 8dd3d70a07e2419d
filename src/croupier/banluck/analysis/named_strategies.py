"""Strategies by name: what a person may write for a player or a dealer, and the exact price of any pair of them."""

from collections.abc import Callable

from croupier.banluck.analysis.matchup import Price
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import REFERENCE, BanluckRules
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.errors import InputError

PlayerName = str | PlayerStrategy
DealerName = str | DealerStrategy
Solver = Callable[[BanluckRules], Solution]

_STAND_ON = "stand-on-"


def verify_names(player: PlayerName, dealer: DealerName) -> None:
    """Raise unless both names are known; a strategy of one's own always is.

    >>> verify_names("stand-on-16", "lucky")
    Traceback (most recent call last):
    croupier.errors.InputError: dealer 'lucky': choose equilibrium or classic
    """
    if isinstance(dealer, str) and dealer not in ("equilibrium", "classic"):
        raise InputError(f"dealer '{dealer}': choose equilibrium or classic")
    if isinstance(player, str) and player not in ("equilibrium", "baseline", "chart"):
        _stand_total(player)


def strategies_of(
    game: Solution | BanluckRules, player: PlayerName, dealer: DealerName, solver: Solver = solve
) -> tuple[PlayerStrategy, DealerStrategy]:
    """Find two strategies by their names; rules are solved only if one of the names needs it.

    >>> player, dealer = strategies_of(BanluckRules(), "stand-on-16", "classic")
    >>> float(player.hit.max())
    1.0
    """
    verify_names(player, dealer)
    rules = game.rules if isinstance(game, Solution) else game
    solved = game if isinstance(game, Solution) else None
    if solved is None and (dealer == "equilibrium" or player in ("equilibrium", "chart")):
        solved = solver(rules)
    return _player(player, rules, solved), _dealer(dealer, rules, solved)


def price(
    game: Solution | BanluckRules = REFERENCE,
    *,
    player: PlayerName = "equilibrium",
    dealer: DealerName = "equilibrium",
) -> Price:
    """Work out exactly what two strategies make of each other, and of the best answer to each.

    Parameters
    ----------
    game
        A solved game, or rules.
    player
        ``equilibrium``, ``baseline`` (best play against the classic dealer), ``chart``, ``stand-on-16`` (any total), or a
        strategy of one's own.
    dealer
        ``equilibrium``, ``classic``, or a strategy of one's own.

    Examples
    --------
    >>> from croupier import banluck
    >>> found = banluck.price(player="stand-on-16", dealer="classic")
    >>> f"{found.value:+.6f}, at least {found.at_least:+.6f}"
    '-0.017059, at least -0.040486'
    """
    rules = game.rules if isinstance(game, Solution) else game
    found = strategies_of(game, player, dealer)
    certificate = certify(*found, rules)
    return Price(rules, *found, certificate.value, certificate.lower, certificate.upper)


def _player(name: PlayerName, rules: BanluckRules, solved: Solution | None) -> PlayerStrategy:
    if isinstance(name, PlayerStrategy):
        return name
    if name == "baseline":
        return solve_baseline(rules).player
    if solved is not None and name in ("equilibrium", "chart"):
        return solved.chart.strategy if name == "chart" else solved.player
    return stand_on(_stand_total(name), rules)


def _dealer(name: DealerName, rules: BanluckRules, solved: Solution | None) -> DealerStrategy:
    if isinstance(name, DealerStrategy):
        return name
    return solved.dealer if solved is not None and name == "equilibrium" else classic_dealer(rules)


def _stand_total(name: str) -> int:
    total = name.removeprefix(_STAND_ON)
    if not (name.startswith(_STAND_ON) and total.isdecimal() and 2 <= int(total) <= 21):
        raise InputError(
            f"player '{name}': choose equilibrium, baseline, chart, or stand-on-N with N from 2 to 21"
        )
    return int(total)
