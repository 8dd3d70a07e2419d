"""The simulation of the blackjack simulator: started, watched as it runs, stopped, found again."""

from functools import partial

from nicegui import ui

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.phrases import money, rules_summary
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.runs import SimulationPlan
from croupier.numerics.streams import fresh_seed
from croupier.texts import figure, say
from croupier.web.jobs import Job, JobState, Lane, Status
from croupier.web.models.blackjack_plots import simulation_plot
from croupier.web.models.blackjack_simulator import (
    SimulationShow,
    cut_card_note,
    run_simulation,
    saved_simulation,
    verify_simulation,
)
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

_JOB = "blackjack-simulate"


class SimulationPanel:
    """Plays the best chart of the page's rules over many rounds."""

    def __init__(self, services: Services, visit: Visit, rules: BlackjackRules) -> None:
        self.rules = rules
        self._services, self._visit = services, visit
        self._job: Job[SimulationShow] | None = services.jobs.find(visit.visitor, _JOB)
        self._drawn: SimulationShow | None = None
        with tag(
            "section", classes="sheet stack", aria_label=say("simulator.play.title"), data_testid="simulation"
        ):
            tag("h2", say("simulator.play.title"))
            tag("p", say("simulator.play.help"), "quiet")
            with tag("div", classes="line"):
                self._rounds = number_field("rounds", 20_000_000, "sim-rounds")
                self._seed = number_field("seed", fresh_seed(), "sim-seed")
                self._bet = number_field("bet", 10, "sim-bet")
                button(say("simulator.start"), "sim-start", self._start, is_main=True)
                self._stop_button = button(say("simulator.stop"), "sim-stop", self._stop)
                self._saved = saved_run_field("sim-run", self._resume)
            self._status = tag("p", classes="quiet", role="status", data_testid="sim-status")
            self._bar = ui.linear_progress(0.0, show_value=False)
            self._bar.props["aria-label"] = visit.texts("simulator.progress")
            self._figures = Drawing(self._draw_figures)
            with tag("div", classes="simulated"):
                self._outcomes = Drawing(self._draw_outcomes)
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
        self._outcomes.refresh()
        if show.points:
            self._draw(show)

    def _draw(self, show: SimulationShow) -> None:
        if self._plot is None:
            with self._plot_place:
                self._plot = plotted(simulation_plot(show), say("simulator.play.plot"))
        else:
            self._plot.update_figure(as_dictionary(simulation_plot(show), page_texts()))

    def _start(self) -> None:
        with refusals_shown():
            length = Length(rounds=whole_number(self._rounds, "rounds"))
            self._run(SimulationPlan(self.rules, length=length, seed=whole_number(self._seed, "seed")))

    def _resume(self) -> None:
        with refusals_shown():
            run = whole_number(self._saved, "saved")
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
        return self._visit.texts.shown(_status(state))

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
            fact(say("simulator.rounds"), figure(result.rounds, ","), "sim-played")
            fact(say("simulator.play.mean"), percent(result.value, 4), "sim-value")
            interval = say("simulator.play.from_to", low=signed(100 * low, 4), high=signed(100 * high, 4))
            fact(say("simulator.play.interval"), interval, "sim-interval")
            if show.exact is not None:
                fact(say("simulator.play.exact"), percent(show.exact, 4), "sim-exact")
            fact(say("simulator.play.deviation"), figure(result.std, ".4f"), "sim-std")
            fact(say("simulator.play.rate"), figure(result.rounds_per_second, ",.0f"), "sim-rate")
        if show.exact is not None and (note := cut_card_note(show.plan.rules, result, show.exact)):
            draw("p", note, "quiet", data_testid="sim-note")
        with draw("div", classes="facts"):
            amount = say(
                "simulator.play.amount", mean=signed(bet * result.value, 5), error=bet * result.stderr
            )
            fact(say("simulator.play.money", bet=money(bet)), amount, "sim-money")
            fact(say("simulator.play.swing"), figure(bet * result.std, ".2f"), "sim-swing")
            if result.rounds_per_shoe is not None:
                fact(say("simulator.play.per_shoe"), figure(result.rounds_per_shoe, ".2f"), "sim-per-shoe")

    def _draw_outcomes(self) -> None:
        show = self._drawn
        if show is None or show.result is None:
            return
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table", data_testid="sim-outcomes"),
        ):
            with draw("thead"), draw("tr"):
                for heading in ("ended", "hands", "share", "mean_bets"):
                    draw("th", say(f"simulator.play.{heading}"), scope="col")
            with draw("tbody"):
                for outcome, share in show.result.outcomes.items():
                    with draw("tr"):
                        draw("td", say(f"simulator.outcome.{outcome.name.lower()}"))
                        draw("td", figure(share.count, ","), "number")
                        draw("td", figure(share.share, ".4%"), "number")
                        draw("td", signed(share.mean, 4), "number")


def _status(state: JobState[SimulationShow]) -> str:
    show: SimulationShow | None = state.newest
    match state.status:
        case Status.FAILED:
            return state.error
        case Status.RUNNING if show is None or show.result is None:
            return say("simulator.play.computing")
        case _ if show is None or show.result is None:
            return say("simulator.play.stopped_early")
    key = {Status.RUNNING: "running", Status.DONE: "done", Status.STOPPED: "stopped"}[state.status]
    return say(
        f"simulator.play.{key}",
        played=_played(show.result.rounds, show.plan.length),
        seed=str(show.plan.seed),
        run=show.run,
        rules=rules_summary(show.plan.rules),
    )


def _played(rounds: int, length: Length) -> str:
    """Say how many rounds were played, and of how many where that is known; a run of the terminal may end otherwise."""
    if length.rounds is None:
        return figure(rounds, ",")
    return say("simulator.play.of", rounds=rounds, all=length.rounds)
