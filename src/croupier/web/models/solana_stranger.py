"""What a browser shows of a game with a house elsewhere: the cards, the stakes, and what can be done next."""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from croupier.errors import InputError
from croupier.solana.card_codes import to_cards
from croupier.solana.codes import Result, Status
from croupier.solana.game import Game
from croupier.solana.stake import Stake
from croupier.texts import say
from croupier.web.models.solana_view import Hand

_LAMPORTS = 10**9
_MOST = 2**64 - 1
_OPEN = ("open", say("solana.do.open"))


@dataclass(frozen=True, slots=True)
class StrangerView:
    """The state in words, the hands, the stakes line by line, and the choices as pairs of name and words."""

    words: str
    choices: tuple[tuple[str, str], ...]
    player: Hand = field(default_factory=Hand)
    dealer: Hand = field(default_factory=Hand)
    stakes: tuple[str, ...] = ()


def stranger_view(game: Game | None, *, is_closed: bool = False) -> StrangerView:
    """Return the view of a visitor's newest game; a closed one shows how it ended.

    >>> stranger_view(None)
    StrangerView(words='No game is open.', choices=(('open', 'Open a game'),), player=Hand(cards=(), total=''), \
dealer=Hand(cards=(), total=''), stakes=())
    """
    if game is None:
        return StrangerView(say("solana.stranger.no_game"), (_OPEN,))
    return StrangerView(
        _words(game, is_closed=is_closed),
        (_OPEN,) if is_closed else _choices(game),
        Hand(to_cards(game.player_cards), str(game.player_value) if game.player_cards else ""),
        Hand(to_cards(game.dealer_cards), str(game.dealer_value) if game.dealer_cards else ""),
        () if game.stake is None else _stakes(game.stake, game.result, is_closed=is_closed),
    )


def _words(game: Game, *, is_closed: bool) -> str:
    match game.status:
        case Status.CREATED:
            return say("solana.stranger.created")
        case Status.PLAYER_TURN:
            return say("solana.stranger.your_turn")
        case Status.FINISHED:
            result = say(f"solana.result.{game.result.name.lower()}")
            return say("solana.stranger.ended_closed", result=result) if is_closed else result
        case _:
            return say("solana.stranger.house_turn")


def _choices(game: Game) -> tuple[tuple[str, str], ...]:
    match game.status:
        case Status.CREATED:
            return (("deal", say("solana.do.deal")),)
        case Status.PLAYER_TURN:
            return (("hit", say("solana.do.hit")), ("stand", say("solana.do.stand")))
        case Status.FINISHED if game.stake is not None:
            return (("cleanup", say("solana.stranger.settle")),)
        case Status.FINISHED:
            return (("cleanup", say("solana.stranger.close")),)
        case _:
            return (("claim", say("solana.stranger.claim")),)


def _stakes(stake: Stake, result: Result, *, is_closed: bool) -> tuple[str, ...]:
    held = say("solana.stranger.held", bet=sol(stake.bet), cover=sol(stake.cover))
    if result is Result.OPEN:
        return (held, say("solana.stranger.until_over"))
    house = stake.house_share(result)
    key = "solana.stranger.shares_closed" if is_closed else "solana.stranger.shares"
    shares = say(key, yours=sol(stake.bet + stake.cover - house), house=sol(house))
    return (held, shares) if is_closed else (held, shares, say("solana.stranger.settles"))


def sol(lamports: int) -> str:
    """Write lamports as SOL, exactly.

    >>> sol(20_000_000), sol(0), sol(5 * 10**9)
    ('0.02 SOL', '0 SOL', '5 SOL')
    """
    whole, part = divmod(lamports, _LAMPORTS)
    return f"{whole}.{part:09}".rstrip("0").rstrip(".") + " SOL"


def read_bet(text: str) -> int:
    """Read a bet in SOL, as lamports; nothing is no bet.

    >>> read_bet("0.02"), read_bet(" ")
    (20000000, 0)
    >>> read_bet("1e-12")
    Traceback (most recent call last):
    croupier.errors.InputError: bet '1e-12': give it in SOL, such as 0.02, with at most nine decimals
    """
    try:
        lamports = Decimal(text.strip() or "0") * _LAMPORTS
        if 0 <= lamports <= _MOST and lamports == int(lamports):
            return int(lamports)
    except (InvalidOperation, ValueError, OverflowError):
        pass
    raise InputError(say("solana.refused.bet", text=text))


def bet_offer(limits: tuple[int, int] | None) -> str:
    """Say which bets a house takes now.

    >>> bet_offer((1_000_000, 50_000_000))
    'The house takes bets from 0.001 SOL to 0.05 SOL. Stakes are for test networks only.'
    >>> bet_offer(None)
    'The house takes no bets now; games without one are open.'
    """
    if limits is None:
        return say("solana.stranger.no_bets")
    least, most = limits
    return say("solana.stranger.takes_bets", least=sol(least), most=sol(most))
