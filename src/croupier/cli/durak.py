"""``croupier durak``: the commands and their options; what they do is imported when they are called."""

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.option_groups import Commands
from croupier.cli.options import (
    ChosenSeed,
    JsonOption,
    SeedOption,
    rule_options,
)
from croupier.durak.engine.rules import DURAK, DurakRules

app = Commands(
    "Durak: engines in any language, matches between them, logs.",
    epilog="Example: croupier durak match durak-dummy durak-random --pairs 5 --seed 1",
)

ChosenRules = Annotated[DurakRules, rule_options(DURAK, "six_card_cap=false")]

_ENGINE_HELP = "An executable, a command line in quotes, a bare name on the PATH or beside this Python, or an engine file (*.toml)."

EngineArgument = Annotated[str, typer.Argument(help=_ENGINE_HELP, metavar="ENGINE")]
PairsOption = Annotated[
    int | None,
    typer.Option(
        "--pairs",
        min=1,
        help="Pairs of games: one deck, seats swapped. 100 by default; at most 10000 with --sprt.",
    ),
]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option("--concurrency", min=1, help="Games at a time; by default one for each processor."),
]
TimeLimitOption = Annotated[
    float, typer.Option("--time-limit", help="Seconds for an answer; after that, the game is forfeited.")
]
StartLimitOption = Annotated[
    float, typer.Option("--start-limit", help="Seconds from the start of an engine to its first ok.")
]
KeepAliveOption = Annotated[
    bool,
    typer.Option(
        "--keep-alive",
        help="Keep engines alive between games (DURAK_KEEP_ALIVE=1): after game_end comes init. An extension; "
        "by default every game has a new process.",
    ),
]
LogOption = Annotated[
    Path | None, typer.Option("--log", help="Append every game to this log.", metavar="FILE")
]
FsyncOption = Annotated[
    bool, typer.Option("--fsync", help="Force every game to the disk, so that a power cut loses none.")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Resume what --save has recorded, if there is anything.")
]


@app.command(epilog="Example: croupier durak match durak-dummy durak-random --pairs 5 --seed 1 --json")
def match(
    first: EngineArgument,
    second: EngineArgument,
    pairs: PairsOption = None,
    seed: SeedOption = None,
    concurrency: ConcurrencyOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            "--sprt",
            help="Stop when it is settled whether the first engine is better by ELO1 or only by ELO0.",
            metavar="ELO0 ELO1",
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Probability of accepting ELO1 when ELO0 is true.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option("--beta", help="Probability of accepting ELO0 when ELO1 is true.")
    ] = 0.05,
    log: LogOption = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Record the match in this file, so that it can be resumed.", metavar="FILE"
        ),
    ] = None,
    resume: ResumeOption = False,
    fsync: FsyncOption = False,
    keep_alive: KeepAliveOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a match of two engines: pairs of games with swapped seats, Elo with its error, draws and forfeits."""
    from croupier.cli import durak_arena

    durak_arena.show_match(
        (first, second),
        pairs=pairs,
        seed=seed,
        concurrency=concurrency,
        limits=(start_limit, time_limit),
        sprt=None if sprt is None else (*sprt, alpha, beta),
        log=log,
        save=save,
        resume=resume,
        fsync=fsync,
        keep_alive=keep_alive,
        as_json=as_json,
    )


@app.command(
    epilog="Example: croupier durak tournament durak-dummy durak-random 'durak-random --seed 3' --pairs 2"
)
def tournament(
    engines: Annotated[list[str], typer.Argument(help=_ENGINE_HELP, metavar="ENGINE...")],
    gauntlet: Annotated[
        bool,
        typer.Option(
            "--gauntlet", help="The first engine plays all the others, which do not play each other."
        ),
    ] = False,
    pairs: PairsOption = None,
    seed: SeedOption = None,
    concurrency: ConcurrencyOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    log: LogOption = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Record every match in this folder, so that it can be resumed.", metavar="FOLDER"
        ),
    ] = None,
    resume: ResumeOption = False,
    keep_alive: KeepAliveOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play everybody against everybody, or a gauntlet; print the cross table and the ratings."""
    from croupier.cli import durak_arena

    durak_arena.show_tournament(
        engines,
        is_gauntlet=gauntlet,
        pairs=pairs,
        seed=seed,
        concurrency=concurrency,
        limits=(start_limit, time_limit),
        log=log,
        save=save,
        resume=resume,
        keep_alive=keep_alive,
        as_json=as_json,
    )


@app.command(epilog="Example: croupier durak check durak-dummy")
def check(
    engine: EngineArgument,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=1000, help="Deals against each kind of opponent.")
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Names the deals.")] = 1,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    keep_alive: KeepAliveOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check whether an engine keeps the protocol, and say what is wrong if not; exit code 1 then."""
    from croupier.cli import durak_compliance

    durak_compliance.show_check(
        engine,
        rounds=rounds,
        seed=seed,
        limits=(start_limit, time_limit),
        keep_alive=keep_alive,
        as_json=as_json,
    )


@app.command(epilog="Example: croupier durak replay --check")
def replay(
    log: Annotated[
        Path | None, typer.Argument(help="A log; without it, every *.log of this folder.", metavar="LOG")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Print only what does not fit; exit code 1 if anything does not.")
    ] = False,
    game: Annotated[
        int | None, typer.Option("--game", min=1, help="Show this game card by card.", metavar="NUMBER")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the games of a log again: every card and every result must fit the rules."""
    from croupier.cli import durak_logs

    durak_logs.show_replay(log, only_check=check, game=game, as_json=as_json)


@app.command(epilog="Example: croupier durak watch durak-dummy durak-random --seed 8")
def watch(
    first: EngineArgument,
    second: EngineArgument,
    seed: SeedOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
) -> None:
    """Watch one game of two engines, with all cards open."""
    from croupier.cli import durak_logs

    durak_logs.show_game((first, second), seed=seed, limits=(start_limit, time_limit))


@app.command(epilog="Example: croupier durak play --level 3 --hints")
def play(
    *,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="Play against this engine, as for `match`; durak-master otherwise.",
            metavar="ENGINE",
        ),
    ] = None,
    level: Annotated[
        int, typer.Option("--level", min=1, max=5, help="How well durak-master plays, 5 is best.")
    ] = 3,
    hints: Annotated[
        bool, typer.Option("--hints", help="Answer `hint` with what each move is worth.")
    ] = False,
    review: Annotated[
        bool,
        typer.Option(
            "--review/--no-review", help="After a game, name the choices that were not good, and their cost."
        ),
    ] = True,
    winner_leads: Annotated[
        bool, typer.Option("--winner-leads", help="The winner leads the next game, not the lowest trump.")
    ] = False,
    log: LogOption = None,
    seed: ChosenSeed,
    chosen: ChosenRules,
) -> None:
    """Play in the terminal against an engine that sees no more than you do, with hints and a review."""
    from croupier.cli.durak_play import play_in_terminal

    play_in_terminal(
        chosen,
        engine,
        level,
        seed,
        log,
        has_hints=hints,
        has_review=review,
        winner_leads=winner_leads,
    )
