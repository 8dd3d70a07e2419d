"""Recorded games for people: the rows of a list of games, and one game step by step."""

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import start
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.state import Action, GameState, Result

FORFEITED, MALFORMED = "forfeited", "malformed"

#: What games can be filtered by.
KINDS = (*(str(result) for result in Result), FORFEITED, MALFORMED)


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One row of a list of games: a game with its number in the log."""

    number: int
    game: GameRecord | BrokenGame

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it can be filtered by: its result, and whether it is forfeited or malformed."""
        if isinstance(self.game, BrokenGame):
            return (MALFORMED,)
        return (str(self.game.result), *((FORFEITED,) if self.game.forfeit else ()))

    @property
    def cells(self) -> tuple[str, ...]:
        """The row: number, time, players, result, bouts, remark."""
        if isinstance(self.game, BrokenGame):
            remark = f"malformed, line {self.game.line}: {self.game.reason}"
            return (str(self.number), self.game.header.strip("#")[:19], "", "", "", "", remark)
        forfeit = self.game.forfeit
        remark = "not over" if self.game.unfinished else ""
        if forfeit:
            remark = f"forfeited by {forfeit.get('player')}: {forfeit.get('verdict', '')}"
        return (
            str(self.number),
            self.game.started_at[:19],
            self.game.player1_name,
            self.game.player2_name,
            str(self.game.result),
            str(len(self.game.moves)),
            remark,
        )

    def matches(self, words: str, kind: str | None) -> bool:
        """Tell whether every word is found in the row, and the kind is as wanted.

        >>> broken = GameEntry(1, BrokenGame(1, "####a - b####", "no game after the header"))
        >>> broken.matches("header", MALFORMED), broken.matches("header", "1-0"), broken.matches("x", None)
        (True, False, False)
        """
        if kind is not None and kind not in self.kinds:
            return False
        row = " ".join(self.cells).lower()
        return all(word in row for word in words.lower().split())


@dataclass(frozen=True, slots=True)
class Step:
    """One moment of a recorded game, and what led to it.

    Attributes
    ----------
    state
        The game as it stands then.
    seat, action
        Who did what; None for the deal, and for the forfeit that ends a game.
    ends_bout
        Whether a bout was over with it and cards were drawn.
    is_forfeit
        Whether the game was given up here.
    """

    state: GameState
    seat: int | None = None
    action: Action | None = None
    ends_bout: bool = False
    is_forfeit: bool = False


def steps(record: GameRecord) -> Iterator[Step]:
    """Yield every moment of a recorded game, from the deal to the end.

    Raises
    ------
    RecordMisfit
        If the game does not replay.
    """
    final = replay_record(record)
    state = start(final.rules, final.deck, final.leader)
    yield Step(state)
    for action in final.history:
        seat = state.to_act
        before, state = state, act(state, action)
        yield Step(state, seat, action, ends_bout=state.bout != before.bout)
    if record.forfeit is not None:
        yield Step(state, is_forfeit=True)
