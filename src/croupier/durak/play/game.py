"""One game of durak as an object: deal it, play it card by card, show it, keep it in a log."""

from collections.abc import Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.entrant import EngineObject, EntrantLike, object_player, startable
from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.log import logged_entry
from croupier.durak.arena.player import EnginePlayer
from croupier.durak.arena.referee import play_game
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import Forfeit
from croupier.durak.engine.actions import answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, Reply, observe
from croupier.durak.engine.pack import card_text, cards_text, sorted_by_cost
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import (
    FORFEIT,
    UNFINISHED,
    BrokenGame,
    GameRecord,
    build_record,
    format_record,
    is_variant_entry,
    log_entries,
    read_game,
)
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import ActionKind, GameState, IllegalMove, Result
from croupier.durak.engine.text import describe, narrate, show_cards
from croupier.durak.engine.variant_record import (
    VariantRecord,
    build_variant_record,
    format_variant_record,
    read_variant_game,
)
from croupier.durak.players.base import Answer, reply_from
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed
from croupier.results import named_table

#: What answering without a card is called in each phase.
PASSES = {Phase.ATTACK: "done", Phase.DEFEND: "take", Phase.THROW_IN: "nothing"}

_PASSING_ON = (ActionKind.TRANSFER, ActionKind.SHOW)


