"""Checks whether an engine keeps the protocol, and tells its author what is wrong.

First come single duties (start, confirm, stay silent, exit), each in a separate process; then whole games against
opponents that bring about the rarer situations.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from croupier.durak.arena.engine_process import EngineProcess
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.player import EnginePlayer, PolicyPlayer
from croupier.durak.arena.referee import play_game
from croupier.durak.arena.roster import FAREWELL, Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import EngineFault, Forfeit, Verdict
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, Policy
from croupier.durak.engine.pack import rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import GAME_END, READY, opening
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.dummy import dummy_policy
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
    spec: EngineSpec, limits: Limits | None = None, *, rounds: int = 3, seed: int = 1
) -> Iterator[Finding]:
    """Put an engine through all trials; yields each finding as it is made.

    Parameters
    ----------
    spec
        The engine.
    limits
        How long its answers may take.
    rounds
        How many deals are played against each kind of opponent, each from both seats.
    seed
        Names the deals.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> [finding.grade.value for finding in check_engine(read_engine("durak-dummy"), rounds=1)][:2]
    ['right', 'right']
    """
    chosen = spec.limits(limits or Limits())
    with Roster() as roster:
        first = _tried("starts, and confirms init with ok", lambda: _confirm_init(roster, spec, chosen))
        yield first
        if first.grade is Grade.WRONG:
            return
        yield _tried(
            "confirms deals with ok, also one without cards", lambda: _confirm_deals(roster, spec, chosen)
        )
        yield _tried("ends after game_end", lambda: _end_after_game(roster, spec, chosen))
        yield _tried("ends when its input ends", lambda: _end_with_input(roster, spec, chosen))
        if spec.keep_alive:
            yield _tried("stays alive for the next game", lambda: _stay_alive(roster, spec, chosen))
        yield from _games(roster, spec, chosen, rounds, seed)


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


def _confirm_init(roster: Roster, spec: EngineSpec, limits: Limits) -> _Talk:
    talk = _Talk(roster, spec, limits)
    try:
        talk.confirm("init 8H", limits.start)
    except _Failed as failure:
        if failure.fault.verdict is not Verdict.HANG:
            raise
        reason = failure.fault.reason
        if late := talk.process.last_words(FAREWELL):
            reason = f"no answer within {limits.start:g} s; {late[:60]!r} came when its input was closed: not flushed"
        raise _Failed(EngineFault(Verdict.SLOW_START, reason), failure.lines) from None
    return talk


def _confirm_deals(roster: Roster, spec: EngineSpec, limits: Limits) -> None:
    talk = _confirm_init(roster, spec, limits)
    deal = deal_of_pair(seed=0, pair=0)
    notices = opening(start(DurakRules(), deal.deck, deal.leader))
    talk.confirm(next(notice.line for notice in notices if notice.line.startswith("deal")))
    talk.confirm(_EMPTY_DEAL % "8H")


def _end_after_game(roster: Roster, spec: EngineSpec, limits: Limits) -> None:
    talk = _confirm_init(roster, spec, limits)
    talk.process.tell(GAME_END)
    if spec.keep_alive:
        return
    if not talk.process.wait_for_exit(FAREWELL):
        raise _Doubt(
            f"still running {FAREWELL:g} s after game_end; it will be killed",
            "exit on game_end: what is not saved by then is lost",
        )
    talk.process.verify_silence()


def _end_with_input(roster: Roster, spec: EngineSpec, limits: Limits) -> None:
    talk = _confirm_init(roster, spec, limits)
    talk.process.close_input()
    if not talk.process.wait_for_exit(FAREWELL):
        raise _Doubt(
            f"still running {FAREWELL:g} s after the end of its input",
            "exit at end-of-file: otherwise the process stays behind when the other side is gone",
        )


def _stay_alive(roster: Roster, spec: EngineSpec, limits: Limits) -> None:
    talk = _confirm_init(roster, spec, limits)
    talk.process.tell(GAME_END)
    talk.lines.append(f"<- {GAME_END}")
    talk.confirm("init 6C")


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
_OPPONENTS: tuple[tuple[str, Callable[[int], Policy]], ...] = (
    ("the sample engine", lambda _: dummy_policy),
    ("one who takes everything", lambda _: _takes_everything),
    ("one who adds every card that fits", lambda _: _adds_everything),
    ("one who plays at random", RandomPolicy),
)


def _games(roster: Roster, spec: EngineSpec, limits: Limits, rounds: int, seed: int) -> Iterator[Finding]:
    """Play against each opponent until the first fault; evidence is shown once for every kind of fault."""
    situations: Counter[str] = Counter()
    slowest = 0.0
    shown: set[Verdict] = set()
    for name, policy in _OPPONENTS:
        trial = f"plays against {name}"
        for number, seat in product(range(rounds), (0, 1)):
            forfeit, seconds = _play_one(roster, spec, limits, policy, (seed, number, seat), situations)
            slowest = max(slowest, seconds)
            if forfeit is not None:
                where = f"deal {number + 1} of seed {seed}, as player {seat + 1}"
                yield _finding(trial, forfeit, where, with_evidence=forfeit.verdict not in shown)
                shown.add(forfeit.verdict)
                break
        else:
            yield Finding(trial, Grade.RIGHT, f"{2 * rounds} games")
    met = ", ".join(f"{name} {count}" for name, count in situations.items())
    yield Finding("situations met", Grade.RIGHT, met)
    yield Finding("slowest answer", Grade.RIGHT, f"{slowest:.3f} s of {limits.answer:g} s")


def _play_one(
    roster: Roster,
    spec: EngineSpec,
    limits: Limits,
    policy: Callable[[int], Policy],
    game: tuple[int, int, int],
    situations: Counter[str],
) -> tuple[Forfeit | None, float]:
    seed, number, seat = game
    deal = deal_of_pair(seed, number)
    opponent = PolicyPlayer("opponent", lambda: policy(number))
    engine = EnginePlayer(spec, limits, roster)

    def listen(speaker: int, direction: str, line: str) -> None:
        if speaker == seat and direction == "<-":
            situations[_situation(line)] += 1

    players = (engine, opponent) if seat == 0 else (opponent, engine)
    played = play_game(players, deal.deck, deal.leader, listener=listen)
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
            return {"init": "games", GAME_END: "game ends"}.get(command, command)


def _finding(trial: str, forfeit: Forfeit, where: str, *, with_evidence: bool) -> Finding:
    detail = f"{forfeit.verdict}: {forfeit.reason} ({where})"
    if not with_evidence:
        return Finding(trial, Grade.WRONG, detail)
    lines = (*forfeit.last_lines, *_quoted(forfeit.errors))
    return Finding(trial, Grade.WRONG, detail, ADVICE[forfeit.verdict], lines)


def _quoted(errors: str) -> Iterator[str]:
    """Show the end of stderr, a line each."""
    return (f"stderr: {line}" for line in errors.splitlines()[-5:])
