"""Stakes on the real runtime: every lamport of bet, cover and rent, in every ending."""

import base64
from dataclasses import replace

import pytest
from solders.system_program import TransferParams, transfer

from croupier.numerics.streams import RandomStream
from croupier.solana import model, stake_instructions
from croupier.solana.bankroll import BetLimits
from croupier.solana.codes import Result, Status, Tag
from croupier.solana.events import Created, Event, Settled, decode_event, encode_event
from croupier.solana.game import Game
from croupier.solana.layout import LayoutError
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.record import GameRecord
from croupier.solana.stake import Stake
from croupier.solana.verification import Verdict, verify_game
from tests.solana.conftest import deployed_chain
from tests.solana.staking import BET, BOND, FUNDS, LIMITS, Staking

ENDINGS = [result for result in Result if result is not Result.OPEN]
FEE = 5000


@pytest.fixture(scope="module")
def chain() -> LocalChain:
    """Return one chain for all tests; each has a house of its own."""
    return deployed_chain()


@pytest.fixture
def staking(chain: LocalChain) -> Staking:
    return Staking.open(chain)


def test_joining_puts_bet_and_cover_into_the_game(staking: Staking) -> None:
    game, chain = staking.prepared(), staking.chain
    before, slot = chain.balance(game.player.pubkey()), chain.slot
    receipt = game.send(staking.joining(game), game.player)
    stake = Stake(staking.purse, BET, BET + BOND)
    expected = Game.created(
        game.player.pubkey(),
        staking.house.pubkey(),
        game.links[-1],
        b"p" * 32,
        number=game.number,
        slot=slot,
        stake=stake,
    )
    assert game.state == expected
    rent = chain.svm.minimum_balance_for_rent_exemption(304)
    assert chain.balance(game.player.pubkey()) == before - BET - rent - FEE
    assert chain.balance(game.address) == rent + 2 * BET + BOND
    assert staking.held == FUNDS - BET - BOND
    assert staking.bankroll.open_games == 1
    (event,) = receipt.events
    assert isinstance(event, Created)
    assert event.stake == stake
    assert receipt.compute_units <= 3300


@pytest.mark.parametrize("result", ENDINGS, ids=lambda result: result.name)
def test_every_ending_is_settled_to_the_lamport(staking: Staking, result: Result) -> None:
    game, chain = staking.finished(result), staking.chain
    held, before, purse = chain.balance(game.address), chain.balance(game.player.pubkey()), staking.held
    receipt = game.cleanup()
    gains = {
        Result.PLAYER_WINS: BET,
        Result.DEALER_BUST: BET,
        Result.DEALER_WINS: -BET,
        Result.PLAYER_BUST: -BET,
        Result.TIE: 0,
        Result.HOUSE_FORFEIT: BET + BOND,
        Result.PLAYER_FORFEIT: -BET,
    }
    rent = chain.svm.minimum_balance_for_rent_exemption(304)
    assert chain.balance(game.player.pubkey()) == before + rent + BET + gains[result]
    assert staking.held == FUNDS - gains[result]
    assert staking.held - purse + chain.balance(game.player.pubkey()) - before == held
    assert staking.bankroll.open_games == 0
    assert chain.account(game.address) is None
    (event,) = receipt.events
    assert event == Settled(result, rent + BET + gains[result], staking.held - purse, game.address)
    assert game.receipts[0].events[0].stake.player_gain(result) == gains[result]  # type: ignore[union-attr]


def test_random_games_with_stakes_equal_the_model_and_lose_no_lamport(chain: LocalChain) -> None:
    staking, stream = Staking.open(chain), RandomStream(17)
    results = set()
    for place in range(8):
        bet = LIMITS.least_bet + stream.below(10**6)
        game = staking.joined(place, bet)
        expected, before = game.state, chain.balance(game.player.pubkey())
        purse = staking.held
        while not game.is_finished:
            tag = Tag.DEAL if expected.status is Status.CREATED else (Tag.HIT, Tag.STAND)[stream.below(2)]
            fee = game.ask(tag).fee
            before -= fee
            expected = model.request(expected, tag, chain.slot)
            chain.advance()
            revelation = game.revelation()
            game.send(revelation, staking.house)
            expected = model.reveal(
                expected, game.address, revelation.data[8:40], revelation.data[40:72], chain.slot
            ).game
            assert game.state == expected
        assert expected.stake is not None
        gain = expected.stake.player_gain(expected.result)
        game.cleanup(staking.house)
        rent = chain.svm.minimum_balance_for_rent_exemption(304)
        assert chain.balance(game.player.pubkey()) == before + rent + bet + gain
        assert staking.held == purse + bet + BOND - gain
        verification = verify_game(game.record())
        assert (verification.verdict, verification.problem) == (Verdict.CONSISTENT, None)
        assert "settled: " in verification.steps[-1]
        results.add(expected.result)
    assert len(results) > 2


