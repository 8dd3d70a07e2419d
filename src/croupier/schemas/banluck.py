"""What the commands of ``croupier banluck`` print as JSON, and a saved hand."""

from typing import Any, Literal

from pydantic import ConfigDict

from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.engine.state import ActionKind
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.numerics.devices import StreamName
from croupier.schemas.document import Document, Output


class RuleSet(BanluckRules):
    """The options of a Banluck rule set."""

    version: str
    """The version of Croupier that printed this."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class CurvePoint(Document):
    """A moment of the solver's work."""

    iteration: int
    """How many iterations were done."""
    lower: float
    """What the player's strategy earns at least, in units per hand."""
    upper: float
    """What the player can earn at most against the dealer's strategy, in units per hand."""
    seconds: float
    """Time since the start."""


class Solution(Output):
    """The value of the game between two perfect sides, certified by exact best responses."""

    value: float
    """The player's expected result in units (bets) per hand: the middle of `lower` and `upper`."""
    lower: float
    """What the player's strategy earns at least against any dealer, in units per hand."""
    upper: float
    """What any player can earn at most against the dealer's strategy, in units per hand."""
    exploitability: float
    """`upper` minus `lower`."""
    tolerance: float
    """The exploitability that was asked for."""
    converged: bool
    """Whether the exploitability is within the tolerance."""
    iterations: int
    """Iterations of the algorithm; 0 for the linear program."""
    seconds: float
    """How long it took."""
    algorithm: Algorithm
    """How it was solved."""
    curve: list[CurvePoint]
    """How the interval narrowed; empty for the linear program."""
    rules: BanluckRules
    """The rules."""
    std: float
    """Standard deviation of one hand, in units."""


class Sampling(Document):
    """What a sampled solution says of its own precision.

    `gains` and `dealer_gain` are then measured on the deals on which the best replies were found, which makes them too high on average.
    On other deals the same replies do worse than the true best ones; the true gains lie between the two means.
    """

    deals: int
    """Deals on which each side was measured."""
    seed: int
    """The seed of all deals."""
    iterations: int
    """How many iterations were learnt."""
    dealer_stderr: float
    """The standard error of `dealer_value`."""
    held_out_gains: list[float]
    """The gains of the seats on other deals."""
    held_out_stderr: list[float]
    """Their standard errors."""
    held_out_dealer_gain: float
    """The dealer's gain on other deals."""
    held_out_dealer_stderr: float
    """Its standard error."""
    memory_gains: list[float]
    """What each seat could gain at least if it also remembered the low cards among those shown; beyond what `information` allows."""
    memory_stderr: list[float]
    """Their standard errors."""
    dealer_memory_gain: float
    """What the dealer could gain at least by remembering the low cards among those shown or opened."""
    dealer_memory_stderr: float
    """Its standard error."""


class TableSolution(Output):
    """Several players and the dealer, within a certified distance of an equilibrium."""

    players: int
    """How many players are seated."""
    values: list[float]
    """What each seat earns in units per hand, the first to act first."""
    dealer_value: float
    """What the dealer earns from all seats together."""
    gains: list[float]
    """What each seat could gain at most by another strategy while everybody else keeps theirs."""
    dealer_gain: float
    """The same for the dealer."""
    stderr: list[float] | None
    """Standard errors of `values`; null where they are exact."""
    method: str
    """How it was solved."""
    information: Literal["full", "counts"]
    """On what everybody decides: all that is public (`full`), or own cards and card counts alone (`counts`)."""
    seconds: float
    """How long it took."""
    sampling: Sampling | None
    """How far to trust sampled figures; null where they are exact."""
    rules: BanluckRules
    """The rules."""


class ChartRow(Document):
    """A row of a chart: hands of one size, soft or hard."""

    name: str
    """Which hands, such as `2 cards, hard`."""
    letters: list[str]
    """What to do at each total: for players `H` hit and `S` stand; for the dealer `D` draw, `S` stand, and with two players `1` or `2` whom to open first, with more the card count of the hand to open first; empty where there is nothing to decide."""


class ChartDifference(Document):
    """A cell in which a seat's chart differs from the chart of one player."""

    row: str
    """Which hands, such as `2 cards, hard`."""
    total: int
    """The total."""
    here: Literal["H", "S"]
    """What the seat does: `H` hit, `S` stand."""
    other: Literal["H", "S"]
    """What the chart of one player says."""


