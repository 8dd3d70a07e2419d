"""``croupier durak``: the commands and their options; what they do is imported when they are called."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.option_groups import Commands, OptionGroup
from croupier.cli.options import (
    ChosenSeed,
    JsonOption,
    SeedOption,
    rule_options,
)
from croupier.durak.arena.confinement import Confinement, isolation
from croupier.durak.arena.new_engine import Language
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
        help="Pairs of games: one deck, seats swapped. 100 by default, or one for each of --deals; at most 10000 with --sprt.",
    ),
]
DealsOption = Annotated[
    str | None,
    typer.Option(
        "--deals",
        help="Play these deals instead of those of the seed: a file with the 36 cards of a pack a line, or 'openings', "
        "a suite of 100 deals.",
        metavar="FILE",
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
ClockOption = Annotated[
    str | None,
    typer.Option(
        "--clock",
        help="A clock for each game in seconds, and what each answer adds, such as 60+0.5; beside --time-limit.",
        metavar="SECONDS[+INCREMENT]",
    ),
]
RatingsOption = Annotated[
    Path | None,
    typer.Option("--ratings", help="Add the result to this rating list; see `ratings`.", metavar="FILE"),
]
SprtOption = Annotated[
    tuple[float, float] | None,
    typer.Option(
        "--sprt",
        help="Stop when it is settled whether the first engine is better by ELO1 or only by ELO0.",
        metavar="ELO0 ELO1",
    ),
]
AlphaOption = Annotated[
    float, typer.Option("--alpha", help="Probability of accepting ELO1 when ELO0 is true.")
]
BetaOption = Annotated[float, typer.Option("--beta", help="Probability of accepting ELO0 when ELO1 is true.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Resume what --save has recorded, if there is anything.")
]


def _confinement(
    confine: Annotated[
        bool,
        typer.Option(
            "--confine",
            help="Confine engines of strangers: memory, processor time, files, network, as far as this system can; says what is in force.",
        ),
    ] = False,
    memory_mb: Annotated[int, typer.Option("--memory-mb", min=1, help="Memory of a confined engine.")] = 1024,
    cpu_seconds: Annotated[
        int, typer.Option("--cpu-seconds", min=1, help="Processor time of a confined engine's process.")
    ] = 3600,
) -> Confinement | None:
    if not confine:
        return None
    typer.echo(f"croupier: engines are confined by {isolation()}: {isolation().meaning}", err=True)
    return Confinement(memory_mb, cpu_seconds)


ChosenConfinement = Annotated[Confinement | None, OptionGroup(_confinement)]


@app.command(epilog="Example: croupier durak match durak-dummy durak-random --pairs 5 --seed 1 --json")
def match(
    first: EngineArgument,
    second: EngineArgument,
    *,
    pairs: PairsOption = None,
    seed: SeedOption = None,
    deals: DealsOption = None,
    concurrency: ConcurrencyOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    clock: ClockOption = None,
    confinement: ChosenConfinement,
    sprt: SprtOption = None,
    alpha: AlphaOption = 0.05,
    beta: BetaOption = 0.05,
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
    ratings: RatingsOption = None,
    as_json: JsonOption = False,
    chosen: ChosenRules,
) -> None:
    """Play a match of two engines: pairs of games with swapped seats, Elo with its error, draws and forfeits."""
    from croupier.cli import durak_arena
    from croupier.durak.arena.engine_spec import read_clock

    durak_arena.show_match(
        (first, second),
        pairs=pairs,
        seed=seed,
        deals=deals,
        concurrency=concurrency,
        limits=(start_limit, time_limit, *read_clock(clock)),
        sprt=None if sprt is None else (*sprt, alpha, beta),
        log=log,
        save=save,
        resume=resume,
        fsync=fsync,
        keep_alive=keep_alive,
        confinement=confinement,
        ratings=ratings,
        rules=chosen,
        as_json=as_json,
    )


@app.command(
    epilog="Example: croupier durak tournament durak-dummy durak-random 'durak-random --seed 3' --pairs 2"
)
def tournament(
    engines: Annotated[list[str], typer.Argument(help=_ENGINE_HELP, metavar="ENGINE...")],
    *,
    gauntlet: Annotated[
        bool,
        typer.Option(
            "--gauntlet", help="The first engine plays all the others: short for --format gauntlet."
        ),
    ] = False,
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            help="round-robin, gauntlet, swiss (like scores meet) or knockout (the list is the seeding; a tie goes to the better seed).",
        ),
    ] = "round-robin",
    rounds: Annotated[
        int | None, typer.Option("--rounds", min=1, help="Rounds of a Swiss tournament.")
    ] = None,
    pairs: PairsOption = None,
    seed: SeedOption = None,
    deals: DealsOption = None,
    concurrency: ConcurrencyOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    clock: ClockOption = None,
    confinement: ChosenConfinement,
    sprt: SprtOption = None,
    alpha: AlphaOption = 0.05,
    beta: BetaOption = 0.05,
    log: LogOption = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Record every match in this folder, so that it can be resumed.", metavar="FOLDER"
        ),
    ] = None,
    resume: ResumeOption = False,
    keep_alive: KeepAliveOption = False,
    ratings: RatingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play everybody against everybody, a gauntlet, a Swiss tournament or a cup; print ratings and the cross table."""
    from croupier.cli import durak_arena
    from croupier.durak.arena.engine_spec import read_clock

    durak_arena.show_tournament(
        engines,
        format_="gauntlet" if gauntlet else format_,
        rounds=rounds,
        sprt=None if sprt is None else (*sprt, alpha, beta),
        pairs=pairs,
        seed=seed,
        deals=deals,
        concurrency=concurrency,
        limits=(start_limit, time_limit, *read_clock(clock)),
        log=log,
        save=save,
        resume=resume,
        keep_alive=keep_alive,
        confinement=confinement,
        ratings=ratings,
        as_json=as_json,
    )


