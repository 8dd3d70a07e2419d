"""The profiles of the Counter page: found in the store, recorded in the background, named, chosen and compared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Self

from croupier.blackjack.counting.mistakes import mistaken_chart
from croupier.blackjack.counting.people import NO_SLIPS, Slips
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_runs import ProfilePlan, profile_of_run, profile_plan
from croupier.blackjack.counting.runs import IndexChoice
from croupier.blackjack.counting.system import verify_countable, verify_indexed
from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.errors import InputError
from croupier.runs.database import StoreError
from croupier.runs.resuming import open_recording
from croupier.runs.run import Run
from croupier.runs.store import open_store
from croupier.saved_state import Saved, read_saved
from croupier.texts import say
from croupier.web.models.counter_question import CounterQuestion

#: What other players play: the count as the visitor does, the best chart, or a chart with common mistakes.
OtherPlay = Literal["as_you", "chart", "mistakes"]

#: What is recorded on a first visit, and the longest run that a page starts.
READY_ROUNDS, MOST_ROUNDS = 4_000_000, 10_000_000_000
READY_SEED = 1

#: Profiles that are kept in memory for all visitors, some 10 MB each.
_REMEMBERED = 8

#: Profiles that are listed, and compared; names are no longer than this.
MOST_LISTED, MOST_COMPARED, LONGEST_NAME = 50, 4, 60


@dataclass(frozen=True, slots=True)
class ListedProfile:
    """A profile in the store: what a list says of it."""

    run: int
    system: str
    rules: BlackjackRules
    rounds: int
    spots: int
    others: int
    indices: str
    status: str
    slips: Slips = NO_SLIPS

    @property
    def summary(self) -> str:
        """The rules in a line."""
        return rules_summary(self.rules)


def listed_profiles(store: str | None) -> tuple[ListedProfile, ...]:
    """List the profiles of a store, the newest first; a store that is not there yet has none."""
    try:
        with open_store(store) as runs:
            found = runs.runs(ProfilePlan.kind, with_state=False)
    except StoreError:
        return ()
    listed = (_listed(run) for run in reversed(found[-MOST_LISTED:]) if run.blocks)
    return tuple(profile for profile in listed if profile is not None)


def _listed(run: Run) -> ListedProfile | None:
    """Read a run for the list; one whose rules or system this version does not know any more is left out."""
    try:
        rules = BlackjackRules.create(run.rules)
    except InputError:
        return None
    saved = run.parameters
    rounds = (run.result or {}).get("rounds", 0)
    return ListedProfile(
        run.id,
        saved["system"]["name"],
        rules,
        rounds,
        saved["spots"],
        saved["others"],
        str(saved["choice"]),
        str(run.actual_status),
        Slips(saved.get("miscounts", 0.0), saved.get("misplays", 0.0)),
    )


def best_profile(
    profiles: tuple[ListedProfile, ...], rules: BlackjackRules, system: str
) -> ListedProfile | None:
    """Return the longest profile of some rules and a system, of players who do not err if there is one; None if there is none."""
    fitting = [found for found in profiles if found.rules == rules and found.system == system]
    return max(fitting, key=lambda found: (found.slips.is_nothing, found.rounds, found.spots), default=None)


def opened_profile(store: str | None, run_id: int) -> CountProfile:
    """Read a profile, from memory if it was read lately.

    Raises
    ------
    InputError
        If there is no such profile, or it has nothing yet.
    """
    with open_store(store) as runs:
        blocks = next(
            (run.blocks for run in runs.runs(ProfilePlan.kind, with_state=False) if run.id == run_id), 0
        )
    return _read(store, run_id, blocks)


@lru_cache(_REMEMBERED)
def _read(store: str | None, run_id: int, _blocks: int) -> CountProfile:
    with open_store(store) as runs:
        return profile_of_run(runs.find(run_id))


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """A profile to be recorded.

    Attributes
    ----------
    others, other_play
        How many others sit at the table, and what they play: the count as you do, the best chart, or a chart with common mistakes.
    miscounts, misplays
        Which parts of the rounds you miscount and misplay, see :class:`~croupier.blackjack.counting.people.Slips`.
    """

    rules: BlackjackRules
    system: str = "hi-lo"
    indices: IndexChoice = "all"
    spots: int = 2
    others: int = 0
    rounds: int = READY_ROUNDS
    seed: int = READY_SEED
    miscounts: float = 0.0
    misplays: float = 0.0
    other_play: OtherPlay = "as_you"

    def verify(self) -> None:
        """Raise unless a page can record it."""
        verify_countable(self.rules)
        if self.indices != "none":
            verify_indexed(self.rules)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise InputError(say("counter.refused.rounds", most=MOST_ROUNDS))
        if not (0 <= self.miscounts <= 1 and 0 <= self.misplays <= 1):
            raise InputError(say("counter.refused.rate"))

    @property
    def other_chart(self) -> Chart | None:
        """What the others play; None for the count, or where there is nobody."""
        if self.other_play == "as_you" or not self.others:
            return None
        return best_chart(self.rules).chart if self.other_play == "chart" else mistaken_chart(self.rules)


def ready_request(rules: BlackjackRules, system: str) -> ProfileRequest:
    """Return what is recorded of rules that have no profile yet; plays follow the count where the dealer shows one card.

    >>> ready_request(BlackjackRules(), "ko").indices, ready_request(BlackjackRules(hole_card="open"), "ko").indices
    ('all', 'none')
    """
    return ProfileRequest(rules, system, "none" if rules.hole_card == "open" else "all")


@dataclass(frozen=True, slots=True)
class Recorded:
    """How far a recording is: what it does, rounds of all, and its number in the store once it has one."""

    step: str
    rounds: int = 0
    all_rounds: int = 0
    run: int | None = None

    @property
    def share(self) -> float:
        """How much of it is done."""
        return self.rounds / self.all_rounds if self.all_rounds else 0.0


def record_profile(
    request: ProfileRequest, store: str | None, report: Callable[[Recorded], None]
) -> Recorded:
    """Record a profile and save it as ``croupier blackjack profile --save`` does.

    Parameters
    ----------
    report
        Told how far it is; if it raises, the run is saved as interrupted, can be asked as far as it is, and resumed in the terminal.
    """
    request.verify()
    report(Recorded("preparing"))
    plan = profile_plan(
        request.rules,
        request.system,
        indices=request.indices,
        step=lambda _: report(Recorded("preparing")),
        spots=request.spots,
        others=request.others,
        rounds=request.rounds,
        seed=request.seed,
        slips=Slips(request.miscounts, request.misplays),
        other_chart=request.other_chart,
    )
    with open_recording(store, plan) as recording:
        run = recording.run.id

        def progress(done: int, there: int) -> None:
            report(Recorded("dealing", done, there, run))

        found = plan.run(workers=1, progress=progress, recording=recording)
    return Recorded("done", found.rounds, found.rounds, run)


class SavedDesk(Saved):
    """A visitor's Counter page as it is saved."""

    run: int | None
    query: dict[str, str]
    names: dict[str, str]
    compared: list[int]


