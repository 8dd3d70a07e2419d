"""What a browser shows of a game with a house elsewhere: the cards, the stakes, and what can be done next."""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from croupier.errors import InputError
from croupier.solana.card_codes import to_cards
from croupier.solana.codes import Result, Status
from croupier.solana.game import Game
from croupier.solana.stake import Stake
from croupier.web.models.solana_view import Hand

_LAMPORTS = 10**9
_MOST = 2**64 - 1
_RESULTS = {
    Result.PLAYER_WINS: "You win.",
    Result.DEALER_WINS: "The dealer wins.",
    Result.TIE: "It is a tie.",
    Result.PLAYER_BUST: "You are bust.",
    Result.DEALER_BUST: "The dealer is bust; you win.",
    Result.HOUSE_FORFEIT: "The house did not answer in time; you win.",
    Result.PLAYER_FORFEIT: "You did not act in time; the house wins.",
}
_OPEN = ("open", "Open a game")


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
        return StrangerView("No game is open.", (_OPEN,))
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
            return "The game is open. Request the first cards."
        case Status.PLAYER_TURN:
            return "It is your turn."
        case Status.FINISHED:
            return _RESULTS[game.result] + (" The game is closed." if is_closed else "")
        case _:
            return "The house has to answer."


def _choices(game: Game) -> tuple[tuple[str, str], ...]:
    match game.status:
        case Status.CREATED:
            return (("deal", "Deal"),)
        case Status.PLAYER_TURN:
            return (("hit", "Hit"), ("stand", "Stand"))
        case Status.FINISHED if game.stake is not None:
            return (("cleanup", "Settle: take your share and the rent"),)
        case Status.FINISHED:
            return (("cleanup", "Close the game and take the rent back"),)
        case _:
            return (("claim", "Claim the game: the house is late"),)


def _stakes(stake: Stake, result: Result, *, is_closed: bool) -> tuple[str, ...]:
    held = f"Your bet is {sol(stake.bet)}. The house has put {sol(stake.cover)} beside it."
    if result is Result.OPEN:
        return (held, "Both lie in the game's account until the game is over.")
    house = stake.house_share(result)
    yours, verb = stake.bet + stake.cover - house, "got" if is_closed else "get"
    shares = f"You {verb} {sol(yours)} and your rent; the house's bankroll {'got' if is_closed else 'gets'} {sol(house)}."
    return (held, shares) if is_closed else (held, shares, "The house settles the game if you do not.")


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
    raise InputError(f"bet '{text}': give it in SOL, such as 0.02, with at most nine decimals")


def bet_offer(limits: tuple[int, int] | None) -> str:
    """Say which bets a house takes now.

    >>> bet_offer((1_000_000, 50_000_000))
    'The house takes bets from 0.001 SOL to 0.05 SOL. Stakes are for test networks only.'
    >>> bet_offer(None)
    'The house takes no bets now; games without one are open.'
    """
    if limits is None:
        return "The house takes no bets now; games without one are open."
    least, most = limits
    return f"The house takes bets from {sol(least)} to {sol(most)}. Stakes are for test networks only."
