"""Verification: a true game is proven, an offline record is consistent, and every forgery is named as what it is."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.transaction import Transaction

from croupier.solana import instructions
from croupier.solana.addresses import has_address, next_number
from croupier.solana.codes import REVEAL_WINDOW, Result, Status, Tag
from croupier.solana.deployment import Deployment, program_hash
from croupier.solana.events import Created, Revealed, encode_event
from croupier.solana.history import ChainTransaction, InnerCall
from croupier.solana.house_account import house_size
from croupier.solana.layout import CREATE_DATA, REVEAL_DATA, LayoutError
from croupier.solana.loader import program_data_address
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.record import GameRecord, RecordError
from croupier.solana.toolchain.compiler import read_program
from croupier.solana.verification import Expected, NetworkView, Verdict, Verification, verify_game
from tests.solana.changed_instructions import changed
from tests.solana.test_house_account import LINKS, TIPS, join, joining

#: Calls of the scene's game: create, deal, reveal, stand, reveal, cleanup.
CREATE, DEAL, FIRST_REVEAL, STAND, LAST_REVEAL, CLEANUP = range(6)
STRANGER = Keypair.from_seed(b"x" * 32)


@dataclass(frozen=True)
class Evidence:
    """Everything that a verification looks at."""

    record: GameRecord
    view: NetworkView | None
    expected: Expected

    def verify(self) -> Verification:
        return verify_game(self.record, self.view, self.expected)

    def with_transactions(self, *transactions: ChainTransaction) -> "Evidence":
        return replace(self, record=replace(self.record, transactions=transactions))

    def with_changed(self, place: int, **changes: Any) -> "Evidence":
        transactions = list(self.record.transactions)
        transactions[place] = replace(transactions[place], **changes)
        return self.with_transactions(*transactions)

    def without(self, *places: int) -> "Evidence":
        kept = (one for place, one in enumerate(self.record.transactions) if place not in places)
        return self.with_transactions(*kept)

    def with_view(self, **changes: Any) -> "Evidence":
        assert self.view is not None
        return replace(self, view=replace(self.view, **changes))

    def with_program(self, **changes: Any) -> "Evidence":
        assert self.view is not None
        assert isinstance(self.view.deployment, Deployment)
        return self.with_view(deployment=replace(self.view.deployment, **changes))

    def expecting(self, **changes: Any) -> "Evidence":
        return replace(self, expected=replace(self.expected, **changes))


@dataclass(frozen=True)
class Scene:
    """A finished and closed game with its evidence, and the means to sign whatever a forger could sign."""

    game: LocalGame
    evidence: Evidence

    def signed(self, place: int, instruction: Instruction, *signers: Keypair) -> Evidence:
        """Replace a transaction by one that the forger has made and signed."""
        message = Message([instruction], signers[0].pubkey())
        wire = bytes(Transaction(list(signers), message, Hash.default()))
        return self.evidence.with_changed(place, wire=wire, logs=())

    def call(self, place: int) -> Instruction:
        """Return the instruction of a transaction."""
        (call,) = self.evidence.record.transactions[place].calls(self.game.chain.program)
        writable = [True, place in (CREATE, CLEANUP), False, False]
        metas = [
            AccountMeta(key, place != CLEANUP and 0 < index < 3 and key in call.signers, writable[index])
            for index, key in enumerate(call.accounts)
        ]
        return Instruction(call.program, call.data, metas)

    def line(self, event: Revealed) -> str:
        return f"Program data: {base64.b64encode(encode_event(event)).decode()}"

    def with_logged(self, place: int, **changes: Any) -> Evidence:
        """Replace what the program logged about a reveal."""
        transaction = self.evidence.record.transactions[place]
        (event,) = transaction.events(self.game.chain.program)
        assert isinstance(event, Revealed)
        lie = self.line(replace(event, **changes))
        logs = tuple(lie if line == self.line(event) else line for line in transaction.logs)
        return self.evidence.with_changed(place, logs=logs)


def view_of(chain: LocalChain, game: LocalGame) -> NetworkView:
    """Return what a node of the local chain would say."""
    accounts = [chain.account(key) for key in (chain.program, program_data_address(chain.program))]
    hashes = {slot: bytes(value) for slot, value in chain.svm.get_slot_hashes()}
    return NetworkView("local", Deployment.decode(chain.program, *accounts), chain.game(game.address), hashes)


@pytest.fixture(scope="module")
def scene() -> Scene:
    chain = LocalChain(seed=7)
    chain.deploy(read_program())
    player, house = chain.funded_key(), chain.funded_key()
    number = 0
    while True:
        game = LocalGame.open(chain, player, house, secret=b"t" * 32, start_number=number)
        for tag in (Tag.DEAL, Tag.STAND):
            if not game.is_finished:
                game.ask(tag)
                game.answer()
        if len(game.receipts) == CLEANUP:
            break
        number = game.number + 1
    game.cleanup()
    expected = Expected(chain.program, house.pubkey(), player.pubkey())
    return Scene(game, Evidence(game.record(), view_of(chain, game), expected))


def test_a_true_game_is_proven_and_everybody_is_named(scene: Scene) -> None:
    verification = scene.evidence.verify()
    assert (verification.verdict, verification.problem) == (Verdict.PROVEN, None)
    told = str(verification)
    for key in (scene.game.chain.program, scene.game.house.pubkey(), scene.game.player.pubkey()):
        assert str(key) in told
    assert "proven on this network: every card follows from the signed transactions" in told
    assert program_hash(read_program()) in verification.end_checks[-1]
    assert any("ask a second one" in gap for gap in verification.not_proven)


def test_offline_the_same_record_is_consistent_only(scene: Scene, tmp_path: Path) -> None:
    scene.evidence.record.save(tmp_path / "game.json")
    verification = verify_game(GameRecord.load(tmp_path / "game.json"))
    assert (verification.verdict, verification.problem) == (Verdict.CONSISTENT, None)
    assert any("that any network executed these transactions" in gap for gap in verification.not_proven)
    assert len(verification.not_proven) == 3


def test_a_game_whose_account_still_exists_is_proven(finished: LocalGame) -> None:
    view = view_of(finished.chain, finished)
    verification = verify_game(finished.record(), view)
    assert verification.verdict is Verdict.PROVEN
    assert verification.game == finished.state
    assert verification.end_checks[1] == "the account on the chain equals the recomputed game, byte by byte"


def joined_game(chain: LocalChain) -> LocalGame:
    """Return a game that a stranger has opened with a house's commitment."""
    house = chain.funded_key()
    rent = chain.svm.minimum_balance_for_rent_exemption(house_size(1))
    chain.send(instructions.open_house(chain.program, house.pubkey(), 1, rent), [house])
    chain.send([instructions.commit(chain.program, house.pubkey(), TIPS[:1])], [house])
    game = joining(chain, chain.funded_key(), house, place=0)
    game.send(join(game, 0), game.player)
    return game


