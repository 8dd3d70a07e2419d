"""Checks whether an engine keeps the protocol, and tells its author what is wrong.

First come single duties (start, confirm, stay silent, exit), each in a separate process; then whole games against
opponents that bring about the rarer situations.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from croupier.durak.arena.engine_process import EngineProcess
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.player import EnginePlayer, Player, PolicyPlayer
from croupier.durak.arena.referee import play_game
from croupier.durak.arena.roster import FAREWELL, Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import EngineFault, Forfeit, Verdict
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, VariantPolicy
from croupier.durak.engine.pack import rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import GAME_END, READY, opening
from croupier.durak.engine.protocol2 import GAME, deals, game_line
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.dummy import dummy_policy, variant_dummy_policy
from croupier.durak.players.random_player import RandomPolicy

#: How long to listen after an answer for lines that nobody asked for.
OVERHEARD = 0.1

_EMPTY_DEAL = 'deal  ## {"discarded": [], "deck_count": 24, "on_table": [], "enemy_count": 6, "trump": "%s"}'

#: What an author should look at.
ADVICE = {
    Verdict.NO_START: "the file must be executable and name its interpreter, or be given as a command line",
    Verdict.SLOW_START: "answer init with the line ok and flush the output; do heavy work later or faster",
    Verdict.WRONG_OK: "init and deal are answered with ok and nothing else on the line",
    Verdict.ILLEGAL: "keep the hand up to date: add the cards of every deal, remove each card played",
    Verdict.GARBAGE: "a card is a rank of 6789TJQKA and a suit of CDHS in upper case; no words, no prompt",
    Verdict.CRASH: "the process must live until game_end; read what it wrote to stderr",
    Verdict.HANG: "end every answer with a line end and flush it; an empty line is an answer too",
    Verdict.CLOCK: "think less as the game goes on: DURAK_CLOCK in the environment is its seconds and the increment",
    Verdict.CLOSED_PIPE: "leave standard input and output open until game_end",
    Verdict.FLOOD: "one line an answer; debugging goes to stderr or to a file",
    Verdict.NOT_UTF8: "answers are plain ASCII",
    Verdict.UNASKED: "exactly one line an answer, and none without a command; debugging goes to stderr",
}


class Grade(StrEnum):
    """How a trial ended."""

    RIGHT = "right"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one trial: what was tried, how it went, and the evidence."""

    trial: str
    grade: Grade
    detail: str = ""
    advice: str = ""
    lines: tuple[str, ...] = ()


def check_engine(
    spec: EngineSpec,
    limits: Limits | None = None,
    *,
    rounds: int = 3,
    seed: int = 1,
    rules: DurakRules | None = None,
) -> Iterator[Finding]:
    """Put an engine through all trials; yields each finding as it is made.

    Parameters
    ----------
    spec
        The engine.
    limits
        How long its answers may take.
    rounds
        How many deals are played against each kind of opponent, each from every seat.
    seed
        Names the deals.
    rules
        The rules of the games; by other rules than two players, 36 cards and caps, the second version of the protocol is checked.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> [finding.grade.value for finding in check_engine(read_engine("durak-dummy"), rounds=1)][:2]
    ['right', 'right']
    """
    trial = _Trial(spec, spec.limits(limits or Limits()), rules or DurakRules())
    first_word = trial.first_line.partition(" ")[0]
    with Roster() as roster:
        first = _tried(f"starts, and confirms {first_word} with ok", lambda: _confirm_init(roster, trial))
        yield first
        if first.grade is Grade.WRONG:
            return
        yield _tried("confirms deals with ok, also one without cards", lambda: _confirm_deals(roster, trial))
        yield _tried("ends after game_end", lambda: _end_after_game(roster, trial))
        yield _tried("ends when its input ends", lambda: _end_with_input(roster, trial))
        if spec.keep_alive:
            yield _tried("stays alive for the next game", lambda: _stay_alive(roster, trial))
        yield from _games(roster, trial, rounds, seed)


