"""What ``croupier blackjack count`` prints as JSON."""

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Code
from croupier.schemas.document import Document, Output, UpCard


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
