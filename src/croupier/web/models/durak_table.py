"""A durak table for one person: games against an engine one after another, with hints, a coach and a review.

An action replaces the table's facts at once or not at all. The opponent moves in an action of its own, so that a page can show each move
as it is made, and think about it outside the event loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from croupier.durak.arena.verdict import EngineFault, Forfeit
from croupier.durak.engine.choices import can_answer, playable
from croupier.durak.engine.observation import observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import FORFEIT, GameRecord, build_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.players.advice import MasterAdviser
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.master import only_answer
from croupier.durak.players.review import classify, evidence_of
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.operations import is_allowed
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.durak_facts import (
    DRAWN,
    LISTED_GAMES,
    LOST,
    OPPONENT,
    WON,
    YOU,
    JudgedMove,
    PastGame,
    TableFacts,
    TableSetting,
    dealt,
)
from croupier.web.models.durak_refusal import DurakRefusal
from croupier.web.models.durak_seats import EngineSeats, Strayed
from croupier.web.models.durak_view import DurakView, view_of

#: How long hints and the coach think, in rounds of the search, and where their chance begins: the same figures anywhere.
ADVICE_BUDGET, ADVICE_SEED = Budget(rounds=10_000), 1

#: Names the stream of the opponent's chance, apart from those that shuffle.
_OPPONENTS_CHANCE = 2


def adviser_of(rules: DurakRules) -> MasterAdviser:
    """Return who gives the hints, coaches and reviews; a new one each time, so that its figures depend on the position alone."""
    return MasterAdviser(rules, ADVICE_SEED, ADVICE_BUDGET)


class DurakTable:
    """A table.

    Parameters
    ----------
    facts
        How it stands.
    engines
        The list of engines that can be played against.
    seats
        Where added engines sit.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from croupier.web.settings import Settings
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     engines = EngineList(Settings(folder=Path(folder)))
    ...     table = DurakTable.opened(
    ...         TableSetting("durak-dummy", DurakRules()), engines, EngineSeats(), seed=1
    ...     )
    >>> table.play([table.view().hand[0].card])
    >>> table.let_opponent_move()
    >>> len(table.view().moves)
    2
    """

    def __init__(self, facts: TableFacts, engines: EngineList, seats: EngineSeats) -> None:
        self._facts, self._engines, self._seats = facts, engines, seats
        self._shown: tuple[TableFacts, DurakView] | None = None

    @classmethod
    def opened(cls, setting: TableSetting, engines: EngineList, seats: EngineSeats, seed: int) -> Self:
        """Open a table with its first game dealt."""
        table = cls(dealt(setting, seed, 0), engines, seats)
        table._verify_setting(setting)
        return table

    @classmethod
    def from_state(cls, state: Mapping[str, Any], engines: EngineList, seats: EngineSeats) -> Self:
        """Take up a table that was saved.

        Raises
        ------
        InputError
            If it is none.
        """
        return cls(TableFacts.from_state(state), engines, seats)

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as plain JSON, hidden cards and seed included."""
        return self._facts.to_state()

    def view(self) -> DurakView:
        """Return what a browser may know."""
        facts, shown = self._facts, self._shown
        if shown is None or shown[0] is not facts:
            self._shown = shown = (facts, view_of(facts))
        return shown[1]

    def verify_play(self, cards: Sequence[int]) -> None:
        """Raise unless the person may answer with these cards; none means done, take, or nothing more."""
        facts = self._facts
        if not facts.is_yours:
            raise DurakRefusal("durak.refused.over" if facts.is_over else "durak.refused.not_your_turn")
        if not can_answer(observe(facts.game, YOU), cards):
            raise DurakRefusal("durak.refused.cannot_play")

    def can_play(self, cards: Sequence[int]) -> bool:
        """Tell whether the person may answer with these cards."""
        return is_allowed(lambda: self.verify_play(cards))

    def play(self, cards: Sequence[int]) -> None:
        """Answer with cards, or without: done, take, nothing more."""
        self.verify_play(cards)
        facts = self._facts
        judged = _judged(facts, tuple(cards)) if facts.has_coach and facts.advice else None
        self._settle(replace(facts.answered(cards), advice=(), last_move=judged))

    def let_opponent_move(self) -> None:
        """Let the opponent answer if it is its turn; a fault loses it the game, and the table goes on.

        Raises
        ------
        RosterClosedError
            If the web app is being closed; the table stays as it is.
        """
        facts = self._facts
        if not facts.is_opponents:
            return
        try:
            cards = self._opponents_answer(facts)
        except EngineFault as fault:
            self._settle(replace(facts, forfeit=Forfeit(OPPONENT, fault.verdict, fault.reason)))
        except (Strayed, DurakRefusal):
            self._settle(replace(facts, called_off=True))
        else:
            self._settle(facts.answered(cards))

    def ask_hint(self) -> None:
        """Find out what each move is worth here.

        Raises
        ------
        DurakRefusal
            If it is not the person's turn.
        """
        facts = self._facts
        if not facts.is_yours:
            raise DurakRefusal("durak.refused.not_your_turn")
        self._facts = replace(facts, advice=_advice(facts.game))

    def set_coach(self, *, is_on: bool) -> None:
        """Let the coach speak before and after every move, or be quiet."""
        facts = replace(self._facts, has_coach=is_on, last_move=None, advice=())
        self._facts = _coached(facts)

    def judge(self) -> None:
        """Review the person's moves of a game that is over.

        Raises
        ------
        DurakRefusal
            If it is not.
        """
        facts = self._facts
        if not facts.is_over:
            raise DurakRefusal("durak.refused.not_over")
        moves = adviser_of(facts.game.rules).review(facts.game, YOU).moves
        judged = tuple(
            JudgedMove(move.number, move.played, move.best, move.loss, move.move_class) for move in moves
        )
        self._facts = replace(facts, judged=judged)

    def record(self, person: str, at: datetime) -> GameRecord:
        """Return a game that is over as the logs keep it.

        Parameters
        ----------
        person
            What the person is called there.
        at
            The time that is written down: a table keeps none.

        Raises
        ------
        DurakRefusal
            If the game is not over, or was called off.
        """
        facts = self._facts
        if facts.ending is None or facts.called_off:
            raise DurakRefusal("durak.refused.not_over")
        forfeit = None if facts.forfeit is None else {FORFEIT: facts.forfeit.to_dict()}
        time = at.isoformat()
        return build_record(
            facts.game,
            person,
            facts.setting.opponent,
            time,
            time,
            result=None if forfeit is None else Result.FIRST,
            extra=forfeit,
        )

    def deal_next(self, setting: TableSetting | None = None) -> None:
        """Begin the next game, in another setting if one is given; a game that is not over is dropped and counts for nobody.

        Raises
        ------
        InputError
            If the engine is not in the list, or the rules are none that it can be told of.
        """
        before = self._facts
        chosen = setting or before.setting
        self._verify_setting(chosen)
        self._seats.leave(self._game_name(before), before.game)
        winner = before.game.winner if before.forfeit is None and not before.called_off else None
        leader = winner if chosen.winner_leads else None
        fresh = dealt(chosen, before.seed, before.number + 1, leader)
        self._facts = _coached(
            replace(fresh, has_coach=before.has_coach, score=before.score, past=before.past)
        )

    def _verify_setting(self, setting: TableSetting) -> None:
        entry = self._engines.find(setting.opponent)
        if entry.house_player is None and setting.rules != DurakRules():
            raise DurakRefusal("durak.refused.protocol_rules")

    def _opponents_answer(self, facts: TableFacts) -> tuple[int, ...]:
        entry = self._engines.find(facts.setting.opponent)
        player = entry.house_player
        if player is not None:
            seed = RandomStream((facts.seed, facts.number, _OPPONENTS_CHANCE)).below(2**63)
            return player.answer(facts.game, seed)
        return self._seats.answer(self._game_name(facts), lambda: self._engines.spec(entry.name), facts.game)

    def _settle(self, facts: TableFacts) -> None:
        """Take what a move has led to: answers that the rules leave no choice about, the coach's word, the score."""
        facts = _coached(_without_idle_questions(facts))
        if facts.ending is not None:
            facts = _entered(facts)
            self._seats.leave(self._game_name(facts), facts.game)
        self._facts = facts

    @staticmethod
    def _game_name(facts: TableFacts) -> str:
        return f"{facts.seed}/{facts.number}"


