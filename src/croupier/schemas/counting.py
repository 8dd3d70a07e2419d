"""What ``croupier blackjack count``, ``profile`` and ``bets`` print as JSON."""

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Code
from croupier.numerics.devices import StreamName
from croupier.schemas.document import Document, Output, UpCard


class System(Document):
    """A counting system."""

    name: str
    """Its name."""
    tags: dict[UpCard, int]
    """What each rank adds to the running count."""
    initial: list[int]
    """The running count of a new shoe: a constant, and what each deck adds to it."""
    red: dict[UpCard, int]
    """What a red card of each rank adds more than a black one."""
    aces: int
    """What each ace left beyond the expected number adds before a bet; 0 where aces are not counted apart."""
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
    stream: StreamName
    """How rounds were cut into random streams; a seed deals other cards on each."""
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
    """To how many cards the cards left are estimated: 1 exactly, 26 half packs."""
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
    initial_count: int
    """The running count at which a shoe of these rules begins."""
    correlations: Correlations
    """How good the system is."""
    playing_efficiency: float
    """Which part of the gain of perfect play the system has, after P. Griffin, with 20 of 52 cards left."""
    rounding: str
    """How a true count becomes whole."""
    indices: Indices
    """The plays that change with the count."""
    rules: BlackjackRules
    """The rules."""


class ProfileLine(Document):
    """The rounds of a profile that began at one count."""

    count: int
    """The count: true for a balanced system, running for another."""
    rounds: int
    """How many rounds."""
    share: float
    """Share of all rounds."""
    value: float
    """Mean result of one place with one unit."""
    stderr: float | None
    """Standard error of `value`, over groups of whole shoes; null where only one group has seen the count."""
    std: float
    """Standard deviation of a round."""
    correlation: float | None
    """Correlation between two places of the same round; null if only one place is recorded."""


class Profile(Output):
    """What every count of a table is worth."""

    value: float
    """Mean result of one place with one unit, over all counts."""
    stderr: float
    """Standard error of `value`, over groups of whole shoes."""
    interval: list[float]
    """The 95 % confidence interval of `value`: lower and upper end."""
    rounds: int
    """How many rounds were dealt."""
    seed: int
    """The seed: the same one deals the same cards."""
    seconds: float
    """How long it took, compilation left out; over all sessions of a resumed run."""
    by_count: list[ProfileLine]
    """The rounds by the count before the deal, rising."""
    spots: int
    """Places of your own."""
    others: int
    """Places of other players."""
    miscounts: float
    """The chance, per round, that the running count is off by one more, until the shuffle."""
    misplays: float
    """The chance that a round is played by a chart with common mistakes."""
    other_chart: dict[str, dict[UpCard, Code]] | None
    """What other players play, by row and up-card; null as you do."""
    enters: list[int]
    """Counts at which a player may enter."""
    leaves: list[int]
    """Counts at which a player may leave."""
    system: System
    """The counting system."""
    rounding: str
    """How a true count becomes whole."""
    estimate: int
    """How finely the decks left are estimated: to so many cards."""
    indices: Indices
    """The plays that change with the count."""
    rules: BlackjackRules
    """The rules."""
    run: int | None
    """The number of the saved run; null without `--save` or `--resume`."""


class Figure(Document):
    """A number with its error."""

    value: float
    """The number."""
    stderr: float | None
    """Its standard error; null where the profile is too short to tell."""


class IndexWorth(Document):
    """What a cell that changes with the count earns."""

    hand: str
    """The hand, or `insurance`."""
    up_card: str
    """The up-card."""
    change: str
    """What is played, and from which count on something else."""
    per_100: float
    """What it wins in 100 rounds over the chart without a count, in units, from the exact solver."""
    played: Figure | None
    """The same from rounds that were played with it and without it; null without `--play`."""


class IndexWorths(Output):
    """The index plays by what they earn."""

    system: System
    """The counting system."""
    ramp: str
    """The bets by count."""
    per_100: float
    """What all plays together win in 100 rounds, in units."""
    all_played: Figure | None
    """The same from rounds that were played with them and without them; null without `--play`."""
    values: list[IndexWorth]
    """The plays, the best first."""
    rounds: int
    """How many rounds each play was dealt; 0 without `--play`."""
    seed: int | None
    """The seed of these rounds; null without `--play`."""
    rules: BlackjackRules
    """The rules."""


class MistakePrice(Document):
    """What a mistake costs."""

    name: str
    """What is done."""
    flat: float | None
    """Units lost in 100 rounds with one unit every round, exactly; null for mistakes of counting and betting."""
    played: Figure
    """Units lost in 100 rounds with the bets of the counter, from rounds played with the mistake and without it."""


class MistakePrices(Output):
    """Common mistakes, the most costly first."""

    system: System
    """The counting system."""
    ramp: str
    """The bets by count."""
    prices: list[MistakePrice]
    """The mistakes."""
    rounds: int
    """How many rounds each was dealt."""
    seed: int
    """Their seed."""
    rules: BlackjackRules
    """The rules."""


