"""The table on the chain, without a browser, on the real runtime."""

import base64
import hashlib
import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

import pytest

from croupier.cli.solana_demo import show_demo
from croupier.errors import InputError
from croupier.solana.card_codes import to_cards
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, Status, Tag
from croupier.solana.demonstration import Stage
from croupier.solana.record import GameRecord
from croupier.web.models.solana_run import ACTIONS
from croupier.web.models.solana_table import SolanaTable
from croupier.web.models.solana_view import Purse, SolanaView

#: In the game of this seed the player gets 17 against a queen, and the dealer goes bust.
SEED = 4


def playing(*actions: str, house_answers: bool = True, seed: int = SEED, decks: int = 1) -> SolanaTable:
    table = SolanaTable.opened()
    table.begin(seed=seed, decks=decks)
    table.let_house_answer(is_on=house_answers)
    for action in actions:
        table.act(action)
    return table


def watched_to_the_end(seed: int) -> SolanaTable:
    table = SolanaTable.opened()
    table.begin(seed=seed, decks=1, is_watched=True)
    while "next" in names(table):
        table.act("next")
    return table


def names(table: SolanaTable) -> list[str]:
    return [choice.name for choice in table.view().choices if choice.enabled]


def texts_of(data: object) -> list[str]:
    """Return everything in a view, at any depth, as text."""
    if is_dataclass(data) and not isinstance(data, type):
        return [text for entry in fields(data) for text in texts_of(getattr(data, entry.name))]
    if isinstance(data, list | tuple):
        return [text for value in data for text in texts_of(value)]
    return [data.hex() if isinstance(data, bytes) else str(data)]


def unrevealed(view: SolanaView, seed: int) -> list[bytes]:
    """Return what must stay secret: the unrevealed links of the house's chain, its secret, and the secret keys."""
    stage = Stage.of(seed)
    tip_and_revealed = 1 + sum(entry.action == "reveal" for entry in view.entries)
    links = stage.prepared().links[:-tip_and_revealed]
    secret = hashlib.sha256(f"house of demonstration {seed}".encode()).digest()
    return [*links, secret, bytes(stage.player)[:32], bytes(stage.house)[:32]]


def assert_nothing_is_given_away(view: SolanaView, seed: int) -> None:
    everything = "\n".join(texts_of(view))
    # In a log a pre-image is inside base64, so the logs are decoded too.
    logged = b"".join(
        base64.b64decode(line.removeprefix("Program data: "))
        for entry in view.entries
        if entry.transaction is not None
        for line in entry.transaction.logs
        if line.startswith("Program data: ")
    )
    for secret in unrevealed(view, seed):
        assert secret.hex() not in everything
        assert base64.b64encode(secret).decode().rstrip("=") not in everything
        assert secret not in logged
    if not view.is_watched:
        assert str(seed) not in everything.split()
        assert view.watched_seed is None


@pytest.mark.parametrize("walk", range(5))
def test_whatever_is_played_the_table_keeps_its_secrets_and_comes_back_exactly(walk: int) -> None:
    chance = Random(walk)
    seed = chance.getrandbits(200)
    table = SolanaTable.opened()
    table.begin(seed=seed, decks=chance.randint(1, 8))
    table.let_house_answer(is_on=chance.random() < 0.5)
    for _ in range(9):
        view = table.view()
        assert_nothing_is_given_away(view, seed)
        assert SolanaTable.from_state(json.loads(json.dumps(table.to_state()))).view() == view
        assert len({choice.key for choice in view.choices}) == len(view.choices)
        assert all(purse.missing == 0 for purse in view.purses)
        is_patient = chance.random() < 0.8
        possible = [name for name in names(table) if name != "new" and not (is_patient and name == "wait")]
        if not possible:
            break
        table.act(chance.choice(possible))


def test_a_fresh_table_has_no_game() -> None:
    view = SolanaTable.opened().view()
    assert [choice.name for choice in view.choices] == ["new"]
    assert (view.entries, view.account, view.record) == ((), None, None)
    assert SolanaTable.from_state(SolanaTable.opened().to_state()).view() == view


