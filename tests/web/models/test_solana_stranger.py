"""The words, the stakes and the choices of a game with a house elsewhere."""

from dataclasses import replace

import pytest
from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.solana.codes import Result, Status
from croupier.solana.game import Game
from croupier.solana.stake import Stake
from croupier.web.models.solana_stranger import read_bet, stranger_view

KEY = Pubkey.default()
GAME = Game.created(KEY, KEY, bytes(32), bytes(32), number=7)
STAKED = replace(GAME, stake=Stake(KEY, bet=20_000_000, cover=21_000_000))


@pytest.mark.parametrize(
    ("status", "choices"),
    [
        (Status.CREATED, ["deal"]),
        (Status.PLAYER_TURN, ["hit", "stand"]),
        (Status.DEAL_REQUESTED, ["claim"]),
        (Status.HIT_REQUESTED, ["claim"]),
        (Status.STAND_REQUESTED, ["claim"]),
    ],
)
def test_each_state_has_its_choices(status: Status, choices: list[str]) -> None:
    view = stranger_view(replace(GAME, status=status))
    assert [name for name, _ in view.choices] == choices
    assert view.stakes == ()


@pytest.mark.parametrize("result", [result for result in Result if result is not Result.OPEN])
@pytest.mark.parametrize("is_closed", [False, True])
def test_every_end_says_who_gets_what(result: Result, is_closed: bool) -> None:
    ended = replace(STAKED, status=Status.FINISHED, result=result)
    assert ended.stake is not None
    view = stranger_view(ended, is_closed=is_closed)
    shares = {
        Result.PLAYER_WINS: ("0.04", "0.001"),
        Result.DEALER_BUST: ("0.04", "0.001"),
        Result.TIE: ("0.02", "0.021"),
        Result.HOUSE_FORFEIT: ("0.041", "0"),
    }
    yours, theirs = shares.get(result, ("0", "0.041"))
    verbs = ("got", "got") if is_closed else ("get", "gets")
    words = f"You {verbs[0]} {yours} SOL and your rent; the house's bankroll {verbs[1]} {theirs} SOL."
    assert view.stakes[1] == words
    assert [name for name, _ in view.choices] == ["open" if is_closed else "cleanup"]


def test_an_open_bet_lies_in_the_account() -> None:
    assert stranger_view(STAKED).stakes == (
        "Your bet is 0.02 SOL. The house has put 0.021 SOL beside it.",
        "Both lie in the game's account until the game is over.",
    )


@pytest.mark.parametrize("text", ["much", "-1", "0.0000000001", "nan", "inf", "1e30", "1,5"])
def test_what_is_no_bet_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="give it in SOL"):
        read_bet(text)
