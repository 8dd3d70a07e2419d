"""Every lamport from Create to Cleanup."""

import pytest

from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, Result, Tag
from croupier.solana.instructions import game_rent
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame


def test_the_rent_is_what_the_cluster_asks_for(chain: LocalChain) -> None:
    assert game_rent() == chain.svm.minimum_balance_for_rent_exemption(256)


def play_to(game: LocalGame, ending: Result) -> None:
    """Play a game from the player's turn to the wanted ending."""
    match ending:
        case Result.PLAYER_BUST:
            while not game.is_finished:
                game.ask(Tag.HIT)
                game.answer()
        case Result.HOUSE_FORFEIT:
            game.ask(Tag.HIT)
            game.chain.advance(REVEAL_WINDOW + 1)
            game.claim(game.player)
        case Result.PLAYER_FORFEIT:
            game.chain.advance(PLAYER_WINDOW + 1)
            game.claim(game.house)
        case _:
            game.ask(Tag.STAND)
            game.answer()


@pytest.mark.parametrize(
    "ending", [Result.PLAYER_BUST, Result.DEALER_WINS, Result.HOUSE_FORFEIT, Result.PLAYER_FORFEIT]
)
def test_the_player_pays_the_rent_and_gets_all_of_it_back(in_turn: LocalGame, ending: Result) -> None:
    chain, player, house = in_turn.chain, in_turn.player.pubkey(), in_turn.house.pubkey()
    assert chain.balance(in_turn.address) == game_rent()
    play_to(in_turn, ending)
    if ending is not Result.DEALER_WINS:
        assert in_turn.state.result is ending
    before = chain.balance(player), chain.balance(house)
    receipt = in_turn.cleanup()
    assert chain.account(in_turn.address) is None
    assert chain.balance(player) == before[0] + game_rent()
    assert chain.balance(house) == before[1] - receipt.fee


def test_a_whole_game_costs_its_sides_the_fees_and_nothing_else(chain: LocalChain) -> None:
    player, house = chain.funded_key(), chain.funded_key()
    before = chain.balance(player.pubkey()) + chain.balance(house.pubkey())
    game = LocalGame.open(chain, player, house, secret=b"v" * 32)
    for tag in (Tag.DEAL, Tag.STAND):
        if not game.is_finished:
            game.ask(tag)
            game.answer()
    game.cleanup()
    fees = sum(receipt.fee for receipt in game.receipts)
    assert chain.balance(player.pubkey()) + chain.balance(house.pubkey()) == before - fees


def test_gifts_to_a_game_go_to_its_player(finished: LocalGame) -> None:
    chain = finished.chain
    chain.svm.airdrop(finished.address, 12_345)
    before = chain.balance(finished.player.pubkey())
    finished.cleanup()
    assert chain.balance(finished.player.pubkey()) == before + game_rent() + 12_345
