"""What ``croupier solana demo`` does: a whole game on a chain in this process, told as it goes."""

import hashlib
from pathlib import Path

import typer
from solders.keypair import Keypair

from croupier.lab.streams import fresh_seed
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import Status, Tag
from croupier.solana.compiler import read_program
from croupier.solana.events import Revealed
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.receipt import Receipt
from croupier.solana.verification import verify_game

#: The player of the demonstration plays as the dealer does.
_STAND_FROM = 17


def show_demo(*, decks: int, seed: int | None, record: Path | None) -> None:
    """Deploy the program, play, verify, clean up, and count every lamport."""
    number = fresh_seed() if seed is None else seed
    program = read_program()
    chain = LocalChain(seed=number)
    chain.deploy(program)
    typer.echo(f"Seed {number}. The program, {len(program):,} bytes, is deployed at {chain.program}.")
    player, house = chain.funded_key(), chain.funded_key()
    purses = {"player": player.pubkey(), "house": house.pubkey()}
    before = {side: chain.balance(key) for side, key in purses.items()}
    game, fees = _play(chain, player, house, number, decks)
    typer.echo("\nThe proof, from the public record alone:")
    typer.echo(str(verify_game(game.record())))
    typer.echo("\nEvery lamport:")
    for side, key in purses.items():
        after = chain.balance(key)
        missing = before[side] - after - fees[side]
        typer.echo(f"{side:<6} {before[side]:,} - fees {fees[side]:,} = {after:,}; {missing:,} missing")
    if record is not None:
        game.record().save(record)
        typer.echo(f"\nThe record is in {record}; croupier solana verify {record} proves it again.")


def _play(
    chain: LocalChain, player: Keypair, house: Keypair, seed: int, decks: int
) -> tuple[LocalGame, dict[str, int]]:
    """Play and clean up; return the game, and the fees that each side has paid."""
    fees = {"player": 0, "house": 0}

    def tell(payer: str, name: str, receipt: Receipt, words: str) -> None:
        fees[payer] += receipt.fee
        typer.echo(
            f"{payer:<6}  {name:<7}  slot {receipt.slot:>2}  {receipt.compute_units:>5,} units  {words}"
        )

    secret, player_seed = _digest("house", seed), _digest("player", seed)
    game = LocalGame.open(chain, player, house, secret=secret, player_seed=player_seed, decks=decks)
    commitment = game.state.chain_tip.hex()[:16]
    tell("player", "create", game.receipts[-1], f"the house has signed its commitment {commitment}…")
    rent = chain.balance(game.address)
    while not game.is_finished:
        tag = _choice(game)
        tell("player", tag.name.lower(), game.ask(tag), "a request; the slot's hash will decide")
        tell("house", "reveal", game.answer(), _drawn(game.receipts[-1]))
    typer.echo(str(game.state))
    tell("house", "cleanup", game.cleanup(), f"{rent:,} lamports of rent go back to the player")
    return game, fees


def _choice(game: LocalGame) -> Tag:
    if game.state.status is Status.CREATED:
        return Tag.DEAL
    return Tag.HIT if game.state.player_value.total < _STAND_FROM else Tag.STAND


def _drawn(receipt: Receipt) -> str:
    (event,) = (event for event in receipt.events if isinstance(event, Revealed))
    cards = format_codes(event.drawn, symbols=True) or "no card"
    return f"{cards} (pre-image {event.preimage.hex()[:16]}…, slot hash {event.slot_hash.hex()[:16]}…)"


def _digest(side: str, seed: int) -> bytes:
    return hashlib.sha256(f"{side} of demonstration {seed}".encode()).digest()
