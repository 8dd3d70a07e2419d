"""What the commands of ``croupier durak`` print as JSON, and a game of a log."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from croupier.durak.arena.compliance import Grade
from croupier.durak.arena.pairing import TournamentFormat
from croupier.durak.arena.sprt import Decision
from croupier.durak.arena.verdict import Verdict
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import ActionKind
from croupier.durak.players.review import MoveClass
from croupier.schemas.document import Document, Output


class RuleSet(DurakRules):
    """The options of a durak rule set."""

    version: str
    """The version of Croupier that printed this."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class SequentialTest(Document):
    """The state of a sequential probability ratio test."""

    elo0: float
    """The Elo difference of the null hypothesis H0."""
    elo1: float
    """The Elo difference of the alternative H1."""
    alpha: float
    """Probability of accepting H1 when H0 is true."""
    beta: float
    """Probability of accepting H0 when H1 is true."""
    llr: float | None
    """The log-likelihood ratio so far; null before there is one."""
    bounds: list[float]
    """The ratio at which H0 is accepted, and the one at which H1 is."""
    decision: Decision | None
    """The hypothesis that is accepted, or `go on` while neither is."""


class Match(Output):
    """A match between two engines, from the first engine's side."""

    rules: dict[str, Any]
    """The options that differ from the protocol's rules."""
    wins: int
    """Games that the first engine won, forfeits included."""
    losses: int
    """Games that it lost."""
    draws: int
    """Games that were drawn."""
    forfeits: int
    """Games that either engine forfeited."""
    forfeits_by_engine: list[dict[Verdict, int]]
    """For the first and the second engine: how many games it forfeited, by reason."""
    score: float | None
    """Points per game of complete pairs, a draw being half a point; null before the first pair is complete."""
    elo: float | None
    """The Elo difference; where every point was won, or none, a bound. Null before the first pair is complete."""
    elo_error: float | None
    """Half the width of the 95 % interval, or the distance to its finite end; null if neither is finite."""
    elo_low: float | None
    """The lower end of the 95 % interval; null if it is infinite."""
    elo_high: float | None
    """The upper end of the 95 % interval; null if it is infinite."""
    los: float | None
    """Likelihood of superiority: the probability that the first engine is the better one."""
    games: int
    """How many games were played."""
    pairs: int
    """How many pairs of games are complete: the same deck with swapped seats."""
    pair_counts: list[int]
    """How many pairs brought the first engine 0, 0.5, 1, 1.5 and 2 points."""
    draw_rate: float | None
    """Share of drawn games; null before the first game."""
    leader_score: float | None
    """Points per game of whoever moved first; null before the first game."""
    first: str
    """The first engine."""
    second: str
    """The second engine."""
    seed: int
    """The seed of the decks."""
    seconds: float
    """How long this call took."""
    games_per_second: float
    """The speed of this call."""
    sprt: SequentialTest | None
    """The sequential test; null without `--sprt`."""


class Competitor(Document):
    """An engine in a tournament."""

    name: str
    """The engine."""
    points: float
    """Its points, a draw being half a point."""
    games: int
    """How many games it played."""
    draws: int
    """How many of them were drawn."""
    forfeits: dict[Verdict, int]
    """How many games it forfeited, by reason."""
    elo: float
    """Its rating above the mean of the field."""
    elo_error: float
    """The 95 % error of the rating."""


class Tournament(Output):
    """A tournament: ratings, and every match."""

    engines: list[Competitor]
    """The engines, in the order of the command line."""
    matches: list[Match]
    """The matches, each as `durak match` prints it."""
    format: TournamentFormat
    """Who met whom."""
    rounds: list[list[list[str]]]
    """The meetings of each round, as pairs of names."""
    winner: str | None
    """Who won a knockout; null in any other format."""
    seed: int
    """The seed of the decks."""


class RatedEngine(Document):
    """An engine of a rating list."""

    name: str
    """The engine and its version."""
    elo: float
    """Its rating, above the anchor's."""
    error: float
    """The 95 % error of the difference to the anchor."""
    pairs: int
    """How many pairs of games it has played."""
    score: float
    """Its points per game."""
    is_connected: bool
    """Whether a chain of matches connects it with the anchor; if not, its rating says nothing beside the others."""


class Ratings(Output):
    """A rating list."""

    file: str
    """The file."""
    matches: int
    """How many matches were added to it."""
    anchor: str
    """The engine whose rating is fixed."""
    anchor_elo: float
    """Its rating."""
    engines: list[RatedEngine]
    """The engines, the best one first."""


class Finding(Document):
    """How an engine did in one trial."""

    trial: str
    """What was tried."""
    grade: Grade
    """How it went; `wrong` means that the engine does not keep the protocol."""
    detail: str
    """What happened; empty if there is nothing to say."""
    advice: str
    """What the author can do; empty if nothing is wrong."""
    lines: list[str]
    """The end of the conversation with the engine, if it helps."""


class Compliance(Output):
    """Whether an engine keeps the protocol. The exit code is 1 if it does not."""

    engine: str
    """The engine."""
    compliant: bool
    """Whether no trial went wrong."""
    findings: list[Finding]
    """The trials."""


class EndgameAnswer(Document):
    """An engine's answer to a position of the end-game suite."""

    position: str
    """Trump, question, hand, other hand, table, value, and the answers that keep it."""
    answer: str
    """What the engine answered; empty for done or take; or its fault."""
    is_kept: bool
    """Whether the answer keeps the value of the position."""