def test_the_table_shows_what_a_chain_of_ones_own_gives() -> None:
    view = playing("deal", "stand", "cleanup").view()
    stage = Stage.of(SEED)
    game = stage.open()
    accounts = [game.state.encode()]
    for tag in (Tag.DEAL, Tag.STAND):
        game.ask(tag)
        accounts.append(game.state.encode())
        game.answer()
        accounts.append(game.state.encode())
    hands = to_cards(game.state.player_cards), to_cards(game.state.dealer_cards)
    game.cleanup()
    assert [entry.after for entry in view.entries] == [*accounts, b""]
    assert [entry.before for entry in view.entries] == [b"", *accounts]
    assert (view.player.cards, view.dealer.cards) == hands
    costs = [
        (entry.transaction.compute_units, entry.transaction.fee)
        for entry in view.entries
        if entry.transaction is not None
    ]
    assert costs == [(receipt.compute_units, receipt.fee) for receipt in game.receipts]
    for purse in view.entries[-1].purses[:2]:
        key = {"player": stage.player, "house": stage.house}[purse.name]
        assert purse.after == stage.chain.balance(key.pubkey())


def test_a_transaction_is_told_whole() -> None:
    creation, request, answer = playing("deal").view().entries
    assert creation.transaction is not None
    assert [(use.role, use.signs, use.is_writable) for use in creation.transaction.accounts] == [
        ("game", False, True),
        ("player", True, True),
        ("house", True, False),
        ("system program", False, False),
    ]
    assert {purse.name: purse.after - purse.before for purse in creation.purses} == {
        "player": -2_672_640 - 2 * 5_000,
        "house": 0,
        "game": 2_672_640,
    }
    assert request.transaction is not None
    assert (request.transaction.payer, request.transaction.data) == ("player", "01" + "00" * 7)
    assert answer.transaction is not None
    assert answer.transaction.payer == "house"
    assert [use.role for use in answer.transaction.accounts] == ["game", "house", "slot hashes"]
    assert answer.transaction.logs[-1].endswith("success")
    assert len(answer.drawn) == 3


def test_every_transaction_has_a_signature_of_its_own() -> None:
    table = playing(seed=0)
    while "hit" in names(table) or "deal" in names(table):
        table.act("deal" if "deal" in names(table) else "hit")
    entries = table.view().entries
    signatures = {entry.transaction.signature for entry in entries if entry.transaction is not None}
    assert len(signatures) == len(entries)
    assert sum(entry.action == "hit" for entry in entries) > 1


def test_a_watched_game_is_that_of_the_demonstration(tmp_path: Path) -> None:
    view = watched_to_the_end(SEED).view()
    show_demo(decks=1, seed=SEED, record=tmp_path / "game.json")
    assert view.record is not None
    assert GameRecord.from_json(view.record).events == GameRecord.load(tmp_path / "game.json").events
    assert [entry.action for entry in view.entries] == [
        *("create", "deal", "reveal", "stand", "reveal", "cleanup")
    ]
    assert view.proof is not None
    assert view.proof.problem is None
    assert view.purses == (
        Purse("player", 10**12, 20_000, 0, 10**12 - 20_000),
        Purse("house", 10**12, 15_000, 0, 10**12 - 15_000),
    )
    assert view.score == (0, 0, 0)


def test_a_house_that_is_told_to_wait_waits() -> None:
    table = playing("deal", house_answers=False)
    assert names(table) == ["reveal", "wait", "new"]
    assert table.view().player.cards == ()
    table.act("reveal")
    assert len(table.view().player.cards) == 2
    table.act("hit")
    table.let_house_answer(is_on=True)
    assert table.view().entries[-1].action == "reveal"


def test_a_house_that_was_told_to_wait_waits_in_the_next_game_too() -> None:
    table = playing(house_answers=False)
    table.begin(seed=SEED + 1, decks=1)
    table.act("deal")
    assert "reveal" in names(table)


def test_a_silent_house_loses_the_game() -> None:
    table = playing("deal", house_answers=False)
    assert f"from slot {2 + REVEAL_WINDOW + 1:,} on" in table.view().account.deadline  # type: ignore[union-attr]
    table.act("wait")
    assert table.view().entries[-1].transaction is None
    assert names(table) == ["reveal", "claim", "new"]
    table.act("claim")
    view = table.view()
    assert view.prompt == "You win: the house did not answer in time."
    assert view.score == (1, 0, 0)
    table.act("verify")
    proof = table.view().proof
    assert proof is not None
    assert proof.problem is None
    assert "forge" not in names(table), "no card was drawn that could be changed"


