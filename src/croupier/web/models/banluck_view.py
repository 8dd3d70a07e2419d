"""What a person at a Banluck table may see: open cards, the choices, the coach's figures, the sitting so far.

A closed card of somebody else is None here; nothing else of the hand leaves the server.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.banluck.analysis.coach import ACTION_WORDS, Judgement
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.engine import (
    BANLUCK,
    Action,
    ActionKind,
    GameState,
    Phase,
    act,
    describe_settlement,
    forfeits,
    legal_actions,
    new_hand,
)
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules
from croupier.banluck.engine.text import ACTION_VERBS, dealer_is_open, seat_is_open
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.choices import Choice
from croupier.numerics.numbers import signed
from croupier.web.models.banluck_sitting import HUMAN_SEAT, SMALLEST_BET, HandRecord, Seating, Sitting, Totals

_LABELS = {
    ActionKind.SURRENDER: "Surrender",
    ActionKind.KEEP: "Keep the hand",
    ActionKind.HIT: "Hit",
    ActionKind.STAND: "Stand",
    ActionKind.REVEAL: "Open",
    ActionKind.DRAW: "Draw",
    ActionKind.DEALER_STAND: "Stand",
}

#: Stand and surrender are never offered together, but a finger that is used to the one must not find the other.
_KEYS = {
    ActionKind.SURRENDER: "u",
    ActionKind.KEEP: "k",
    ActionKind.HIT: "h",
    ActionKind.STAND: "s",
    ActionKind.DRAW: "d",
    ActionKind.DEALER_STAND: "s",
}


@dataclass(frozen=True, slots=True)
class Place:
    """One hand on the table.

    Attributes
    ----------
    cards
        None for a card that the person does not see.
    value
        What the hand is, such as ``soft 17``; empty while it is closed.
    result, tone
        How it was settled, and whether that is a ``win``, a ``loss`` or a ``push`` of this place; empty before.
    is_mine
        Whether the person holds it.
    """

    name: str
    cards: tuple[int | None, ...]
    value: str
    result: str
    tone: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """What the coach says of the last choice, and whether it was ``right``, a ``mistake``, or cannot be judged (``unknown``)."""

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class BanluckView:
    """Everything that the browser may know of a table.

    Attributes
    ----------
    table
        What is played here, against whom.
    number, bet
        The hand that is played or was played last, 0 before the first, and its bet.
    offered_bet
        What the next deal bets if nobody says otherwise.
    dealer, seats
        The hands; None and nothing before the first deal.
    prompt, choices
        What the person is asked, and what the answers are.
    outcome, outcome_tone
        How the hand ended for the person: ``You win 5`` and ``win``; empty while it is played.
    told
        What has happened in the hand, sentence by sentence.
    can_coach, coach_note
        Whether decisions can be priced here, and what has to be known of the figures.
    """

    table: str
    role: Role
    players: int
    bankroll: float
    number: int
    bet: float
    offered_bet: float
    is_playing: bool
    dealer: Place | None
    seats: tuple[Place, ...]
    prompt: str
    choices: tuple[Choice, ...]
    outcome: str
    outcome_tone: str
    told: tuple[str, ...]
    coach: bool
    can_coach: bool
    coach_note: str
    remark: Remark | None
    history: tuple[HandRecord, ...]
    totals: Totals


def choice_name(action: Action) -> str:
    """Return the stable name of an action among the choices.

    >>> choice_name(Action(ActionKind.REVEAL, 1)), choice_name(Action(ActionKind.DEALER_STAND))
    ('open-2', 'stand')
    """
    if action.kind is ActionKind.REVEAL and action.seat is not None:
        return f"open-{action.seat + 1}"
    return ACTION_WORDS[action.kind]


def rules_name(rules: BanluckRules) -> str:
    """Return the preset that rules are, or how far they are from the default one.

    >>> rules_name(BanluckRules()), rules_name(BanluckRules(pays_777=21))
    ('reference', 'custom rules (pays_777)')
    """
    return BANLUCK.name_of(rules) or f"custom rules ({', '.join(rules.changes())})"


def view_of(sitting: Sitting, advice: Advice | None) -> BanluckView:
    """Show a sitting to the person, with the coach's figures for the decision that is asked for."""
    seating = sitting.seating
    state = None if sitting.hand is None else sitting.hand.state
    outcome, outcome_tone = _outcome(sitting)
    return BanluckView(
        table=_table_name(seating),
        role=seating.role,
        players=seating.players,
        bankroll=sitting.bankroll,
        number=sitting.number,
        bet=sitting.bet,
        offered_bet=max(min(sitting.usual_bet, sitting.bankroll), SMALLEST_BET),
        is_playing=sitting.is_playing,
        dealer=None if state is None else _dealer(state, seating.role),
        seats=() if state is None else tuple(_seat(state, seat, seating) for seat in range(seating.players)),
        prompt=_prompt(sitting),
        choices=_choices(sitting, advice),
        outcome=outcome,
        outcome_tone=outcome_tone,
        told=() if state is None else tuple(_told(state, seating.role)),
        coach=sitting.coach,
        can_coach=seating.is_priced,
        coach_note=_coach_note(seating),
        remark=_remark(sitting.judgements[-1]) if sitting.coach and sitting.judgements else None,
        history=sitting.history,
        totals=sitting.totals,
    )


