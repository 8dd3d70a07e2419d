"""What a side gains by not acting when it sees that it would lose: with bets outside the chain, and with stakes.

    .venv/bin/python -m benchmarks.solana_withholding [--quick] [--json FILE]

Games are random with a fixed seed. The house sees the cards that an answer would draw, and may keep silent. The player sees
the hands, and may walk away. A strategy says when a side stops; each is compared with the same game played to its end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean, stdev

from solders.pubkey import Pubkey

from benchmarks.report import Report, argument_parser
from croupier.numerics.streams import RandomStream
from croupier.solana import model
from croupier.solana.codes import Result, Status, Tag
from croupier.solana.demonstration import next_request
from croupier.solana.game import Game
from croupier.solana.randomness import next_tip
from croupier.solana.stake import Stake

GAMES = 10_000
BET = 1000
KEY = Pubkey.default()
#: What is at stake: the name, and the stakes in the game's account; without them a game that nobody finishes is void.
WAGERS = (
    ("bets outside the chain, void if the game is not finished", None),
    ("stakes, no bond", Stake(KEY, BET, BET)),
    ("stakes, a bond of a fifth of the bet", Stake(KEY, BET, BET + BET // 5)),
)


@dataclass(frozen=True)
class Turn:
    """A moment at which one side can stop: the house before an answer, the player before a request."""

    side: str
    before: Game
    after: Game


@dataclass(frozen=True)
class Strategy:
    """When a side stops, told from what it sees at that moment."""

    side: str
    name: str
    stops: Callable[[Turn], bool]


def is_stiff(turn: Turn) -> bool:
    """Whether the player has 12 to 16 against a dealer's seven or better."""
    game = turn.before
    return (
        game.status is Status.PLAYER_TURN
        and 12 <= game.player_value.total <= 16
        and game.dealer_value.total >= 7
    )


def looks_bad(turn: Turn) -> bool:
    """Whether an answer loses the game for the house, or leaves the player with 19 or more."""
    return turn.after.result.player_wins or turn.after.player_value.total in (19, 20, 21)


STRATEGIES = (
    Strategy("house", "silent when the answer loses the game", lambda turn: turn.after.result.player_wins),
    Strategy("house", "silent when the player would have 19 or more, too", looks_bad),
    Strategy("house", "silent at once", lambda _turn: True),
    Strategy("player", "leaves with 12 to 16 against 7 or more", is_stiff),
    Strategy("player", "leaves after the deal", lambda turn: turn.before.status is Status.PLAYER_TURN),
    Strategy("player", "leaves before the deal", lambda _turn: True),
)


def played(stream: RandomStream) -> tuple[list[Turn], Result]:
    """Play a game to its end; the player hits below 17."""
    links = [bytes(stream.below(256) for _ in range(32))]
    for _ in range(24):
        links.append(next_tip(links[-1]))
    seed = bytes(stream.below(256) for _ in range(32))
    game = Game.created(KEY, KEY, links.pop(), seed, number=0)
    turns = []
    while game.status is not Status.FINISHED:
        tag: Tag = next_request(game)
        asked = model.request(game, tag, slot=1)
        turns.append(Turn("player", game, asked))
        slot_hash = bytes(stream.below(256) for _ in range(32))
        answered = model.reveal(asked, KEY, links.pop(), slot_hash, slot=2).game
        turns.append(Turn("house", asked, answered))
        game = answered
    return turns, game.result


def ending(turns: list[Turn], result: Result, strategy: Strategy) -> Result:
    """Return how a game ends if one side follows a strategy."""
    if any(turn.side == strategy.side and strategy.stops(turn) for turn in turns):
        return Result.HOUSE_FORFEIT if strategy.side == "house" else Result.PLAYER_FORFEIT
    return result


def player_gain(stake: Stake | None, result: Result) -> float:
    """Return what the player wins, in bets."""
    if stake is None:
        is_void = result in (Result.HOUSE_FORFEIT, Result.PLAYER_FORFEIT)
        return 0 if is_void else Stake(KEY, BET, BET).player_gain(result) / BET
    return stake.player_gain(result) / BET


def gains(games: list[tuple[list[Turn], Result]], strategy: Strategy, stake: Stake | None) -> Iterator[float]:
    """Yield what the side that withholds gains in each game over playing it to the end, in bets."""
    sign = 1 if strategy.side == "player" else -1
    for turns, result in games:
        honest, withheld = (player_gain(stake, one) for one in (result, ending(turns, result, strategy)))
        yield sign * (withheld - honest)


def main() -> None:
    """Play the games and print what each strategy gains."""
    arguments = argument_parser("What withholding gains.", "fewer games").parse_args()
    report = Report("Withholding on Solana")
    with report.console.status("playing games"):
        stream = RandomStream(17)
        games = [played(stream) for _ in range(GAMES // 10 if arguments.quick else GAMES)]
        for name, stake in WAGERS:
            for strategy in STRATEGIES:
                found = list(gains(games, strategy, stake))
                stopped = fmean(ending(*game, strategy) is not game[1] for game in games)
                error = 100 * stdev(found) / len(found) ** 0.5
                note = (
                    f"± {error:.1f}, at most {100 * max(found):.0f} in one game; stops {stopped:.0%} of them"
                )
                what, value = f"{strategy.side}: {strategy.name}", round(100 * fmean(found), 1)
                report.add(name, what, value, "% of the bet", "at most 0" if stake else "", note)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
