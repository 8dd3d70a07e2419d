"""What the commands of ``croupier blackjack`` print as JSON, charts, and a saved round."""

from typing import Literal

from pydantic import ConfigDict, Field, RootModel

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.engine.side_bets import PairKind, PokerKind
from croupier.blackjack.engine.state import ActionKind
from croupier.blackjack.solvers.chart import Code
from croupier.schemas.document import Document, Output, UpCard

#: Rows of a chart, such as ``16``, ``soft 18`` or ``8,8``; columns are up-cards.
ChartCodes = dict[str, dict[UpCard, Code]]


class RuleSet(BlackjackRules):
    """The options of a blackjack rule set."""

    version: str
    """The version of Croupier that printed this."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Edge(Output):
    """What the game is worth to the player, exactly, from a full shoe."""

    total_dependent: float
    """The value of the best chart, per initial bet."""
    composition_dependent: float
    """The value of the best play by the cards of the hand, per initial bet."""
    by_up_card: dict[UpCard, float]
    """The value of the best play against each up-card, per initial bet."""
    std: float
    """Standard deviation of a round of the best play by composition, in initial bets."""
    seconds: float
    """How long it took."""
    effects_of_removal: dict[UpCard, float] | None
    """How the value changes when one card of a rank is removed, per initial bet; null without `--removal`."""
    rules: BlackjackRules
    """The rules."""


class PairBet(Document):
    """Perfect pairs."""

    value: float
    """The player's expected result per unit bet."""
    chances: dict[PairKind, float]
    """The probability of each pair."""
    pays: dict[PairKind, int]
    """What each pair pays to one."""


class PokerBet(Document):
    """21+3."""

    value: float
    """The player's expected result per unit bet."""
    chances: dict[PokerKind, float]
    """The probability of each poker hand."""
    pays: dict[PokerKind, int]
    """What each poker hand pays to one."""


class InsuranceBet(Document):
    """Insurance."""

    value: float
    """The player's expected result per unit of insurance, with an ace up."""


class SideBets(Output):
    """What the side bets and insurance are worth, exactly."""

    perfect_pairs: PairBet
    """Perfect pairs."""
    perfect_pairs_old: PairBet = Field(alias="perfect pairs", deprecated=True)
    """The same under its old key. Use `perfect_pairs`."""
    twenty_one_plus_three: PokerBet
    """21+3."""
    twenty_one_plus_three_old: PokerBet = Field(alias="21+3", deprecated=True)
    """The same under its old key. Use `twenty_one_plus_three`."""
    insurance: InsuranceBet
    """Insurance."""
    rules: BlackjackRules
    """The rules."""


class BestChart(Output):
    """The best chart of the rules."""

    value: float
    """The exact value of the chart, per initial bet."""
    chart: ChartCodes
    """The code of every row against every up-card."""
    rules: BlackjackRules
    """The rules."""


class ChartCheck(Output):
    """The exact value of a chart, and its entries that the rules do not allow."""

    value: float
    """The exact value of the chart, per initial bet."""
    best: float
    """The value of the best chart."""
    remarks: list[str]
    """The entries that cannot be played as written, one sentence each."""
    rules: BlackjackRules
    """The rules."""


class HandValues(Output):
    """What each legal action is worth with a hand. Where the dealer peeks: given that there is no natural."""

    hand: str
    """The ranks of the hand, such as `T,6`."""
    up_card: UpCard
    """The dealer's up-card."""
    total: int
    """The total of the hand."""
    soft: bool
    """Whether an ace counts eleven."""
    actions: dict[Literal["stand", "hit", "double", "split", "surrender"], float]
    """The value of every legal action, in initial bets."""
    best: str
    """The best action."""
    rules: BlackjackRules
    """The rules."""


class Share(Document):
    """How often something happened, and what it brought."""

    count: int
    """How often."""
    share: float
    """Share of all, from 0 to 1."""
    mean: float
    """Mean result: of hands in units, of rounds per initial bet."""
    stderr: float | None
    """Standard error of `mean`; null where it was not measured."""


class CountedSideBet(Document):
    """What a side bet of one unit came to."""

    value: float
    """Mean result per unit."""
    std: float
    """Standard deviation of one bet."""
    stderr: float
    """Standard error of `value`."""
    kinds: dict[PairKind | PokerKind, float]
    """How often each kind that pays came up, per bet."""