class Game:
    """A game, all cards open to whoever holds the object.

    :meth:`play` changes the game; ``game.state`` is the position as a frozen value, and :meth:`copy` a game that can be
    played on by itself.

    Parameters
    ----------
    state
        The position.
    names
        What the players are called in a log.
    forfeit
        The fault that ended the game, if one did.

    Examples
    --------
    >>> from croupier import durak
    >>> game = durak.Game.deal(seed=3)
    >>> print(game)
    stock     24 cards, trump Q♣
    player 1  6♦ 9♥ J♦ Q♥ Q♠ A♠
    player 2  6♥ 8♠ J♠ K♥ A♥ 7♣
    table     empty
    now: player 2 attacks
    >>> game.legal
    ('6H', '7C', '8S', 'JS', 'KH', 'AH')
    >>> game.play("7C").legal
    ('take',)
    >>> game.play("take").play("nothing").turn
    1
    >>> durak.Game.from_log(game.to_log()).state == game.state
    True
    """

    def __init__(
        self,
        state: GameState,
        names: tuple[str, ...] = (),
        forfeit: Forfeit | None = None,
    ) -> None:
        self.state = state
        self.names = names or tuple(f"player {seat + 1}" for seat in range(len(state.hands)))
        self.forfeit = forfeit

    @classmethod
    def deal(
        cls, seed: int | None = None, rules: DurakRules | None = None, leader: int | None = None
    ) -> Self:
        """Deal a game.

        Parameters
        ----------
        seed
            Names the cards; without one, fresh cards. The first pair of a match with this seed has the same ones.
        rules
            By default those of the engine protocol.
        leader
            Who leads: a seat, from 0 (player 1) on. By default the holder of the lowest trump, or chance where nobody holds one.
        """
        chosen = rules or DurakRules()
        cards = deal_of_pair(fresh_seed() if seed is None else seed, 0, chosen)
        first = cards.leader if leader is None else leader
        return cls(start(chosen, cards.deck, first))

    @classmethod
    def between(
        cls,
        first: EntrantLike,
        second: EntrantLike,
        seed: int | None = None,
        *,
        others: Sequence[EntrantLike] = (),
        rules: DurakRules | None = None,
        limits: Limits | None = None,
    ) -> Self:
        """Let engines play a game, by the rules of the protocol or others; they are named as in :func:`croupier.durak.match`.

        Raises
        ------
        InputError
            If an engine cannot be started, or there are more or fewer engines than the rules want.

        Examples
        --------
        >>> from croupier import durak
        >>> game = durak.Game.between("durak-dummy", lambda seen: seen.playable[:1], seed=1)
        >>> game.result, game.names
        ('1-0', ('durak-dummy', '<lambda>'))
        """
        number, drawn = GameNumber(0, is_swapped=False), fresh_seed() if seed is None else seed
        entrants = startable((first, second, *others), rules)
        chosen = rules or DurakRules()
        cards = deal_of_pair(drawn, 0, chosen)
        with Roster() as roster:
            players = [
                object_player(entrant, drawn, number, place)
                if isinstance(entrant, EngineObject)
                else EnginePlayer(entrant, limits or Limits(), roster)
                for place, entrant in enumerate(entrants)
            ]
            game = play_game(players, cards.deck, cards.leader, rules=chosen)
        return cls(game.state, game.names, game.forfeit)

    @classmethod
    def from_log(cls, log: str | PathLike[str], number: int = 1) -> Self:
        """Read a game of a log, by playing it again.

        Parameters
        ----------
        log
            The text of a log, which begins with ``####``, or the path of one.
        number
            Which game of it, from 1.

        Raises
        ------
        InputError
            If there is no such game, or it cannot have been played as it is recorded.
        """
        is_text = isinstance(log, str) and log.lstrip().startswith("####")
        if is_text:
            entries = list(log_entries(str(log).split("\n")))
            if not 1 <= number <= len(entries):
                raise InputError(f"log: no game {number}; it holds {len(entries)}")
            entry = entries[number - 1]
        else:
            entry = logged_entry(Path(log), number)
        return cls.from_record(read_variant_game(entry) if is_variant_entry(entry) else read_game(entry))

    @classmethod
    def from_record(cls, record: GameRecord | VariantRecord | BrokenGame) -> Self:
        """Make a game of a record, by playing it again.

        Raises
        ------
        InputError
            If the record cannot be read, or cannot have been played.
        """
        if isinstance(record, BrokenGame):
            raise InputError(f"log, line {record.line}: malformed: {record.reason}")
        if isinstance(record, VariantRecord):
            lost = record.forfeit
            return cls(record.state, record.players, None if lost is None else Forfeit.from_dict(lost))
        state = replay_record(record)
        told = record.forfeit
        forfeit = None if told is None or "verdict" not in told else Forfeit.from_dict(told)
        return cls(state, (record.player1_name, record.player2_name), forfeit)

    def play(self, cards: Answer) -> Self:
        """Do what the player in turn answers, and return the game.

        Parameters
        ----------
        cards
            A card such as ``"7C"``; several to throw in; ``"done"``, ``"take"``, ``"nothing"`` or None for no card;
            ``"transfer 7C"`` or ``"show 7C"`` to pass the attack on.

        Raises
        ------
        InputError
            If that is no card, or the rules do not allow it; the game stays as it is then.
        """
        if self.is_over:
            raise IllegalMove("cannot play: the game is over")
        self.state = answer(self.state, self._reply(cards))
        return self

    def _reply(self, cards: Answer) -> Reply:
        """Return what an answer means now."""
        is_pass = isinstance(cards, str) and cards.strip().lower() == PASSES[self.state.phase]
        return () if is_pass else reply_from(cards, self.state.rules.cards)

    def copy(self) -> "Game":
        """Return the same game, to be played on by itself."""
        return type(self)(self.state, self.names, self.forfeit)

    @property
    def legal(self) -> tuple[str, ...]:
        """What the player in turn may play, as :meth:`play` takes it."""
        if self.is_over:
            return ()
        return tuple(
            f"{action.kind} {cards_text(action.cards)}"
            if action.kind in _PASSING_ON
            else cards_text(action.cards) or PASSES[self.state.phase]
            for action in legal_actions(self.state)
        )

    @property
    def turn(self) -> int | None:
        """The seat in turn, from 0 (player 1) on; None when the game is over."""
        return None if self.forfeit is not None else self.state.to_act

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None

    @property
    def result(self) -> str | None:
        """The result as the log writes it: 1-0, 0-1, or s-s for a draw; None as long as the game is not over.

        In games that are not the protocol's, who has lost: ``fool 3``, ``fools 1 3`` or ``draw``.
        """
        if not self.state.rules.is_compiled:
            return self._variant_record("").result if self.is_over else None
        if self.forfeit is not None:
            return str((Result.SECOND, Result.FIRST)[self.forfeit.seat])
        return None if self.state.result is None else str(self.state.result)

    def seen(self, seat: int | None = None) -> Observation:
        """Return what a player can see: the one in a seat, by default the one in turn."""
        if seat is None:
            seat = self.turn
        seats = range(len(self.state.hands))
        if seat is None or seat not in seats:
            raise InputError(
                "seen: name a seat, 0 (player 1) or 1 (player 2)"
                if len(seats) == 2
                else f"seen: name a seat, 0 (player 1) to {seats[-1]}"
            )
        return observe(self.state, seat)

    @property
    def story(self) -> str:
        """The whole game, bout by bout."""
        return "\n".join(narrate(self.state))

    def to_log(self, at: datetime | None = None) -> str:
        """Write the game as the log keeps it: a header and a line of JSON.

        A game that is not over is marked as unfinished, with the result of a draw.

        Parameters
        ----------
        at
            The time that is written down; now by default.
        """
        time = (at or datetime.now()).isoformat()
        if not self.state.rules.is_compiled:
            return format_variant_record(self._variant_record(time))
        extra: dict[str, Any] = {}
        result = None
        if self.forfeit is not None:
            extra, result = {FORFEIT: self.forfeit.to_dict()}, Result(self.result or "")
        elif not self.is_over:
            extra, result = {UNFINISHED: {"is_taking": self.state.is_taking}}, Result.DRAW
        first, second = self.names
        return format_record(build_record(self.state, first, second, time, time, result=result, extra=extra))

    def _variant_record(self, time: str) -> VariantRecord:
        forfeit = None if self.forfeit is None else self.forfeit.to_dict()
        return build_variant_record(self.state, self.names, time, time, forfeit=forfeit)

    def __str__(self) -> str:
        return describe(self.state)

    def __repr__(self) -> str:
        standing = (
            self.result or f"player {(self.turn or 0) + 1} to {self.state.phase.value.replace('_', ' ')}"
        )
        return f"<Game {' - '.join(self.names)}: {standing}, {len(self.state.history)} actions>"

    def _repr_html_(self) -> str:
        state = self.state
        pairs = [state.table[place : place + 2] for place in range(0, len(state.table), 2)]
        table = " &nbsp; ".join(
            _html_cards(pair) for pair in [*pairs, *((card,) for card in state.waiting + state.thrown_in)]
        )
        rows = [
            ("stock", f"{state.deck_count} cards, trump {_html_cards([state.trump])}"),
            *(
                (f"player {seat + 1}", _html_cards(sorted_by_cost(state.hands[seat], state.trump_suit)))
                for seat in range(len(state.hands))
            ),
            ("table", table or "empty"),
            ("", describe(state).splitlines()[-1]),
        ]
        return named_table(rows)


def _html_cards(cards: Sequence[int]) -> str:
    style = "padding:1px 4px;margin:1px;border:1px solid #999;border-radius:4px;background:#fff;color:"
    return "".join(
        f'<span style="{style}{"#c00" if card_text(card)[1] in "DHR" else "#000"}">{show_cards([card])}</span>'
        for card in cards
    )