class SideCount(Document):
    """A side bet of a casino floor, and the count that beats it."""

    bet: str
    """What it is called."""
    source: str
    """Where its pay table is printed."""
    value: float
    """The player's expected result per unit bet, from the full shoe."""
    pays: dict[str, float]
    """What each kind pays to one; 0 if it loses."""
    chances: dict[str, float]
    """The probability of each kind."""
    effects: dict[str, float]
    """By how much a card of each rank, taken out, changes `value`."""
    tags: dict[str, int]
    """What each card counts."""
    correlation: float
    """The correlation of the tags with the effects."""
    break_even: int | None
    """The true count, rounded down, from which the bet wins; null if it never does."""
    bets: float
    """Share of the rounds that is bet, from expected compositions."""
    win_per_100: float
    """Units won in 100 rounds, from expected compositions."""
    dealt: Figure | None
    """The same from shoes that were dealt; null without `--shoes`."""
    dealt_bets: float | None
    """Share of the rounds that was bet there; null without `--shoes`."""
    shoes: int
    """How many shoes were dealt."""
    seed: int | None
    """Their seed; null without `--shoes`."""


class SideCounts(Output):
    """Side bets of casino floors, and the counts that beat them."""

    bets: list[SideCount]
    """The bets, in the order in which they were named."""
    rules: BlackjackRules
    """The rules."""


class BetLine(Document):
    """What is bet at one count."""

    count: int
    """The count."""
    share: float
    """Share of all rounds dealt that is played at it."""
    places: int
    """Places played."""
    bet: float
    """Money on each place."""
    value: float
    """Mean result of all places together, with one unit on each."""
    stderr: float | None
    """Standard error of `value`, over groups of whole shoes; null where only one group has seen the count."""
    std: float
    """Standard deviation of the same."""


class Asked(Document):
    """What a profile was asked."""

    enter: int | None
    """Play from this count on; null from the shuffle."""
    leave: int | None
    """Leave at and below this count; null never."""
    returns: bool
    """Whether to enter again before the next shuffle."""
    penetration: float | None
    """The share of the shoe that is dealt; null as much as in the profile."""
    bankroll: float
    """Money that may be lost."""
    unit: float
    """What a unit is worth."""
    minimum: float | None
    """The smallest bet that the table takes; null for none."""
    maximum: float | None
    """The largest bet that the table takes; null for none."""
    chip: float | None
    """Bets are whole multiples of this; null for any bets."""
    rounds_per_hour: float
    """Rounds dealt an hour."""
    hours: float | None
    """The length of a trip; null for none."""
    goal: float | None
    """Money to be won; null for none."""
    kelly: float
    """The Kelly fraction of the certainty equivalent."""
    floor: float
    """The part of the bankroll for `drawdown`."""
    tips: float
    """Money an hour that the dealers get."""


class BetFigures(Document):
    """What bets by count come to."""

    bets: str
    """Money on each place by count, such as `0:10,2:20`: from a count of 2 on, twenty."""
    spots: str
    """Places played by count."""
    rounds: int
    """How many rounds of the profile the answer rests on."""
    played: Figure
    """Share of the rounds that is played."""
    mean_bet: Figure
    """Money bet per round, over all places."""
    win_rate: Figure
    """Money won per round."""
    win_per_100: Figure
    """Money won in 100 rounds."""
    win_per_hour: Figure
    """Money won in an hour."""
    std: Figure
    """Standard deviation of a round, in money."""
    std_per_hour: Figure
    """Standard deviation of an hour, in money."""
    c_score: Figure
    """c-SCORE: the square of the DI with these bets; 0 if the player does not win."""
    score: Figure
    """SCORE: the same with the best bets of the same spread, at the same counts and on the same places."""
    desirability_index: Figure
    """DI: 1000 times the win rate divided by the standard deviation of a round."""
    n0: Figure | None
    """Rounds after which the expected win equals one standard deviation; null if the player does not win."""
    certainty_equivalent: Figure
    """Money per hour that is worth as much without risk."""
    ruin: Figure
    """The probability to lose the bankroll sooner or later."""
    trip_ruin: Figure | None
    """The probability to lose it within the trip; null without one."""
    goal_ruin: Figure | None
    """The probability to lose it before the goal is won; null without one."""
    drawdown: Figure
    """The probability that the bankroll ever falls to its floor if bets follow it."""
    overshoot: float
    """By how much the last bets take a lost bankroll past nothing on average, in money; the risks allow for it."""
    by_count: list[BetLine]
    """The bets, count by count."""
    asked: Asked
    """What was asked."""


class Bankrolls(Document):
    """How bankrolls ended that were played."""

    ruined: Figure
    """Share that was lost, or fell to the floor with `--resize`."""
    reached: Figure
    """Share that won the goal."""
    left: Figure
    """Share that had neither happen before the trip was over."""
    overshoot: float | None
    """By how much the last loss went past the end on average, in money; null if nothing was lost."""
    trips: int
    """How many bankrolls."""
    seed: int
    """Their seed."""


class Bets(BetFigures, Output):
    """What bets by count come to. Money is per round dealt, played or not."""

    bankrolls: Bankrolls | None
    """Bankrolls that were played with them; null without `--play-bankrolls`."""
    run: int
    """The number of the profile."""
    rules: BlackjackRules
    """The rules."""


class ComparedSystem(BetFigures):
    """A system in a comparison, with its best bets of the spread."""

    system: System
    """The counting system."""
    indices: str
    """Which plays change with the count."""
    score_difference: Figure
    """Its SCORE less that of the first system, on the same cards."""


class SystemComparison(Output):
    """Counting systems on the same cards."""

    spread: float
    """The largest bet in units."""
    shoes: int
    """Shoes dealt to every system."""
    seed: int
    """The seed: the same one deals the same cards."""
    rounding: str
    """How a true count becomes whole."""
    estimate: int
    """To how many cards the cards left are estimated: 1 exactly, 26 half packs."""
    systems: list[ComparedSystem]
    """The systems, in the order in which they were named."""
    rules: BlackjackRules
    """The rules."""
