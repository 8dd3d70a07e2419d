"""Play a game again from its transactions: every request, every answer, every card.

The instructions alone decide; they are signed. What the program logged is only compared with it, because any
instruction of a transaction can fill the log until the rest is cut off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from solders.pubkey import Pubkey

from croupier.solana import model
from croupier.solana.addresses import AddressError, game_address
from croupier.solana.bankroll import bankroll_address
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import LEAST_RENT, MOST_DECKS, Result, Status, Tag
from croupier.solana.events import Claimed, Created, Event, Revealed, Settled
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.history import ChainTransaction, ProgramCall
from croupier.solana.house_account import house_address
from croupier.solana.layout import (
    CREATE_DATA,
    JOIN_STAKED_DATA,
    PLAIN_DATA,
    REVEAL_DATA,
    Layout,
    LayoutError,
)
from croupier.solana.randomness import next_tip, reveal_seed
from croupier.solana.record import GameRecord
from croupier.solana.stake import Stake
from croupier.texts import say

_OPENINGS = (Tag.CREATE, Tag.JOIN, Tag.JOIN_STAKED)
_REQUESTS = (Tag.DEAL, Tag.HIT, Tag.STAND)
_LOGGED = (*_OPENINGS, Tag.REVEAL, Tag.CLAIM, Tag.SETTLE)
_LAYOUTS = {
    Tag.CREATE: CREATE_DATA,
    Tag.JOIN: CREATE_DATA,
    Tag.JOIN_STAKED: JOIN_STAKED_DATA,
    Tag.REVEAL: REVEAL_DATA,
}
_ACCOUNTS = {Tag.CREATE: 4, Tag.JOIN: 4, Tag.JOIN_STAKED: 5, Tag.REVEAL: 3, Tag.SETTLE: 3}


class RefutedError(Exception):
    """The record contradicts itself or the rules; the message says where."""


@dataclass(frozen=True, slots=True)
class GameCall:
    """A call of the program about one game; its event, if it logs one, has this place in the transaction's log."""

    transaction: ChainTransaction
    call: ProgramCall
    tag: Tag
    fields: Mapping[str, Any]
    event_place: int


@dataclass(frozen=True, slots=True)
class VerifiedStep:
    """A verified step: what happened, and every check that it passed, in words."""

    summary: str
    checks: tuple[str, ...]


def openings(record: GameRecord) -> list[list[GameCall]]:
    """Return the games that were played under the record's address, one list of calls each.

    Raises
    ------
    RefutedError
        If a transaction is not signed by its signers, or the record begins in the middle of a game.
    """
    games: list[list[GameCall]] = []
    for place, transaction in enumerate(record.transactions, start=1):
        if problem := transaction.problem:
            raise RefutedError(f"transaction {place} is forged: {problem}")
        for call in _calls(record, transaction, place):
            if call.tag in _OPENINGS:
                games.append([])
            elif not games:
                raise RefutedError("the record does not begin with the game's creation")
            games[-1].append(call)
    if not games:
        raise RefutedError("the record is empty: no transaction opens this game")
    return games


def _calls(record: GameRecord, transaction: ChainTransaction, place: int) -> Iterator[GameCall]:
    events = 0
    try:
        for call in transaction.calls(record.program):
            if not call.accounts or call.accounts[0] != record.game:
                continue
            tag = Tag(call.data[0])
            layout: Layout = _LAYOUTS.get(tag, PLAIN_DATA)
            fields = layout.unpack(call.data)
            if len(call.accounts) != _ACCOUNTS.get(tag, 2):
                raise RefutedError(
                    f"transaction {place}: {tag.name.lower()} with {len(call.accounts)} accounts"
                )
            yield GameCall(transaction, call, tag, fields, events)
            events += tag in _LOGGED
    except (ValueError, IndexError) as error:
        raise RefutedError(f"transaction {place}: the program would have refused it ({error})") from None


