"""What the commands of ``croupier blackjack`` print as JSON, charts, and a saved round."""

from typing import Literal

from pydantic import ConfigDict, Field, RootModel

from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.engine.side_bets import PairKind, PokerKind
from croupier.blackjack.engine.state import ActionKind
from croupier.blackjack.solvers.chart import Code
from croupier.numerics.devices import StreamName
from croupier.schemas.document import Document, Output, UpCard

#: Rows of a chart, such as ``16``, ``soft 18`` or ``8,8``; columns are up-cards.
#: A column of a chart: an up-card, or a total of the dealer's (`4` to `20`, `soft 12` to `soft 21`) where both cards lie open.
Column = str

ChartCodes = dict[str, dict[Column, Code]]


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
    by_up_card: dict[Column, float]
    """The value of the best play against each up-card, per initial bet."""
    std: float
    """Standard deviation of a round of the best play by composition, in initial bets."""
    chart_std: float
    """Standard deviation of a round of the best chart, in initial bets."""
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


class SideBetFigures(Document):
    """Another side bet."""

    value: float
    """The player's expected result per unit bet."""
    chances: dict[str, float]
    """The probability of each kind that the bet is about."""
    pays: dict[str, float]
    """What each kind pays to one."""


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
    lucky_ladies: SideBetFigures
    """Lucky Ladies."""
    royal_match: SideBetFigures
    """Royal Match."""
    over_13: SideBetFigures
    """Over 13."""
    under_13: SideBetFigures
    """Under 13."""
    lucky_lucky: SideBetFigures
    """Lucky Lucky."""
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


class CellDifference(Document):
    """A cell in which two charts differ."""

    hand: str
    """The row of the chart."""
    up_card: Column
    """The column."""
    code: Code | Literal["by its total"]
    """The code of the chart in question; a pair may be played by its total."""
    best: Code | Literal["by its total"]
    """The code of the best chart."""
    cost: float
    """What the difference costs, in initial bets per round."""


class ChartCheck(Output):
    """The exact value of a chart, and its entries that cost something or that the rules do not allow."""

    value: float
    """The exact value of the chart, per initial bet."""
    best: float
    """The value of the best chart."""
    loss: float
    """`best` minus `value`."""
    std: float
    """Standard deviation of a round, in initial bets."""
    cells: list[CellDifference]
    """The cells that cost something, the most costly first; each priced with the rest of the chart as it is."""
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


class CountedBet(Document):
    """What a side bet of one unit came to."""

    value: float
    """Mean result per unit."""
    std: float
    """Standard deviation of one bet."""
    stderr: float
    """Standard error of `value`."""


class CountedPairs(CountedBet):
    """What perfect pairs came to."""

    kinds: dict[PairKind, float]
    """How often each pair came up, per bet."""


class CountedPoker(CountedBet):
    """What 21+3 came to."""

    kinds: dict[PokerKind, float]
    """How often each poker hand came up, per bet."""


class CountedKinds(CountedBet):
    """What another side bet came to."""

    kinds: dict[str, float]
    """How often each kind came up, per bet."""


class CountedSideBets(Document):
    """The side bets by name; empty without `--side-bets`."""

    model_config = ConfigDict(json_schema_extra={"required": []})

    perfect_pairs: CountedPairs
    """Perfect pairs."""
    perfect_pairs_old: CountedPairs = Field(alias="perfect pairs", deprecated=True)
    """The same under its old key. Use `perfect_pairs`."""
    twenty_one_plus_three: CountedPoker
    """21+3."""
    twenty_one_plus_three_old: CountedPoker = Field(alias="21+3", deprecated=True)
    """The same under its old key. Use `twenty_one_plus_three`."""
    lucky_ladies: CountedKinds
    """Lucky Ladies."""
    royal_match: CountedKinds
    """Royal Match."""
    over_13: CountedKinds
    """Over 13."""
    under_13: CountedKinds
    """Under 13."""
    lucky_lucky: CountedKinds
    """Lucky Lucky."""


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
    stream: StreamName
    """How rounds were cut into random streams; a seed deals other cards on each."""
    seconds: float
    """How long it took, compilation left out; over all sessions of a resumed run."""
    rounds_per_second: float
    """The speed, over all workers."""
    outcomes: dict[Outcome, Share]
    """How hands ended."""
    moves: dict[Move, Share]
    """Rounds by the first move; `none` where there was nothing to decide."""
    side_bets: CountedSideBets
    """The side bets, as bets of one unit."""
    rules: BlackjackRules
    """The rules."""
    remarks: list[str]
    """The entries of the chart that cannot be played as written."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


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
    """These cells, the most costly first."""
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


class ChartFile(RootModel[ChartCodes]):
    """A chart that `--strategy` and `--check` read and `Chart.to_json` writes.

    An object of rows (`4` to `21`, `soft 12` to `soft 21`, `2,2` to `A,A`), each an object of up-cards. Codes: H hit, S stand, D double
    else hit, DS double else stand, P split, PH and PS split if it is allowed and split hands may be doubled else hit or stand, R surrender else hit, RS
    surrender else stand, RP surrender else split.
    """


class SavedSideBets(Document):
    """The side bets of a seat; 0 is no bet."""

    perfect_pairs: float
    """Units on perfect pairs."""
    twenty_one_plus_three: float
    """Units on 21+3."""
    lucky_ladies: float
    """Units on Lucky Ladies."""
    royal_match: float
    """Units on Royal Match."""
    over_13: float
    """Units on Over 13."""
    under_13: float
    """Units on Under 13."""
    lucky_lucky: float
    """Units on Lucky Lucky."""


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