@dataclass(slots=True)
class CounterDesk:
    """What a visitor's Counter page remembers: the profile that is asked, the sliders, names of profiles, and which are compared."""

    run: int | None = None
    question: CounterQuestion = field(default_factory=CounterQuestion)
    names: dict[int, str] = field(default_factory=dict)
    compared: tuple[int, ...] = ()

    def name(self, run: int, text: str) -> None:
        """Name a profile; an empty name takes it away.

        >>> desk = CounterDesk()
        >>> desk.name(3, " my casino ")
        >>> desk.names
        {3: 'my casino'}
        """
        named = " ".join(text.split())[:LONGEST_NAME]
        self.names = {known: other for known, other in self.names.items() if known != run}
        if named:
            self.names[run] = named

    def compare(self, run: int, *, on: bool) -> None:
        """Put a profile into the comparison, or take it out."""
        others = tuple(known for known in self.compared if known != run)
        if on and len(others) >= MOST_COMPARED:
            raise InputError(say("counter.refused.compared", most=MOST_COMPARED))
        self.compared = (*others, run) if on else others

    def to_state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        saved = SavedDesk(
            run=self.run,
            query=self.question.to_query(),
            names={str(run): name for run, name in self.names.items()},
            compared=list(self.compared),
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a page back; what is no such page is refused."""
        saved = read_saved(SavedDesk, state, "saved Counter page")
        if not all(run.isdecimal() for run in saved.names):
            raise InputError("saved Counter page: names belong to the numbers of runs")
        return cls(
            saved.run,
            CounterQuestion.from_query(saved.query),
            {int(run): name for run, name in saved.names.items()},
            tuple(saved.compared),
        )
