"""The engine protocol as text, in both directions: what the referee sends, what an engine answers.

One line each way. Nothing here reads or writes a pipe. Light on purpose: engine processes import it (see
:mod:`~croupier.durak.engine`).
"""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.durak.engine.pack import CardTextError, card_text, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.durak.engine.state import GameState

READY = "ok"
GAME_END = "game_end"

#: An extension: with this variable at "1" in its environment an engine stays after ``game_end`` and waits for the next ``init``.
KEEP_ALIVE_VARIABLE = "DURAK_KEEP_ALIVE"

#: The command that asks for each phase's answer.
QUESTIONS = {Phase.ATTACK: "move", Phase.DEFEND: "respond", Phase.THROW_IN: "give_more"}

_SEPARATOR = "##"
_WITH_CARDS = ("init", "deal", *QUESTIONS.values())


class Notice(NamedTuple):
    """A line for the engine in a seat."""

    seat: int
    line: str


class AnswerFault(StrEnum):
    """Why an answer is not one of the protocol; whether the rules allow it is another question."""

    GARBAGE = "garbage"
    LOWER_CASE = "lower case"
    UNKNOWN_CARD = "unknown card"
    TOO_MANY_CARDS = "too many cards"


class AnswerError(InputError):
    """An answer that the protocol does not know; the fault says why."""

    def __init__(self, message: str, fault: AnswerFault) -> None:
        super().__init__(message)
        self.fault = fault


class CommandError(InputError):
    """A line that is no command of the protocol."""


class Command(NamedTuple):
    """A command as an engine reads it; data is empty where the line carries none."""

    name: str
    cards: tuple[int, ...]
    data: dict[str, Any]


def opening(state: "GameState") -> tuple[Notice, ...]:
    """Return the lines that open a game, in the order in which they are sent; each is answered with ``ok``.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> for notice in opening(start(DurakRules(), PACK))[:3]:
    ...     print(notice.seat, notice.line[:28])
    0 init AS
    1 init AS
    0 deal 6C 6D 6H 6S 7C 7D ## {"
    """
    line = init_line(state.trump)
    return (Notice(0, line), Notice(1, line), *_deals(state))


def question(state: "GameState") -> Notice | None:
    """Return the question to the player in turn; None when the game is over.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> question(start(DurakRules(), PACK, leader=1)).line
    'move  ## {"discarded": [], "deck_count": 24, "on_table": [], "enemy_count": 6, "trump": "AS"}'
    """
    seat = state.to_act
    if seat is None:
        return None
    return Notice(seat, _line(QUESTIONS[state.phase], state.table, state, seat))


def notices(before: "GameState", after: "GameState") -> tuple[Notice, ...]:
    """Return what both engines are told between an answer and the next question.

    A bout that ended brings a ``deal`` for each, also one without cards, and each is answered with ``ok``. The end of
    the game brings ``game_end``, which is not answered; where the last action left the cards on the table, there is no
    deal before it.
    """
    deals = _deals(after) if after.bout != before.bout else ()
    ends = (Notice(0, GAME_END), Notice(1, GAME_END)) if after.is_over else ()
    return (*deals, *ends)


def init_line(trump: int) -> str:
    """Write the line that starts a game.

    >>> init_line(51)
    'init AS'
    """
    return f"init {card_text(trump)}"


def deal_line(state: "GameState", seat: int) -> str:
    """Write what a seat is told of the last deal."""
    return _line("deal", state.dealt[seat], state, seat)


def parse_answer(text: str, phase: Phase) -> tuple[int, ...]:
    r"""Read an engine's answer to the question of a phase: no card, or the cards.

    Raises
    ------
    AnswerError
        If it is no answer. Whether the rules allow the cards is not checked here.

    Examples
    --------
    >>> parse_answer("  9C \r\n", Phase.ATTACK), parse_answer("\n", Phase.DEFEND)
    ((28,), ())
    >>> parse_answer("9c", Phase.ATTACK)
    Traceback (most recent call last):
    croupier.durak.engine.protocol.AnswerError: card '9c': lower case; write 9C
    """
    try:
        cards = read_cards(text)
    except CardTextError as error:
        raise AnswerError(str(error), AnswerFault(error.fault.value)) from None
    if phase is not Phase.THROW_IN and len(cards) > 1:
        raise AnswerError(
            f"{len(cards)} cards; '{QUESTIONS[phase]}' is answered with one card or an empty line",
            AnswerFault.TOO_MANY_CARDS,
        )
    return cards


def parse_command(line: str) -> Command:
    r"""Read a command as an engine gets it, with any spaces and line ends.

    Raises
    ------
    CommandError
        If it is no command, names a card that does not exist, or carries data that are no JSON object.

    Examples
    --------
    >>> parse_command('move 9C QH  ## {"deck_count": 24}\r\n')
    Command(name='move', cards=(28, 42), data={'deck_count': 24})
    >>> parse_command("game_end")
    Command(name='game_end', cards=(), data={})
    >>> parse_command("hello")
    Traceback (most recent call last):
    croupier.durak.engine.protocol.CommandError: no command 'hello'; commands are init, deal, move, respond, give_more, game_end
    """
    words, _, data_text = line.partition(_SEPARATOR)
    name, *tokens = words.split() or [""]
    if name != GAME_END and name not in _WITH_CARDS:
        raise CommandError(f"no command {name!r}; commands are {', '.join((*_WITH_CARDS, GAME_END))}")
    try:
        cards = tuple(read_card(token) for token in tokens)
        data = json.loads(data_text) if data_text.strip() else {}
    except (CardTextError, ValueError, RecursionError) as error:
        raise CommandError(f"command '{name}': {error}") from None
    if not isinstance(data, dict):
        raise CommandError(f"command '{name}': the data after {_SEPARATOR} are no JSON object")
    return Command(name, cards, data)


def _deals(state: "GameState") -> tuple[Notice, Notice]:
    return Notice(0, deal_line(state, 0)), Notice(1, deal_line(state, 1))


def _line(command: str, cards: tuple[int, ...], state: "GameState", seat: int) -> str:
    """Write a command; a list without cards leaves two spaces before the separator, as engines have always seen it."""
    data = {
        "discarded": [card_text(card) for card in state.discarded],
        "deck_count": state.deck_count,
        "on_table": [card_text(card) for card in state.table],
        "enemy_count": len(state.hands[1 - seat]),
        "trump": card_text(state.trump),
    }
    return f"{command} {cards_text(cards)} {_SEPARATOR} {json.dumps(data)}"
