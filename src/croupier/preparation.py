"""Compile kernels ahead, so that nobody waits in the middle of a game.

Numba compiles a kernel for the types of its arguments when it is first called. So each game is tried out: every step below calls the
public API with little work. A test fails if a kernel is reached by none of them, or by a command for other types.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from croupier.errors import InputError
from croupier.numerics.kernel_cache import KERNELS, LISTENERS
from croupier.numerics.kernel_content import contents_of

Progress = Callable[[int, int], None]

_PACKAGE = Path(__file__).parent

#: How a module says that it holds kernels.
_HOLDS_KERNELS = "from croupier.numerics.compiled import"

#: Kernels that are left to their first use. Solving a table of several players takes most of a minute or more however little is asked of it; compiling
#: adds a few seconds to that, and preparing would never be quick. Lanes are for a GPU, which compiles its own kernels.
LEFT_OUT = (
    "croupier.banluck.solvers.table.",
    "croupier.banluck.analysis.table_kernel.",
    "croupier.banluck.analysis.seats_kernel.",
    "croupier.banluck.analysis.lane_kernel.",
    "croupier.banluck.analysis.table_lane_kernel.",
    "croupier.blackjack.simulation.lane_kernel.",
    "croupier.blackjack.simulation.endless_kernel.",
    "croupier.blackjack.counting.kernel.add_ledger",
    "croupier.blackjack.counting.kernel._in_steps",
)


def prepare(game: str, progress: Progress | None = None) -> float:
    """Compile every kernel of a game but those of :data:`LEFT_OUT`, or load it if that was done before; return the seconds it took.

    Parameters
    ----------
    game
        ``banluck``, ``blackjack`` or ``durak``.
    progress
        Told how many of the game's kernels are ready, and how many there are.

    Raises
    ------
    InputError
        If there is no such game.

    Examples
    --------
    >>> from croupier.preparation import prepare
    >>> prepare("poker")
    Traceback (most recent call last):
    croupier.errors.InputError: game 'poker': no such game; choose banluck, blackjack, durak
    """
    if game not in GAMES:
        raise InputError(f"game '{game}': no such game; choose {', '.join(GAMES)}")
    begin = perf_counter()
    GAMES[game](progress or (lambda _done, _total: None))
    return perf_counter() - begin


def unprepared_kernels(game: str) -> list[str]:
    """Return the kernels of a game that are in no kernel which this process has loaded or compiled."""
    for module in _kernel_modules(game):
        importlib.import_module(module)
    ready = contents_of(*(kernel.dispatcher for kernel in KERNELS.values() if kernel.types))
    return sorted(
        title for title, kernel in KERNELS.items() if _is_of(game, title) and kernel.dispatcher not in ready
    )


def _is_of(game: str, title: str) -> bool:
    return title.startswith(f"croupier.{game}.") and not title.startswith(LEFT_OUT)


def _kernel_modules(game: str) -> list[str]:
    """Find the modules of a game that hold kernels, by their text: importing them all would load plotting libraries."""
    return [
        ".".join(("croupier", *path.relative_to(_PACKAGE).with_suffix("").parts))
        for path in sorted((_PACKAGE / game).rglob("*.py"))
        if _HOLDS_KERNELS in path.read_text(encoding="utf-8")
    ]


def _called(game: str, work: Callable[[], None], progress: Progress) -> None:
    """Do some work that reaches every kernel of a game."""

    def tell() -> None:
        missing = len(unprepared_kernels(game))
        total = sum(_is_of(game, title) for title in KERNELS)
        progress(total - missing, total)

    tell()
    LISTENERS.append(tell)
    try:
        work()
    finally:
        LISTENERS.remove(tell)


def _try_banluck() -> None:
    from croupier import banluck  # noqa: PLC0415 - a game is loaded when it is prepared
    from croupier.banluck.solvers.algorithm import Algorithm  # noqa: PLC0415

    solution = banluck.solve()
    for algorithm in Algorithm:
        banluck.solve(algorithm=algorithm, tolerance=0.01)
    _ = solution.chart, solution.dealer_chart, solution.outcomes
    banluck.baseline(solution.rules)
    banluck.simulate(solution, hands=1000, seed=1)


def _try_blackjack() -> None:
    from croupier import blackjack  # noqa: PLC0415 - a game is loaded when it is prepared

    rules = blackjack.Rules(decks=1)
    best = blackjack.analyse(rules)
    _ = best.edge, best.standard_deviation
    best.values("8,8", up="T")
    blackjack.analyse(blackjack.Rules(decks="infinite"))
    blackjack.analyse(blackjack.rules("spanish-21", decks=1))
    blackjack.price(rules, best.chart)
    for seats in (1, 3):
        blackjack.simulate(rules, best.chart, rounds=1000, seats=seats, seed=1)
    blackjack.simulate(rules, best.chart, rounds=1000, side_bets=True, seed=1)
    blackjack.simulate(blackjack.Rules(), best.chart, rounds=1000, seed=1)
    blackjack.count(rules, rounds=1000, seed=1)
    profile = blackjack.profile(rules, rounds=1000, seed=1)
    blackjack.profile(rules, rounds=1000, seed=1, others=1, other_chart=best.chart)
    profile.answer("0:1,1:4")
    profile.play("0:1,1:4", rounds=1000, seed=1)
    blackjack.index_values(rules, play_best=1, rounds=1000, seed=1)
    profile.play_bankrolls("0:1,1:4", trips=1, hours=1, seed=1)
    for fitness in ("exact", "simulated"):
        blackjack.evolve(rules, fitness=fitness, rounds=20_000, population=4, generations=1, seed=1)


def _prepare_durak(progress: Progress) -> None:
    """Compile the searches of ``durak-master``: for two players one piece of machine code, for variants kernels."""
    from croupier.durak.players.native_code import native_code  # noqa: PLC0415 - a game is loaded when it is prepared
    from croupier.durak.players.variant_master import load_kernels  # noqa: PLC0415

    progress(0, 2)
    native_code()
    progress(1, 2)
    load_kernels()
    progress(2, 2)


GAMES: dict[str, Callable[[Progress], None]] = {
    "banluck": lambda progress: _called("banluck", _try_banluck, progress),
    "blackjack": lambda progress: _called("blackjack", _try_blackjack, progress),
    "durak": _prepare_durak,
}