def test_a_house_that_never_answered_is_known_by_its_account(chain: LocalChain) -> None:
    game = joined_game(chain)
    game.ask(Tag.DEAL)
    chain.advance(REVEAL_WINDOW + 1)
    game.claim(game.player)
    game.cleanup()
    first, *others = game.record().transactions
    record = replace(game.record(), transactions=(replace(first, logs=()), *others))
    unknown = verify_game(record, view_of(chain, game))
    assert "incomplete: the house never answered" in (unknown.problem or "")
    house = game.house.pubkey()
    verification = verify_game(record, view_of(chain, game), Expected(house=house))
    assert (verification.verdict, verification.house) == (Verdict.PROVEN, house)


def test_a_stranger_s_game_is_proven_and_its_house_is_the_one_that_answered(chain: LocalChain) -> None:
    game = joined_game(chain)
    house = game.house
    assert verify_game(game.record(), view_of(chain, game)).problem == "the game is not over: created"
    assert game.links == LINKS[0]
    while not game.is_finished:
        game.ask(Tag.DEAL if game.state.status is Status.CREATED else Tag.STAND)
        game.answer()
    (join_call,) = game.record().transactions[0].calls(chain.program)
    assert house.pubkey() not in join_call.accounts, "a join names the house's account only"
    masked = replace(game.record().transactions[0], logs=())
    record = replace(game.record(), transactions=(masked, *game.record().transactions[1:]))
    verification = verify_game(record, view_of(chain, game), Expected(house=house.pubkey()))
    assert (verification.verdict, verification.house) == (Verdict.PROVEN, house.pubkey())