def _without_idle_questions(facts: TableFacts) -> TableFacts:
    """Return the table after a question to the person that can only be answered with nothing: no card can be thrown in."""
    while facts.is_yours and facts.game.phase is Phase.THROW_IN:
        seen = observe(facts.game, YOU)
        if playable(seen) and seen.throw_in_limit:
            break
        facts = facts.answered(())
    return facts


def _coached(facts: TableFacts) -> TableFacts:
    return replace(facts, advice=_advice(facts.game)) if facts.has_coach and facts.is_yours else facts


def _advice(game: GameState) -> tuple[MoveValue, ...]:
    """Return what each move is worth; nothing where there is no choice."""
    seen = observe(game, YOU)
    if only_answer(seen) is not None:
        return ()
    try:
        return adviser_of(game.rules).moves(seen, evidence_of(game, YOU))
    except InputError as error:
        raise AssertionError("a table shows what adds up to a pack of cards") from error


def _judged(facts: TableFacts, cards: tuple[int, ...]) -> JudgedMove | None:
    best = facts.advice[0]
    played = next((value for value in facts.advice if set(value.cards) == set(cards)), None)
    if played is None:
        return None
    loss = max(0.0, best.expected_score - played.expected_score)
    return JudgedMove(len(facts.game.history), played, best, loss, classify(loss))


def _entered(facts: TableFacts) -> TableFacts:
    """Return a table with the game that has just ended in its list and its score."""
    if facts.ending is None:
        raise AssertionError("the game has ended")
    verdict = "" if facts.forfeit is None else str(facts.forfeit.verdict)
    past = PastGame(facts.number + 1, facts.setting.opponent, facts.ending, verdict)
    won, drawn, lost = (
        count + (facts.ending == ending)
        for count, ending in zip(facts.score, (WON, DRAWN, LOST), strict=True)
    )
    return replace(facts, score=(won, drawn, lost), past=(*facts.past, past)[-LISTED_GAMES:])