def test_a_house_may_still_answer_late() -> None:
    table = playing("deal", "wait", "reveal", house_answers=False)
    assert len(table.view().player.cards) == 2


@pytest.mark.parametrize("actions", [(), ("deal",)])
def test_a_player_who_walks_away_loses_the_game(actions: tuple[str, ...]) -> None:
    table = playing(*actions, "wait")
    view = table.view()
    assert "may claim the game" in view.prompt
    assert view.account is not None
    assert view.account.slot > PLAYER_WINDOW
    table.act("claim")
    assert table.view().prompt == "You lose: time has run out."
    assert table.view().score == (0, 0, 1)


def test_a_proof_ticks_off_every_step() -> None:
    proof = playing("deal", "stand", "verify").view().proof
    assert proof is not None
    assert proof.verdict == "Consistent: every card follows from the signed transactions."
    assert [step.title.split()[0] for step in proof.steps] == ["created:", "deal", "stand"]
    assert all(step.checks for step in proof.steps)
    assert proof.end_checks[-1] == "the account on the chain equals the recomputed game"


def test_a_changed_card_is_found_out() -> None:
    view = playing("deal", "stand", "verify", "forge").view()
    assert view.forgery is not None
    assert view.forgery.change == "In a copy of the record, transaction 5 says 7♣, but the house drew 6♣."
    assert (
        view.forgery.proof.verdict
        == "Forged or incomplete: step 4, card 1: 7C was logged, but the public data give 6C."
    )
    assert len(view.forgery.proof.steps) == 3
    assert view.record is not None
    assert GameRecord.from_json(view.record).events[-1].drawn[0] == 31  # type: ignore[union-attr]


def test_a_game_counts_once_and_one_that_is_dropped_for_nobody() -> None:
    table = playing("deal", "stand", "verify", "cleanup")
    assert table.view().score == (1, 0, 0)
    table.begin(seed=SEED, decks=1)
    table.act("deal")
    table.begin(seed=SEED + 1, decks=2)
    assert table.view().score == (1, 0, 0)
    assert table.view().decks == 2
    assert [entry.action for entry in table.view().entries] == ["create"]


@pytest.mark.parametrize(
    "actions", [(), ("deal",), ("deal", "stand"), ("deal", "stand", "verify", "cleanup")]
)
def test_what_is_refused_changes_nothing(actions: tuple[str, ...]) -> None:
    table = playing(*actions)
    state, view, possible = table.to_state(), table.view(), names(table)
    for name in {*ACTIONS, "next", "verify", "forge", "nonsense"} - set(possible):
        with pytest.raises(InputError, match=f"'{name}' is not possible now"):
            table.act(name)
    for seed, decks in ((SEED, 0), (SEED, 9), (-1, 1), (10**80, 1)):
        with pytest.raises(InputError, match=r"decks|seed"):
            table.begin(seed=seed, decks=decks)
    with pytest.raises(InputError, match="a new game needs a seed"):
        table.act("new")
    assert (table.to_state(), table.view()) == (state, view)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "x"},
        {"seed": 4},
        {"decks": 9},
        {"deeds": ["steal"]},
        {"deeds": ["deal"]},
        {"deeds": ["create", "hit"]},
        {"deeds": ["reveal"]},
        {"deeds": ["create", "claim"]},
        {"deeds": ["create"], "is_forged": True},
        {"seed": None, "is_forged": True},
        {"score": [1, 2]},
        {"score": [1, 2, -3]},
        {"surprise": 1},
    ],
)
def test_a_state_that_is_none_is_refused(change: dict[str, object]) -> None:
    state = playing("deal", "stand").to_state()
    with pytest.raises(InputError):
        SolanaTable.from_state(state | change)


def test_a_state_with_something_missing_is_refused() -> None:
    state = playing().to_state()
    for name in state:
        with pytest.raises(InputError):
            SolanaTable.from_state({key: value for key, value in state.items() if key != name})


def test_the_status_byte_goes_its_way() -> None:
    place = 3
    entries = watched_to_the_end(SEED).view().entries
    assert [Status(entry.after[place]) for entry in entries if entry.after] == [
        Status.CREATED,
        Status.DEAL_REQUESTED,
        Status.PLAYER_TURN,
        Status.STAND_REQUESTED,
        Status.FINISHED,
    ]
