"""Saved runs: resumed as if nothing had happened, and refused, unharmed, when they are not what was asked for."""

import io
import json
import pickle
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.checkpoint import CheckpointError, load_run, save_run
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.banluck.solvers.regret_minimisation import REGRET_ALGORITHMS, RegretRun, solve_equilibrium
from croupier.files import FileError

REFERENCE = BanluckRules()
SINGAPORE = BANLUCK.preset("singapore").rules
SIDE_ARRAYS = ("regrets", "policy", "plan", "plan_sum")


class Interrupted(Exception):  # noqa: N818 - what happened, not what went wrong
    """Stops a run in the middle, as Ctrl-C would."""


def bits(run: RegretRun) -> dict[str, object]:
    """Return everything that a run carries on, except how long it took, to the last bit."""
    arrays = {
        f"{name} of {side}": getattr(getattr(run, side), name).tobytes()
        for side in ("player", "dealer")
        for name in SIDE_ARRAYS
    }
    curve = [(point.iteration, point.lower.hex(), point.upper.hex()) for point in run.curve]
    return {**arrays, "curve": curve, "iterations": run.iterations, "weight": run.weight_sum.hex()}


def result(solution: Equilibrium) -> tuple[object, ...]:
    """Return a solution to the last bit, except how long it took."""
    return (
        solution.player.hit.tobytes(),
        solution.dealer.draw.tobytes(),
        solution.dealer.surrender.tobytes(),
        solution.value.hex(),
        solution.lower.hex(),
        solution.upper.hex(),
        solution.iterations,
        [(point.iteration, point.lower.hex(), point.upper.hex()) for point in solution.curve],
    )


def saved(path: Path, rules: BanluckRules = REFERENCE, algorithm: Algorithm = Algorithm.CFR_PLUS) -> Path:
    """Save a short run."""
    run = RegretRun.started(rules, algorithm)
    for _ in range(20):
        run.iterate()
    run.check()
    save_run(run, path)
    return path


def assert_refused(path: Path, complaint: str, error: type[Exception] = CheckpointError) -> None:
    """Check that a file is not loaded, that one line says why, and that the file is as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error, match=complaint) as refusal:
        load_run(path, REFERENCE, Algorithm.CFR_PLUS)
    assert str(path) in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1
    assert (path.read_bytes() if path.is_file() else None) == before


# Resuming


@pytest.mark.parametrize("algorithm", REGRET_ALGORITHMS)
def test_a_run_is_read_back_to_the_last_bit(algorithm: Algorithm, tmp_path: Path) -> None:
    run = RegretRun.started(REFERENCE, algorithm)
    for _ in range(5):
        for _ in range(7):
            run.iterate()
        run.check()
    run.seconds = 1.25
    save_run(run, tmp_path / "run.npz")
    again = load_run(tmp_path / "run.npz", REFERENCE, algorithm)
    assert bits(again) == bits(run)
    assert (again.rules, again.algorithm, again.seconds) == (REFERENCE, algorithm, 1.25)
    for _ in range(3):
        run.iterate()
        again.iterate()
    assert bits(again) == bits(run)


def test_a_run_before_its_first_iteration_is_read_back(tmp_path: Path) -> None:
    run = RegretRun.started(REFERENCE, Algorithm.DCFR)
    save_run(run, tmp_path / "run.npz")
    assert bits(load_run(tmp_path / "run.npz", REFERENCE, Algorithm.DCFR)) == bits(run)


@pytest.mark.parametrize("rules", [REFERENCE, SINGAPORE], ids=["reference", "singapore"])
@pytest.mark.parametrize("algorithm", REGRET_ALGORITHMS)
def test_a_run_interrupted_after_any_check_ends_as_if_it_had_not_been(
    algorithm: Algorithm, rules: BanluckRules, tmp_path: Path
) -> None:
    tolerance = 3e-4 if algorithm is Algorithm.CFR else 1e-5
    whole = solve_equilibrium(rules, algorithm=algorithm, tolerance=tolerance)
    path = tmp_path / "run.npz"
    run: RegretRun | None = None
    checks = 0
    while True:
        # Each sitting lasts one check longer than the one before, until the run is through.
        checks += 1
        try:
            resumed = solve_equilibrium(
                rules, algorithm=algorithm, tolerance=tolerance, run=run, on_check=_stop_after(checks, path)
            )
        except Interrupted:
            run = load_run(path, rules, algorithm)
            continue
        break
    assert checks > 1, "a run that is never interrupted shows nothing"
    assert result(resumed) == result(whole)


def _stop_after(checks: int, path: Path) -> Callable[[RegretRun], None]:
    """Save at every check and interrupt the run after some."""
    left = checks

    def on_check(run: RegretRun) -> None:
        nonlocal left
        save_run(run, path)
        left -= 1
        if left == 0:
            raise Interrupted

    return on_check


def test_a_run_stopped_between_two_checks_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = solve_equilibrium(REFERENCE, algorithm=Algorithm.CFR_PLUS, tolerance=1e-5)
    run = RegretRun.started(REFERENCE, Algorithm.CFR_PLUS)
    solve_equilibrium(REFERENCE, tolerance=1e-5, max_iterations=21, run=run)
    assert run.iterations == 21
    save_run(run, tmp_path / "run.npz")
    again = load_run(tmp_path / "run.npz", REFERENCE, Algorithm.CFR_PLUS)
    assert result(solve_equilibrium(REFERENCE, tolerance=1e-5, run=again)) == result(whole)


def test_a_run_that_had_converged_can_be_asked_for_more(tmp_path: Path) -> None:
    whole = solve_equilibrium(REFERENCE, algorithm=Algorithm.PCFR_PLUS, tolerance=1e-7)
    path = tmp_path / "run.npz"
    solve_equilibrium(REFERENCE, tolerance=1e-4, on_check=lambda run: save_run(run, path))
    again = load_run(path, REFERENCE, Algorithm.PCFR_PLUS)
    assert result(solve_equilibrium(REFERENCE, tolerance=1e-7, run=again)) == result(whole)


def test_a_killed_process_leaves_a_run_that_another_one_finishes(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    script = f"""
import os, signal
from pathlib import Path
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.checkpoint import save_run
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium

