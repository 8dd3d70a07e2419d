"""``croupier banluck simulate``: from names of strategies to counted hands, saved and gone on with if asked to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import typer

from croupier.banluck.analysis.simulator import simulate, strategy_digest
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.cli.progress import progress_bar
from croupier.cli.saving import Saving
from croupier.errors import InputError
from croupier.runs.executors import open_executor, verify_workers
from croupier.runs.run import Run


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What to deal: everything that decides the counts."""

    rules: BanluckRules
    player: str
    dealer: str
    hands: int
    seed: int

    @classmethod
    def of_run(cls, run: Run) -> Self:
        """Read the plan that a saved run was begun with."""
        names: Mapping[str, Any] = run.parameters
        return cls(BanluckRules.create(run.rules), names["player"], names["dealer"], names["hands"], run.seed)

    def strategies(self) -> tuple[PlayerStrategy, DealerStrategy]:
        """Find the strategies by name; the game is solved only if one of them needs it."""
        if self.dealer not in ("equilibrium", "classic"):
            raise InputError(f"dealer '{self.dealer}': choose equilibrium or classic")
        stand_total = self.player.removeprefix("stand-on-")
        is_stand = (
            self.player.startswith("stand-on-") and stand_total.isdecimal() and 2 <= int(stand_total) <= 21
        )
        if self.player not in ("equilibrium", "baseline", "chart") and not is_stand:
            raise InputError(
                f"player '{self.player}': choose equilibrium, baseline, chart, or stand-on-N with N from 2 to 21"
            )
        solution = None
        if "equilibrium" in (self.player, self.dealer) or self.player == "chart":
            from croupier.cli.banluck_solving import solve

            solution = solve(self.rules)
        dealer = solution.dealer if solution and self.dealer == "equilibrium" else classic_dealer(self.rules)
        if is_stand:
            return stand_on(int(stand_total), self.rules), dealer
        if self.player == "baseline" or solution is None:
            from croupier.banluck.solvers.baseline import solve_baseline

            return solve_baseline(self.rules).player, dealer
        if self.player == "chart":
            from croupier.banluck.analysis.chart import player_chart
            from croupier.banluck.analysis.strategy_book import StrategyBook

            book = StrategyBook(solution.player, solution.dealer, self.rules)
            return player_chart(solution, book).strategy, dealer
        return solution.player, dealer


def show_simulation(
    plan: SimulationPlan, saving: Saving, workers: int | None, cluster: str | None, *, as_json: bool
) -> None:
    """Deal hands between two strategies and print what was counted."""
    verify_workers(workers, cluster)
    saved = saving.saved_run()
    plan = plan if saved is None else SimulationPlan.of_run(saved)
    player, dealer = plan.strategies()
    parameters = {
        "player": plan.player,
        "dealer": plan.dealer,
        "hands": plan.hands,
        "strategies": strategy_digest(player, dealer),
    }
    with (
        saving.recording(plan.rules.model_dump(mode="json"), parameters, plan.seed) as recording,
        open_executor(workers, cluster, threads=True) as executor,
        progress_bar("dealing", unit="hands") as report,
    ):
        result = simulate(
            player,
            dealer,
            plan.rules,
            hands=plan.hands,
            seed=plan.seed,
            progress=report,
            executor=executor,
            recording=recording,
        )
    if as_json:
        number = {} if recording is None else {"run": recording.run.id}
        typer.echo(json.dumps(result.to_dict() | {"player": plan.player, "dealer": plan.dealer} | number))
    else:
        typer.echo(str(result))