class TableChart(Document):
    """The chart of a seat, or of the dealer against some card counts."""

    title: str
    """Whose chart it is, and against what."""
    totals: list[int]
    """The totals: the columns."""
    rows: list[ChartRow]
    """The rows."""
    differences: list[ChartDifference]
    """For a seat: the cells that differ from the chart of one player."""


class TableCharts(TableSolution):
    """The same with the charts of the seats and of the dealer, while nobody's cards are known."""

    charts: list[TableChart]
    """The charts."""


class Baseline(Output):
    """The player's best play against the classic dealer."""

    value: float
    """The player's expected result in units per hand."""
    seconds: float
    """How long it took."""
    rules: BanluckRules
    """The rules."""
    std: float
    """Standard deviation of one hand, in units."""
    stderr: float
    """Always 0: the value is exact."""


class ChartCell(Document):
    """One cell of a chart: hands that are played alike."""

    cards: int
    """How many cards the hand has."""
    is_soft: bool
    """Whether an ace may still count less."""
    total: int
    """The total of the hand."""
    against: str
    """For the dealer: what the player holds, such as `3 cards`. Empty for the player."""
    action: Literal["hit", "stand", "draw", "stop"]
    """What to do: `hit` or `stand` for the player, `draw` or `stop` for the dealer."""


class Charts(Output):
    """Charts for both sides that a person can memorise, and what they cost."""

    value: float
    """The value of the game in units per hand, from the player's side."""
    cost_against_equilibrium: float
    """What playing by the chart costs the player against the equilibrium dealer, in units per hand."""
    cost_against_best: float
    """What it costs against a dealer who knows the chart, in units per hand."""
    agreement: float
    """Share of the player's decisions, by how often they come up, in which the chart does what the solution does."""
    player: list[ChartCell]
    """The player's chart."""
    dealer: list[ChartCell]
    """The dealer's chart."""
    rules: BanluckRules
    """The rules."""


class Decision(Document):
    """A decision: one hand, and what its two actions are worth."""

    hand: str
    """The ranks of the hand, such as `T-6`."""
    cards: int
    """How many cards the hand has."""
    total: int
    """The total of the hand."""
    soft: bool
    """Whether an ace may still count less."""
    against: str
    """For the dealer: what the player holds, such as `3 cards`. Empty for the player."""
    stop: str
    """The name of the action that takes no card."""
    go: str
    """The name of the action that takes a card."""
    ev_stop: float | None
    """What `stop` is worth, in units; null if the rules do not allow it."""
    ev_go: float
    """What `go` is worth, in units."""
    go_frequency: float
    """How often the solution takes a card, from 0 to 1."""
    advice: str
    """What the solution does: an action, or `go` with its frequency where it mixes."""
    best: str
    """The better of the two actions."""
    cost_of_mistake: float
    """What the worse action costs each time, in units."""
    reach: float
    """How often the decision comes up per hand dealt."""


class OutcomeRow(Document):
    """One way for a hand to end."""

    outcome: Outcome
    """Why it ended so; `win` and `loss` are those of the side that decides."""
    units: float
    """The result in units, for the side that decides."""
    probability: float
    """How likely it is."""


class AgainstRow(Document):
    """What happens against one kind of final hand of the other side."""

    hand: str
    """The other side's final hand: a total, `bust`, or the name of a special hand."""
    probability: float
    """How likely it is."""
    units: float
    """The mean result in units, for the side that decides."""


class ActionStory(Document):
    """What an action leads to."""

    action: str
    """The action."""
    ev: float
    """What it is worth, in units, for the side that decides."""
    win: float
    """Probability to win."""
    push: float
    """Probability to win and lose nothing."""
    lose: float
    """Probability to lose."""
    outcomes: list[OutcomeRow]
    """How the hand ends."""
    against: list[AgainstRow]
    """The same by the other side's final hand, weakest first."""


class Explanation(Output):
    """Why an action is right."""

    side: Literal["player", "dealer"]
    """Who decides. All units are from this side."""
    decision: Decision
    """The decision."""
    actions: list[ActionStory]
    """What each action leads to."""
    sentences: list[str]
    """The explanation in words."""
    rules: BanluckRules
    """The rules."""


