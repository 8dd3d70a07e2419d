"""The evolution of the blackjack simulator: charts bred before one's eyes, and judged exactly at the end."""

from functools import partial

from nicegui import ui

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.evolution.runs import FITNESSES, EvolutionPlan, evolution_plan
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.solvers.chart import Chart
from croupier.numerics.streams import fresh_seed
from croupier.texts import figure, say
from croupier.web.jobs import Job, JobState, Lane, Status
from croupier.web.models.blackjack_plots import evolution_plot
from croupier.web.models.blackjack_simulator import (
    EvolutionReport,
    EvolutionShow,
    run_evolution,
    saved_evolution,
)
from croupier.web.pages.blackjack_chart import ChartGrid, Place
from croupier.web.pages.blackjack_fields import (
    number_field,
    percent,
    refusals_shown,
    saved_run_field,
    signed,
    whole_number,
)
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.figures import as_dictionary
from croupier.web.parts.figures import figure as plotted
from croupier.web.parts.language import page_texts
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit

_JOB = "blackjack-evolve"
_SHOWN_DIFFERENCES = 15


class EvolutionPanel:
    """Breeds charts for the page's rules."""

    def __init__(self, services: Services, visit: Visit, rules: BlackjackRules) -> None:
        self._services, self._visit = services, visit
        self._job: Job[EvolutionShow] | None = services.jobs.find(visit.visitor, _JOB)
        self._drawn: EvolutionShow | None = None
        with tag(
            "section", classes="sheet stack", aria_label=say("simulator.breed.title"), data_testid="evolution"
        ):
            tag("h2", say("simulator.breed.title"))
            tag("p", say("simulator.breed.help"), "quiet")
            self._reason = tag("p", say("simulator.breed.open"), data_testid="evo-reason")
            self._form = tag("div", classes="line")
            with self._form:
                self._fitness = (
                    ui.select(
                        {name: visit.texts(f"simulator.breed.{name}") for name in FITNESSES},
                        value="exact",
                        label=visit.texts("simulator.breed.fitness"),
                    )
                    .props('outlined dense data-testid="evo-fitness"')
                    .classes("lab-field")
                )
                self._population = number_field("breed.population", 80, "evo-population")
                self._generations = number_field("breed.generations", 150, "evo-generations")
                self._races = number_field("breed.races", 1_000_000, "evo-rounds")
                self._seed = number_field("seed", fresh_seed(), "evo-seed")
                button(say("simulator.start"), "evo-start", self._start, is_main=True)
                self._stop_button = button(say("simulator.stop"), "evo-stop", self._stop)
                self._saved = saved_run_field("evo-run", self._resume)
            self._status = tag("p", classes="quiet", role="status", data_testid="evo-status")
            self._plot_place = tag("div")
            self._plot: ui.plotly | None = None
            self._report = Drawing(self._draw_report)
            self._place = tag("div")
            self._chart: ChartGrid | None = None
        self.take_rules(rules)
        self.poll()

    def take_rules(self, rules: BlackjackRules) -> None:
        """Breed for these rules; where charts cannot be bred, say why and offer nothing."""
        self._rules = rules
        is_bred = rules.hole_card != "open"
        self._form.set_visibility(is_bred)
        self._reason.set_visibility(not is_bred)

    def poll(self) -> None:
        """Show what is new."""
        state = None if self._job is None else self._job.state
        show = None if state is None else state.newest
        self._status.set_text("" if self._job is None else self._status_text(self._job))
        self._stop_button.set_visibility(state is not None and not state.is_over)
        if show is None or show is self._drawn:
            return
        self._drawn = show
        if show.generations:
            self._draw(show)
        self._report.refresh()
        if show.table is not None:
            self._show_chart(show.table, show.differing)

    def _draw(self, show: EvolutionShow) -> None:
        if self._plot is None:
            with self._plot_place:
                self._plot = plotted(evolution_plot(show), say("simulator.breed.plot"))
        else:
            self._plot.update_figure(as_dictionary(evolution_plot(show), page_texts()))

    def _start(self) -> None:
        with refusals_shown():
            plan = evolution_plan(
                self._rules,
                fitness=str(self._fitness.value),
                rounds=whole_number(self._races, "breed.races"),
                population=whole_number(self._population, "breed.population"),
                generations=whole_number(self._generations, "breed.generations"),
                seed=whole_number(self._seed, "seed"),
            )
            self._run(plan)

    def _resume(self) -> None:
        with refusals_shown():
            run = whole_number(self._saved, "saved")
            self._run(saved_evolution(self._services.settings.store, run), run)

    def _run(self, plan: EvolutionPlan, resume: int | None = None) -> None:
        plan.verify()
        work = partial(run_evolution, plan, self._services.settings.store, resume=resume)
        self._job = self._services.jobs.start(
            self._visit.visitor, _JOB, work, kind="blackjack_evolution", lane=Lane.LONG
        )
        self.poll()

    def _status_text(self, job: Job[EvolutionShow]) -> str:
        state = job.state
        if state.status is Status.WAITING:
            return waiting_text(self._services.jobs, job, self._visit.texts)
        return self._visit.texts.shown(_status(state))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _show_chart(self, table: Chart, differing: frozenset[Place]) -> None:
        if self._chart is None:
            with self._place:
                self._chart = ChartGrid(say("simulator.breed.leader_chart"), "leader")
        self._chart.mark_differing(_codes(table), differing)

    def _draw_report(self) -> None:
        if self._drawn is None or not self._drawn.generations:
            return
        line = self._drawn.generations[-1]
        with draw("div", classes="facts"):
            fact(say("simulator.breed.generation"), f"{line.number}", "evo-generation")
            fact(say("simulator.breed.best_score"), percent(line.best, 4), "evo-best")
            fact(say("simulator.breed.mean_score"), percent(line.mean, 4), "evo-mean")
            loss = say("simulator.percent", number=figure(100 * line.loss, ".5f"))
            fact(say("simulator.breed.leader_loss"), loss, "evo-loss")
            fact(say("simulator.breed.differing"), f"{len(self._drawn.differing)}", "evo-differing")
        if self._drawn.report is not None:
            _draw_ending(self._drawn.report)


