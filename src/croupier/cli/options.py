"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeVar

import typer
from typer.models import OptionInfo

from croupier.cli.completion import complete_presets, complete_settings
from croupier.cli.option_groups import OptionGroup
from croupier.numerics.streams import fresh_seed
from croupier.rulebook import RuleBook, Rules

R = TypeVar("R", bound=Rules)


def set_flag(example: str) -> OptionInfo:
    """Return ``--set`` with an example from the game that it belongs to."""
    option: OptionInfo = typer.Option(
        "--set",
        help=f"Change one option, such as {example}; may be given again.",
        metavar="KEY=VALUE",
        autocompletion=complete_settings,
    )
    return option


def file_option(name: str, meaning: str) -> OptionInfo:
    """Return an option that names a file."""
    option: OptionInfo = typer.Option(name, help=meaning, metavar="FILE")
    return option


PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help="Start from this rule set; `croupier rules GAME` lists them.",
        metavar="NAME",
        autocompletion=complete_presets,
    ),
]
RulesOption = Annotated[
    Path | None, file_option("--rules", "Change the preset by the options in this TOML file.")
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed", min=0, help="Deal the same cards again. By default a new seed is chosen and shown."
    ),
]
CardsOption = Annotated[
    str,
    typer.Option(
        "--cards",
        help="Deal these cards first in the first hand, one each round the table twice (players, then dealer), then as they are drawn.",
        metavar="'AS 9C ...'",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, help="How many worker threads or processes; by default one per processor."
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Work on a Dask cluster: tcp://host:port of its scheduler, or local:4 to start one of 4 processes.",
        metavar="ADDRESS",
    ),
]
SaveOption = Annotated[
    bool,
    typer.Option("--save", help="Save the run in the store, to resume, show and compare it."),
]
ResumeOption = Annotated[
    int | None,
    typer.Option(
        "--resume",
        min=1,
        help="Resume this saved run, with its own settings.",
        metavar="ID",
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="The store of runs: a file or a database URL. By default $CROUPIER_STORE, or a file in your data folder.",
        metavar="FILE",
    ),
]
CoachOption = Annotated[
    bool, typer.Option("--coach", help="Say after each choice what it was worth and cost.")
]
BankrollOption = Annotated[float, typer.Option("--bankroll", min=1, max=1e9, help="What you start with.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def _chosen_seed(seed: SeedOption = None) -> int:
    return fresh_seed() if seed is None else seed


#: ``--seed``, or a new seed where none is given.
ChosenSeed = Annotated[int, OptionGroup(_chosen_seed)]


def rule_options(book: RuleBook[R], example: str) -> OptionGroup:
    """Return ``--preset``, ``--rules`` and ``--set`` of a game as one parameter: the rules they choose."""

    def load(
        preset: PresetOption = None,
        rules: RulesOption = None,
        set_: Annotated[list[str] | None, set_flag(example)] = None,
    ) -> R:
        return book.load(preset, rules, set_ or ())

    return OptionGroup(load)
