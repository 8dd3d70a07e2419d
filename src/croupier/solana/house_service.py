"""The house as a service: it offers games on the chain, and answers every request in time.

Everything that it needs to know stands on the chain: which commitments are taken, which games wait for an answer. On
disk are only the house's secret, the number of chains that were used, and what was spent today. So the service can be
killed at any moment and started again. A chain counts as used before its tip leaves the machine, and a pre-image leaves it
only for a request that the cluster has confirmed.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.files import read_text
from croupier.solana import instructions, stake_instructions
from croupier.solana.bankroll import Bankroll
from croupier.solana.cluster import PRICED_UNITS, Cluster, ClusterError
from croupier.solana.cluster_bankroll import bankroll_of
from croupier.solana.codes import GAME_TYPE, PLAYER_WINDOW, STAKED_VERSION, Status
from croupier.solana.failures import Refusal, TransactionError
from croupier.solana.game import Game
from croupier.solana.house import LINKS, House, HouseError
from croupier.solana.house_account import HouseAccount, house_address, house_size
from croupier.solana.layout import GAME, LayoutError
from croupier.solana.private_files import replace_private
from croupier.solana.receipt import Receipt

_DAY, _HOUR, _MINUTE = 86_400, 3600, 60
#: How long a cluster that cannot be reached is left alone.
_RETRY_SECONDS = 2.0
_FEE = 5000
#: Requests that are answered at the same time.
_ANSWERS_AT_A_TIME = 8
#: How many games with a foreign tip are remembered, so that each is looked up once.
_MOST_FOREIGN = 10_000
_OFFSETS = {part.name: part.offset for part in GAME.fields}
_MICRO = 1_000_000
#: The usual priority fee of a second attempt, in millionths of a lamport per compute unit.
FIRST_PRICE = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a house is ready to spend on strangers.

    Parameters
    ----------
    capacity
        Games on offer at a time.
    games_per_hour
        New games on offer in an hour; one game takes at most 24 answers.
    daily_budget
        Lamports of fees a day. Beyond it no game is offered and no priority fee is paid, but open games are answered.
    first_price, most_price
        The priority fee of the second attempt, doubled for each further one up to the other, in millionths of a lamport per
        compute unit.
    """

    capacity: int = 32
    games_per_hour: int = 240
    daily_budget: int = 100_000_000
    first_price: int = FIRST_PRICE
    most_price: int = 1_000_000

    @property
    def prices(self) -> tuple[int, ...]:
        """The priority fee of each attempt.

        >>> Limits(first_price=10, most_price=45).prices
        (0, 10, 20, 40, 45)
        """
        prices, price = [0], self.first_price
        while 0 < price < self.most_price:
            prices.append(price)
            price *= 2
        return (*prices, self.most_price) if self.most_price else (0,)


