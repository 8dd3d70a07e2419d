"""The second version of the engine protocol, for games by any rules: what the referee sends, what an engine answers.

One line each way, as in :mod:`~croupier.durak.engine.protocol`, which stays as it is for the game that it describes. Light on purpose:
engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.durak.engine.observation import Observation, PassOn, Reply, Variant
from croupier.durak.engine.pack import CardTextError, card_text, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import (
    GAME_END,
    QUESTIONS,
    AnswerError,
    AnswerFault,
    Command,
    CommandError,
    Notice,
)

if TYPE_CHECKING:
    from croupier.durak.engine.rules import DurakRules
    from croupier.durak.engine.state import GameState

#: The command that starts a game; a line that begins so tells an engine of the second version.
GAME = "game"

#: How a line begins with which an engine tells what it thinks, before its answer.
INFO = "info "

#: The words before a card that passes the attack on.
_PASSING_ON = {"transfer": False, "show": True}

_SEPARATOR = "##"
_COMMANDS = (GAME, "deal", *QUESTIONS.values())


def game_line(
    state: "GameState", seat: int, names: Sequence[str], options: Mapping[str, str] | None = None
) -> str:
    """Write the line that starts a game for the engine in a seat.

    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> rules = DurakRules(players=3)
    >>> game_line(start(rules, rules.cards), 1, ["a", "b", "c"])[:61]
    'game ## {"protocol": 2, "seat": 1, "players": ["a", "b", "c"]'
    """
    data = {
        "protocol": 2,
        "seat": seat,
        "players": list(names),
        "trump": card_text(state.trump),
        "rules": state.rules.model_dump(mode="json"),
        "options": dict(options or {}),
    }
    return f"{GAME} {_SEPARATOR} {json.dumps(data)}"


def deals(state: "GameState") -> tuple[Notice, ...]:
    """Return what every engine is told of the last deal, in the order of the seats."""
    return tuple(
        Notice(seat, _line("deal", state.dealt[seat], state, seat)) for seat in range(len(state.hands))
    )


def question(state: "GameState") -> Notice | None:
    """Return the question to the player in turn; None when the game is over."""
    seat = state.to_act
    if seat is None:
        return None
    return Notice(seat, _line(QUESTIONS[state.phase], state.table, state, seat))


def notices(before: "GameState", after: "GameState") -> tuple[Notice, ...]:
    """Return what the engines are told between an answer and the next question: deals, and the end of the game."""
    told = deals(after) if after.bout != before.bout else ()
    ends = (Notice(seat, GAME_END) for seat in range(len(after.hands)) if after.is_over)
    return (*told, *ends)


def reply_text(reply: Reply) -> str:
    """Write an answer.

    >>> reply_text((20, 21)), reply_text(PassOn(20)), reply_text(PassOn(20, is_shown=True)), reply_text(())
    ('7C 7D', 'transfer 7C', 'show 7C', '')
    """
    if isinstance(reply, PassOn):
        return f"{'show' if reply.is_shown else 'transfer'} {card_text(reply.card)}"
    return cards_text(reply)


def parse_reply(text: str, phase: Phase, pack: tuple[int, ...]) -> Reply:
    """Read an engine's answer to the question of a phase.

    Raises
    ------
    AnswerError
        If it is no answer. Whether the rules allow it is not checked here.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> parse_reply("transfer 7C", Phase.DEFEND, PACK), parse_reply(" 7C ", Phase.DEFEND, PACK)
    (PassOn(card=20, is_shown=False), (20,))
    >>> parse_reply("7C 7D", Phase.ATTACK, PACK)
    Traceback (most recent call last):
    croupier.durak.engine.protocol.AnswerError: 2 cards; 'move' is answered with one card or an empty line
    """
    word, _, rest = text.strip().partition(" ")
    try:
        if word in _PASSING_ON and phase is Phase.DEFEND:
            return PassOn(read_card(rest.strip(), pack), is_shown=_PASSING_ON[word])
        cards = read_cards(text, pack)
    except CardTextError as error:
        raise AnswerError(str(error), AnswerFault(error.fault.value)) from None
    if phase is not Phase.THROW_IN and len(cards) > 1:
        raise AnswerError(
            f"{len(cards)} cards; '{QUESTIONS[phase]}' is answered with one card or an empty line",
            AnswerFault.TOO_MANY_CARDS,
        )
    return cards


def parse_command2(line: str, pack: tuple[int, ...]) -> Command:
    """Read a command of the second version as an engine gets it.

    Raises
    ------
    CommandError
        If it is no command, names a card that is not in the pack, or carries data that are no JSON object.

    Examples
    --------
    >>> parse_command2('deal 2C ## {"seat": 1}', (0, 1))
    Command(name='deal', cards=(0,), data={'seat': 1})
    """
    words, _, data_text = line.partition(_SEPARATOR)
    name, *tokens = words.split() or [""]
    if name != GAME_END and name not in _COMMANDS:
        raise CommandError(f"no command {name!r}; commands are {', '.join((*_COMMANDS, GAME_END))}")
    try:
        cards = tuple(read_card(token, pack) for token in tokens)
        data = json.loads(data_text) if data_text.strip() else {}
    except (CardTextError, ValueError, RecursionError) as error:
        raise CommandError(f"command '{name}': {error}") from None
    if not isinstance(data, dict):
        raise CommandError(f"command '{name}': the data after {_SEPARATOR} are no JSON object")
    return Command(name, cards, data)


def observation_of(
    phase: Phase, hand: tuple[int, ...], table: tuple[int, ...], data: Mapping[str, Any], rules: "DurakRules"
) -> Observation:
    """Return what an engine sees, from the data of a question and the hand that it has kept.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the data are not those of a question.
    """
    pack = rules.cards

    def cards(texts: Sequence[str]) -> tuple[int, ...]:
        return tuple(read_card(text, pack) for text in texts)

    seat, attacker, defender = int(data["seat"]), int(data["attacker"]), int(data["defender"])
    known = tuple(cards(texts) for texts in data["known"])
    enemy = attacker if seat == defender else defender
    passing = [text.split() for text in data["legal"] if " " in text]
    variant = Variant(
        rules=rules,
        seat=seat,
        attacker=attacker,
        defender=defender,
        counts=tuple(int(count) for count in data["counts"]),
        known=known,
        waiting=cards(data["waiting"]),
        transfers=cards([card for word, card in passing if word == "transfer"]),
        shows=cards([card for word, card in passing if word == "show"]),
        throw_in_limit=int(data["throw_in_limit"]),
        thrown_in=cards(data["thrown_in"]),
        passed=tuple(int(place) for place in data["passed"]),
        shown=cards(data["shown"]),
        bout=int(data["bout"]),
    )
    return Observation(
        phase=phase,
        hand=hand,
        table=table + variant.thrown_in,
        discarded=cards(data["discarded"]),
        deck_count=int(data["deck_count"]),
        enemy_count=variant.counts[enemy],
        trump=read_card(data["trump"], pack),
        known_enemy=known[enemy],
        attack_room=int(data["attack_room"]),
        variant=variant,
    )


def _line(command: str, cards: tuple[int, ...], state: "GameState", seat: int) -> str:
    """Write a command with all that the seat may know besides its hand."""
    # These load pydantic, which engine processes do without.
    from croupier.durak.engine.actions import legal_replies  # noqa: PLC0415
    from croupier.durak.engine.observation import known_cards  # noqa: PLC0415

    places = range(len(state.hands))
    enemy = state.attacker if seat == state.defender else state.defender
    data = {
        "discarded": _texts(state.discarded),
        "deck_count": state.deck_count,
        "on_table": _texts(state.table),
        "enemy_count": len(state.hands[enemy]),
        "trump": card_text(state.trump),
        "seat": seat,
        "attacker": state.attacker,
        "defender": state.defender,
        "counts": [len(hand) for hand in state.hands],
        "known": [_texts(known_cards(state, place)) for place in places],
        "waiting": _texts(state.waiting),
        "thrown_in": _texts(state.thrown_in),
        "passed": list(state.passed),
        "shown": _texts(state.shown),
        "bout": state.bout,
        "attack_room": state.attack_room,
        "throw_in_limit": state.throw_in_limit,
        "legal": [reply_text(reply) for reply in legal_replies(state)] if state.to_act == seat else [],
    }
    return f"{command} {cards_text(cards)} {_SEPARATOR} {json.dumps(data)}"


def _texts(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]
