"""Random instructions with random accounts on the real runtime: no crash, no lamport created or lost."""

from collections import Counter

from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.sysvar import CLOCK, SLOT_HASHES
from solders.transaction import Transaction
from solders.transaction_metadata import FailedTransactionMetadata
from solders.transaction_status import (
    InstructionErrorCustom,
    TransactionErrorFieldless,
    TransactionErrorInstructionError,
)

from croupier.numerics.streams import RandomStream
from croupier.solana.addresses import game_address, next_number
from croupier.solana.bankroll import BetLimits, bankroll_address
from croupier.solana.codes import GameError, Status, Tag
from croupier.solana.house_account import HouseAccount, house_address
from croupier.solana.instructions import commit, game_rent, open_house
from croupier.solana.layout import CREATE_DATA, JOIN_STAKED_DATA, REVEAL_DATA
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.stake_instructions import open_bankroll, set_limits

ATTEMPTS = 3000
SIZES = {
    Tag.CREATE: 88,
    Tag.REVEAL: 72,
    Tag.COMMIT: 40,
    Tag.JOIN: 88,
    Tag.OPEN_BANKROLL: 40,
    Tag.SET_LIMITS: 40,
    Tag.WITHDRAW: 16,
    Tag.JOIN_STAKED: 104,
}
USUAL_ACCOUNTS = {
    Tag.CREATE: ("game", "player", "house", "system"),
    Tag.REVEAL: ("game", "house", "hashes"),
    Tag.CLEANUP: ("game", "player"),
    Tag.OPEN_HOUSE: ("house account", "house"),
    Tag.COMMIT: ("house account", "house"),
    Tag.JOIN: ("game", "player", "house account", "system"),
    Tag.CLOSE_HOUSE: ("house account", "house"),
    Tag.OPEN_BANKROLL: ("bankroll", "house"),
    Tag.SET_LIMITS: ("bankroll", "house"),
    Tag.WITHDRAW: ("bankroll", "house"),
    Tag.CLOSE_BANKROLL: ("bankroll", "house"),
    Tag.JOIN_STAKED: ("game", "player", "house account", "system", "bankroll"),
    Tag.SETTLE: ("game", "player", "bankroll"),
}


LIMITS = BetLimits()
PAID = (Tag.CLOSE_HOUSE, Tag.CLOSE_BANKROLL, Tag.WITHDRAW)


class Fuzzer:
    """Make instructions that are mostly right and partly wrong."""

    def __init__(self, chain: LocalChain, stream: RandomStream) -> None:
        self.chain, self.stream = chain, stream
        self.players = [chain.funded_key() for _ in range(2)]
        self.house = chain.funded_key()
        self.games = [
            LocalGame.open(chain, player, self.house, secret=bytes([place] * 32))
            for place, player in enumerate(self.players)
        ]
        self.forged = Pubkey(bytes([5] * 32))
        chain.svm.set_account(self.forged, Account(game_rent(), bytes(256), chain.program, False, 0))
        self.house_account = house_address(chain.program, self.house.pubkey())
        self.open_house()
        self.bankroll = bankroll_address(chain.program, self.house.pubkey())
        self.open_bankroll()
        self.spare = [
            (player.pubkey(), next_number(chain.program, player.pubkey(), 50)) for player in self.players
        ]
        self.spare_addresses = [game_address(chain.program, player, number) for player, number in self.spare]
        self.staked = [
            (player.pubkey(), next_number(chain.program, player.pubkey(), 90)) for player in self.players
        ]
        self.staked_addresses = [
            game_address(chain.program, player, number) for player, number in self.staked
        ]
        keys = [key.pubkey() for key in (*self.players, self.house)]
        games = [game.address for game in self.games]
        #: Every account that an instruction may name, and so every account that can change.
        self.addresses = [
            *keys,
            *games,
            *self.spare_addresses,
            *self.staked_addresses,
            self.forged,
            self.house_account,
            self.bankroll,
            SYSTEM_PROGRAM,
            SLOT_HASHES,
            CLOCK,
        ]

    def instruction(self) -> tuple[Instruction, list[Keypair]]:
        stream = self.stream
        tag = Tag(stream.below(len(Tag)))
        game = self.games[stream.below(2)]
        data = self._data(tag, game)
        if stream.below(8) == 0:
            data = bytes(stream.below(256) for _ in range(stream.below(100)))
        metas = self._accounts(tag, game)
        keys = {key.pubkey(): key for key in (*self.players, self.house)}
        metas = [
            AccountMeta(meta.pubkey, meta.is_signer and meta.pubkey in keys, meta.is_writable)
            for meta in metas
        ]
        signers = [keys[address] for address in {meta.pubkey for meta in metas if meta.is_signer}]
        return Instruction(self.chain.program, data, metas), signers

    def _data(self, tag: Tag, game: LocalGame) -> bytes:
        if tag is Tag.JOIN_STAKED:
            number = self.staked[self.games.index(game)][1]
            bet = LIMITS.least_bet + self.stream.below(3)
            stake = {"bet": bet, "cover": bet + LIMITS.bond - self.stream.below(2), "lamports": bet + 10**7}
            return JOIN_STAKED_DATA.pack(
                {"tag": tag, "decks": 1, "number": number, **stake, **self._commitment()}
            )
        if tag in (Tag.SET_LIMITS, Tag.OPEN_BANKROLL) and self.stream.below(4):
            return bytes([tag]) + set_limits(self.chain.program, self.house.pubkey(), LIMITS).data[1:]
        if tag is Tag.WITHDRAW:
            return bytes([tag]) + bytes(7) + self.stream.below(10**5).to_bytes(8, "little")
        if tag in (Tag.CREATE, Tag.JOIN):
            number = self.spare[self.games.index(game)][1]
            fields = {"decks": 1 + self.stream.below(9), "number": number, "lamports": game_rent()}
            return CREATE_DATA.pack({"tag": tag, **fields, **(self._commitment() if tag is Tag.JOIN else {})})
        if tag is Tag.COMMIT and self.stream.below(4):
            return commit(
                self.chain.program, self.house.pubkey(), [bytes([1 + self.stream.below(9)] * 32)]
            ).data
        state = self.chain.game(game.address)
        if tag is Tag.REVEAL and state is not None and self.stream.below(4):
            preimage = game.links[game.links.index(state.chain_tip) - 1]
            slot_hash = self.chain.slot_hash(state.slot) or bytes(32)
            return REVEAL_DATA.pack({"tag": tag, "preimage": preimage, "slot_hash": slot_hash})
        return bytes([tag]) + bytes(SIZES.get(tag, 8) - 1)

    def _commitment(self) -> dict[str, object]:
        account = self.chain.account(self.house_account)
        tips = HouseAccount.decode(account.data).tips if account is not None else (None,)
        place = self.stream.below(len(tips))
        return {"place": place, "chain_tip": tips[place] or bytes(32)}

    def open_house(self) -> int:
        """Open the house's account; return the fee."""
        opening = open_house(self.chain.program, self.house.pubkey(), 3, lamports=10**7)
        return self.chain.send(opening, [self.house]).fee

    def open_bankroll(self) -> int:
        """Open the house's bankroll; return the fee."""
        opening = open_bankroll(self.chain.program, self.house.pubkey(), LIMITS, lamports=10**10)
        return self.chain.send(opening, [self.house]).fee

    def _accounts(self, tag: Tag, game: LocalGame) -> list[AccountMeta]:
        stream = self.stream
        named = {
            "game": AccountMeta(game.address, False, True),
            "player": AccountMeta(game.player.pubkey(), True, True),
            "house": AccountMeta(game.house.pubkey(), True, tag in PAID),
            "house account": AccountMeta(self.house_account, False, True),
            "bankroll": AccountMeta(self.bankroll, False, True),
            "system": AccountMeta(SYSTEM_PROGRAM, False, False),
            "hashes": AccountMeta(SLOT_HASHES, False, False),
        }
        metas = [named[name] for name in USUAL_ACCOUNTS.get(tag, ("game", "player"))]
        if tag in (Tag.CREATE, Tag.JOIN) and stream.below(3):
            metas[0] = AccountMeta(self.spare_addresses[self.games.index(game)], False, True)
        if tag in (Tag.JOIN_STAKED, Tag.SETTLE) or (tag in (Tag.DEAL, Tag.CLAIM) and stream.below(2)):
            metas[0] = AccountMeta(self.staked_addresses[self.games.index(game)], False, True)
        for _ in range(stream.below(3) if stream.below(3) == 0 else 0):
            address = self.addresses[stream.below(len(self.addresses))]
            meta = AccountMeta(address, stream.below(2) == 1, stream.below(2) == 1)
            place = stream.below(len(metas) + 1)
            metas[place : place + stream.below(2)] = [meta]
        return metas[: stream.below(len(metas) + 1)] if stream.below(12) == 0 else metas


