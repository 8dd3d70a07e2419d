"""Begin a run in a store, or resume one: what command line and web app share."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from croupier.runs.database import StoreError
from croupier.runs.plan import Plan
from croupier.runs.run import Run
from croupier.runs.store import Recording, open_store


def interrupted_run(store: str | None, kind: str, run_id: int) -> Run:
    """Return a saved run that can be resumed; its rules, parameters and seed say what to do.

    Raises
    ------
    StoreError
        If there is no such run, or it cannot be resumed: the message says why.
    """
    with open_store(store) as runs:
        runs.verify_resume(run_id, kind=kind)
        return runs.find(run_id)


@contextmanager
def open_recording(store: str | None, plan: Plan, *, resume: int | None = None) -> Iterator[Recording]:
    """Open what records a run: a new one, or a saved one that is made of the same.

    Parameters
    ----------
    store
        A file or a URL; the user's own store if there is none.
    plan
        What the run is made of.
    resume
        The number of the saved run to resume.

    Raises
    ------
    StoreError
        If the saved run cannot be resumed, or is made of something else.

    Examples
    --------
    >>> import tempfile
    >>> from croupier import blackjack
    >>> from croupier.blackjack.evolution.runs import EvolutionPlan
    >>> exact, simulated = (EvolutionPlan(blackjack.Rules(), fitness, seed=1) for fitness in ("exact", "simulated"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = f"{folder}/runs.sqlite"
    ...     with open_recording(store, exact) as recording:
    ...         print(recording.run.id)
    ...     with open_recording(store, simulated, resume=1):
    ...         pass
    Traceback (most recent call last):
    croupier.runs.database.StoreError: run 1 was saved with different fitness; start a new run
    """
    rules, parameters = plan.rules.model_dump(mode="json"), plan.parameters()
    with open_store(store, create=resume is None) as runs:
        if resume is None:
            recording = runs.begin(plan.kind, rules=rules, parameters=parameters, seed=plan.seed)
        else:
            _verify_same(runs.find(resume), rules, parameters, plan.seed)
            recording = runs.resume(resume, kind=plan.kind)
        with recording:
            yield recording


def _verify_same(run: Run, rules: Mapping[str, Any], parameters: Mapping[str, Any], seed: int) -> None:
    """Compare what a run was saved with; options that came with a later version are not in it and do not count."""
    fresh = json.loads(json.dumps({**parameters, "rules": dict(rules), "seed": seed}))
    fresh["rules"] = {name: value for name, value in fresh["rules"].items() if name in run.rules}
    saved = {**run.parameters, "rules": dict(run.rules), "seed": run.seed}
    changed = [name for name, value in saved.items() if fresh.get(name) != value]
    if changed:
        names = " and ".join(name.replace("_", " ") for name in changed)
        article = "" if names.endswith("s") else "a "
        raise StoreError(f"run {run.id} was saved with {article}different {names}; start a new run")