class EndgameSuite(Output):
    """An engine in the end-game suite."""

    engine: str
    """The engine."""
    positions: int
    """How many positions there are."""
    kept: int
    """In how many of them the engine kept the value."""
    answers: list[EndgameAnswer]
    """Every position."""


class Problem(Document):
    """A game of a log that does not fit the rules."""

    game: int
    """The number of the game in the log, from 1."""
    problem: str
    """What does not fit, and where."""


class LogReport(Document):
    """One log."""

    log: str
    """The file."""
    games: int
    """How many games it holds."""
    problems: list[Problem]
    """The games that do not fit."""
    titles: list[str]
    """The header of every game."""


class Replay(Output):
    """Logs played again."""

    logs: list[LogReport]
    """The logs."""


class ReviewedMove(Document):
    """A choice of a game, judged by what its player could know."""

    number: int
    """The number of the action in the game, from 0."""
    player: int
    """Who chose, by number from 1."""
    phase: Phase
    """What the player was asked for."""
    hand: str
    """The player's cards."""
    table: str
    """The cards on the table."""
    played: str
    """What was played; empty for done, take or nothing more; ``transfer`` or ``show`` and a card where the attack was passed on."""
    best: str
    """What would have been best."""
    score: float
    """The expected score of what was played: 1 a win, 0.5 a draw."""
    best_score: float
    """The expected score of the best choice."""
    loss: float
    """The expected score that was given away."""
    error: float
    """The standard error of that; 0 where the scores are proved, or the choice was the best."""
    is_exact: bool
    """Whether the scores are proved."""
    class_: MoveClass = Field(alias="class")
    """How good the choice was."""


class ReviewedGame(Document):
    """A game of a log, reviewed."""

    game: int
    """Its number in the log, from 1."""
    names: list[str]
    """The players."""
    rounds: int | None
    """Rounds of the search for each choice."""
    time_ms: float | None
    """Milliseconds for each choice, where that was the budget; null here."""
    seed: int
    """The seed of the search."""
    moves: list[ReviewedMove]
    """Every choice; those that the rules left no choice about are not among them."""


class LogReview(Output):
    """The choices of logged games, judged."""

    log: str
    """The file."""
    games: list[ReviewedGame]
    """The games."""


class Bout(Document):
    """One attack and its defence."""

    model_config = ConfigDict(extra="allow")

    player1_cards: list[str]
    """The first player's cards when the bout began."""
    player2_cards: list[str]
    """The second player's cards when the bout began."""
    to_move: Literal["player1", "player2"]
    """Who attacked."""
    deck_count: int
    """Cards left in the stock when the bout began."""
    moves_and_responds: list[str]
    """The cards in the order they were laid: attack, defence, attack, ..."""
    given_more: list[str]
    """The cards thrown in after the defender took."""


class LoggedGame(Document):
    """The second line of a game in a log; the first is `####TIME, PLAYER1 - PLAYER2 (RESULT)####`. Readers ignore other keys."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "required": [
                "player1_name",
                "player2_name",
                "deck",
                "opened_trump",
                "started_at",
                "ended_at",
                "result",
                "moves",
            ]
        },
    )

    player1_name: str
    """Who sat first."""
    player2_name: str
    """Who sat second."""
    deck: list[str]
    """The 36 cards as shuffled, such as `JC`."""
    opened_trump: str
    """The last card of the deck, which shows the trump suit."""
    started_at: str
    """When the game began, in ISO format."""
    ended_at: str
    """When it ended, in ISO format."""
    result: Literal["1-0", "0-1", "s-s"]
    """Who won; `s-s` is a draw."""
    moves: list[Bout]
    """The bouts."""
    rules: dict[str, Any]
    """The options that differ from the protocol's rules; left out if none does."""
    forfeit: dict[str, Any]
    """If the game was forfeited: `player` (`player1` or `player2`) and `reason`. Otherwise left out."""


class VariantAction(Document):
    """One thing that a player did."""

    model_config = ConfigDict(json_schema_extra={"required": ["action"]})

    action: ActionKind
    """What it was."""
    cards: str
    """With which cards, such as `7C 7D`; left out where there are none."""


class VariantGame(Document):
    """The game: playing its actions again leads to its end."""

    game: Literal["durak"]
    """The name of the game."""
    rules: dict[str, Any]
    """Its rules: both caps, and the other options that differ from the protocol's."""
    deck: str
    """The cards as shuffled; the last is the open card."""
    leader: int
    """The seat that led, from 0."""
    actions: list[VariantAction]
    """Everything that was done, by the players in turn."""


class LoggedVariantGame(Document):
    """The second line of a game by other rules than the protocol's in a log; the first is `####TIME, PLAYER1 - PLAYER2 - ... (RESULT)####`."""

    players: list[str]
    """The players by seat."""
    started_at: str
    """When the game began, in ISO format."""
    ended_at: str
    """When it ended, in ISO format."""
    result: str
    """Who has lost, by number from 1: `fool 3`, `fools 1 3`, `draw`; or `unfinished`."""
    seed: int | None
    """The seed of the table; null where there was none."""
    forfeit: dict[str, Any] | None
    """If the game was forfeited: `player` (`player1` to `player6`), `reason` and more; null otherwise."""
    game: VariantGame
    """The game."""
