"""The simulation of the blackjack simulator: started, watched as it runs, stopped, found again."""

from functools import partial

from nicegui import ui

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.phrases import money, rules_summary
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.result import SimulationResult
from croupier.blackjack.simulation.runs import SimulationPlan
from croupier.numerics.numbers import signed
from croupier.numerics.streams import fresh_seed
from croupier.web.jobs import Job, JobState, Lane, Status
from croupier.web.models.blackjack_plots import simulation_plot
from croupier.web.models.blackjack_simulator import (
    SimulationShow,
    cut_card_note,
    run_simulation,
    saved_simulation,
    verify_simulation,
)
from croupier.web.pages.blackjack_fields import refusals_shown, saved_run_field, whole_number
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.figures import as_dictionary, figure
from croupier.web.parts.language import page_texts
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit

_JOB = "blackjack-simulate"


class SimulationPanel:
    """Plays the best chart of the page's rules over many rounds."""

    def __init__(self, services: Services, visit: Visit, rules: BlackjackRules) -> None:
        self.rules = rules
        self._services, self._visit = services, visit
        self._job: Job[SimulationShow] | None = services.jobs.find(visit.visitor, _JOB)
        self._drawn: SimulationShow | None = None
        with tag("section", classes="sheet stack", aria_label="Simulation", data_testid="simulation"):
            tag("h2", "Simulation")
            tag("p", "Plays the best chart of the rules above from real shoes, cut card and all.", "quiet")
            with tag("div", classes="line"):
                self._rounds = _field("rounds", 20_000_000, "sim-rounds")
                self._seed = _field("seed", fresh_seed(), "sim-seed")
                self._bet = _field("bet", 10, "sim-bet")
                button("Start", "sim-start", self._start, is_main=True)
                self._stop_button = button("Stop", "sim-stop", self._stop)
                self._saved = saved_run_field("sim-run", self._resume)
            self._status = tag("p", classes="quiet", role="status", data_testid="sim-status")
            self._bar = ui.linear_progress(0.0, show_value=False).props('aria-label="progress"')
            self._figures = Drawing(self._draw_figures)
            self._plot_place = tag("div")
            self._plot: ui.plotly | None = None
        self.poll()

    def poll(self) -> None:
        """Show what is new."""
        state = None if self._job is None else self._job.state
        show = None if state is None else state.newest
        self._status.set_text("" if self._job is None else self._status_text(self._job))
        is_running = state is not None and not state.is_over
        self._stop_button.set_visibility(is_running)
        self._bar.set_visibility(is_running)
        if show is None or show is self._drawn:
            return
        self._drawn = show
        self._bar.set_value(show.share)
        self._figures.refresh()
        if show.points:
            self._draw(show)

    def _draw(self, show: SimulationShow) -> None:
        if self._plot is None:
            with self._plot_place:
                self._plot = figure(
                    simulation_plot(show), "Mean by rounds with its interval, against the exact value"
                )
        else:
            self._plot.update_figure(as_dictionary(simulation_plot(show), page_texts()))

    def _start(self) -> None:
        with refusals_shown():
            length = Length(rounds=whole_number(self._rounds, "rounds"))
            self._run(SimulationPlan(self.rules, length=length, seed=whole_number(self._seed, "seed")))

    def _resume(self) -> None:
        with refusals_shown():
            run = whole_number(self._saved, "saved run")
            self._run(saved_simulation(self._services.settings.store, run), run)

    def _run(self, plan: SimulationPlan, resume: int | None = None) -> None:
        bet = float(self._bet.value or 0)
        verify_simulation(plan, bet)
        work = partial(run_simulation, plan, self._services.settings.store, bet=bet, resume=resume)
        self._job = self._services.jobs.start(
            self._visit.visitor, _JOB, work, kind="blackjack_simulation", lane=Lane.LONG
        )
        self.poll()

    def _status_text(self, job: Job[SimulationShow]) -> str:
        state = job.state
        if state.status is Status.WAITING:
            return waiting_text(self._services.jobs, job, self._visit.texts)
        return _status(state)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _draw_figures(self) -> None:
        show = self._drawn
        if show is None or show.result is None:
            return
        result, bet = show.result, show.bet
        low, high = result.interval
        with draw("div", classes="facts"):
            fact("rounds", f"{result.rounds:,}", "sim-played")
            fact("mean", f"{signed(100 * result.value, 4)} %", "sim-value")
            fact("95 % interval", f"{signed(100 * low, 4)} to {signed(100 * high, 4)} %", "sim-interval")
            if show.exact is not None:
                fact("exact, fresh shoe", f"{signed(100 * show.exact, 4)} %", "sim-exact")
            fact("standard deviation", f"{result.std:.4f}", "sim-std")
            fact("rounds a second", f"{result.rounds_per_second:,.0f}", "sim-rate")
        if show.exact is not None and (note := cut_card_note(show.plan.rules, result, show.exact)):
            draw("p", note, "quiet", data_testid="sim-note")
        with draw("div", classes="facts"):
            fact(
                f"a round at {money(bet)}",
                f"{signed(bet * result.value, 5)} ± {bet * result.stderr:.5f}",
                "sim-money",
            )
            fact("swing of a round", f"{bet * result.std:.2f}", "sim-swing")
            if result.rounds_per_shoe is not None:
                fact("rounds a shoe", f"{result.rounds_per_shoe:.2f}", "sim-per-shoe")
        _draw_outcomes(result)


def _draw_outcomes(result: SimulationResult) -> None:
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="sim-outcomes"),
    ):
        with draw("thead"), draw("tr"):
            for heading in ("how hands ended", "hands", "share", "mean, bets"):
                draw("th", heading, scope="col")
        with draw("tbody"):
            for outcome, share in result.outcomes.items():
                with draw("tr"):
                    draw("td", str(outcome))
                    draw("td", f"{share.count:,}", "number")
                    draw("td", f"{share.share:.4%}", "number")
                    draw("td", signed(share.mean, 4), "number")


def _status(state: JobState[SimulationShow]) -> str:
    show: SimulationShow | None = state.newest
    match state.status:
        case Status.FAILED:
            return state.error
        case Status.RUNNING if show is None or show.result is None:
            return "Computing the chart."
        case _ if show is None or show.result is None:
            return "Stopped before the first rounds."
    word = {Status.RUNNING: "Playing", Status.DONE: "Done", Status.STOPPED: "Stopped"}[state.status]
    return (
        f"{word}: {show.result.rounds:,}{_of(show.plan.length)} rounds, seed {show.plan.seed}, saved as run {show.run}. "
        f"{rules_summary(show.plan.rules)}"
    )


def _of(length: Length) -> str:
    """Say how many rounds there are to play, where that is known; a run of the terminal may end otherwise."""
    return "" if length.rounds is None else f" of {length.rounds:,}"


def _field(name: str, value: float, mark: str) -> ui.number:
    return (
        ui.number(name, value=value, format="%d")
        .props(f'outlined dense data-testid="{mark}"')
        .classes("lab-field")
    )
