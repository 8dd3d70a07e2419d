"""A game of durak in steps of one card: what the environments of durak share.

The engine throws in any set of cards by one action. Here they come one by one, so that an action is a card or none, and all actions have
numbers: 0 plays no card (done, take, nothing more), then comes one number a card of the pack; where the rules let an attack be passed on,
one number a card to pass it on with, and one a card to show.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.durak.engine.actions import answer, legal_replies
from croupier.durak.engine.observation import PassOn, Reply, known_cards
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Cards, GameState
from croupier.durak.play.game import PASSES
from croupier.errors import InputError

#: The action that plays no card.
PASS = 0

_PHASES = (Phase.ATTACK, Phase.DEFEND, Phase.THROW_IN)

Mask = NDArray[np.int8]


def action_count(rules: DurakRules) -> int:
    """Return how many actions have a number.

    >>> action_count(DurakRules()), action_count(DurakRules(transfer="card"))
    (37, 73)
    """
    kinds = {"none": 1, "card": 2, "card_or_shown_trump": 3}[rules.transfer]
    return 1 + kinds * rules.pack


def number_of(rules: DurakRules, reply: Reply) -> int:
    """Return the number of an answer with one card or none.

    >>> number_of(DurakRules(), ()), number_of(DurakRules(), (16,)), number_of(DurakRules(transfer="card"), PassOn(16))
    (0, 1, 37)
    """
    if isinstance(reply, PassOn):
        return 1 + rules.pack * (2 if reply.is_shown else 1) + rules.cards.index(reply.card)
    return 1 + rules.cards.index(reply[0]) if reply else PASS


def reply_of_number(rules: DurakRules, number: int) -> Reply:
    """Return the answer that a number stands for.

    >>> reply_of_number(DurakRules(), 1), reply_of_number(DurakRules(), 0)
    ((16,), ())
    """
    if number == PASS:
        return ()
    kind, place = divmod(number - 1, rules.pack)
    card = rules.cards[place]
    return (card,) if kind == 0 else PassOn(card, is_shown=kind == 2)


@dataclass(frozen=True)
class Steps:
    """A position, and the cards that the player in turn is about to throw in after a take.

    Examples
    --------
    >>> from croupier import durak
    >>> game = Steps(durak.Game.deal(seed=3).state)
    >>> [game.name_of(number) for number in game.legal]
    ['6H', '7C', '8S', 'JS', 'KH', 'AH']
    >>> game = game.played(game.legal[0])
    >>> game.turn, [game.name_of(number) for number in game.legal]
    (0, ['take', '9H', 'QH'])
    """

    state: GameState
    thrown: Cards = ()

    @property
    def turn(self) -> int | None:
        """The seat in turn; None when the game is over."""
        return self.state.to_act

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The numbers of the legal actions, in ascending order."""
        if self.state.is_over:
            return ()
        replies = legal_replies(self.state)
        if self.state.phase is Phase.THROW_IN:
            room = self.state.throw_in_limit - len(self.thrown)
            replies = tuple(reply for reply in replies if not reply or (room and reply[0] not in self.thrown))
        return tuple(sorted(number_of(self.state.rules, reply) for reply in replies))

    @property
    def mask(self) -> Mask:
        """Which actions are legal, as a vector of 0 and 1."""
        mask = np.zeros(action_count(self.state.rules), np.int8)
        mask[list(self.legal)] = 1
        return mask

    def name_of(self, number: int) -> str:
        """Return what an action is called now: a card, or what playing none means."""
        reply = reply_of_number(self.state.rules, number)
        if isinstance(reply, PassOn):
            return f"{'show' if reply.is_shown else 'transfer'} {cards_text((reply.card,))}"
        return cards_text(reply) or PASSES[self.state.phase]

    def played(self, number: int) -> "Steps":
        """Return the position after an action. A throw-in to which nothing can be added any more is answered at once.

        Raises
        ------
        InputError
            If the action is not legal now.
        """
        if number not in self.legal:
            raise InputError(f"action {number} is not legal now; legal are {', '.join(map(str, self.legal))}")
        reply = reply_of_number(self.state.rules, number)
        if self.state.phase is Phase.THROW_IN:
            if number != PASS:
                card = self.state.rules.cards[number - 1]
                return replace(self, thrown=(*self.thrown, card))._with_throw_ins_answered()
            reply = self.thrown
        return self.answered(reply)

    def answered(self, reply: Reply) -> "Steps":
        """Return the position after a whole answer, as an engine gives it."""
        return Steps.of(answer(self.state, reply))

    @classmethod
    def of(cls, state: GameState) -> "Steps":
        """Return a position as a person meets it: a throw-in with nothing to add is answered."""
        return cls(state)._with_throw_ins_answered()

    def _with_throw_ins_answered(self) -> "Steps":
        steps = self
        while steps.state.phase is Phase.THROW_IN and steps.legal == (PASS,):
            steps = Steps(answer(steps.state, steps.thrown))
        return steps

    @property
    def rewards(self) -> tuple[float, ...]:
        """What each seat has won: a fool pays 1, which the others share; nothing in a draw, and as long as the game is not over."""
        state = self.state
        if not (losers := state.losers):
            return (0.0,) * len(state.hands)
        share = len(losers) / (len(state.hands) - len(losers))
        return tuple(-1.0 if seat in losers else share for seat in range(len(state.hands)))