def test_no_instruction_crashes_the_program_or_makes_money(chain: LocalChain) -> None:
    stream = RandomStream(41)
    fuzzer, payer = Fuzzer(chain, stream), chain.funded_key()
    outcomes: Counter[str] = Counter()
    done: Counter[int] = Counter()
    watched = [*fuzzer.addresses, payer.pubkey()]
    total = sum(chain.balance(address) for address in watched)
    for _ in range(ATTEMPTS):
        instruction, signers = fuzzer.instruction()
        message = Message([instruction], payer.pubkey())
        transaction = Transaction([payer, *signers], message, chain.svm.latest_blockhash())
        result = chain.svm.send_transaction(transaction)
        if isinstance(result, FailedTransactionMetadata):
            outcome, fee = outcome_of(result.err()), result.meta().fee()
        else:
            outcome, fee = "done", result.fee()
            done[instruction.data[0]] += 1
        outcomes[outcome] += 1
        total -= fee
        assert sum(chain.balance(address) for address in watched) == total
        if outcome == "done" and stream.below(2):
            chain.advance(1 + stream.below(4))
        if stream.below(400) == 0:
            chain.advance(220_000)
        total -= reopen(chain, fuzzer)
    assert outcomes["done"] > 100
    assert min(done[Tag.JOIN_STAKED], done[Tag.SETTLE]) > 0
    assert len(outcomes) > 25
    assert outcomes.keys() <= {"done", *GameError.__members__}


def outcome_of(error: object) -> str:
    """Return the name of the program's refusal; any other failure, such as an invalid access, fails the test."""
    if isinstance(error, TransactionErrorInstructionError) and isinstance(error.err, InstructionErrorCustom):
        return {member.value: member.name for member in GameError}[error.err.code]
    assert not isinstance(error, TransactionErrorFieldless), error
    return str(error)


def reopen(chain: LocalChain, fuzzer: Fuzzer) -> int:
    """Replace games that were cleaned up, so that there is always a game to attack; return the fees."""
    fees = 0
    if chain.account(fuzzer.house_account) is None:
        fees += fuzzer.open_house()
    if chain.account(fuzzer.bankroll) is None:
        fees += fuzzer.open_bankroll()
    for game in fuzzer.games:
        if chain.account(game.address) is None:
            fees += game.send(game.creation(bytes(32)), game.player, game.house).fee
            assert game.state.status is Status.CREATED
    return fees