def save_and_die(run):
    save_run(run, Path({str(path)!r}))
    if len(run.curve) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

solve_equilibrium(BanluckRules(), tolerance=1e-8, on_check=save_and_die)
"""
    killed = subprocess.run([sys.executable, "-c", script], check=False)
    assert killed.returncode == -signal.SIGKILL
    run = load_run(path, REFERENCE, Algorithm.PCFR_PLUS)
    assert len(run.curve) == 3
    whole = solve_equilibrium(REFERENCE, algorithm=Algorithm.PCFR_PLUS, tolerance=1e-8)
    assert result(solve_equilibrium(REFERENCE, tolerance=1e-8, run=run)) == result(whole)
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_the_time_of_a_resumed_run_goes_on_from_that_of_the_first(tmp_path: Path) -> None:
    run = RegretRun.started(REFERENCE, Algorithm.DCFR)
    run.seconds = 1000.0
    save_run(run, tmp_path / "run.npz")
    again = load_run(tmp_path / "run.npz", REFERENCE, Algorithm.DCFR)
    solution = solve_equilibrium(REFERENCE, tolerance=1e-3, run=again)
    assert solution.seconds >= 1000
    assert all(point.seconds >= 1000 for point in solution.curve)


# Refusing


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999])
def test_a_truncated_file_is_refused(share: float, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert_refused(path, "is not a saved run, or is cut off; it is left as it is")


def test_a_file_without_its_last_byte_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    path.write_bytes(path.read_bytes()[:-1])
    assert_refused(path, "is not a saved run, or is cut off")


def test_random_bytes_are_refused(tmp_path: Path) -> None:
    for length in (1, 6, 100, 10_000):
        path = tmp_path / f"random {length}"
        path.write_bytes(random.Random(length).randbytes(length))
        assert_refused(path, "is not a saved run, or is cut off")


def test_a_damaged_byte_is_refused_or_does_no_harm(tmp_path: Path) -> None:
    """The archive keeps checksums of its arrays, not of its own dates and flags."""
    path = saved(tmp_path / "run.npz")
    data, original = path.read_bytes(), bits(load_run(path, REFERENCE, Algorithm.CFR_PLUS))
    source = random.Random(8)
    with zipfile.ZipFile(path) as archive:
        frames = [range(entry.header_offset, entry.header_offset + 180) for entry in archive.infolist()]
    frames.append(range(len(data) - 800, len(data)))
    places = [source.choice(source.choice(frames)) for _ in range(600)]
    places += [source.randrange(len(data)) for _ in range(100)]
    damaged_path = tmp_path / "damaged.npz"
    refused = 0
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << source.randrange(8)
        damaged_path.write_bytes(damaged)
        try:
            run = load_run(damaged_path, REFERENCE, Algorithm.CFR_PLUS)
        except CheckpointError:
            refused += 1
        else:
            assert bits(run) == original
        assert damaged_path.read_bytes() == bytes(damaged)
    assert refused > len(places) / 2


@pytest.mark.parametrize("text", ["", "{}", "value = 1\n", '{"format": "croupier banluck regret run 1"}'])
def test_a_text_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    assert_refused(path, "is not a saved run")


def test_a_foreign_archive_of_arrays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.npz"
    np.savez(path, weights=np.arange(12.0))
    assert_refused(path, "is not a saved run")


def test_a_foreign_compressed_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.npz"
    np.savez_compressed(path, header=np.zeros(1000))
    assert_refused(path, "is not a saved run")
    path.write_bytes(path.read_bytes().replace(b"header.npy", b"weight.npy"))
    assert_refused(path, "is not a saved run")


def test_a_lone_foreign_array_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.npy"
    np.save(path, np.arange(12.0))
    assert_refused(path, "is not a saved run")


def test_a_foreign_zip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header", '{"format": "croupier banluck regret run 1"}')
        archive.writestr("readme.txt", "no arrays here")
    assert_refused(path, "is not a saved run")


class Bomb:
    """Pickles into a call that leaves a trace."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def test_a_pickle_is_refused_and_never_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    archive, lone = tmp_path / "bomb.npz", tmp_path / "bomb.pkl"
    np.savez(archive, header=np.array([Bomb(trace)], dtype=object))
    lone.write_bytes(pickle.dumps(Bomb(trace)))
    for path in (archive, lone):
        assert_refused(path, "is not a saved run")
    assert not trace.exists()
    pickle.loads(lone.read_bytes())
    assert trace.exists(), "the trap works, so it is the loader that kept away from it"