def _draw_ending(report: EvolutionReport) -> None:
    told = say(
        "simulator.breed.report",
        value=signed(100 * report.value, 6),
        loss=report.loss,
        optimum=signed(100 * report.optimum, 6),
        columns=report.evaluated,
        seconds=report.seconds,
        free=report.free_differences,
    )
    draw("p", told, data_testid="evo-report")
    if not report.differences:
        draw("p", say("simulator.breed.perfect"), "good", data_testid="evo-perfect")
        return
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="evo-differences"),
    ):
        with draw("thead"), draw("tr"):
            for heading in ("hand", "up_card", "evolved", "best", "cost"):
                draw("th", say(f"simulator.breed.{heading}"), scope="col")
        with draw("tbody"):
            for difference in report.differences[:_SHOWN_DIFFERENCES]:
                with draw("tr"):
                    for text in (difference.row, difference.up_card, difference.code, difference.best_code):
                        draw("td", text)
                    draw("td", figure(difference.cost, ".7f"), "number")
    rest = len(report.differences) - _SHOWN_DIFFERENCES
    if rest > 0:
        draw("p", say("simulator.breed.more", count=rest), "quiet")


def _codes(table: Chart) -> dict[Place, str]:
    return {place: code.value for place, code in table.cells.items()}


def _status(state: JobState[EvolutionShow]) -> str:
    show: EvolutionShow | None = state.newest
    match state.status:
        case Status.FAILED:
            return state.error
        case Status.RUNNING if show is None or not show.generations:
            return say("simulator.breed.preparing")
        case _ if show is None or not show.generations:
            return say("simulator.breed.stopped_early")
    key = {Status.RUNNING: "running", Status.DONE: "done", Status.STOPPED: "stopped"}[state.status]
    return say(
        f"simulator.breed.{key}",
        number=show.generations[-1].number,
        most=show.plan.breeding.generations,
        fitness=say(f"simulator.breed.{show.plan.fitness}"),
        seed=str(show.plan.seed),
        run=show.run,
        rules=rules_summary(show.plan.rules),
    )
