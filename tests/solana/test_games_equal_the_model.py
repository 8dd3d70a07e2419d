"""Random games on the real runtime, compared with the Python model after every instruction, byte by byte."""

from collections import Counter

import pytest

from croupier.numerics.streams import RandomStream
from croupier.solana import model
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, Result, Status, Tag
from croupier.solana.game import Game
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import read_program
from croupier.solana.verification import verify_game
from tests.long_cases import cases

GAMES_A_PART = 500
PARTS = 4


def random_bytes(stream: RandomStream) -> bytes:
    return bytes(stream.below(256) for _ in range(32))


def play_against_model(game: LocalGame, start: Game, stream: RandomStream) -> Game:
    """Play one game with random decisions; the account equals the model's at every step."""
    chain, expected = game.chain, start
    while expected.status is not Status.FINISHED:
        tag = Tag.DEAL if expected.status is Status.CREATED else (Tag.HIT, Tag.STAND)[stream.below(2)]
        game.ask(tag)
        expected = model.request(expected, tag, chain.slot)
        assert stored(game) == expected.encode()
        asked = chain.slot
        if stream.below(60) == 0:
            chain.advance(REVEAL_WINDOW + 1)
            game.claim(game.player)
            expected = model.claim(expected, game.player.pubkey(), chain.slot)
        else:
            chain.advance(1 + stream.below(3))
            slot_hash = chain.slot_hash(asked)
            assert slot_hash is not None
            revelation = game.revelation()
            receipt = game.send(revelation, game.house)
            answer = model.reveal(expected, game.address, revelation.data[8:40], slot_hash, chain.slot)
            assert receipt.events[0].drawn == answer.drawn  # type: ignore[union-attr]
            assert receipt.compute_units <= 3300
            expected = answer.game
        assert stored(game) == expected.encode()
    return expected


def stored(game: LocalGame) -> bytes:
    account = game.chain.account(game.address)
    assert account is not None
    return bytes(account.data)


@pytest.mark.parametrize("part", cases(range(PARTS), long=range(1, PARTS)))
def test_random_games_equal_the_model_card_by_card(part: int) -> None:
    chain = LocalChain(seed=part)
    chain.deploy(read_program())
    player, house = chain.funded_key(), chain.funded_key()
    stream = RandomStream((2024, part))
    results: Counter[Result] = Counter()
    number = 0
    for _ in range(GAMES_A_PART):
        decks, seed = 1 + stream.below(8), random_bytes(stream)
        game = LocalGame.open(
            chain,
            player,
            house,
            secret=random_bytes(stream),
            start_number=number,
            player_seed=seed,
            decks=decks,
        )
        start = Game.created(
            player.pubkey(),
            house.pubkey(),
            game.links[-1],
            seed,
            number=game.number,
            decks=decks,
            slot=chain.slot,
        )
        assert stored(game) == start.encode()
        finished = play_against_model(game, start, stream)
        results[finished.result] += 1
        verification = verify_game(game.record())
        assert (verification.problem, verification.game) == (None, game.state)
        game.cleanup()
        number = game.number + 1
    assert set(results) == set(Result) - {Result.OPEN, Result.PLAYER_FORFEIT}


def test_an_abandoned_game_equals_the_model(in_turn: LocalGame) -> None:
    before = in_turn.state
    in_turn.chain.advance(PLAYER_WINDOW + 1)
    in_turn.claim(in_turn.house)
    assert in_turn.state == model.claim(before, in_turn.house.pubkey(), in_turn.chain.slot)
    assert verify_game(in_turn.record()).game == in_turn.state
