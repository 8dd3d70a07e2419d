"""A durak table for one person: games against an engine one after another, with hints, a coach and a review.

An action replaces all facts of the table, or none. The opponent's move is a separate action, so that a page can show each move as
it is made and run the opponent's search outside the event loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from croupier.durak.arena.verdict import EngineFault, Forfeit
from croupier.durak.engine.dealing import next_leader
from croupier.durak.engine.observation import observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import FORFEIT, GameRecord, build_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.play.answers import verify_answer
from croupier.durak.play.coach import advice_for, judged_game, judged_move
from croupier.durak.play.facts import (
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
    movers_of,
)
from croupier.durak.play.opponents import Opponents
from croupier.durak.play.played import played_game
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.play.seats import EngineSeats, Strayed
from croupier.durak.play.view import DurakView, own_choice, view_of
from croupier.numerics.streams import RandomStream
from croupier.played import PlayedHand

#: Names the stream of the opponent's chance, apart from those that shuffle.
_OPPONENTS_CHANCE = 2

#: What stands in the list of games for one in which a move was taken back.
TAKEN_BACK = "taken back"


class DurakTable:
    """A table.

    Parameters
    ----------
    facts
        How it stands.
    engines
        The engines that can be played against.
    seats
        The processes of those that are programs.

    Examples
    --------
    >>> from croupier.durak.play.opponents import NamedPrograms
    >>> setting = TableSetting("durak-dummy", DurakRules())
    >>> table = DurakTable.opened(setting, NamedPrograms(), EngineSeats(), seed=1)
    >>> table.play([table.view().hand[0].card])
    >>> table.let_opponent_move()
    >>> len(table.view().moves)
    2
    """

    def __init__(self, facts: TableFacts, engines: Opponents, seats: EngineSeats) -> None:
        self._facts, self._engines, self._seats = facts, engines, seats
        self._shown: tuple[TableFacts, DurakView] | None = None

    @classmethod
    def opened(cls, setting: TableSetting, engines: Opponents, seats: EngineSeats, seed: int) -> Self:
        """Open a table with its first game dealt."""
        table = cls(dealt(setting, seed, 0), engines, seats)
        table._verify_setting(setting)
        return table

    @classmethod
    def exercises(
        cls,
        setting: TableSetting,
        positions: Sequence[GameState],
        engines: Opponents,
        seats: EngineSeats,
        seed: int,
        *,
        hides_advice: bool = False,
    ) -> Self:
        """Open a table at which positions are played on, one after another; nothing of it counts.

        Parameters
        ----------
        setting
            Whom to play against; a built-in engine, because a program must see a game from its deal.
        positions
            Games in which the person, in the first seat, or the opponent is to move.
        engines, seats, seed
            As for a table.
        hides_advice
            Whether the coach says nothing until the person has moved.

        Raises
        ------
        DurakRefusal
            If there is no position, or the opponent is not built in.
        """
        if not positions:
            raise DurakRefusal("durak.refused.no_position")
        if engines.find(setting.opponent).built_in is None:
            raise DurakRefusal("durak.refused.built_in_only")
        first, *others = positions
        facts = dealt(setting, seed, 0)
        table = cls(
            replace(
                _from_position(facts, first), queue=tuple(others), has_coach=True, hides_advice=hides_advice
            ),
            engines,
            seats,
        )
        table._facts = _coached(table._facts)
        return table

    @classmethod
    def from_state(cls, state: Mapping[str, Any], engines: Opponents, seats: EngineSeats) -> Self:
        """Restore a table that was saved.

        Raises
        ------
        InputError
            If the state is not that of a durak table.
        """
        return cls(TableFacts.from_state(state), engines, seats)

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as plain JSON, hidden cards and seed included."""
        return self._facts.to_state()

    def view(self) -> DurakView:
        """Return what the person may know."""
        facts, shown = self._facts, self._shown
        if shown is None or shown[0] is not facts:
            self._shown = shown = (facts, view_of(facts))
        return shown[1]

    def copy(self) -> "DurakTable":
        """Return a table that stands as this one does now, whatever happens here later."""
        return DurakTable(self._facts, self._engines, self._seats)

    @property
    def game(self) -> GameState:
        """The game with all its cards; a page shows it only when it is over."""
        return self._facts.game

    @property
    def judged(self) -> tuple[JudgedMove, ...]:
        """The person's choices in the game that is over, if they were reviewed."""
        return self._facts.judged or ()

    @property
    def played(self) -> PlayedHand | None:
        """The game that is over, for the player's own statistics; None if it does not count."""
        return played_game(self._facts, self._facts.judged)

    def priced(self, judged: Sequence[JudgedMove]) -> PlayedHand | None:
        """Return the game that is over with prices that were found elsewhere."""
        return played_game(self._facts, judged)

    def verify_play(self, cards: Sequence[int]) -> None:
        """Raise unless the person may answer with these cards; none means done, take, or nothing more."""
        facts = self._facts
        if not facts.is_yours:
            raise DurakRefusal("durak.refused.over" if facts.is_over else "durak.refused.not_your_turn")
        verify_answer(observe(facts.game, YOU), cards)

    def play(self, cards: Sequence[int]) -> None:
        """Answer with cards, or without: done, take, nothing more."""
        self.verify_play(cards)
        facts = self._facts
        judged = judged_move(facts, tuple(cards)) if facts.has_coach and facts.advice else None
        self._settle(replace(facts.answered(cards), advice=(), last_move=judged))

    def let_opponent_move(self) -> None:
        """Let the opponent answer if it is its turn; a fault loses it the game.

        Raises
        ------
        RosterClosedError
            If the engines are being ended; the table stays as it is.
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
        self._facts = replace(facts, advice=advice_for(facts.game), hides_advice=False)

    def undo(self) -> None:
        """Take back the person's last choice and everything after it; the game does not count from then on.

        Raises
        ------
        DurakRefusal
            If it is not the person's turn, there is nothing to take back, or the opponent is a program, which cannot.
        """
        facts = self._facts
        before = own_choice(facts)
        if not facts.is_yours or before is None:
            raise DurakRefusal("durak.refused.nothing_to_undo")
        if self._engines.find(facts.setting.opponent).built_in is None:
            raise DurakRefusal("durak.refused.built_in_only")
        movers = facts.movers[: len(before.history)]
        taken_back = replace(facts, game=before, movers=movers, advice=(), last_move=None, is_undone=True)
        self._facts = _coached(taken_back)

    def set_coach(self, *, is_on: bool) -> None:
        """Switch the coach on or off: what moves are worth before each move, what the move cost after it."""
        facts = replace(self._facts, has_coach=is_on, last_move=None, advice=(), hides_advice=False)
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
        self._facts = replace(facts, judged=judged_game(facts.game))

    def record(
        self, person: str, started_at: datetime, ended_at: datetime, extra: Mapping[str, Any] | None = None
    ) -> GameRecord:
        """Return a game that is over as the logs keep it.

        Parameters
        ----------
        person
            What the person is called there.
        started_at, ended_at
            When the game was played: a table keeps no times.
        extra
            Further fields to write.

        Raises
        ------
        DurakRefusal
            If the game is not over, or was called off.
        """
        facts = self._facts
        if facts.ending is None or facts.called_off:
            raise DurakRefusal("durak.refused.not_over")
        forfeit = {} if facts.forfeit is None else {FORFEIT: facts.forfeit.to_dict()}
        return build_record(
            facts.game,
            person,
            facts.setting.opponent,
            started_at.isoformat(),
            ended_at.isoformat(),
            result=Result.FIRST if forfeit else None,
            extra=forfeit | dict(extra or {}),
        )

    def deal_next(self, setting: TableSetting | None = None) -> None:
        """Begin the next game, with another setting if one is given. A game that is not over is dropped and does not count.

        Raises
        ------
        InputError
            If the engine is not in the list, or is a program and the rules are not those of the protocol.
        """
        before = self._facts
        if before.origin is not None:
            self._begin_exercise(before.origin, before.queue)
            return
        chosen = setting or before.setting
        self._verify_setting(chosen)
        self._seats.leave(self._game_name(before), before.game)
        is_decided = before.forfeit is None and not before.called_off and before.game.is_over
        leader = before.game.winner if chosen.winner_leads else next_leader(before.game)
        leader = leader if is_decided else None
        fresh = dealt(chosen, before.seed, before.number + 1, leader)
        self._facts = _coached(
            replace(fresh, has_coach=before.has_coach, score=before.score, past=before.past)
        )

    def next_exercise(self) -> None:
        """Go on to the next position; the last one is played again.

        Raises
        ------
        DurakRefusal
            If this is no table of exercises.
        """
        facts = self._facts
        if facts.origin is None:
            raise DurakRefusal("durak.refused.no_position")
        first, *others = (*facts.queue, facts.origin)[: max(1, len(facts.queue))]
        self._begin_exercise(first, tuple(others))

    def _begin_exercise(self, position: GameState, queue: tuple[GameState, ...]) -> None:
        before = self._facts
        fresh = replace(dealt(before.setting, before.seed, before.number + 1), queue=queue)
        self._facts = _coached(
            replace(
                _from_position(fresh, position), has_coach=before.has_coach, hides_advice=before.hides_advice
            )
        )

    def _verify_setting(self, setting: TableSetting) -> None:
        if not setting.rules.is_compiled:
            raise DurakRefusal("durak.refused.variant")
        if self._engines.find(setting.opponent).built_in is None and setting.rules != DurakRules():
            raise DurakRefusal("durak.refused.protocol_rules")

    def _opponents_answer(self, facts: TableFacts) -> tuple[int, ...]:
        opponent = self._engines.find(facts.setting.opponent)
        player = opponent.built_in
        if player is not None:
            seed = RandomStream((facts.seed, facts.number, _OPPONENTS_CHANCE)).below(2**63)
            return player.answer(facts.game, seed)
        return self._seats.answer(
            self._game_name(facts), lambda: self._engines.spec(opponent.name), facts.game
        )

    def _settle(self, facts: TableFacts) -> None:
        """Take over what a move led to: answers without a choice, the coach's advice, the score."""
        facts = _coached(_without_idle_questions(facts))
        if facts.ending is not None:
            facts = _entered(facts)
            self._seats.leave(self._game_name(facts), facts.game)
        self._facts = facts

    @staticmethod
    def _game_name(facts: TableFacts) -> str:
        return f"{facts.seed}/{facts.number}"