class CountedSideBets(Document):
    """The side bets by name; empty without `--side-bets`."""

    model_config = ConfigDict(json_schema_extra={"required": []})

    perfect_pairs: CountedSideBet
    """Perfect pairs."""
    perfect_pairs_old: CountedSideBet = Field(alias="perfect pairs", deprecated=True)
    """The same under its old key. Use `perfect_pairs`."""
    twenty_one_plus_three: CountedSideBet
    """21+3."""
    twenty_one_plus_three_old: CountedSideBet = Field(alias="21+3", deprecated=True)
    """The same under its old key. Use `twenty_one_plus_three`."""


class Simulation(Output):
    """What was counted while a chart was played. Outcomes and moves that did not occur are left out."""

    value: float
    """Mean result per initial bet; doubled and split bets count in what is won."""
    std: float
    """Standard deviation of one player's result in one round, in units."""
    stderr: float
    """Standard error of `value`, from shoe to shoe."""
    interval: list[float]
    """The 95 % confidence interval of `value`: lower and upper end."""
    rounds: int
    """How many rounds were played."""
    seats: int
    """How many players sat at the table."""
    shoes: int
    """How many shoes were dealt, some of them in part."""
    rounds_per_shoe: float | None
    """Mean over shoes dealt to the cut card; null if there was none."""
    cards_per_round: float | None
    """Mean over shoes dealt to the cut card; null if there was none."""
    mean_bet: float
    """Mean initial bet, in units."""
    staked: float
    """All bets on hands per initial bet, doubles and splits included."""
    hands: float
    """Hands per player and round; more than 1 because of splits."""
    insurance: float
    """How often insurance was taken, per player and round."""
    seed: int
    """The seed: the same one deals the same cards."""
    seconds: float
    """How long it took, compilation left out; over all sessions of a resumed run."""
    rounds_per_second: float
    """The speed, over all workers."""
    outcomes: dict[Outcome, Share]
    """How hands ended."""
    moves: dict[Literal["none", "stand", "hit", "double", "split", "surrender"], Share]
    """Rounds by the first move; `none` where there was nothing to decide."""
    side_bets: CountedSideBets
    """The side bets, as bets of one unit."""
    rules: BlackjackRules
    """The rules."""
    remarks: list[str]
    """The entries of the chart that cannot be played as written."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


class CellDifference(Document):
    """A cell in which two charts differ."""

    hand: str
    """The row of the chart."""
    up_card: UpCard
    """The column."""
    code: str
    """The code of the evolved chart; `by its total` for a pair that is not played as one."""
    best: str
    """The code of the best chart, in the same words."""
    cost: float
    """What the difference costs, in initial bets per round."""


class Evolution(Output):
    """What came of breeding charts, priced exactly."""

    value: float
    """The exact value of the evolved chart, per initial bet."""
    optimum: float
    """The exact value of the best chart."""
    loss: float
    """`optimum` minus `value`."""
    fitness: Literal["exact", "simulated"]
    """How charts were judged while they were bred."""
    differing_cells: int
    """How many cells differ from the best chart and cost something."""
    differences: list[CellDifference]
    """These cells, the dearest first."""
    free_differences: int
    """How many more cells differ without any cost."""
    generations: int
    """How many generations were bred."""
    evaluated_columns: int
    """How many columns of charts were judged."""
    seed: int
    """The seed: the same one breeds the same charts."""
    seconds: float
    """How long it took, over all sessions of a resumed run."""
    chart: ChartCodes
    """The evolved chart: the rows that are bred."""
    rules: BlackjackRules
    """The rules."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


class System(Document):
    """A counting system."""

    name: str
    """Its name."""
    tags: dict[UpCard, int]
    """What each rank adds to the running count."""
    initial: list[int]
    """The running count of a new shoe: a constant, and what each deck adds to it."""
    balanced: bool
    """Whether a whole deck adds up to 0, so that a true count is used."""
    source: str
    """Where it was published."""


class IndexPlay(Document):
    """A play that changes with the count."""

    hand: str
    """The row of the chart."""
    up_card: UpCard
    """The column."""
    below: Code
    """The code at lower counts."""
    code: Code
    """The code from the count on."""
    count: int
    """The count at which the play changes."""
    exact: float
    """The count at which both plays are worth the same."""


class Indices(Document):
    """The plays that change with the count."""

    insurance: int | None
    """The count from which insurance is taken; null if it never is."""
    insurance_exact: float | None
    """The count at which insurance breaks even; null if it never does."""
    plays: list[IndexPlay]
    """The other plays."""


