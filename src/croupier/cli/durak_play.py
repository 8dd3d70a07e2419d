"""``croupier durak play``: who sits on the other side, and who gives the hints and looks at the game again."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from croupier.cards import format_cards
from croupier.cli.durak_arena import ended_by_signals, read_engines
from croupier.cli.durak_session import DurakSession, pass_word
from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.player import EnginePlayer, Player, PolicyPlayer
from croupier.durak.arena.roster import Roster
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.advice import MasterAdviser
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.levels import find_level
from croupier.durak.players.master import DEFAULT_TIME_MS, MasterPolicy
from croupier.durak.players.review import MoveClass, MoveReview
from croupier.durak.players.splitmix import SplitMix64
from croupier.errors import InputError

_HINT_BUDGET = Budget(time_ms=500)


class TerminalAdviser:
    """The master's advice in words."""

    def __init__(self, rules: DurakRules, seed: int) -> None:
        self._adviser = MasterAdviser(rules, seed, _HINT_BUDGET)

    def hint(self, seen: Observation, evidence: Evidence) -> Sequence[tuple[tuple[int, ...], float]]:
        """Return moves with the score to expect from each, the best first."""
        return [(value.cards, value.expected_score) for value in self._adviser.moves(seen, evidence)]

    def review(self, state: GameState, seat: int) -> Sequence[str]:
        """Say which choices of a seat were not the best, and what they cost."""
        judged = self._adviser.review(state, seat)
        return [
            f"Review: {judged.fine} of {len(judged.moves)} choices were good; all of them cost {judged.lost:.2f} of a point.",
            *(_line(move) for move in judged.worse),
        ]


def _line(move: MoveReview) -> str:
    played, best = (
        format_cards(value.cards, symbols=True) or pass_word(move.seen.phase)
        for value in (move.played, move.best)
    )
    colour = "red" if move.move_class is MoveClass.BLUNDER else "yellow"
    hand = format_cards(sorted(move.seen.hand), symbols=True)
    table = format_cards(move.seen.table, symbols=True) or "an empty table"
    return (
        f"[{colour}]{move.move_class.value}[/{colour}]: with {hand} at {table} you chose {played}; "
        f"{best} was better by {move.loss:.2f}"
    )


def play_in_terminal(
    rules: DurakRules,
    engine: str | None,
    level: int,
    seed: int,
    log: Path | None,
    *,
    has_hints: bool,
    has_review: bool,
    winner_leads: bool,
) -> None:
    """Seat a person and an opponent, and play until the person leaves."""
    if engine is not None and rules != DurakRules():
        raise InputError(
            "--engine with rules of the table: the protocol cannot tell an engine of them; leave out --engine or the rules"
        )
    console = Console()
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        if engine is None:
            opponent = _master(rules, level, seed)
        else:
            opponent = EnginePlayer(read_engines((engine,))[0], Limits(), stack.enter_context(Roster()))
        DurakSession(
            console=console,
            rules=rules,
            opponent=opponent,
            adviser=TerminalAdviser(rules, seed) if has_hints or has_review else None,
            seed=seed,
            winner_leads=winner_leads,
            log=None if log is None else stack.enter_context(GameLog(log)),
            has_hints=has_hints,
            has_review=has_review,
        ).run()


def _master(rules: DurakRules, level: int, seed: int) -> Player:
    """Return the master as a player of this process: it is shown an observation of its own seat and nothing else."""
    strength, seeds = find_level(level), SplitMix64(seed)
    evaluator = Evaluator(rules.attack_cap(2), trust=strength.trust)
    budget = Budget(time_ms=DEFAULT_TIME_MS)
    return PolicyPlayer(
        f"durak-master, level {level}",
        lambda: MasterPolicy(budget, seeds.next_word(), strength, evaluator),
    )