class _Trial(NamedTuple):
    """What is put on trial: an engine, within limits, in games by some rules."""

    spec: EngineSpec
    limits: Limits
    rules: DurakRules

    @property
    def opening(self) -> tuple[str, ...]:
        """The lines that open a game for the first seat; the last is a deal without cards."""
        deal = deal_of_pair(0, 0, self.rules)
        state = start(self.rules, deal.deck, deal.leader)
        if self.rules.is_compiled:
            dealt = next(notice.line for notice in opening(state) if notice.line.startswith("deal"))
            return "init 8H", dealt, _EMPTY_DEAL % "8H"
        empty = replace(state, dealt=((),) * self.rules.players)
        names = [f"player {seat + 1}" for seat in range(self.rules.players)]
        return game_line(state, 0, names), deals(state)[0].line, deals(empty)[0].line

    @property
    def first_line(self) -> str:
        """The line that starts a game."""
        return self.opening[0]


class _Doubt(Exception):  # noqa: N818 - not an error: allowed, but better avoided
    def __init__(self, detail: str, advice: str) -> None:
        super().__init__(detail)
        self.detail, self.advice = detail, advice


class _Talk:
    """A conversation with a process of the engine's, remembered for the report."""

    def __init__(self, roster: Roster, spec: EngineSpec, limits: Limits) -> None:
        self.limits = limits
        self.lines: list[str] = []
        self.process: EngineProcess = roster.start(spec)

    def confirm(self, line: str, limit: float | None = None) -> None:
        """Send a line that is to be answered with ok and nothing more."""
        self.lines.append(f"<- {line}")
        try:
            self._hear_ok(line, self.limits.answer if limit is None else limit)
            self.process.verify_silence(OVERHEARD)
        except EngineFault as fault:
            raise _Failed(fault, (*self.lines, *_quoted(self.process.errors))) from None

    def _hear_ok(self, line: str, limit: float) -> None:
        text = self.process.ask(line, limit)
        self.lines.append(f"-> {text}")
        if text != READY:
            raise EngineFault(Verdict.WRONG_OK, f"answered {text!r}; 'ok' is the answer")


class _Failed(Exception):  # noqa: N818 - carries a fault with its evidence
    def __init__(self, fault: EngineFault, lines: tuple[str, ...]) -> None:
        super().__init__(str(fault))
        self.fault, self.lines = fault, lines


def _tried(trial: str, attempt: Callable[[], object]) -> Finding:
    try:
        attempt()
    except _Failed as failure:
        fault = failure.fault
        return Finding(trial, Grade.WRONG, str(fault), ADVICE[fault.verdict], failure.lines)
    except EngineFault as fault:
        return Finding(trial, Grade.WRONG, str(fault), ADVICE[fault.verdict])
    except _Doubt as doubt:
        return Finding(trial, Grade.DOUBTFUL, doubt.detail, doubt.advice)
    return Finding(trial, Grade.RIGHT)


def _confirm_init(roster: Roster, trial: _Trial) -> _Talk:
    limits = trial.limits
    talk = _Talk(roster, trial.spec, limits)
    try:
        talk.confirm(trial.first_line, limits.start)
    except _Failed as failure:
        if failure.fault.verdict is not Verdict.HANG:
            raise
        reason = failure.fault.reason
        if late := talk.process.last_words(FAREWELL):
            reason = f"no answer within {limits.start:g} s; {late[:60]!r} came when its input was closed: not flushed"
        raise _Failed(EngineFault(Verdict.SLOW_START, reason), failure.lines) from None
    return talk


def _confirm_deals(roster: Roster, trial: _Trial) -> None:
    talk = _confirm_init(roster, trial)
    for line in trial.opening[1:]:
        talk.confirm(line)


def _end_after_game(roster: Roster, trial: _Trial) -> None:
    talk = _confirm_init(roster, trial)
    talk.process.tell(GAME_END)
    if trial.spec.keep_alive:
        return
    if not talk.process.wait_for_exit(FAREWELL):
        raise _Doubt(
            f"still running {FAREWELL:g} s after game_end; it will be killed",
            "exit on game_end: what is not saved by then is lost",
        )
    talk.process.verify_silence()


def _end_with_input(roster: Roster, trial: _Trial) -> None:
    talk = _confirm_init(roster, trial)
    talk.process.close_input()
    if not talk.process.wait_for_exit(FAREWELL):
        raise _Doubt(
            f"still running {FAREWELL:g} s after the end of its input",
            "exit at end-of-file: otherwise the process stays behind when the other side is gone",
        )


def _stay_alive(roster: Roster, trial: _Trial) -> None:
    talk = _confirm_init(roster, trial)
    talk.process.tell(GAME_END)
    talk.lines.append(f"<- {GAME_END}")
    talk.confirm("init 6C" if trial.rules.is_compiled else trial.first_line)


