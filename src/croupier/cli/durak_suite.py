"""What ``croupier durak suite`` does: asks an engine for its answers to end games with proven values."""

import typer

from croupier.cli.durak_arena import ended_by_signals, read_engines
from croupier.cli.json_output import print_json
from croupier.durak.arena.endgame_suite import SuiteAnswer, try_engine
from croupier.durak.arena.engine_spec import Limits


def show_suite(engine: str, *, limits: tuple[float, float], as_json: bool) -> None:
    """Print each position whose value the engine gave away, and how many it kept."""
    (spec,) = read_engines([engine])
    told: list[SuiteAnswer] = []
    with ended_by_signals():
        for number, answered in enumerate(try_engine(spec, Limits(*limits)), start=1):
            told.append(answered)
            if not as_json and not answered.is_kept:
                typer.echo(f"{number:>3}  {answered.position.to_line()}: answered {answered.answer or '-'}")
    kept = sum(answered.is_kept for answered in told)
    if as_json:
        answers = [
            {"position": answered.position.to_line(), "answer": answered.answer, "is_kept": answered.is_kept}
            for answered in told
        ]
        print_json({"engine": spec.name, "positions": len(told), "kept": kept, "answers": answers})
    else:
        typer.echo(f"{spec.name} kept the value of {kept} of {len(told)} end games")
