"""The program in Python: the same game, the same refusals, the same cards.

The rules of play come from the blackjack engine's ``solana-v1`` preset; none is repeated here. The tests compare this
model with the program on the real runtime.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from solders.pubkey import Pubkey

from croupier.blackjack.engine import (
    BLACKJACK,
    BlackjackRules,
    Outcome,
    Phase,
    RoundState,
    dealer_stand,
    draw,
    start_round,
)
from croupier.blackjack.engine import deal as deal_cards
from croupier.blackjack.engine import hit as hit_card
from croupier.blackjack.engine import stand as stand_pat
from croupier.blackjack.engine.dealer_turn import verify_draw
from croupier.operations import is_allowed
from croupier.solana.card_codes import to_card, to_cards
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, GameError, Result, Status, Tag
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.randomness import CardStream, draw_code, next_tip, reveal_seed

_RESULTS = {
    Outcome.WIN: Result.PLAYER_WINS,
    Outcome.LOSS: Result.DEALER_WINS,
    Outcome.PUSH: Result.TIE,
    Outcome.BUST: Result.PLAYER_BUST,
    Outcome.DEALER_BUST: Result.DEALER_BUST,
}
_REQUESTS = {
    Tag.DEAL: Status.DEAL_REQUESTED,
    Tag.HIT: Status.HIT_REQUESTED,
    Tag.STAND: Status.STAND_REQUESTED,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a reveal: the game afterwards, and the cards drawn, in order."""

    game: Game
    drawn: tuple[int, ...]


def request(game: Game, tag: Tag, slot: int) -> Game:
    """Request the deal, a card or the dealer's play in a slot.

    Raises
    ------
    Refusal
        If the player may not request this now.

    Examples
    --------
    >>> game = Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=1)
    >>> request(game, Tag.DEAL, slot=12).status.name
    'DEAL_REQUESTED'
    >>> request(game, Tag.HIT, slot=12)
    Traceback (most recent call last):
    croupier.solana.failures.Refusal: NOT_DEALT (6020): the cards are not dealt yet
    """
    if tag is Tag.DEAL:
        if game.status is not Status.CREATED:
            raise Refusal(GameError.ALREADY_DEALT)
    elif game.status is not Status.PLAYER_TURN:
        refusals = {
            Status.CREATED: GameError.NOT_DEALT,
            Status.STAND_REQUESTED: GameError.ALREADY_STOOD,
            Status.FINISHED: GameError.GAME_FINISHED,
        }
        raise Refusal(refusals.get(game.status, GameError.REVEAL_PENDING))
    return replace(game, status=_REQUESTS[tag], slot=slot)


def reveal(game: Game, address: Pubkey, preimage: bytes, slot_hash: bytes, slot: int) -> Answer:
    """Answer the open request: check the pre-image, draw the cards, continue the round.

    Raises
    ------
    Refusal
        If no request is open, or the pre-image is not the next one.
    """
    if not game.status.waits_for_house:
        raise Refusal(GameError.NOTHING_TO_REVEAL)
    if next_tip(preimage) != game.chain_tip:
        raise Refusal(GameError.WRONG_PREIMAGE)
    stream = CardStream(reveal_seed(preimage, game.player_seed, slot_hash, address))
    counts = list(game.counts)
    drawn: list[int] = []

    def next_card() -> int:
        code = draw_code(counts, stream)
        counts[code] -= 1
        drawn.append(code)
        return to_card(code)

    player_codes, dealer_codes = list(game.player_cards), list(game.dealer_cards)
    match game.status:
        case Status.DEAL_REQUESTED:
            player = (next_card(), next_card())
            state = deal_cards(_new_round(game.decks), [player], (next_card(),))
            player_codes, dealer_codes = drawn[:2], drawn[2:]
        case Status.HIT_REQUESTED:
            state = hit_card(_round(game), next_card())
            player_codes += drawn
        case _:
            state = stand_pat(_round(game))
    before_dealer = len(drawn)
    while state.phase is Phase.DEALER:
        state = draw(state, next_card()) if is_allowed(verify_draw, state) else dealer_stand(state)
    dealer_codes += drawn[before_dealer:]
    after = replace(
        game,
        status=Status.FINISHED if state.is_over else Status.PLAYER_TURN,
        result=_result(state),
        counts=tuple(counts),
        player_cards=tuple(player_codes),
        dealer_cards=tuple(dealer_codes),
        chain_tip=preimage,
        slot=slot,
    )
    return Answer(after, tuple(drawn))


def claim(game: Game, claimant: Pubkey, slot: int) -> Game:
    """End a game because the other side did not act in time.

    Raises
    ------
    Refusal
        If the game is over, the claimant is the side that has to act, or the time has not run out.
    """
    if game.status is Status.FINISHED:
        raise Refusal(GameError.GAME_FINISHED)
    if game.status.waits_for_house:
        waiting, refusal, window = game.player, GameError.WRONG_PLAYER, REVEAL_WINDOW
        result = Result.HOUSE_FORFEIT
    else:
        waiting, refusal, window = game.house, GameError.WRONG_HOUSE, PLAYER_WINDOW
        result = Result.PLAYER_FORFEIT
    if claimant != waiting:
        raise Refusal(refusal)
    if slot - game.slot <= window:
        raise Refusal(GameError.CLAIM_TOO_EARLY)
    return replace(game, status=Status.FINISHED, result=result, slot=slot)


@cache
def chain_rules(decks: int) -> BlackjackRules:
    """Return the engine's rules for a game on Solana.

    >>> chain_rules(1) == BLACKJACK.preset("solana-v1").rules
    True
    """
    return BLACKJACK.preset("solana-v1").rules.replaced({"decks": decks})


def _new_round(decks: int) -> RoundState:
    return start_round(chain_rules(decks), bets=[1])


def _round(game: Game) -> RoundState:
    """Replay the cards so far in the engine."""
    player: Sequence[int] = to_cards(game.player_cards)
    state = deal_cards(_new_round(game.decks), [tuple(player[:2])], to_cards(game.dealer_cards))
    for card in player[2:]:
        state = hit_card(state, card)
    return state


def _result(state: RoundState) -> Result:
    settlement = state.seats[0].hands[0].settlement
    return Result.OPEN if settlement is None else _RESULTS[settlement.outcome]
