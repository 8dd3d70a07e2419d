"""The blackjack simulator: simulations and evolutions as a page shows them while they run."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from croupier.blackjack.engine import BlackjackRules, verify_bet
from croupier.blackjack.evolution.breeding import Population
from croupier.blackjack.evolution.evolved_chart import EvolvedChart, Judge
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool, Genes
from croupier.blackjack.evolution.runs import EvolutionPlan
from croupier.blackjack.play.cells import chart_book
from croupier.blackjack.play.phrases import row_phrase
from croupier.blackjack.simulation.result import SimulationResult
from croupier.blackjack.simulation.runs import SimulationPlan
from croupier.blackjack.solvers.analysis import analyse
from croupier.blackjack.solvers.chart import UP_CARDS, Chart
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.pricing import CellPrice
from croupier.errors import InputError
from croupier.runs.resuming import interrupted_run, open_recording
from croupier.texts import figure, say
from croupier.web.models.comparison import Summary

#: The longest run that a page starts: some minutes.
MOST_ROUNDS = 10_000_000_000

#: Points of a live plot; older ones are thinned out when there are more.
MOST_POINTS = 300


def verify_simulation(plan: SimulationPlan, bet: float) -> None:
    """Raise unless a page can play a plan, and the table takes the bet that it is shown for.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules
    >>> from croupier.blackjack.simulation.length import Length
    >>> verify_simulation(SimulationPlan(BlackjackRules(), length=Length(rounds=0), seed=1), bet=1)
    Traceback (most recent call last):
    croupier.errors.InputError: rounds = 0: at least 1 round has to be played
    """
    plan.verify()
    if (plan.length.rounds or 0) > MOST_ROUNDS:
        raise InputError(f"rounds = {plan.length.rounds}: a page plays at most {MOST_ROUNDS}")
    verify_bet(plan.rules, bet)


def cell_phrase(row: str, up_card: str) -> str:
    """Name a cell of a chart.

    >>> cell_phrase("soft 18", "9"), cell_phrase("T,T", "6"), cell_phrase("16", "soft 17")
    ('Soft 18 against 9', '10,10 against 6', 'Hard 16 against soft 17')
    """
    kind = "pair" if "," in row else "soft" if "soft" in row else "hard"
    shown = row.removeprefix("soft ").replace("T", "10")
    return say(f"simulator.{kind}", row=shown, up_card=row_phrase(up_card))


def summarized(rules: BlackjackRules, report: Callable[[object], None] = lambda _: None) -> Summary:
    """Solve rules for a comparison: the edge of the best chart, and its code for every cell.

    >>> found = summarized(BlackjackRules(decks="infinite"))
    >>> found.cells["Hard 16 against 10"]
    'H'
    """
    book = chart_book(rules, report)
    cells = {cell_phrase(*place): cell.code for place, cell in book.cells.items()}
    return Summary(book.analysis.chart_edge, cells)


def cut_card_note(rules: BlackjackRules, result: SimulationResult, exact: float) -> str:
    """Say why a simulation from shoes differs from the exact value of a fresh shoe, and by how much; empty without a cut card.

    Parameters
    ----------
    rules
        The rules.
    result
        What has been counted.
    exact
        The exact value of a round from a fresh shoe.
    """
    if rules.shuffle != "shoe" or rules.decks == "infinite":
        return ""
    low, high = (100 * (bound - exact) for bound in result.interval)
    return say(
        "simulator.play.cut_card",
        difference=figure(100 * (result.value - exact), "+.4f"),
        low=figure(low, "+.4f"),
        high=figure(high, "+.4f"),
    )


def saved_simulation(store: str | None, run: int) -> SimulationPlan:
    """Read the plan of a saved run, of this page or of ``croupier blackjack simulate --save``, to be resumed."""
    return SimulationPlan.of_run(interrupted_run(store, SimulationPlan.kind, run))


def saved_evolution(store: str | None, run: int) -> EvolutionPlan:
    """Read the plan of a saved run, of this page or of ``croupier blackjack evolve --save``, to be resumed."""
    return EvolutionPlan.of_run(interrupted_run(store, EvolutionPlan.kind, run))


@dataclass(frozen=True, slots=True)
class Point:
    """How a simulation stood at some moment: rounds, their mean, and its 95 % interval."""

    rounds: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class SimulationShow:
    """What a page shows of a simulation.

    Attributes
    ----------
    plan, bet
        What is played, and the bet for which money is shown.
    exact
        The exact value of the chart from a fresh shoe, per initial bet.
    points
        How the mean has moved.
    result
        What has been counted so far; None while the chart is being computed.
    run
        Its number in the store.
    """

    plan: SimulationPlan
    bet: float = 1.0
    exact: float | None = None
    points: tuple[Point, ...] = ()
    result: SimulationResult | None = None
    run: int | None = None

    @property
    def share(self) -> float:
        """How much of it is done, where its length is known."""
        rounds = self.plan.length.rounds
        return 0.0 if self.result is None or rounds is None else self.result.rounds / rounds


def run_simulation(
    plan: SimulationPlan,
    store: str | None,
    report: Callable[[SimulationShow], None],
    *,
    bet: float = 1.0,
    resume: int | None = None,
) -> SimulationShow:
    """Play a plan, show how it goes, and save it as ``croupier blackjack simulate --save`` does.

    Parameters
    ----------
    plan
        What to play.
    store
        Where runs are kept.
    report
        Told after every block of rounds; if it raises, the run is saved as interrupted and can be resumed.
    bet
        The bet for which money is shown.
    resume
        The saved run to resume; ``plan`` must be its own.
    """
    verify_simulation(plan, bet)
    report(SimulationShow(plan, bet))
    if plan.chart is None:
        best = analyse(plan.rules)
        prepared, exact = replace(plan, chart=best.chart), best.chart_edge
    else:
        prepared, exact = plan, chart_value(plan.rules, plan.chart)
    points: list[Point] = []
    with open_recording(store, prepared, resume=resume) as recording:

        def shown(result: SimulationResult) -> SimulationShow:
            points.append(Point(result.rounds, result.value, *result.interval))
            points[:] = thinned(points)
            return SimulationShow(plan, bet, exact, tuple(points), result, recording.run.id)

        result = prepared.run(workers=1, watch=lambda result: report(shown(result)), recording=recording)
    return SimulationShow(plan, bet, exact, tuple(points), result, recording.run.id)


def thinned(points: list[Point], most: int = MOST_POINTS) -> list[Point]:
    """Leave out every second point, but not the last, when there are too many.

    >>> points = [Point(rounds, 0.0, 0.0, 0.0) for rounds in range(1, 7)]
    >>> [point.rounds for point in thinned(points, most=5)]
    [2, 4, 6]
    """
    return points if len(points) <= most else points[::-1][::2][::-1]


@dataclass(frozen=True, slots=True)
class GenerationShow:
    """One generation: its best and mean as its fitness sees them, and what its leader exactly loses to the best chart."""

    number: int
    best: float
    mean: float
    loss: float


@dataclass(frozen=True, slots=True)
class EvolutionReport:
    """What an evolution came to, exactly."""

    value: float
    optimum: float
    loss: float
    differences: tuple[CellPrice, ...]
    free_differences: int
    evaluated: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class EvolutionShow:
    """What a page shows of an evolution.

    Attributes
    ----------
    plan
        What is bred.
    optimum
        The exact value of the best chart.
    generations
        All generations so far.
    table
        The leader's chart.
    differing
        The cells in which it is not the best chart.
    report
        The end, when it is over.
    run
        Its number in the store.
    """

    plan: EvolutionPlan
    optimum: float | None = None
    generations: tuple[GenerationShow, ...] = ()
    table: Chart | None = None
    differing: frozenset[tuple[str, str]] = frozenset()
    report: EvolutionReport | None = None
    run: int | None = None


def run_evolution(
    plan: EvolutionPlan,
    store: str | None,
    report: Callable[[EvolutionShow], None],
    *,
    resume: int | None = None,
) -> EvolutionShow:
    """Breed charts, show every generation, and save it as ``croupier blackjack evolve --save`` does.

    Parameters
    ----------
    plan
        What to breed.
    store
        Where runs are kept.
    report
        Told after every generation; if it raises, the run is saved as interrupted and can be resumed.
    resume
        The saved run to resume; ``plan`` must be its own.
    """
    plan.verify()
    report(EvolutionShow(plan))
    pool = GenePool(plan.rules)
    latest = EvolutionShow(plan)
    with open_recording(store, plan, resume=resume) as recording:

        def on_generation(population: Population, judge: Judge) -> None:
            nonlocal latest
            known = latest.generations
            new = (
                GenerationShow(line.number, line.best, line.mean, judge.loss(line.leader))
                for line in population.history[len(known) :]
            )
            leader = population.history[-1].leader
            latest = EvolutionShow(
                plan=plan,
                optimum=judge.optimum,
                generations=(*known, *new),
                table=pool.chart(leader),
                differing=differing_cells(leader, judge.best),
                run=recording.run.id,
            )
            report(latest)

        evolved = plan.run(workers=1, on_generation=on_generation, recording=recording)
    cells = frozenset((cell.row, cell.up_card) for cell in (*evolved.differences, *evolved.free_differences))
    return replace(latest, table=evolved.chart, differing=cells, report=_ending(evolved))


def differing_cells(genome: Genes, best: Genes) -> frozenset[tuple[str, str]]:
    """Return the cells in which one chart's genes are not another's."""
    return frozenset(
        (GENE_ROWS[row], UP_CARDS[up_card])
        for up_card in range(len(UP_CARDS))
        for row in range(len(GENE_ROWS))
        if genome[up_card, row] != best[up_card, row]
    )


def _ending(evolved: EvolvedChart) -> EvolutionReport:
    return EvolutionReport(
        evolved.value,
        evolved.optimum,
        evolved.loss,
        evolved.differences,
        len(evolved.free_differences),
        sum(line.evaluated for line in evolved.history),
        evolved.seconds,
    )
