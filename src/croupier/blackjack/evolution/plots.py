"""Pictures of an evolution: how its loss went down, and its chart as it changed (matplotlib)."""

import io
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from PIL import Image

from croupier.blackjack.evolution.evolved_chart import EvolvedChart
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool
from croupier.blackjack.solvers.chart import CODE_COLOURS, UP_CARDS, Chart
from croupier.errors import InputError
from croupier.files import make_folder, write_bytes
from croupier.pictures import picture_form, save_picture

_DOTS_PER_INCH = 110
_MOST_FRAMES = 80
_FRAME_MILLISECONDS, _LAST_FRAME_MILLISECONDS = 120, 3000

#: Below this a loss is rounding; a logarithmic axis cannot show a zero.
_SMALLEST_LOSS = 1e-9


def history_figure(chart: EvolvedChart) -> Figure:
    """Draw what the leader and the average column lost to the exact optimum, generation by generation."""
    figure = Figure(figsize=(8, 4.5), dpi=_DOTS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    numbers = [line.number for line in chart.history]
    axes.plot(numbers, np.maximum(chart.losses, _SMALLEST_LOSS), label="leader, exactly", color="#0072b2")
    if chart.fitness == "exact":
        means = [chart.optimum - line.mean for line in chart.history]
        axes.plot(numbers, np.maximum(means, _SMALLEST_LOSS), label="average", color="#e69f00", alpha=0.8)
    axes.set_yscale("log")
    axes.set_xlabel("generation")
    axes.set_ylabel("loss to the best chart, in bets per round")
    axes.set_title(f"{chart.fitness} fitness, seed {chart.seed}: ends {chart.loss:.2e} below the optimum")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False, loc="upper right")
    return figure


class ChartPicture:
    """A drawn chart whose codes can be changed: drawing 360 codes anew for every frame would take most of the time."""

    def __init__(self, table: Chart) -> None:
        self.figure = Figure(figsize=(4.6, 7.4), dpi=80)
        self._canvas = FigureCanvasAgg(self.figure)
        self._axes = self.figure.add_axes((0.13, 0.02, 0.85, 0.91))
        self._image = self._axes.imshow(
            _colour_numbers(table),
            cmap=ListedColormap(list(CODE_COLOURS.values())),
            vmin=-0.5,
            vmax=len(CODE_COLOURS) - 0.5,
            aspect="auto",
        )
        self._texts = {
            (row, up_card): self._axes.text(x, y, "", ha="center", va="center", fontsize=6.5)
            for y, row in enumerate(GENE_ROWS)
            for x, up_card in enumerate(UP_CARDS)
        }
        self._axes.set_xticks(range(len(UP_CARDS)), list(UP_CARDS))
        self._axes.set_yticks(range(len(GENE_ROWS)), list(GENE_ROWS), fontsize=7)
        self._axes.xaxis.tick_top()
        self._axes.tick_params(length=0)

    def frame(self, table: Chart, title: str) -> Image.Image:
        """Return the picture of a chart."""
        self._image.set_data(_colour_numbers(table))
        for (row, up_card), text in self._texts.items():
            text.set_text(table[row, up_card].value)
        self._axes.set_title(title, fontsize=9)
        self._canvas.draw()  # type: ignore[no-untyped-call]
        pixels = self._canvas.buffer_rgba()  # type: ignore[no-untyped-call]
        return Image.fromarray(np.asarray(pixels)).convert("RGB")


def _colour_numbers(table: Chart) -> list[list[int]]:
    letters = list(CODE_COLOURS)
    return [[letters.index(table[row, up_card].value[0]) for up_card in UP_CARDS] for row in GENE_ROWS]


def save_history(chart: EvolvedChart, path: Path) -> None:
    """Write the picture of the run; the ending of the name says in which form."""
    verify_picture(path)
    save_picture(history_figure(chart), path, what="plot")


def save_animation(chart: EvolvedChart, path: Path) -> None:
    """Write a GIF of the leader's chart as it changed."""
    verify_animation(path)
    steps = np.unique(np.linspace(0, len(chart.history) - 1, _MOST_FRAMES).round().astype(int)).tolist()
    pool = GenePool(chart.rules)
    tables = [pool.chart(chart.history[step].leader) for step in steps]
    picture = ChartPicture(tables[0])
    frames = [
        picture.frame(
            table,
            f"generation {chart.history[step].number}: {chart.losses[step]:.6f} bets below the best chart",
        )
        for step, table in zip(steps, tables, strict=True)
    ]
    film = io.BytesIO()
    durations = [_FRAME_MILLISECONDS] * (len(frames) - 1) + [_LAST_FRAME_MILLISECONDS]
    frames[0].save(film, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    make_folder(path.parent, what="animation")
    write_bytes(path, film.getvalue(), what="animation")


def verify_animation(path: Path) -> None:
    """Raise unless an animation can have this name.

    >>> verify_animation(Path("run.mp4"))
    Traceback (most recent call last):
    croupier.errors.InputError: animation 'run.mp4': the name must end in .gif
    """
    if path.suffix.lower() != ".gif":
        raise InputError(f"animation '{path}': the name must end in .gif")


def verify_picture(path: Path) -> None:
    """Raise unless a plot can have this name.

    >>> verify_picture(Path("run.txt"))
    Traceback (most recent call last):
    croupier.errors.InputError: plot 'run.txt': the name must end in .png, .svg or .pdf
    """
    picture_form(path, what="plot")
