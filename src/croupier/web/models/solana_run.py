"""A game on the chain as a script: a seed and a list of actions. On a new chain it gives the same game, byte for byte.

A table stores only the script. Each action runs the script again with one more action, which takes some hundredths of a second.
So no runtime stays in memory between two clicks, a refused action changes nothing, and a saved table is restored exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.sysvar import SLOT_HASHES

from croupier.errors import InputError
from croupier.solana import instructions
from croupier.solana.card_codes import format_codes, to_cards
from croupier.solana.codes import MOST_DECKS, PLAYER_WINDOW, REVEAL_WINDOW, Tag
from croupier.solana.demonstration import Stage
from croupier.solana.events import Revealed
from croupier.solana.game import Game
from croupier.solana.local_game import LocalGame
from croupier.solana.receipt import Receipt
from croupier.solana.record import GameRecord
from croupier.texts import say
from croupier.web.models.solana_view import AccountUse, Entry, PurseChange, Transaction

_REQUESTS = {"deal": Tag.DEAL, "hit": Tag.HIT, "stand": Tag.STAND}
#: All actions; all but ``wait`` are instructions of the program.
ACTIONS = ("create", *_REQUESTS, "reveal", "claim", "cleanup", "wait")


@dataclass(frozen=True, slots=True)
class Script:
    """A game: the seed, the number of decks, and the actions.

    Examples
    --------
    >>> run = run_script(Script(seed=4, decks=1, actions=("create", "deal", "reveal")))
    >>> print(run.entries[-1].sentence)  # doctest: +ELLIPSIS
    the house reveals its pre-image 15bf511e…; drawn: T♠ 7♥ Q♠
    >>> run.entries[-1].transaction.compute_units < 2_000
    True
    """

    seed: int
    decks: int
    actions: tuple[str, ...] = ()

    def continued(self, *actions: str) -> "Script":
        """Return the script with more actions."""
        return replace(self, actions=(*self.actions, *actions))


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a script.

    Attributes
    ----------
    program, player, house, address, number
        The addresses and the number of the game.
    slot
        The current slot.
    entries
        The transactions and waits, in order.
    game
        The current game; None before it is created and after it is closed.
    last_game
        The last state of the game; None before it is created.
    record
        Its public record.
    """

    program: str
    player: str
    house: str
    address: str
    number: int
    slot: int
    entries: tuple[Entry, ...]
    game: Game | None
    last_game: Game | None
    record: GameRecord

    @property
    def is_closed(self) -> bool:
        """Whether the account was cleaned up."""
        return self.game is None and self.last_game is not None


def run_script(script: Script) -> Run:
    """Run a script on a new chain.

    Raises
    ------
    InputError
        If an action is not possible; a :class:`~croupier.solana.failures.Refusal` if the program refuses it.
    """
    if not 1 <= script.decks <= MOST_DECKS:
        raise InputError(say("solana.refused.decks", decks=script.decks, most=MOST_DECKS))
    stage = Stage.of(script.seed)
    game = stage.prepared()
    entries, last_game = [], None
    for number, action in enumerate(script.actions, start=1):
        entries.append(_done(stage, game, script.decks, number, action))
        last_game = stage.chain.game(game.address) or last_game
    return Run(
        str(stage.chain.program),
        str(stage.player.pubkey()),
        str(stage.house.pubkey()),
        str(game.address),
        game.number,
        stage.chain.slot,
        tuple(entries),
        stage.chain.game(game.address),
        last_game,
        game.record(),
    )


def slots_to_claim(game: Game, slot: int) -> int:
    """Return how many slots must pass before the waiting side may claim the game.

    >>> game = Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=1, slot=10)
    >>> slots_to_claim(game, slot=11)
    216000
    """
    window = REVEAL_WINDOW if game.status.waits_for_house else PLAYER_WINDOW
    return max(0, window + 1 - (slot - game.slot))