@app.command(epilog="Example: croupier durak ratings engines.ratings --anchor-elo 1000")
def ratings(
    file: Annotated[
        Path,
        typer.Argument(help="A rating list; `--ratings` of match and tournament adds to it.", metavar="FILE"),
    ],
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            help="The engine whose rating is fixed; by default durak-dummy, else the first one.",
            metavar="NAME",
        ),
    ] = None,
    anchor_elo: Annotated[float, typer.Option("--anchor-elo", help="Its rating.")] = 0.0,
    add: Annotated[
        list[Path] | None,
        typer.Option("--add", help="First add the pairs of this log; may be given again.", metavar="LOG"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a rating list: one rating for each engine and version, from all matches that were ever added, with errors."""
    from croupier.cli import durak_ratings

    durak_ratings.show_ratings(file, anchor=anchor, anchor_elo=anchor_elo, logs=add or [], as_json=as_json)


@app.command(epilog="Example: croupier durak check durak-dummy")
def check(
    engine: EngineArgument,
    *,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=1000, help="Deals against each kind of opponent.")
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Names the deals.")] = 1,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    confinement: ChosenConfinement,
    keep_alive: KeepAliveOption = False,
    as_json: JsonOption = False,
    chosen: ChosenRules,
) -> None:
    """Check whether an engine keeps the protocol, and say what is wrong if not; exit code 1 then."""
    from croupier.cli import durak_compliance

    durak_compliance.show_check(
        engine,
        rounds=rounds,
        seed=seed,
        limits=(start_limit, time_limit),
        keep_alive=keep_alive,
        confinement=confinement,
        rules=chosen,
        as_json=as_json,
    )


@app.command(epilog="Example: croupier durak suite durak-dummy")
def suite(
    engine: EngineArgument,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    as_json: JsonOption = False,
) -> None:
    """Ask an engine about 100 end games with proven values, and show which of them it gives away."""
    from croupier.cli import durak_suite

    durak_suite.show_suite(engine, limits=(start_limit, time_limit), as_json=as_json)


@app.command("new-engine", epilog="Example: croupier durak new-engine my-engine --language rust")
def new_engine(
    folder: Annotated[Path, typer.Argument(help="A new folder for it.", metavar="FOLDER")],
    language: Annotated[
        Language, typer.Option("--language", help="What it is written in.", case_sensitive=False)
    ] = Language.PYTHON,
    name: Annotated[
        str | None, typer.Option("--name", help="What it is called in tables; by default as the folder.")
    ] = None,
) -> None:
    """Write a small engine that keeps the protocol, to begin your own with."""
    from croupier.durak.arena.new_engine import SKELETONS, write_engine

    engine_file = shlex.quote(str(write_engine(folder, language, name)))
    skeleton = SKELETONS[language]
    typer.echo(f"{folder / skeleton.file}: a small engine; make it cleverer.")
    if skeleton.build:
        typer.echo(f"Build it:     (cd {shlex.quote(str(folder))} && {skeleton.build})")
    typer.echo(f"Check it:     croupier durak check {engine_file}")
    typer.echo(f"Let it play:  croupier durak match {engine_file} durak-dummy")


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


@app.command(epilog="Example: croupier durak review games.log --game 3 --player durak-dummy")
def review(
    log: Annotated[Path, typer.Argument(help="A log.", metavar="LOG")],
    game: Annotated[
        int | None,
        typer.Option("--game", min=1, help="Only this game; otherwise all of them.", metavar="NUMBER"),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", help="Only the choices of this player.", metavar="NAME")
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Rounds of the search for each choice.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the search.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Judge the choices of logged games by what their player could know; one line for each that was less than good."""
    from croupier.cli import durak_review

    durak_review.show_review(log, game=game, player=player, rounds=rounds, seed=seed, as_json=as_json)


@app.command(epilog="Example: croupier durak watch durak-dummy durak-random --seed 8")
def watch(
    first: EngineArgument,
    second: EngineArgument,
    others: Annotated[
        list[str] | None,
        typer.Argument(help="Further engines, where the rules want more players.", metavar="ENGINE"),
    ] = None,
    *,
    seed: SeedOption = None,
    time_limit: TimeLimitOption = 5.0,
    start_limit: StartLimitOption = 10.0,
    chosen: ChosenRules,
) -> None:
    """Watch one game of engines, with all cards open."""
    from croupier.cli import durak_logs

    durak_logs.show_game(
        (first, second, *(others or ())), chosen, seed=seed, limits=(start_limit, time_limit)
    )


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