class TableChoice(Document):
    """What somebody does with a hand in one situation."""

    who: str
    """Whose hand it is."""
    sees: str
    """What is seen of the others."""
    frequencies: dict[str, float]
    """How often the solution takes each action."""
    worth: dict[str, float]
    """What each action is worth, in units of whoever decides."""
    error: float
    """The largest standard error of a difference between two actions; 0 where they are exact."""
    best: str
    """The action that is worth most."""


class TableExplanation(Output):
    """A hand at a table of several players."""

    players: int
    """How many players are seated."""
    side: Literal["player", "dealer"]
    """Whose hand it is."""
    hand: str
    """The hand by its ranks, such as `T-6`."""
    choices: list[TableChoice]
    """What is done in each situation, the game of one player last."""
    sentences: list[str]
    """The explanation in words."""
    rules: BanluckRules
    """The rules."""


class CountedOutcome(Document):
    """How often hands ended in one way."""

    outcome: Outcome
    """Why they ended."""
    probability: float
    """Share of all hands."""
    mean_units: float
    """Mean result of these hands in units, from the player's side."""
    count: int
    """How many hands."""


class Simulation(Output):
    """What was counted while two strategies played. Outcomes that did not occur are left out."""

    value: float
    """The player's mean result in units per hand."""
    std: float
    """Standard deviation of one hand, in units."""
    stderr: float
    """Standard error of `value`."""
    hands: int
    """How many hands were dealt."""
    seed: int
    """The seed: the same one deals the same cards."""
    stream: StreamName
    """How hands were cut into random streams; a seed deals other cards on each."""
    seconds: float
    """How long it took, compilation left out; over all sessions of a resumed run."""
    hands_per_second: float
    """The speed, over all workers."""
    outcomes: list[CountedOutcome]
    """How the hands ended."""
    rules: BanluckRules
    """The rules."""
    player: str
    """The player's strategy, as named by `--player`."""
    dealer: str
    """The dealer's strategy, as named by `--dealer`."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


class TableSimulation(Output):
    """What was counted while several players and the dealer played a solution."""

    players: int
    """How many players were seated."""
    values: list[float]
    """The mean result of each seat in units per hand, the first to act first."""
    stds: list[float]
    """Standard deviations of one hand, by seat."""
    stderrs: list[float]
    """Standard errors of `values`."""
    dealer_value: float
    """The dealer's mean result against all seats together."""
    dealer_std: float
    """Its standard deviation."""
    dealer_stderr: float
    """Its standard error."""
    hands: int
    """How many hands were dealt."""
    seed: int
    """The seed: the same one deals the same cards."""
    stream: StreamName
    """How hands were cut into random streams; a seed deals other cards on each."""
    seconds: float
    """How long it took, compilation left out."""
    hands_per_second: float
    """The speed, over all workers; a hand of all players counts once."""
    rules: BanluckRules
    """The rules."""
    solved_values: list[float]
    """The solved values of the seats, to compare with `values`."""


class Finding(Document):
    """A question and its answer."""

    key: str
    """A short name of the question."""
    question: str
    """The question."""
    answer: str
    """The answer in words."""
    figures: dict[str, float]
    """The figures behind it by name, per hand and in units unless the name says otherwise."""
    table: list[dict[str, Any]]
    """Rows of named values where the answer is a table; otherwise empty."""


class Research(Output):
    """Answers to the standing questions."""

    rules: BanluckRules
    """The rules."""
    findings: list[Finding]
    """The answers."""


class TableResearch(Research):
    """Answers to the questions of a table of several players."""

    players: int
    """How many players are seated."""


class SavedAction(Document):
    """One thing that was done in a hand."""

    model_config = ConfigDict(json_schema_extra={"required": ["action"]})

    action: ActionKind
    """What was done."""
    seat: int
    """Whose hand it was done to, from 0; left out where it is clear."""
    cards: str
    """The cards dealt with it, such as `AS 9C`; left out where there were none."""


class SavedHand(Document):
    """A hand that `croupier.banluck.engine.to_json` wrote. Reading it plays the actions again."""

    game: Literal["banluck"]
    """The game."""
    rules: BanluckRules
    """The rules."""
    players: int
    """How many players were seated."""
    actions: list[SavedAction]
    """Everything that was done, in order."""