def test_a_forfeit_is_proven(in_turn: LocalGame) -> None:
    in_turn.ask(Tag.HIT)
    in_turn.chain.advance(REVEAL_WINDOW + 1)
    in_turn.claim(in_turn.player)
    verification = verify_game(in_turn.record(), view_of(in_turn.chain, in_turn))
    assert verification.verdict is Verdict.PROVEN
    assert verification.steps[-1] == "claimed: house forfeit"
    early = replace(in_turn.record().transactions[-1], slot=in_turn.receipts[-2].slot + REVEAL_WINDOW)
    record = replace(in_turn.record(), transactions=(*in_turn.record().transactions[:-1], early))
    assert "claim: CLAIM_TOO_EARLY" in (verify_game(record).problem or "")


def test_a_log_that_was_cut_by_spam_does_not_matter(scene: Scene) -> None:
    """The masking trick: another instruction fills the log, so the reveal's event is missing."""
    logs = ("Program log: spam",) * 100 + ("Log truncated",)
    for place in (CREATE, FIRST_REVEAL, LAST_REVEAL):
        verification = scene.evidence.with_changed(place, logs=logs).verify()
        assert verification.verdict is Verdict.PROVEN
        assert verification.game == scene.evidence.verify().game
        assert [finding.split(":")[0] for finding in verification.findings] == ["masked"]


def replayed_number(scene: Scene) -> Evidence:
    """Hide a lost game: play the number again with another house, and show the last game."""
    chain, old = scene.game.chain, scene.game
    crony = chain.funded_key()
    again = LocalGame.prepared(chain, old.player, crony, secret=b"w" * 32, start_number=old.number)
    again.send(again.creation(bytes(32)), again.player, crony)
    while not again.is_finished:
        again.ask(Tag.DEAL if again.state.status is Status.CREATED else Tag.STAND)
        again.answer()
    again.cleanup()
    both = (*scene.evidence.record.transactions, *again.record().transactions)
    return scene.evidence.with_transactions(*both).expecting(house=None)


def invented_record(scene: Scene) -> Evidence:
    """Invent a whole game with two keys of one's own, on a chain of one's own."""
    chain = LocalChain(seed=99)
    chain.deploy(read_program())
    game = LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=b"i" * 32)
    while not game.is_finished:
        game.ask(Tag.DEAL if game.state.status is Status.CREATED else Tag.STAND)
        game.answer()
    return Evidence(game.record(), None, scene.evidence.expected)


def unsigned_record(scene: Scene) -> Evidence:
    """Invent a game that names an uninvolved house: nobody can sign for it."""
    creation = scene.call(CREATE)
    message = Message([creation], scene.game.player.pubkey())
    transaction = Transaction.new_unsigned(message)
    transaction.partial_sign([scene.game.player], Hash.default())
    return scene.evidence.with_changed(CREATE, wire=bytes(transaction), logs=())


def other_pre_image(scene: Scene, **changes: bytes) -> Evidence:
    call = scene.call(LAST_REVEAL)
    fields = REVEAL_DATA.unpack(call.data) | changes
    return scene.signed(LAST_REVEAL, changed(call, data=REVEAL_DATA.pack(fields)), scene.game.house)


def other_creation(scene: Scene, **changes: object) -> Evidence:
    call = scene.call(CREATE)
    data = CREATE_DATA.pack({**CREATE_DATA.unpack(call.data), **changes})
    return scene.signed(CREATE, changed(call, data=data), scene.game.player, scene.game.house)


def flipped(scene: Scene, place: int) -> Evidence:
    wire = bytearray(scene.evidence.record.transactions[place].wire)
    wire[-1] ^= 1
    return scene.evidence.with_changed(place, wire=bytes(wire))


def by_stranger(scene: Scene, place: int) -> Evidence:
    call = scene.call(place)
    forged = changed(call, accounts={1: AccountMeta(STRANGER.pubkey(), True, False)})
    return scene.signed(place, forged, STRANGER)


def without_house(scene: Scene) -> Evidence:
    call = scene.call(CREATE)
    house = AccountMeta(scene.game.house.pubkey(), False, False)
    return scene.signed(CREATE, changed(call, accounts={2: house}), scene.game.player)