@dataclass(slots=True)
class Replay:
    """A game that is played again, call by call."""

    record: GameRecord
    slot_hashes: Mapping[int, bytes]
    is_offline: bool
    steps: list[VerifiedStep] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    game: Game | None = None
    is_closed: bool = False
    _paid_in: int = 0

    def play(self, calls: Sequence[GameCall], house: Pubkey | None) -> None:
        """Play all calls, and compare the outcome of each with the log.

        Raises
        ------
        RefutedError
            At the first call that contradicts the rules, the commitment or the log.
        """
        before = 0
        for number, call in enumerate(calls):
            transaction = call.transaction
            if transaction.slot < before:
                raise RefutedError(f"step {number}: slot {transaction.slot} comes before slot {before}")
            before = transaction.slot
            if self.is_closed:
                raise RefutedError(f"step {number}: {call.tag.name.lower()} after the game was closed")
            computed = self._apply(call, number, house)
            if computed is not None:
                self._compare(computed, call, number)

    def _logged(self, call: GameCall, number: int) -> list[Event]:
        try:
            events = call.transaction.events(self.record.program)
        except LayoutError as error:
            raise RefutedError(f"step {number}: the log of {call.transaction.signature}: {error}") from None
        return [event for event in events if event.game == self.record.game]

    def _apply(self, call: GameCall, number: int, house: Pubkey | None) -> Event | None:
        """Apply a call, and return the event that the program must have logged."""
        if call.call.caller is not None:
            if self.is_offline:
                raise RefutedError(
                    f"incomplete: step {number} was made through program {call.call.caller}, "
                    "and only a network can show that it was made at all"
                )
            self.findings.append(
                f"step {number} was made through program {call.call.caller}; who signed it is the node's word"
            )
        if number == 0:
            return self._open(call, house)
        game = self.game
        assert game is not None, "the first call has opened the game"
        try:
            if call.tag in _REQUESTS:
                self._verify_signed(call, number, game.player, "player")
                self.game = model.request(game, call.tag, call.transaction.slot)
                return None
            if call.tag is Tag.REVEAL:
                return self._reveal(game, call, number)
            if call.tag is Tag.CLAIM:
                return self._claim(game, call, number)
            if call.tag is Tag.SETTLE:
                return self._settle(game, call, number)
        except Refusal as refusal:
            raise RefutedError(f"step {number}: {call.tag.name.lower()}: {refusal}") from None
        self._clean_up(game, call, number)
        return None

    def _verify_signed(self, call: GameCall, number: int, key: Pubkey, who: str) -> None:
        if call.call.accounts[1] != key:
            raise RefutedError(
                f"step {number}: {call.tag.name.lower()} by {call.call.accounts[1]}, who is not the {who}"
            )
        if call.call.caller is None and key not in call.call.signers:
            raise RefutedError(f"step {number}: {call.tag.name.lower()} without the {who}'s signature")

    def _open(self, call: GameCall, house: Pubkey | None) -> Event:
        fields, record = call.fields, self.record
        player, number, decks = call.call.accounts[1], fields["number"], fields["decks"]
        is_signed = call.call.caller is not None or player in call.call.signers
        if call.tag is Tag.CREATE:
            house = call.call.accounts[2]
            is_signed = is_signed and (call.call.caller is not None or house in call.call.signers)
        if not is_signed:
            raise RefutedError("step 0: the game was opened without the signatures that it needs")
        if house is None:
            raise RefutedError(
                "incomplete: the house never answered, and its name is neither in the log, which was cut, nor in an account"
            )
        try:
            address = game_address(record.program, player, number)
        except AddressError as error:
            raise RefutedError(str(error)) from None
        if address != record.game:
            raise RefutedError(f"game {number} of {player} lives at {address}, not at {record.game}")
        if not 1 <= decks <= MOST_DECKS:
            raise RefutedError(f"the game has {decks} decks; 1 to {MOST_DECKS} are possible")
        if call.tag is not Tag.CREATE and call.call.accounts[2] != house_address(record.program, house):
            self.findings.append(
                f"the commitment comes from {call.call.accounts[2]}, not from the house's usual account"
            )
        self.game = Game.created(
            player,
            house,
            fields["chain_tip"],
            fields["player_seed"],
            number=number,
            decks=decks,
            slot=call.transaction.slot,
            stake=self._staked(call, house) if call.tag is Tag.JOIN_STAKED else None,
        )
        shoe = say("solana.proof.shoe", decks=decks)
        signed = "signed" if call.tag is Tag.CREATE else "committed"
        checks = (
            say(f"solana.proof.opened_{signed}", slot=call.transaction.slot),
            say("solana.proof.address", address=str(address), number=number),
            say("solana.proof.complete", shoe=shoe, cards=self.game.cards_left),
        )
        tip, stake = self.game.chain_tip, self.game.stake
        key = "solana.proof.created" if stake is None else "solana.proof.created_staked"
        self.steps.append(VerifiedStep(say(key, shoe=shoe, tip=_short(tip), stake=str(stake)), checks))
        return Created(decks, number, address, player, house, self.game.player_seed, tip, stake)

    def _staked(self, call: GameCall, house: Pubkey) -> Stake:
        """Return the stakes with which a game was opened."""
        fields, bankroll = call.fields, call.call.accounts[4]
        if fields["cover"] < fields["bet"] or fields["lamports"] - fields["bet"] < LEAST_RENT:
            raise RefutedError("step 0: the program does not open a game with these stakes")
        if bankroll != bankroll_address(self.record.program, house):
            self.findings.append(f"the cover comes from {bankroll}, not from the house's usual bankroll")
        self._paid_in = fields["lamports"] + fields["cover"]
        return Stake(bankroll, fields["bet"], fields["cover"])

    def _reveal(self, game: Game, call: GameCall, number: int) -> Event:
        self._verify_signed(call, number, game.house, "house")
        preimage, slot_hash = call.fields["preimage"], call.fields["slot_hash"]
        if next_tip(preimage) != game.chain_tip:
            raise RefutedError(f"step {number}: the pre-image is not the one that the house committed to")
        if game.status.waits_for_house and call.transaction.slot <= game.slot:
            raise RefutedError(
                f"step {number}: the answer comes in slot {game.slot}, before that slot had a hash"
            )
        known = self.slot_hashes.get(game.slot)
        if known is not None and known != slot_hash:
            raise RefutedError(
                f"step {number}: slot {game.slot} has the hash {_short(known)} on this network, not {_short(slot_hash)}"
            )
        answer = model.reveal(game, self.record.game, preimage, slot_hash, call.transaction.slot)
        self._describe(game, answer, preimage, slot_hash, is_known=known is not None)
        self.game = answer.game
        return Revealed(
            game.status,
            answer.game.status,
            answer.game.result,
            game.slot,
            self.record.game,
            preimage,
            slot_hash,
            answer.drawn,
        )

    def _describe(
        self, game: Game, answer: model.Answer, preimage: bytes, slot_hash: bytes, *, is_known: bool
    ) -> None:
        after = answer.game
        asked = game.status.name.removesuffix("_REQUESTED").lower()
        cards = format_codes(answer.drawn, symbols=True) or say("solana.proof.no_card")
        seed = reveal_seed(preimage, game.player_seed, slot_hash, self.record.game)
        is_open = after.result is Result.OPEN
        outcome = _words(after.status.name if is_open else after.result.name)
        checks = (
            say("solana.proof.hash", preimage=_short(preimage), tip=_short(game.chain_tip)),
            say(
                "solana.proof.draw_seed_known" if is_known else "solana.proof.draw_seed",
                slot_hash=_short(slot_hash),
                slot=game.slot,
                seed=_short(seed),
            ),
            say("solana.proof.draws", left=game.cards_left, cards=cards),
            say("solana.proof.leads", outcome=outcome),
        )
        title = say(
            "solana.proof.step" if is_open else "solana.proof.step_ended",
            asked=say(f"solana.asked.{asked}"),
            slot=game.slot,
            cards=cards,
            ending=outcome,
        )
        self.steps.append(VerifiedStep(title, checks))

    def _claim(self, game: Game, call: GameCall, number: int) -> Event:
        claimant = call.call.accounts[1]
        late = "house" if game.status.waits_for_house else "player"
        after = model.claim(game, claimant, call.transaction.slot)
        self._verify_signed(call, number, claimant, "claimant")
        ending = _words(after.result.name)
        waited = call.transaction.slot - game.slot
        checks = (say(f"solana.proof.late_{late}", waited=waited, ending=ending),)
        self.steps.append(VerifiedStep(say("solana.proof.claimed", ending=ending), checks))
        self.game = after
        return Claimed(game.status, after.result, game.slot, self.record.game)

    def _settle(self, game: Game, call: GameCall, number: int) -> Event:
        """Close a game with stakes; what it held beyond them is the player's, and only the log tells how much it was."""
        if game.stake is None:
            raise RefutedError(f"step {number}: a game without stakes was settled")
        if call.call.accounts[2] != game.stake.bankroll:
            raise RefutedError(
                f"step {number}: the house's share went to {call.call.accounts[2]}, not to its bankroll"
            )
        self._close(game, call, number)
        share = game.stake.house_share(game.result)
        at_stake = game.stake.bet + game.stake.cover
        ending = _words(game.result.name)
        check = say("solana.proof.settled_share", ending=ending, share=share, all=at_stake)
        self.steps.append(VerifiedStep(say("solana.proof.settled", share=share), (check,)))
        return Settled(game.result, self._paid_in - share, share, self.record.game)

    def _clean_up(self, game: Game, call: GameCall, number: int) -> None:
        if game.stake is not None:
            raise RefutedError(f"step {number}: a game with stakes was closed without its settlement")
        self._close(game, call, number)

    def _close(self, game: Game, call: GameCall, number: int) -> None:
        if game.status is not Status.FINISHED:
            raise RefutedError(f"step {number}: a game that is not over was closed")
        if call.call.accounts[1] != game.player:
            raise RefutedError(
                f"step {number}: the rent went to {call.call.accounts[1]}, who is not the player"
            )
        self.is_closed = True

    def _compare(self, computed: Event, call: GameCall, number: int) -> None:
        logged, transaction = self._logged(call, number), call.transaction
        if call.event_place >= len(logged):
            if not transaction.has_cut_log:
                raise RefutedError(
                    f"step {number}: the program did not log it, so it is not the right program"
                )
            self.findings.append(
                f"masked: the log of {transaction.signature} is cut short; step {number} was read from the instruction itself"
            )
            return
        event = logged[call.event_place]
        if isinstance(event, Revealed) and isinstance(computed, Revealed):
            for place, (said, right) in enumerate(zip(event.drawn, computed.drawn, strict=False), start=1):
                if said != right:
                    cards = {"said": format_codes([said]), "right": format_codes([right])}
                    raise RefutedError(say("solana.proof.logged", number=number, place=place, **cards))
        if isinstance(event, Settled) and isinstance(computed, Settled):
            # Anybody can have sent lamports to the game; they are the player's.
            gifts = max(0, event.player_lamports - computed.player_lamports)
            computed = replace(computed, player_lamports=computed.player_lamports + gifts)
        if event != computed:
            raise RefutedError(f"step {number}: the log does not say what the instruction does")


def _short(digest: bytes) -> str:
    return f"{digest.hex()[:16]}…"


def _words(name: str) -> str:
    return say(f"solana.ending.{name.lower()}")