def test_a_pickle_among_the_arrays_of_a_saved_run_is_refused_and_never_run(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite(path, player_plan=np.array([Bomb(tmp_path / "trace")], dtype=object))
    assert_refused(path, "is not a saved run")
    assert not (tmp_path / "trace").exists()


def rewrite(path: Path, **changes: Any) -> None:
    """Save a run's archive again with other arrays; None leaves one out."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays |= changes
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array for name, array in arrays.items() if array is not None})
    path.write_bytes(buffer.getvalue())


def rewrite_header(path: Path, **changes: object) -> None:
    """Save a run's archive again with other entries in its header; None leaves one out."""
    with np.load(path) as archive:
        header = json.loads(str(archive["header"])) | changes
    rewrite(
        path, header=np.array(json.dumps({key: entry for key, entry in header.items() if entry is not None}))
    )


def test_a_rewritten_archive_is_read_as_long_as_nothing_is_changed(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    run = load_run(path, REFERENCE, Algorithm.CFR_PLUS)
    rewrite_header(path)
    assert bits(load_run(path, REFERENCE, Algorithm.CFR_PLUS)) == bits(run)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("player_regrets", None),
        ("player_plan", np.zeros(3)),
        ("dealer_policy", np.zeros((451, 2), dtype=np.float32)),
        ("dealer_plan_sum", np.full(903, np.nan)),
        ("player_plan_sum", np.array(["text"])),
        ("curve", None),
        ("curve", np.zeros(3)),
        ("curve", np.zeros((2, 3))),
        ("curve", np.full((2, 4), np.nan)),
        ("curve", np.array([["a", "b", "c", "d"]])),
    ],
    ids=lambda entry: entry if isinstance(entry, str) else "",
)
def test_a_run_with_a_damaged_array_is_refused(name: str, array: object, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite(path, **{name: array})
    assert_refused(path, name)


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("iterations", None),
        ("iterations", "many"),
        ("iterations", -1),
        ("weight_sum", None),
        ("weight_sum", []),
        ("weight_sum", float("nan")),
        ("seconds", None),
        ("seconds", {}),
    ],
    ids=str,
)
def test_a_run_with_a_damaged_counter_is_refused(name: str, entry: object, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite_header(path, **{name: entry})
    assert_refused(path, name)


@pytest.mark.parametrize("header", ["[]", "3", '"text"', "not JSON", "null"])
def test_a_run_with_a_damaged_header_is_refused(header: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite(path, header=np.array(header))
    assert_refused(path, "is not a saved run")


def test_a_run_of_a_later_format_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite_header(path, format="croupier banluck regret run 2")
    assert_refused(path, "is not a saved run of this version; it is left as it is")


def test_a_run_of_other_rules_is_refused_and_says_which(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz", REFERENCE.replaced({"reveal": "mandatory", "pays_777": 21}))
    assert_refused(path, 'is of other rules \\(reveal = "mandatory", not "optional", pays_777 = 21, not 7\\)')


@pytest.mark.parametrize("rules", [{"reveal": "perhaps"}, {"reveel": "none"}, None, "reference"])
def test_a_run_of_impossible_rules_is_refused(rules: object, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    rewrite_header(path, rules=rules)
    assert_refused(path, "has impossible rules")


def test_a_run_of_another_algorithm_is_refused_and_says_which(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz", algorithm=Algorithm.DCFR)
    assert_refused(path, "is of algorithm 'dcfr', not 'cfr\\+'; it is left as it is")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("here", encoding="utf-8")
    assert_refused(tmp_path, "save file '.*': it is a directory; name a file", FileError)
    run = RegretRun.started(REFERENCE, Algorithm.CFR)
    with pytest.raises(FileError, match="save file"):
        save_run(run, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path / "none.npz", "save file '.*none.npz': there is no such file", FileError)


def test_a_save_into_a_missing_folder_is_refused(tmp_path: Path) -> None:
    run = RegretRun.started(REFERENCE, Algorithm.CFR)
    with pytest.raises(FileError, match=r"save file '.*run\.npz': there is no such folder"):
        save_run(run, tmp_path / "missing" / "run.npz")


def test_a_save_replaces_an_earlier_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.npz")
    first = path.read_bytes()
    run = load_run(path, REFERENCE, Algorithm.CFR_PLUS)
    run.iterate()
    save_run(run, path)
    assert path.read_bytes() != first
    assert bits(load_run(path, REFERENCE, Algorithm.CFR_PLUS)) == bits(run)
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]