def _table_name(seating: Seating) -> str:
    against = {
        (Role.PLAYER, OpponentName.SIMPLE): "the classic dealer",
        (Role.PLAYER, OpponentName.EQUILIBRIUM): "the equilibrium dealer",
        (Role.DEALER, OpponentName.SIMPLE): f"{_players(seating)} who stand on the minimum",
        (Role.DEALER, OpponentName.EQUILIBRIUM): f"{_players(seating)} of the equilibrium",
    }[seating.role, seating.opponent]
    return f"Rules {rules_name(seating.rules)}, against {against}"


def _players(seating: Seating) -> str:
    return "one player" if seating.players == 1 else f"{seating.players} players"


def _dealer(state: GameState, role: Role) -> Place:
    is_mine = role is Role.DEALER
    is_open = is_mine or dealer_is_open(state)
    return Place(
        name="You, the banker" if is_mine else "Dealer",
        cards=tuple(card if is_open else None for card in state.dealer_cards),
        value=str(state.dealer_value) if is_open else "",
        result="",
        tone="",
        is_mine=is_mine,
    )


def _seat(state: GameState, seat: int, seating: Seating) -> Place:
    is_mine = seating.role is Role.PLAYER and seat == HUMAN_SEAT
    is_open = is_mine or seat_is_open(state, seat)
    player = state.seats[seat]
    settlement = player.settlement
    name = "Player" if seating.players == 1 else f"Player {seat + 1}"
    return Place(
        name="You" if is_mine else name,
        cards=tuple(card if is_open else None for card in player.cards),
        value=str(state.hand_value(seat)) if is_open else "",
        result="" if settlement is None else describe_settlement(settlement),
        tone="" if settlement is None else _tone(settlement.units),
        is_mine=is_mine,
    )


def _tone(won: float) -> str:
    return "win" if won > 0 else "loss" if won < 0 else "push"


def _outcome(sitting: Sitting) -> tuple[str, str]:
    if sitting.hand is None or sitting.is_playing or not sitting.history:
        return "", ""
    won = sitting.history[-1].won
    said = {"win": f"You win {won:g}", "loss": f"You lose {-won:g}", "push": "You neither win nor lose"}
    return said[_tone(won)], _tone(won)


def _prompt(sitting: Sitting) -> str:
    if sitting.is_playing and sitting.hand is not None:
        return _question(sitting.hand.state, sitting.seating)
    if sitting.bankroll < SMALLEST_BET:
        return "Your bankroll is gone."
    return (
        "Place your bet, then deal."
        if sitting.seating.role is Role.PLAYER
        else "Say what each player bets, then deal."
    )