def _takes_everything(seen: Observation) -> tuple[int, ...]:
    """Never defend: the engine is asked to throw in, and its opponent's hand grows."""
    return () if seen.phase is Phase.DEFEND else dummy_policy(seen)


def _adds_everything(seen: Observation) -> tuple[int, ...]:
    """Attack with every card that fits, trumps too: the table grows long."""
    if seen.phase is Phase.DEFEND:
        return dummy_policy(seen)
    ranks = {rank_of(card) for card in seen.table}
    fitting = tuple(card for card in sorted(seen.hand) if not ranks or rank_of(card) in ranks)
    return fitting[: seen.throw_in_limit] if seen.phase is Phase.THROW_IN else fitting[:1]


#: The opponents: what makes them special, and their policy for a seed.
_OPPONENTS: tuple[tuple[str, Callable[[int], VariantPolicy]], ...] = (
    ("the sample engine", lambda _: variant_dummy_policy),
    ("one who takes everything", lambda _: _takes_everything),
    ("one who adds every card that fits", lambda _: _adds_everything),
    ("one who plays at random", lambda number: RandomPolicy(number).reply),
)


def _games(roster: Roster, trial: _Trial, rounds: int, seed: int) -> Iterator[Finding]:
    """Play against each opponent until the first fault; evidence is shown once for every kind of fault."""
    situations: Counter[str] = Counter()
    slowest = 0.0
    shown: set[Verdict] = set()
    for name, policy in _OPPONENTS:
        title = f"plays against {name}"
        for number, seat in product(range(rounds), range(trial.rules.players)):
            forfeit, seconds = _play_one(roster, trial, policy, (seed, number, seat), situations)
            slowest = max(slowest, seconds)
            if forfeit is not None:
                where = f"deal {number + 1} of seed {seed}, as player {seat + 1}"
                yield _finding(title, forfeit, where, with_evidence=forfeit.verdict not in shown)
                shown.add(forfeit.verdict)
                break
        else:
            yield Finding(title, Grade.RIGHT, f"{trial.rules.players * rounds} games")
    met = ", ".join(f"{name} {count}" for name, count in situations.items())
    yield Finding("situations met", Grade.RIGHT, met)
    yield Finding("slowest answer", Grade.RIGHT, f"{slowest:.3f} s of {trial.limits.answer:g} s")


def _play_one(
    roster: Roster,
    trial: _Trial,
    policy: Callable[[int], VariantPolicy],
    game: tuple[int, int, int],
    situations: Counter[str],
) -> tuple[Forfeit | None, float]:
    seed, number, seat = game
    deal = deal_of_pair(seed, number, trial.rules)
    players: list[Player] = [
        EnginePlayer(trial.spec, trial.limits, roster)
        if place == seat
        else PolicyPlayer("opponent", lambda: policy(number))
        for place in range(trial.rules.players)
    ]

    def listen(speaker: int, direction: str, line: str) -> None:
        if speaker == seat and direction == "<-":
            situations[_situation(line)] += 1

    played = play_game(players, deal.deck, deal.leader, rules=trial.rules, listener=listen)
    return played.forfeit, played.slowest_answers[seat]


def _situation(line: str) -> str:
    command = line.partition(" ")[0]
    with_cards = not line.startswith(f"{command}  ##")
    match command:
        case "move":
            return "additions" if with_cards else "leads"
        case "respond":
            return "defences"
        case "give_more":
            return "throw-ins"
        case "deal":
            return "deals" if with_cards else "deals without cards"
        case _:
            return {"init": "games", GAME: "games", GAME_END: "game ends"}.get(command, command)


def _finding(trial: str, forfeit: Forfeit, where: str, *, with_evidence: bool) -> Finding:
    detail = f"{forfeit.verdict}: {forfeit.reason} ({where})"
    if not with_evidence:
        return Finding(trial, Grade.WRONG, detail)
    lines = (*forfeit.last_lines, *_quoted(forfeit.errors))
    return Finding(trial, Grade.WRONG, detail, ADVICE[forfeit.verdict], lines)


def _quoted(errors: str) -> Iterator[str]:
    """Show the end of stderr, a line each."""
    return (f"stderr: {line}" for line in errors.splitlines()[-5:])