def unusable_number(scene: Scene) -> int:
    program, player = scene.game.chain.program, scene.game.player.pubkey()
    return next(number for number in range(99) if not has_address(program, player, number))


def other_number(scene: Scene) -> int:
    return next_number(scene.game.chain.program, scene.game.player.pubkey(), scene.game.number + 1)


def rent_to_stranger(scene: Scene) -> Evidence:
    call = changed(scene.call(CLEANUP), accounts={1: AccountMeta(STRANGER.pubkey(), False, True)})
    return scene.signed(CLEANUP, call, STRANGER)


def claim_of(scene: Scene, claimant: Keypair, slot: int) -> Evidence:
    """End the game by a claim instead of the last reveal."""
    claim = instructions.claim(scene.game.chain.program, scene.game.address, claimant.pubkey())
    return scene.signed(LAST_REVEAL, claim, claimant).with_changed(LAST_REVEAL, slot=slot).without(CLEANUP)


def logged_by_another(scene: Scene) -> Evidence:
    logs = tuple(
        line.replace(str(scene.game.chain.program), str(STRANGER.pubkey()))
        for line in scene.evidence.record.transactions[FIRST_REVEAL].logs
    )
    return scene.evidence.with_changed(FIRST_REVEAL, logs=logs)


def through_a_program(scene: Scene) -> Evidence:
    """Say that a program of one's own called ours with an answer that the house did not give."""
    transactions = scene.evidence.record.transactions
    (call,) = transactions[LAST_REVEAL].calls(scene.game.chain.program)
    forged = InnerCall(0, call.program, call.accounts, REVEAL_DATA.pack({"tag": Tag.REVEAL}))
    spam = instructions.top_up(STRANGER.pubkey(), STRANGER.pubkey(), held=1, lamports=2)
    return scene.signed(LAST_REVEAL, spam[0], STRANGER).with_changed(LAST_REVEAL, inner=(forged,))


def invented_calls(scene: Scene) -> Evidence:
    """Invent a whole game offline: one signed transaction, and calls that a program is said to have made."""
    inner = []
    for transaction in scene.evidence.record.transactions:
        (call,) = transaction.calls(scene.game.chain.program)
        inner.append(InnerCall(0, call.program, call.accounts, call.data))
    spam = instructions.top_up(STRANGER.pubkey(), STRANGER.pubkey(), held=1, lamports=2)
    (signed,) = scene.signed(CREATE, spam[0], STRANGER).record.transactions[:1]
    slots = [slot_of(scene, place) for place in range(len(inner))]
    made = [replace(signed, slot=slot, inner=(call,)) for slot, call in zip(slots, inner, strict=True)]
    return replace(scene.evidence.with_transactions(*made), view=None)


def slot_of(scene: Scene, place: int) -> int:
    return scene.evidence.record.transactions[place].slot