def _question(state: GameState, seating: Seating) -> str:
    if seating.role is Role.PLAYER:
        value = state.hand_value(HUMAN_SEAT)
        warning = (
            f" Standing below {state.rules.player_minimum} loses the bet."
            if forfeits(value, state.rules)
            else ""
        )
        return f"You hold {value}: hit or stand?{warning}"
    if state.phase is Phase.SURRENDER:
        return "You hold a hard 15: void the hand for everybody, or keep it?"
    closed = len(state.closed_seats)
    against = (
        "the player" if seating.players == 1 else f"{closed} closed {'hand' if closed == 1 else 'hands'}"
    )
    ways = [_LABELS[kind].lower() for kind in dict.fromkeys(action.kind for action in legal_actions(state))]
    return f"You hold {state.dealer_value} against {against}: {', '.join(ways[:-1])} or {ways[-1]}?"


def _choices(sitting: Sitting, advice: Advice | None) -> tuple[Choice, ...]:
    if sitting.is_playing and sitting.hand is not None:
        return tuple(_choice(action, sitting.seating, advice) for action in legal_actions(sitting.hand.state))
    if sitting.bankroll < SMALLEST_BET:
        return (Choice("rebuy", f"Start again with {sitting.seating.bankroll:g}", "Enter"),)
    return (Choice("deal", "Deal" if sitting.number == 0 else "Deal the next hand", "Enter"),)


def _choice(action: Action, seating: Seating, advice: Advice | None) -> Choice:
    label = _LABELS[action.kind]
    key = _KEYS.get(action.kind, "o")
    if action.kind is ActionKind.REVEAL and action.seat is not None and seating.players > 1:
        label, key = f"Open player {action.seat + 1}", str(action.seat + 1)
    worth, is_best = "", False
    if advice is not None:
        word = ACTION_WORDS[action.kind]
        worth = signed(advice.expected(word), 3) or "unknown"
        is_best = worth != "unknown" and word == advice.best
    return Choice(choice_name(action), label, key, worth=worth, is_best=is_best)


def _remark(judgement: Judgement) -> Remark:
    if not judgement.is_known:
        return Remark("Best play of the other side never gets here: nothing to compare.", "unknown")
    compared = (
        f"{judgement.chosen.capitalize()} was worth {signed(judgement.worth, 3)}, "
        f"{judgement.rejected} {signed(judgement.rejected_worth, 3)}"
    )
    if judgement.is_right:
        return Remark(f"{compared}: right.", "right")
    return Remark(f"{compared}: it cost {judgement.cost:.3f} units.", "mistake")


def _coach_note(seating: Seating) -> str:
    if not seating.is_priced:
        return "Several players against one dealer is another game: no figures here."
    note = "Expected units per unit bet, against best play."
    if seating.players > 1:
        note += " They are those of one player against the dealer: with others at the table an approximation."
    return note


def _told(state: GameState, role: Role) -> Iterator[str]:
    """Tell what everybody at the table has seen happen."""
    before = new_hand(state.rules, len(state.seats))
    for action in state.history:
        after = act(before, action)
        yield _sentence(action, before, after, role)
        before = after


def _sentence(action: Action, before: GameState, after: GameState, role: Role) -> str:
    if action.kind is ActionKind.DEAL:
        return "The cards are dealt."
    if action.kind is ActionKind.SHOW:
        return "Ban hands are shown."
    by_player = action.kind in (ActionKind.HIT, ActionKind.STAND)
    if by_player:
        is_me = role is Role.PLAYER and action.seat == HUMAN_SEAT
        who = "You" if is_me else f"Player {(action.seat or 0) + 1}"
    else:
        is_me = role is Role.DEALER
        who = "You" if is_me else "The dealer"
    verb = ACTION_VERBS[action.kind]
    sentence = f"{who} {verb if is_me else f'{verb}s'}"
    match action.kind:
        case ActionKind.KEEP:
            sentence += " the hand"
        case ActionKind.REVEAL:
            is_my_hand = role is Role.PLAYER and action.seat == HUMAN_SEAT
            sentence += " you" if is_my_hand else f" player {(action.seat or 0) + 1}"
        case ActionKind.HIT if action.seat is not None and len(after.seats[action.seat].cards) == MAX_CARDS:
            sentence += ", the fifth card, announced"
        case _:
            pass
    # Of others it is not said: it would tell that a closed hand is below the minimum.
    must = is_me and action.kind in (ActionKind.HIT, ActionKind.DRAW) and len(legal_actions(before)) == 1
    return f"{sentence}{' (must)' if must else ''}."