def observation_space(rules: DurakRules) -> spaces.Dict:
    """Return the space of :func:`observed`."""
    pack, players = rules.pack, rules.players
    return spaces.Dict(
        {
            "phase": spaces.Discrete(len(_PHASES)),
            "hand": spaces.MultiBinary(pack),
            "table": spaces.MultiBinary(pack),
            "to_beat": spaces.MultiBinary(pack),
            "discarded": spaces.MultiBinary(pack),
            "known": spaces.MultiBinary([players - 1, pack]),
            "counts": spaces.Box(0, pack, (players,), np.int8),
            "stock": spaces.Discrete(pack + 1),
            "trump": spaces.Discrete(pack),
            "attacker": spaces.Discrete(players),
            "defender": spaces.Discrete(players),
            "room": spaces.Discrete(pack + 1),
            "action_mask": spaces.MultiBinary(action_count(rules)),
        }
    )


def observed(steps: Steps, seat: int) -> dict[str, Any]:
    """Return what a seat sees: cards as vectors over the pack, seats counted clockwise from the own one."""
    state, rules = steps.state, steps.state.rules
    others = [(seat + place) % rules.players for place in range(1, rules.players)]
    own = [card for card in state.hands[seat] if card not in steps.thrown or seat != steps.turn]
    thrown = (*state.thrown_in, *(steps.thrown if seat == steps.turn else ()))
    is_open = len(state.table) % 2 == 1 and not state.is_taking and not state.is_over
    in_turn = seat == steps.turn
    return {
        "phase": np.int64(_PHASES.index(state.phase) if state.phase in _PHASES else 0),
        "hand": _places(rules, own),
        "table": _places(rules, (*state.table, *state.waiting, *thrown)),
        "to_beat": _places(rules, (state.table[-1], *state.waiting) if is_open else ()),
        "discarded": _places(rules, state.discarded),
        "known": np.stack([_places(rules, known_cards(state, other)) for other in others]),
        "counts": np.array([len(own), *(len(state.hands[other]) for other in others)], np.int8),
        "stock": np.int64(state.deck_count),
        "trump": np.int64(rules.cards.index(state.trump)),
        "attacker": np.int64((state.attacker - seat) % rules.players),
        "defender": np.int64((state.defender - seat) % rules.players),
        "room": np.int64(max(0, min(rules.pack, state.attack_room - len(thrown)))),
        "action_mask": steps.mask if in_turn else np.zeros(action_count(rules), np.int8),
    }


def _places(rules: DurakRules, cards: tuple[int, ...] | list[int]) -> Mask:
    vector = np.zeros(rules.pack, np.int8)
    vector[[rules.cards.index(card) for card in cards]] = 1
    return vector


def perfect_state(steps: Steps) -> NDArray[np.int8]:
    """Return where every card is, for those who may look, a critic say: one row each for the hands, the table, the discard and the stock.

    >>> from croupier import durak
    >>> perfect_state(Steps(durak.Game.deal(seed=3).state)).sum(axis=1)
    array([ 6,  6,  0,  0, 24])
    """
    state = steps.state
    held = [*state.hands, (*state.table, *state.waiting, *state.thrown_in), state.discarded, state.stock]
    return np.stack([_places(state.rules, cards) for cards in held])