Forge = Callable[[Scene], Evidence]
FORGERIES: dict[str, tuple[Forge, str]] = {
    # The three of the review, and their kin.
    "a program that only logs": (lambda s: s.evidence.with_program(program=b"\x7fELF" * 400), "another program: the bytes of"),
    "an invented offline record": (invented_record, "another program"),
    "an invented record that names a house": (unsigned_record, "transaction 1 is forged: the signature of"),
    "a lost game, its number played again": (replayed_number, "this number was played 2 times"),
    # What was signed.
    "a changed pre-image": (lambda s: flipped(s, LAST_REVEAL), "transaction 5 is forged: the signature of"),
    "a changed request": (lambda s: flipped(s, DEAL), "transaction 2 is forged"),
    "bytes that are no transaction": (lambda s: s.evidence.with_changed(DEAL, wire=b"deal"), "not a transaction"),
    "another pre-image, signed": (lambda s: other_pre_image(s, preimage=bytes(32)), "not the one that the house committed to"),
    "another player's seed": (lambda s: other_creation(s, player_seed=b"z" * 32), "was logged, but the public data give"),
    "another commitment": (lambda s: other_creation(s, chain_tip=b"z" * 32), "not the one that the house committed to"),
    "another number of decks": (lambda s: other_creation(s, decks=2), "was logged, but the public data give|does not say"),
    "nine decks": (lambda s: other_creation(s, decks=9), "9 decks; 1 to 8 are possible"),
    "another number": (lambda s: other_creation(s, number=other_number(s)), "lives at"),
    "a number without an address": (lambda s: other_creation(s, number=unusable_number(s)), "no address with bump 255"),
    "a house that did not sign": (without_house, "without the signatures that it needs"),
    "an answer of a stranger": (lambda s: by_stranger(s, LAST_REVEAL), "who is not the house"),
    "a request of a stranger": (lambda s: by_stranger(s, STAND), "who is not the player"),
    "an answer through a program": (through_a_program, "not the one that the house committed to"),
    "a game that a program is said to have played": (invented_calls, "only a network can show that it was made"),
    "rent for a stranger": (rent_to_stranger, "who is not the player"),
    # What is there and in which order.
    "no transactions": (lambda s: s.evidence.with_transactions(), "the record is empty"),
    "another address": (lambda s: replace(s.evidence, record=replace(s.evidence.record, game=STRANGER.pubkey())), "the record is empty"),
    "no creation": (lambda s: s.evidence.without(CREATE), "does not begin with the game's creation"),
    "no last answer": (lambda s: s.evidence.without(LAST_REVEAL, CLEANUP), "transactions are missing"),
    "no first answer": (lambda s: s.evidence.without(FIRST_REVEAL), "stand: REVEAL_PENDING"),
    "no request": (lambda s: s.evidence.without(STAND), "reveal: NOTHING_TO_REVEAL"),
    "closed before its end": (lambda s: s.evidence.without(LAST_REVEAL), "a game that is not over was closed"),
    "played on after it was closed": (
        lambda s: s.evidence.with_transactions(*s.evidence.record.transactions, s.evidence.record.transactions[LAST_REVEAL]),
        "comes before|after the game was closed",
    ),
    "slots in another order": (lambda s: s.evidence.with_changed(STAND, slot=1), "comes before slot"),
    "an answer in the slot of its request": (
        lambda s: s.evidence.with_changed(LAST_REVEAL, slot=slot_of(s, STAND)), "before that slot had a hash"),
    "a claim that came too early": (lambda s: claim_of(s, s.game.player, slot_of(s, STAND) + 9), "CLAIM_TOO_EARLY"),
    "a claim of the late side": (lambda s: claim_of(s, s.game.house, slot_of(s, STAND) + 900), "claim: WRONG_PLAYER"),
    "an opening that is not there": (lambda s: s.evidence.expecting(opening=2), "there is no opening 2"),
    # What the node says.
    "an invented slot hash": (lambda s: other_pre_image(s, slot_hash=bytes(32)), "on this network, not 0000"),
    "a request in another slot": (lambda s: s.evidence.with_changed(DEAL, slot=slot_of(s, DEAL) - 1), "comes before|on this network, not"),
    "a log with another card": (lambda s: s.with_logged(FIRST_REVEAL, drawn=(0, 1, 2)), "was logged, but the public data give"),
    "a log with another result": (lambda s: s.with_logged(LAST_REVEAL, result=Result.HOUSE_FORFEIT), "does not say what the instruction does"),
    "a log that is another program's": (logged_by_another, "it is not the right program"),
    "a log that is no event": (
        lambda s: s.evidence.with_changed(
            DEAL + 1, logs=(f"Program {s.game.chain.program} invoke [1]", "Program data: AAAA")), "event"),
    "a program that was exchanged afterwards": (
        lambda s: s.evidence.with_program(slot=slot_of(s, CREATE)), "which program dealt it is unknown"),
    "a program that is gone": (lambda s: s.evidence.with_view(deployment="program X: it was closed"), "it was closed"),
    "a program that can be changed": (lambda s: s.evidence.expecting(is_final=True), "the program is not final"),
    "another upgrade authority": (lambda s: s.evidence.expecting(authority=STRANGER.pubkey()), "another upgrade authority"),
    "another program's hash": (lambda s: s.evidence.expecting(program_hashes=("00" * 32,)), "not the expected ones"),
    "another program": (lambda s: s.evidence.expecting(program=STRANGER.pubkey()), "another program"),
    "another house": (lambda s: s.evidence.expecting(house=STRANGER.pubkey()), "another house"),
    "another player": (lambda s: s.evidence.expecting(player=STRANGER.pubkey()), "another player"),
    "an account that is still there": (
        lambda s: s.evidence.with_view(account=s.evidence.verify().game), "the account is there: transactions are missing"),
    "an account that nobody closed": (lambda s: s.evidence.without(CLEANUP), "nothing in the record closed it"),
    "an account that differs": (
        lambda s: s.evidence.without(CLEANUP).with_view(
            account=replace(s.evidence.verify().game, result=Result.HOUSE_FORFEIT)),  # type: ignore[type-var]
        "the account differs from the record"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_every_forgery_is_named(scene: Scene, name: str) -> None:
    forge, clues = FORGERIES[name]
    verification = forge(scene).verify()
    assert verification.verdict is Verdict.REFUTED
    assert verification.problem is not None
    assert any(clue in verification.problem for clue in clues.split("|")), verification.problem
    assert str(verification).count("FORGED OR INCOMPLETE") == 1


def test_one_of_several_games_under_a_number_can_be_chosen(scene: Scene) -> None:
    evidence = replayed_number(scene)
    first, second = (evidence.expecting(opening=place).verify() for place in (1, 2))
    assert (first.verdict, second.verdict) == (Verdict.PROVEN, Verdict.PROVEN)
    assert first.house == scene.game.house.pubkey() != second.house
    assert "this number was played 2 times" in first.findings[0]


def test_a_call_through_a_program_is_read_and_mentioned(scene: Scene) -> None:
    """A wallet program may play for a player; the call then stands among the inner instructions."""
    transaction = scene.evidence.record.transactions[DEAL]
    (call,) = transaction.calls(scene.game.chain.program)
    inner = InnerCall(0, call.program, call.accounts, call.data)
    spam = instructions.top_up(STRANGER.pubkey(), STRANGER.pubkey(), held=1, lamports=2)
    evidence = scene.signed(DEAL, spam[0], STRANGER).with_changed(DEAL, inner=(inner,))
    verification = evidence.verify()
    assert verification.verdict is Verdict.PROVEN
    assert "was made through program" in verification.findings[0]


def test_everything_that_was_checked_is_said(scene: Scene) -> None:
    opening, *answers = scene.evidence.verify().verified
    assert str(scene.game.address) in opening.checks[1]
    events = scene.evidence.record.events
    assert isinstance(events[0], Created)
    for step, event in zip(answers, events[1:], strict=True):
        assert isinstance(event, Revealed)
        assert event.preimage.hex()[:16] in step.checks[0]
        assert event.slot_hash.hex()[:16] in step.checks[1]


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("", "not JSON"),
        ("{}", "not JSON"),
        ("[]", "not JSON"),
        ("[" * 5000, "not JSON"),
        ('{"program": "x", "events": []}', "events only, which nobody has signed"),
        ('{"version": 3, "transactions": []}', "version 3; expected 2"),
        ('{"version": 2, "program": 5, "transactions": []}', "not JSON"),
    ],
)
def test_a_file_that_is_no_record_is_one_clear_error(tmp_path: Path, text: str, clue: str) -> None:
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=rf"game\.json': record of a game: .*{clue}"):
        GameRecord.load(tmp_path / "game.json")


@pytest.mark.parametrize("slot", ["7", "true", "-1", str(2**64), "null"])
def test_a_slot_in_a_file_is_a_number(scene: Scene, slot: str) -> None:
    text = scene.evidence.record.to_json()
    first = f'"slot": {slot_of(scene, CREATE)},'
    with pytest.raises(RecordError):
        GameRecord.from_json(text.replace(first, f'"slot": "{slot}",' if slot == "7" else f'"slot": {slot},'))


def test_a_program_that_cannot_be_checked_is_no_deployment(chain: LocalChain) -> None:
    account, data = (chain.account(key) for key in (chain.program, program_data_address(chain.program)))
    assert Deployment.decode(chain.program, account, data).hash == program_hash(read_program())
    with pytest.raises(LayoutError, match="there is none on this network"):
        Deployment.decode(chain.program, None, None)
    with pytest.raises(LayoutError, match="it was closed"):
        Deployment.decode(chain.program, account, None)
    with pytest.raises(LayoutError, match="does not name its bytes"):
        Deployment.decode(Pubkey(bytes([5] * 32)), account, data)