def _done(stage: Stage, game: LocalGame, decks: int, number: int, action: str) -> Entry:
    """Execute one action of a script."""
    before, purses = _account(game), dict(_purses(stage, game))
    drawn: tuple[int, ...] = ()
    transaction = None
    if action == "wait":
        sentence: str = say("solana.said.wait", slots=_wait(game))
    else:
        instruction, signers = _instruction(stage, game, decks, action)
        receipt = game.send(instruction, *signers)
        # Otherwise two equal requests would be one transaction with the same signature.
        stage.chain.svm.expire_blockhash()
        sentence, drawn = _sentence(stage, game, action, receipt), _drawn(receipt)
        transaction = _transaction(stage, game, instruction, signers[0], receipt)
    changes = tuple(PurseChange(name, purses[name], after) for name, after in _purses(stage, game))
    return Entry(
        number,
        action,
        sentence,
        stage.chain.slot,
        to_cards(drawn),
        changes,
        before,
        _account(game),
        transaction,
    )


def _wait(game: LocalGame) -> int:
    state = _state(game, "wait")
    slots = slots_to_claim(state, game.chain.slot)
    game.chain.advance(slots)
    return slots


def _instruction(
    stage: Stage, game: LocalGame, decks: int, action: str
) -> tuple[Instruction, tuple[Keypair, ...]]:
    """Return the instruction for an action and its signers; the first one pays."""
    program, player, house = stage.chain.program, stage.player, stage.house
    match action:
        case "create":
            return game.creation(stage.player_seed, decks), (player, house)
        case "deal" | "hit" | "stand":
            return game.request(_REQUESTS[action]), (player,)
        case "reveal":
            _state(game, action)
            # A slot has a hash only when it is over.
            stage.chain.advance()
            return game.revelation(), (house,)
        case "claim":
            claimant = player if _state(game, action).status.waits_for_house else house
            return instructions.claim(program, game.address, claimant.pubkey()), (claimant,)
        case "cleanup":
            return instructions.cleanup(program, game.address, player.pubkey()), (house,)
        case _:
            raise InputError(f"'{action}' is not an action; choose from {', '.join(ACTIONS)}")


def _state(game: LocalGame, action: str) -> Game:
    state = game.chain.game(game.address)
    if state is None:
        raise InputError(f"'{action}': there is no game on the chain")
    return state


def _account(game: LocalGame) -> bytes:
    account = game.chain.account(game.address)
    return b"" if account is None else bytes(account.data)


def _purses(stage: Stage, game: LocalGame) -> Iterator[tuple[str, int]]:
    owners = {"player": stage.player.pubkey(), "house": stage.house.pubkey(), "game": game.address}
    for name, key in owners.items():
        yield name, stage.chain.balance(key)


def _transaction(
    stage: Stage, game: LocalGame, instruction: Instruction, payer: Keypair, receipt: Receipt
) -> Transaction:
    roles: dict[Pubkey, str] = {
        game.address: "game",
        stage.player.pubkey(): "player",
        stage.house.pubkey(): "house",
        SYSTEM_PROGRAM: "system program",
        SLOT_HASHES: "slot hashes",
    }
    accounts = tuple(
        AccountUse(roles[meta.pubkey], str(meta.pubkey), meta.is_signer, meta.is_writable)
        for meta in instruction.accounts
    )
    return Transaction(
        receipt.signature,
        roles[payer.pubkey()],
        receipt.fee,
        receipt.compute_units,
        accounts,
        bytes(instruction.data).hex(),
        receipt.logs,
    )


def _drawn(receipt: Receipt) -> tuple[int, ...]:
    return tuple(code for event in receipt.events if isinstance(event, Revealed) for code in event.drawn)


def _sentence(stage: Stage, game: LocalGame, action: str, receipt: Receipt) -> str:
    """Return what a transaction did, in words."""
    match action:
        case "create":
            rent = stage.chain.balance(game.address)
            tip = game.state.chain_tip.hex()[:8]
            return say("solana.said.create", tip=tip, rent=rent)
        case "reveal":
            preimage = game.state.chain_tip.hex()[:8]
            cards = format_codes(_drawn(receipt), symbols=True) or say("solana.proof.no_card")
            return say("solana.said.reveal", preimage=preimage, cards=cards)
        case "claim":
            claimant = "player" if game.state.result.player_wins else "house"
            return say(f"solana.said.claim_{claimant}")
        case "cleanup":
            return say("solana.said.cleanup")
        case _:
            return say(f"solana.said.{action}", slot=receipt.slot)