@dataclass(frozen=True, slots=True)
class Journal:
    """What the service has done: today's fees, this hour's offers, and totals."""

    day: int = 0
    spent_today: int = 0
    hour: int = 0
    offered_this_hour: int = 0
    offered: int = 0
    answered: int = 0
    failures: int = 0
    last_seen: int = 0

    @classmethod
    def load(cls, path: Path) -> "Journal":
        """Read the journal of a folder; a new one if there is none.

        Raises
        ------
        InputError
            If the file is not a journal.
        """
        if not path.exists():
            return cls()
        try:
            data = json.loads(read_text(path, what="journal"))
            return cls(**{name: int(value) for name, value in data.items()})
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"journal '{path}': it is not the journal of a house; remove it to begin a new one"
            ) from None

    def save(self, path: Path) -> None:
        """Write the journal."""
        replace_private(path, json.dumps(asdict(self)) + "\n", "journal")

    def at(self, now: float) -> "Journal":
        """Return the journal at a time: a new day and a new hour begin with nothing.

        >>> Journal(day=0, spent_today=9).at(_DAY + 1).spent_today
        0
        """
        day, hour = int(now // _DAY), int(now // _HOUR)
        journal = replace(self, last_seen=int(now))
        if day != self.day:
            journal = replace(journal, day=day, spent_today=0)
        return journal if hour == self.hour else replace(journal, hour=hour, offered_this_hour=0)


@dataclass(frozen=True, slots=True)
class HouseState:
    """What a house shows of itself."""

    house: Pubkey
    account: Pubkey
    lamports: int
    capacity: int
    offered: int
    waiting: int
    oldest_wait: int
    journal: Journal
    bankroll: Bankroll | None
    bankroll_lamports: int


@dataclass(slots=True)
class HouseService:
    """The service of one house on one cluster.

    Parameters
    ----------
    report
        Called with one line for everything that happens.
    """

    cluster: Cluster
    key: Keypair
    house: House
    journal_file: Path
    limits: Limits = field(default_factory=Limits)
    report: Callable[[str], None] = lambda _line: None
    clock: Callable[[], float] = time.time
    journal: Journal = field(init=False)
    _foreign: dict[Pubkey, None] = field(default_factory=dict)
    _answers: dict[Pubkey, asyncio.Task[None]] = field(default_factory=dict)
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_ANSWERS_AT_A_TIME))

    def __post_init__(self) -> None:
        self.journal = Journal.load(self.journal_file).at(self.clock())

    async def run(self) -> None:
        """Serve until the task is cancelled; a cluster that cannot be reached is asked again."""
        try:
            while True:
                try:
                    await self._start_answers()
                    await self._start_settlements()
                    await self._offer()
                except (ClusterError, TransactionError) as error:
                    self._failed(str(error))
                    await asyncio.sleep(_RETRY_SECONDS)
                await self.cluster.pause()
        finally:
            for task in self._answers.values():
                task.cancel()

    async def serve_once(self) -> None:
        """Answer all open requests, settle what is over, and offer games again.

        Raises
        ------
        ClusterError
            If the cluster cannot be reached.
        TransactionError
            If the house's account cannot be made or filled.
        """
        await self._start_answers()
        await asyncio.gather(*self._answers.values())
        await self._start_settlements()
        await asyncio.gather(*self._answers.values())
        await self._offer()

    async def _start_answers(self) -> None:
        """Answer each open request in a task of its own, so that a slow one does not hold up the others."""
        before, self.journal = self.journal, self.journal.at(self.clock())
        if self.journal.last_seen // _MINUTE != before.last_seen // _MINUTE:
            self.journal.save(self.journal_file)
        self._answers = {address: task for address, task in self._answers.items() if not task.done()}
        for address, game in await self.waiting_games():
            if address not in self._answers and address not in self._foreign:
                self._answers[address] = asyncio.create_task(self._answer(address, game))

    async def waiting_games(self) -> list[tuple[Pubkey, Game]]:
        """Return the games that wait for this house, the longest-waiting first."""
        found = []
        for status in (status for status in Status if status.waits_for_house):
            filters = {
                _OFFSETS["type"]: bytes([GAME_TYPE]),
                _OFFSETS["status"]: bytes([status]),
                _OFFSETS["house"]: bytes(self.key.pubkey()),
            }
            accounts = await self.cluster.accounts_of(self.cluster.program, filters)
            found += [(address, Game.decode(account.data)) for address, account in accounts.items()]
        return sorted(found, key=lambda entry: entry[1].slot)

    async def _start_settlements(self) -> None:
        """Settle the games with stakes that are over, and claim those that the player has left; no time limit presses."""
        bankroll, _ = await bankroll_of(self.cluster, self.key.pubkey())
        if (
            bankroll is None
            or bankroll.open_games == 0
            or self.journal.spent_today + _FEE > self.limits.daily_budget
        ):
            return
        now, key = await self.cluster.slot(), bytes(self.key.pubkey())
        filters = {0: bytes([STAKED_VERSION, GAME_TYPE]), _OFFSETS["house"]: key}
        for address, account in (await self.cluster.accounts_of(self.cluster.program, filters)).items():
            game = Game.decode(account.data)
            is_left = not game.status.waits_for_house and now - game.slot > PLAYER_WINDOW
            running = self._answers.get(address)
            if (game.status is Status.FINISHED or is_left) and (running is None or running.done()):
                self._answers[address] = asyncio.create_task(self._settle(address, game))

    async def _settle(self, address: Pubkey, game: Game) -> None:
        program = self.cluster.program
        steps = [stake_instructions.closing(program, address, game.player, game.stake)]
        if game.status is not Status.FINISHED:
            steps.insert(0, instructions.claim(program, address, self.key.pubkey()))
        async with self._gate:
            try:
                receipt = await self.cluster.send(steps, [self.key], self._prices())
            except (Refusal, TransactionError, ClusterError) as error:
                # The player may have settled it meanwhile.
                self._failed(f"game {address}: {error}")
            else:
                self._spent(receipt.fee)
                self.report(f"settled game {address} in slot {receipt.slot}")

    async def state(self) -> HouseState:
        """Return what the house shows of itself."""
        address = house_address(self.cluster.program, self.key.pubkey())
        data = await self.cluster.account_data(address)
        tips = () if data is None else HouseAccount.decode(data).tips
        waiting = await self.waiting_games()
        now = await self.cluster.slot()
        return HouseState(
            self.key.pubkey(),
            address,
            await self.cluster.balance(self.key.pubkey()),
            len(tips),
            len(tips) - tips.count(None),
            len(waiting),
            max((now - game.slot for _, game in waiting), default=0),
            self.journal,
            *await bankroll_of(self.cluster, self.key.pubkey()),
        )

    async def close(self) -> Receipt:
        """Close the house's account: no game is on offer any more, and its rent comes back."""
        closing = instructions.close_house(self.cluster.program, self.key.pubkey())
        return await self.cluster.send([closing], [self.key])

    async def _answer(self, address: Pubkey, game: Game) -> None:
        try:
            preimage = self.house.preimage_of(game.chain_tip)
        except HouseError:
            self._remember_foreign(address)
            return
        async with self._gate:
            try:
                slot_hash = await self.cluster.slot_hash(game.slot)
                reveal = instructions.reveal(
                    self.cluster.program, address, self.key.pubkey(), preimage, slot_hash
                )
                receipt = await self.cluster.send([reveal], [self.key], self._prices())
            except Refusal as refusal:
                # The game moved on meanwhile: the player claimed it, or an earlier answer arrived after all.
                self._failed(f"game {address}: {refusal}")
            except (TransactionError, ClusterError) as error:
                self._failed(f"game {address}: {error}")
            else:
                self._spent(receipt.fee, answered=1)
                self.report(
                    f"answered game {address} in slot {receipt.slot}, {receipt.slot - game.slot} after its request"
                )

    def _remember_foreign(self, address: Pubkey) -> None:
        """Skip a game whose commitment this secret does not know: it was opened with another secret."""
        self._foreign[address] = None
        if len(self._foreign) > _MOST_FOREIGN:
            del self._foreign[next(iter(self._foreign))]
        self._failed(f"game {address}: its commitment is none of ours")

    def _prices(self) -> tuple[int, ...]:
        """Return the priority fees that the budget allows; the plain fee is always paid, or the game is lost."""
        left = self.limits.daily_budget - self.journal.spent_today - _FEE
        return tuple(price for price in self.limits.prices if price * PRICED_UNITS <= left * _MICRO) or (0,)

    async def _offer(self) -> None:
        program, key = self.cluster.program, self.key.pubkey()
        data = await self.cluster.account_data(house_address(program, key))
        if data is None:
            await self._open(program, key)
            data = await self.cluster.account_data(house_address(program, key))
        try:
            free = 0 if data is None else HouseAccount.decode(data).free_places
        except LayoutError as error:
            raise ClusterError(f"account {house_address(program, key)}: {error}") from None
        left = self.limits.games_per_hour - self.journal.offered_this_hour
        affordable = (self.limits.daily_budget - self.journal.spent_today) // (LINKS * _FEE)
        count = max(0, min(free, left, affordable, instructions.TIPS_PER_COMMIT))
        if count == 0:
            return
        commit = instructions.commit(program, key, self.house.open_chains(count))
        receipt = await self.cluster.send([commit], [self.key], self._prices())
        self._spent(receipt.fee, offered=count)
        self.report(f"offered {count} game{'' if count == 1 else 's'} in slot {receipt.slot}")

    async def _open(self, program: Pubkey, key: Pubkey) -> None:
        rent = await self.cluster.rent(house_size(self.limits.capacity))
        opening = instructions.open_house(program, key, self.limits.capacity, rent)
        receipt = await self.cluster.send(opening, [self.key], self._prices())
        self._spent(receipt.fee)
        self.report(
            f"opened {house_address(program, key)} for {self.limits.capacity} games, rent {rent:,} lamports"
        )

    def _spent(self, fee: int, *, answered: int = 0, offered: int = 0) -> None:
        journal = self.journal
        self.journal = replace(
            journal,
            spent_today=journal.spent_today + fee,
            answered=journal.answered + answered,
            offered=journal.offered + offered,
            offered_this_hour=journal.offered_this_hour + offered,
        )
        self.journal.save(self.journal_file)

    def _failed(self, line: str) -> None:
        self.journal = replace(self.journal, failures=self.journal.failures + 1)
        self.report(line)