class CountLine(Document):
    """The rounds that began at one count."""

    count: int
    """The count by which was bet: true for a balanced system, running for another."""
    mean_count: float
    """The mean of the exact counts that were rounded to it."""
    packs_left: float
    """Harmonic mean of the decks not yet seen."""
    rounds: int
    """How many rounds."""
    share: float
    """Share of all rounds."""
    bet: float
    """The bet, in units."""
    value: float
    """Mean result per initial bet."""
    stderr: float | None
    """Standard error of `value`; null for a single round."""
    std: float
    """Standard deviation of a round, in initial bets."""
    insured: float
    """How often insurance was taken, per round."""


class Counting(Output):
    """What playing with a count came to."""

    value: float
    """Mean result per round, in units."""
    std: float
    """Standard deviation of a round, in units."""
    stderr: float
    """Standard error of `value`, from shoe to shoe."""
    interval: list[float]
    """The 95 % confidence interval of `value`: lower and upper end."""
    per_100_rounds: float
    """`value` times 100."""
    per_bet: float
    """Mean result per unit of the initial bet."""
    mean_bet: float
    """Mean initial bet, in units."""
    n0: float | None
    """Rounds after which the expected win equals one standard deviation; null if the player does not win."""
    score: float
    """c-SCORE: the win per 100 rounds with a bankroll of 10,000 and a risk of ruin of 13.5 %; 0 if the player does not win."""
    desirability_index: float
    """1000 times `value` divided by `std`; 0 if all rounds had the same result."""
    rounds: int
    """How many rounds were played."""
    rounds_per_shoe: float | None
    """Mean over shoes dealt to the cut card; null if there was none."""
    seed: int
    """The seed: the same one deals the same cards."""
    seconds: float
    """How long it took, compilation left out; over all sessions of a resumed run."""
    by_count: list[CountLine]
    """The rounds by the count before the deal, rising."""
    system: System
    """The counting system."""
    ramp: str
    """The bets by count, such as `1:1,2:2,3:4`: from a count of 2 on, two units."""
    rounding: str
    """How a true count becomes whole."""
    estimate: int
    """How finely the decks left are estimated: parts of a deck."""
    indices: Indices
    """The plays that change with the count."""
    rules: BlackjackRules
    """The rules."""
    bankroll: float
    """The bankroll for the risk of ruin, in units."""
    risk_of_ruin: float
    """The probability to lose the bankroll sooner or later."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


class Correlations(Document):
    """How well the tags of a system agree with the effects of removal."""

    betting: float
    """The betting correlation."""
    insurance: float
    """The insurance correlation."""


class IndexList(Output):
    """The indices of a counting system, from the exact solver."""

    system: System
    """The counting system."""
    correlations: Correlations
    """How good the system is."""
    rounding: str
    """How a true count becomes whole."""
    indices: Indices
    """The plays that change with the count."""
    rules: BlackjackRules
    """The rules."""


class ChartFile(RootModel[ChartCodes]):
    """A chart that `--strategy` and `--check` read and `Chart.to_json` writes.

    An object of rows (`4` to `21`, `soft 12` to `soft 21`, `2,2` to `A,A`), each an object of up-cards. The codes: H hit, S stand,
    D double else hit, DS double else stand, P split, R surrender else hit, RS surrender else stand, RP surrender else split.
    """


class SavedSideBets(Document):
    """The side bets of a seat; 0 is no bet."""

    perfect_pairs: float
    """Units on perfect pairs."""
    twenty_one_plus_three: float
    """Units on 21+3."""


class SavedAction(Document):
    """One thing that was done in a round."""

    model_config = ConfigDict(json_schema_extra={"required": ["action"]})

    action: ActionKind
    """What was done."""
    seat: int
    """Whose hand it was done to, from 0; left out where it is clear."""
    cards: str
    """The cards dealt with it, such as `AS 9C`; left out where there were none."""


class SavedRound(Document):
    """A round that `croupier.blackjack.engine.to_json` wrote. Reading it plays the actions again."""

    game: Literal["blackjack"]
    """The game."""
    rules: BlackjackRules
    """The rules."""
    bets: list[float]
    """The initial bet of every seat, in units."""
    side_bets: list[SavedSideBets]
    """The side bets of every seat."""
    actions: list[SavedAction]
    """Everything that was done, in order."""
