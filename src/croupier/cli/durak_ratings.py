"""What ``croupier durak ratings`` does: adds logs to a rating list, and prints it."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from croupier.cli.durak_arena import print_table
from croupier.cli.json_output import print_json
from croupier.durak.arena.rating_list import RatingList
from croupier.errors import InputError


def show_ratings(
    file: Path, *, anchor: str | None, anchor_elo: float, logs: Sequence[Path], as_json: bool
) -> None:
    """Print a rating list, with the pairs of some logs added to it first."""
    ratings = RatingList(file)
    for log in logs:
        if not ratings.add_log(log):
            raise InputError(
                f"log '{log}': no complete pair in it; pairs are written by match and tournament"
            )
    if as_json:
        print_json(ratings.to_dict(anchor, anchor_elo))
    else:
        print_table(Console(), ratings.table(anchor, anchor_elo))