def test_gifts_to_a_staked_game_go_to_its_player(staking: Staking) -> None:
    game, chain = staking.finished(Result.DEALER_WINS), staking.chain
    chain.svm.airdrop(game.address, 12_345)
    before = chain.balance(game.player.pubkey())
    game.cleanup()
    rent = chain.svm.minimum_balance_for_rent_exemption(304)
    assert chain.balance(game.player.pubkey()) == before + rent + 12_345


def test_a_player_with_an_empty_wallet_can_be_settled_with(staking: Staking) -> None:
    """A lost bet must reach the bankroll whatever the player does with the wallet."""
    chain, player = staking.chain, staking.chain.funded_key(BET + 3_006_720 + 5000)
    game = staking.prepared(player=player)
    game.send(staking.joining(game), player)
    assert chain.balance(player.pubkey()) == 0
    chain.advance(216_001)
    game.claim(staking.house)
    game.cleanup()
    assert chain.balance(player.pubkey()) == 3_006_720
    assert staking.held == FUNDS + BET


def test_an_address_that_holds_lamports_is_taken_over(staking: Staking) -> None:
    game, chain = staking.prepared(), staking.chain
    joining = staking.joining(game)
    gift = transfer(
        TransferParams(from_pubkey=game.player.pubkey(), to_pubkey=game.address, lamports=3_006_720 + BET)
    )
    chain.send([gift, joining], [game.player])
    assert chain.balance(game.address) == 3_006_720 + 2 * BET + BOND


def test_limits_change_for_later_games_only(staking: Staking) -> None:
    first = staking.joined(0)
    limits = BetLimits(least_bet=10, most_bet=20_000_000, bond=0, reserve=1)
    change = stake_instructions.set_limits(staking.chain.program, staking.house.pubkey(), limits)
    staking.chain.send([change], [staking.house])
    assert staking.bankroll.limits == limits
    assert staking.bankroll.open_games == 1
    second = staking.joined(1, bet=10)
    stakes = [game.state.stake for game in (first, second)]
    assert [stake and stake.bond for stake in stakes] == [BOND, 0]


def test_a_bankroll_is_filled_emptied_and_closed(staking: Staking) -> None:
    chain, house = staking.chain, staking.house.pubkey()
    before = chain.balance(house) + staking.held
    for instruction in (
        stake_instructions.deposit(chain.program, house, 1_000),
        stake_instructions.withdraw(chain.program, house, FUNDS - 1_500_000),
        stake_instructions.close_bankroll(chain.program, house),
    ):
        chain.send([instruction], [staking.house])
    assert chain.account(staking.purse) is None
    assert chain.balance(house) == before - 3 * FEE


def test_version_1_stays_as_it_is(game: LocalGame) -> None:
    account = game.chain.account(game.address)
    assert account is not None
    assert (account.data[0], len(account.data)) == (1, 256)
    assert game.state.stake is None


def test_bytes_and_events_with_stakes_are_decoded_or_refused(staking: Staking) -> None:
    game = staking.joined().state
    data = game.encode()
    assert Game.decode(data) == game
    for wrong in (data[:-1], data + b"\0", data[:-8] + bytes(8), b"\1" + data[1:], data[:256]):
        with pytest.raises(LayoutError):
            Game.decode(wrong)
    settled = Settled(Result.TIE, 7, 8, game.player)
    assert decode_event(encode_event(settled)) == settled
    created = encode_event(
        Created(1, 2, game.player, game.player, game.house, bytes(32), bytes(32), game.stake)
    )
    assert encode_event(decode_event(created)) == created
    with pytest.raises(LayoutError):
        decode_event(created[:-1])


def with_event(record: GameRecord, forged: Event) -> GameRecord:
    """Put another event of the same type into the logs of the transactions that have one."""
    transactions = []
    for transaction in record.transactions:
        logs = list(transaction.logs)
        for place, line in enumerate(logs):
            if line.startswith("Program data: "):
                event = decode_event(base64.b64decode(line.removeprefix("Program data: ")))
                if type(event) is type(forged):
                    logs[place] = "Program data: " + base64.b64encode(encode_event(forged)).decode()
        transactions.append(replace(transaction, logs=tuple(logs)))
    return replace(record, transactions=tuple(transactions))


def test_forged_stakes_and_shares_are_refuted(staking: Staking) -> None:
    game = staking.joined()
    game.ask(Tag.DEAL)
    staking.chain.advance(151)
    game.claim(game.player)
    game.cleanup()
    record = game.record()
    assert verify_game(record).problem is None
    created = game.receipts[0].events[0]
    settled = game.receipts[-1].events[0]
    assert isinstance(created, Created)
    assert isinstance(settled, Settled)
    for forged in (
        replace(created, stake=Stake(staking.purse, BET, BET + BOND + 1)),
        replace(created, stake=None),
        replace(settled, house_lamports=1),
        replace(settled, player_lamports=settled.player_lamports - 1),
        replace(settled, result=Result.TIE),
    ):
        verification = verify_game(with_event(record, forged))
        assert verification.verdict is Verdict.REFUTED
        assert "the log does not say what the instruction does" in str(verification.problem)
