"""The notebooks run from top to bottom on a real kernel, and are stored without their outputs."""

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


class ThisPython(KernelSpecManager):
    """The kernel is the Python that runs the tests, whatever kernels the machine has installed."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=command, display_name=kernel_name, language="python")


def notebook(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]


def test_the_notebooks_are_numbered() -> None:
    assert {"01_exploration", "02_baseline_strategy", "03_equilibrium_analysis", "04_blackjack", "05_durak"} <= set(NAMES)
    assert len({name.partition("_")[0] for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    stored = notebook(name)
    nbformat.validate(stored)
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.verify
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_shows_its_figures(name: str, tmp_path: Path) -> None:
    executed = notebook(name)
    client = NotebookClient(
        executed,
        km=AsyncKernelManager(kernel_spec_manager=ThisPython()),
        resources={"metadata": {"path": str(tmp_path)}},
        timeout=300,
    )
    client.execute(cleanup_kc=True)  # raises CellExecutionError at the first cell that fails
    outputs = [output for cell in executed.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert not list(tmp_path.iterdir())
