"""``croupier blackjack bets``: its options; what it does is imported when it is called."""

from typing import Annotated, Any

import typer

from croupier.cli.option_groups import OptionGroup
from croupier.cli.options import ChosenSeed, JsonOption, StoreOption


def _limits(
    bankroll: Annotated[
        float, typer.Option("--bankroll", min=1, max=1e12, help="Money that may be lost.")
    ] = 1000,
    unit: Annotated[float, typer.Option("--unit", min=0.001, max=1e9, help="What a unit is worth.")] = 1,
    minimum: Annotated[
        float | None,
        typer.Option("--minimum", help="The smallest bet that the table takes.", metavar="MONEY"),
    ] = None,
    maximum: Annotated[
        float | None, typer.Option("--maximum", help="The largest bet that the table takes.", metavar="MONEY")
    ] = None,
    chip: Annotated[
        float | None,
        typer.Option(
            "--chip", help="Bets are whole multiples of this; by default of a unit.", metavar="MONEY"
        ),
    ] = None,
    rounds_per_hour: Annotated[
        float, typer.Option("--rounds-per-hour", min=1, max=10_000, help="Rounds dealt an hour.")
    ] = 100,
    hours: Annotated[
        float | None, typer.Option("--hours", help="Also the risk of ruin in a trip of so many hours.")
    ] = None,
    goal: Annotated[
        float | None,
        typer.Option("--goal", help="Also the risk of ruin before so much is won.", metavar="MONEY"),
    ] = None,
    floor: Annotated[
        float,
        typer.Option(
            "--floor", help="With bets that follow the bankroll: the risk that it ever falls to this part."
        ),
    ] = 0.5,
    tips: Annotated[
        float, typer.Option("--tips", min=0, max=1e9, help="What the dealers get an hour.", metavar="MONEY")
    ] = 0,
) -> dict[str, Any]:
    return {
        "bankroll": bankroll,
        "unit": unit,
        "minimum": minimum,
        "maximum": maximum,
        "chip": unit if chip is None else chip,
        "rounds_per_hour": rounds_per_hour,
        "hours": hours,
        "goal": goal,
        "floor": floor,
        "tips": tips,
    }


def _playing(
    bankrolls: Annotated[
        int,
        typer.Option(
            "--play-bankrolls",
            min=0,
            help="Also play so many bankrolls to the end of the trip or to the goal.",
        ),
    ] = 0,
    resize: Annotated[
        float | None,
        typer.Option(
            "--resize",
            help="With --play-bankrolls: bets follow the bankroll when it has changed by this part, down to the floor.",
            metavar="PART",
        ),
    ] = None,
    cover_win: Annotated[
        float | None,
        typer.Option(
            "--cover-win", help="With --play-bankrolls: at most so many times the last bet after a win."
        ),
    ] = None,
    cover_push: Annotated[float | None, typer.Option("--cover-push", help="The same after a push.")] = None,
    cover_loss: Annotated[float | None, typer.Option("--cover-loss", help="The same after a loss.")] = None,
) -> dict[str, Any]:
    return {
        "trips": bankrolls,
        "resize": resize,
        "cover": {"after_win": cover_win, "after_push": cover_push, "after_loss": cover_loss},
    }


def _presence(
    spots: Annotated[
        str | None,
        typer.Option(
            "--spots",
            help="Places played: a number, or count:places from rising counts on.",
            metavar="0:1,3:2",
        ),
    ] = None,
    enter: Annotated[
        int | None, typer.Option("--enter", help="Watch, and play from this count on.", metavar="COUNT")
    ] = None,
    leave: Annotated[
        int | None, typer.Option("--leave", help="Leave at and below this count.", metavar="COUNT")
    ] = None,
    no_return: Annotated[
        bool, typer.Option("--no-return", help="Who has left stays away until the next shuffle.")
    ] = False,
    sit_out_below: Annotated[
        int | None,
        typer.Option("--sit-out-below", help="Bet nothing at counts below this one.", metavar="COUNT"),
    ] = None,
    penetration: Annotated[
        float | None,
        typer.Option("--penetration", help="Deal less of the shoe than the profile, such as 0.5."),
    ] = None,
) -> dict[str, Any]:
    return {
        "spots": spots or 1,
        "enter": enter,
        "leave": leave,
        "returns": not no_return,
        "sit_out_below": sit_out_below,
        "penetration": penetration,
    }


def bets(
    *,
    run_id: Annotated[
        int | None,
        typer.Argument(
            min=1, help="The number of a saved profile; by default the last one.", metavar="[RUN]"
        ),
    ] = None,
    ramp: Annotated[
        str | None,
        typer.Option(
            "--ramp", help="Bets as count:units from rising counts on; 0 sits out.", metavar="0:0,1:1,2:4"
        ),
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option("--spread", min=1, max=1e6, help="Instead: the best ramp from one unit to so many."),
    ] = None,
    kelly: Annotated[
        float | None,
        typer.Option(
            "--kelly",
            help="Instead: the bets that grow the bankroll fastest, times this fraction.",
            metavar="PART",
        ),
    ] = None,
    presence: Annotated[dict[str, Any], OptionGroup(_presence)],
    limits: Annotated[dict[str, Any], OptionGroup(_limits)],
    playing: Annotated[dict[str, Any], OptionGroup(_playing)],
    seed: ChosenSeed,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say at once what bets by count win and risk, from a saved profile, or find the best ones: nothing is played."""
    from croupier.cli.blackjack_profiles import BetsWanted, show_bets

    wanted = BetsWanted(ramp, spread, kelly, presence.pop("sit_out_below"))
    show_bets(run_id, store, wanted, presence | limits, playing | {"seed": seed}, as_json=as_json)
