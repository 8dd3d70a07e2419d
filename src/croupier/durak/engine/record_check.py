"""Checks a recorded game by playing it again: every bout, card and result must fit."""

from collections.abc import Sequence
from typing import Any

from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import card_text, cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import (
    FORFEIT,
    PLAYERS,
    RULES,
    UNFINISHED,
    BoutRecord,
    GameRecord,
    header_line,
)
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.errors import InputError


class RecordMisfit(InputError):  # noqa: N818 - what it is: a record that does not fit the rules
    """A recorded game that cannot have been played as it is recorded; the message says where and why."""


def check_record(record: GameRecord) -> str | None:
    """Return what does not fit in a recorded game; None where all of it does."""
    try:
        replay_record(record)
    except RecordMisfit as misfit:
        return str(misfit)
    return None


def replay_record(record: GameRecord) -> GameState:
    """Play a recorded game again, card by card, and return its last state.

    The deck, the open trump, both hands, the attacker and the stock of every bout, every card played and thrown in, the
    result and the header are compared. A forfeited game must stop before its end, and its result must be the
    other player's win.

    Raises
    ------
    RecordMisfit
        At the first thing that does not fit.
    """
    if record.header and record.header != header_line(record):
        raise RecordMisfit(f"the header says {record.header}, the game says {header_line(record)}")
    state = _started(record)
    for number, bout in enumerate(record.moves, start=1):
        where = f"bout {number}"
        if state.is_over:
            raise RecordMisfit(f"{where}: recorded after the game had ended with {state.result}")
        _verify_begin(state, bout, where)
        is_cut_off = number == len(record.moves) and (
            record.forfeit is not None or record.unfinished is not None
        )
        state = _played(state, bout, where, is_cut_off=is_cut_off)
    if record.unfinished is not None and record.unfinished.get("is_taking"):
        state = _answered(state, (), "the take at the end")
    _verify_result(state, record)
    return state


def _started(record: GameRecord) -> GameState:
    if not record.moves:
        raise RecordMisfit("no bout is recorded")
    options: Any = record.extra.get(RULES, {})
    try:
        rules = DurakRules.create(options if isinstance(options, dict) else {RULES: options})
        state = start(rules, record.deck, record.moves[0].attacker)
    except InputError as error:
        raise RecordMisfit(str(error)) from None
    if record.opened_trump != state.trump:
        raise RecordMisfit(
            f"opened_trump: {card_text(record.opened_trump)} is recorded, the last card of the deck is {card_text(state.trump)}"
        )
    return state


def _verify_begin(state: GameState, bout: BoutRecord, where: str) -> None:
    """Raise unless a bout begins as recorded; the order of the cards in a hand means nothing."""
    for name, recorded, hand in zip(
        PLAYERS, (bout.player1_cards, bout.player2_cards), state.hands, strict=True
    ):
        if sorted(recorded) != sorted(hand):
            raise RecordMisfit(
                f"{where}: {name}_cards: {_sorted_text(recorded)} are recorded, the hand is {_sorted_text(hand)}"
            )
    if bout.attacker != state.attacker:
        raise RecordMisfit(f"{where}: to_move: {bout.to_move} is recorded, {PLAYERS[state.attacker]} attacks")
    if bout.deck_count != state.deck_count:
        raise RecordMisfit(
            f"{where}: deck_count: {bout.deck_count} is recorded, the stock holds {state.deck_count}"
        )


def _played(begin: GameState, bout: BoutRecord, where: str, *, is_cut_off: bool) -> GameState:
    """Play the cards of a bout; being done and taking are not recorded, they follow from where the cards stop."""
    state = begin
    for place, card in enumerate(bout.moves_and_responds, start=1):
        if _has_ended(state, begin):
            raise RecordMisfit(f"{where}, card {place} ({card_text(card)}): the bout had ended before it")
        state = _answered(state, (card,), f"{where}, card {place}")
    if not _has_ended(state, begin) and not is_cut_off:
        state = _answered(state, (), f"{where}, after its last card")
        if state.phase is Phase.THROW_IN:
            return _answered(state, bout.given_more, f"{where}, given_more")
    if bout.given_more:
        raise RecordMisfit(
            f"{where}: given_more: {cards_text(bout.given_more)} are recorded, nothing could be thrown in"
        )
    return state


def _has_ended(state: GameState, begin: GameState) -> bool:
    return state.is_over or state.bout != begin.bout


def _answered(state: GameState, cards: Sequence[int], where: str) -> GameState:
    try:
        return answer(state, cards)
    except InputError as error:
        raise RecordMisfit(f"{where}: {error}") from None


def _verify_result(state: GameState, record: GameRecord) -> None:
    if record.forfeit is not None:
        loser = record.forfeit.get("player")
        if state.is_over:
            raise RecordMisfit(f"{FORFEIT}: the cards had ended the game with {state.result}")
        if loser not in PLAYERS:
            raise RecordMisfit(f"{FORFEIT}: 'player' is {loser!r}, not player1 or player2")
        expected = Result.SECOND if loser == PLAYERS[0] else Result.FIRST
        if record.result is not expected:
            raise RecordMisfit(f"result: {record.result} is recorded, but {loser} forfeited the game")
        return
    if record.unfinished is not None:
        if state.is_over:
            raise RecordMisfit(f"{UNFINISHED}: the cards had ended the game with {state.result}")
        if record.result is not Result.DRAW:
            raise RecordMisfit(f"result: {record.result} is recorded, but the game is not over")
        return
    if state.result is None:
        raise RecordMisfit(f"result: {record.result} is recorded, but the cards do not end the game")
    if record.result is not state.result:
        raise RecordMisfit(f"result: {record.result} is recorded, the cards give {state.result}")


def _sorted_text(cards: Sequence[int]) -> str:
    return cards_text(sorted(cards)) or "no cards"