def _from_position(facts: TableFacts, position: GameState) -> TableFacts:
    """Return a table at which a position is played on."""
    return replace(facts, game=position, movers=movers_of(position), origin=position)


def _without_idle_questions(facts: TableFacts) -> TableFacts:
    """Return the table after a question to the person that can only be answered with nothing: no card can be thrown in."""
    while facts.is_yours and facts.game.phase is Phase.THROW_IN:
        seen = observe(facts.game, YOU)
        if seen.playable:
            break
        facts = facts.answered(())
    return facts


def _coached(facts: TableFacts) -> TableFacts:
    return replace(facts, advice=advice_for(facts.game)) if facts.has_coach and facts.is_yours else facts


def _entered(facts: TableFacts) -> TableFacts:
    """Return a table with the game that has just ended in its list and its score."""
    if facts.ending is None:
        raise AssertionError("the game has ended")
    if facts.origin is not None:
        return facts
    verdict = TAKEN_BACK if facts.is_undone else "" if facts.forfeit is None else str(facts.forfeit.verdict)
    past = PastGame(facts.number + 1, facts.setting.opponent, facts.ending, verdict)
    won, drawn, lost = (
        count + (facts.ending == ending and not facts.is_undone)
        for count, ending in zip(facts.score, (WON, DRAWN, LOST), strict=True)
    )
    return replace(facts, score=(won, drawn, lost), past=(*facts.past, past)[-LISTED_GAMES:])
