"""The cards that the real program draws in whole games are uniform over the cards left."""

import pytest
from scipy.stats import chisquare

from croupier.cards import DECK_SIZE
from croupier.solana.codes import Tag
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import read_program

DEALS = 1500


@pytest.fixture(scope="module")
def deals() -> list[tuple[int, ...]]:
    """Deal many one-deck games on the chain; return the first three cards of each."""
    chain = LocalChain(seed=11)
    chain.deploy(read_program())
    player, house, dealt, number = chain.funded_key(), chain.funded_key(), [], 0
    for _ in range(DEALS):
        game = LocalGame.open(chain, player, house, secret=b"x" * 32, start_number=number)
        game.ask(Tag.DEAL)
        game.answer()
        state = game.state
        dealt.append((*state.player_cards[:2], state.dealer_cards[0]))
        number = game.number + 1
    return dealt


@pytest.mark.parametrize("place", [0, 1, 2])
def test_each_card_of_the_deal_is_uniform_over_the_deck(deals: list[tuple[int, ...]], place: int) -> None:
    observed = [sum(cards[place] == code for cards in deals) for code in range(DECK_SIZE)]
    assert chisquare(observed).pvalue > 0.001


@pytest.mark.parametrize("place", [1, 2])
def test_each_card_is_uniform_over_what_the_cards_before_it_left(
    deals: list[tuple[int, ...]], place: int
) -> None:
    left = DECK_SIZE - place
    observed = [0] * left
    for cards in deals:
        rest = [code for code in range(DECK_SIZE) if code not in cards[:place]]
        observed[rest.index(cards[place])] += 1
    assert chisquare(observed).pvalue > 0.001


def test_no_card_of_a_single_deck_comes_twice(deals: list[tuple[int, ...]]) -> None:
    assert all(len(set(cards)) == 3 for cards in deals)
