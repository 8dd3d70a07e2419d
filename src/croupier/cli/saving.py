"""What ``--workers``, ``--cluster``, ``--save``, ``--resume`` and ``--store`` mean to every command whose runs can be resumed."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import typer

from croupier.cli.option_groups import OptionGroup
from croupier.cli.options import ClusterOption, ResumeOption, SaveOption, StoreOption, WorkersOption
from croupier.errors import InputError
from croupier.runs.plan import Plan

if TYPE_CHECKING:
    from croupier.runs.execution import Execution
    from croupier.runs.run import Run
    from croupier.runs.store import Recording

PlanT = TypeVar("PlanT", bound=Plan)

#: Options allowed beside ``--resume``: where to work and what to write, not what to compute.
_BESIDE_RESUME = {
    "workers",
    "cluster",
    "save",
    "resume",
    "store",
    "as_json",
    "csv",
    "plot",
    "animation",
    "card",
    "cells",
    "device",
}


@dataclass(frozen=True, slots=True)
class Saving:
    """Where a run is executed, and whether and where it is saved.

    Attributes
    ----------
    kind
        The command, such as ``banluck simulate``.
    save
        Whether a new run is kept.
    resume
        The run to resume, if there is one.
    store
        The store; the default one if there is none.
    workers, cluster
        How many workers of this machine, or the address of a cluster.
    """

    kind: str
    save: bool
    resume: int | None
    store: str | None
    workers: int | None = None
    cluster: str | None = None

    def verify(self, context: typer.Context) -> None:
        """Refuse wrong workers, a wrong store or a wrong run, before any work.

        Parameters
        ----------
        context
            Which options were given: beside ``--resume``, only those that say where to work and what to print.
        """
        resume = self.resume
        if self.store is not None and not self.save and resume is None:
            raise InputError("--store goes with --save or --resume")
        given = [name for name in context.params if _is_given(context, name)] if resume is not None else []
        for name in given:
            if name not in _BESIDE_RESUME:
                option = f"--{name.strip('_').replace('_', '-')}"
                raise InputError(
                    f"{option}: run {resume} is resumed with the options it was saved with; leave it out"
                )
        self.saved_run()
        if self.save and resume is None:
            from croupier.runs.store import open_store

            with open_store(self.store, create=True):
                pass
        from croupier.runs.executors import verify_workers

        verify_workers(self.workers, self.cluster)

    def saved_run(self) -> "Run | None":
        """Return the run to resume, if there is one."""
        if self.resume is None:
            return None
        from croupier.runs.resuming import interrupted_run

        return interrupted_run(self.store, self.kind, self.resume)

    def chosen(self, plan: PlanT) -> PlanT:
        """Return the plan of the run to resume, or else this one."""
        saved = self.saved_run()
        return plan if saved is None else plan.of_run(saved)

    @contextmanager
    def execution(self, plan: Plan, *, doing: str, unit: str) -> Iterator["Execution"]:
        """Open all that a run in blocks is executed with: its recording, its workers, and a progress bar."""
        from croupier.cli.progress import progress_bar
        from croupier.runs.executors import open_executor

        with (
            self.recording(plan) as recording,
            open_executor(self.workers, self.cluster, threads=True) as executor,
            progress_bar(doing, unit=unit) as report,
        ):
            yield {"executor": executor, "progress": report, "recording": recording}

    @contextmanager
    def recording(self, plan: Plan) -> Iterator["Recording | None"]:
        """Record the run if it is to be saved; print its number, and after Ctrl-C how to resume it.

        Parameters
        ----------
        plan
            The definition of the run. A saved run must have the same.
        """
        if not self.save and self.resume is None:
            yield None
            return
        from croupier.runs.resuming import open_recording

        with open_recording(self.store, plan, resume=self.resume) as recording:
            typer.echo(f"croupier: saving as run {recording.run.id}", err=True)
            try:
                yield recording
            except KeyboardInterrupt:
                where = "" if self.store is None else f" --store {shlex.quote(self.store)}"
                typer.echo(
                    f"croupier: {recording.blocks} blocks are saved; resume with: croupier {self.kind} --resume {recording.run.id}{where}",
                    err=True,
                )
                raise


def run_number(recording: "Recording | None") -> dict[str, int | None]:
    """Return the number of a saved run as a JSON output names it; null if the run is not saved."""
    return {"run": None if recording is None else recording.run.id}


def saving_options(kind: str, *, on_clusters: bool = True) -> OptionGroup:
    """Return ``--workers``, ``--cluster`` (where the command has it), ``--save``, ``--resume`` and ``--store`` as one parameter."""

    def anywhere(
        context: typer.Context,
        workers: WorkersOption = None,
        cluster: ClusterOption = None,
        save: SaveOption = False,
        resume: ResumeOption = None,
        store: StoreOption = None,
    ) -> Saving:
        saving = Saving(kind, save, resume, store, workers, cluster)
        saving.verify(context)
        return saving

    def here(
        context: typer.Context,
        workers: WorkersOption = None,
        save: SaveOption = False,
        resume: ResumeOption = None,
        store: StoreOption = None,
    ) -> Saving:
        return anywhere(context, workers, None, save, resume, store)

    return OptionGroup(anywhere if on_clusters else here)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
