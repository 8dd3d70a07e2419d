"""The work of ``croupier solana demo``: play a whole game on a local chain, and describe each step."""

from pathlib import Path

import typer

from croupier.numerics.streams import fresh_seed
from croupier.solana.card_codes import format_codes
from croupier.solana.demonstration import Stage, next_request
from croupier.solana.events import Revealed
from croupier.solana.local_game import LocalGame
from croupier.solana.receipt import Receipt
from croupier.solana.toolchain.compiler import read_program
from croupier.solana.verification import verify_game


def show_demo(*, decks: int, seed: int | None, record: Path | None) -> None:
    """Deploy the program, play, clean up, verify, and account for every lamport."""
    number = fresh_seed() if seed is None else seed
    stage = Stage.of(number)
    chain = stage.chain
    typer.echo(f"Seed {number}. The program, {len(read_program()):,} bytes, is deployed at {chain.program}.")
    purses = {"player": stage.player.pubkey(), "house": stage.house.pubkey()}
    before = {side: chain.balance(key) for side, key in purses.items()}
    game, fees = _play(stage, decks)
    typer.echo("\nThe proof, from the public record alone:")
    typer.echo(str(verify_game(game.record())))
    typer.echo("\nWhere every lamport went:")
    for side, key in purses.items():
        after = chain.balance(key)
        missing = before[side] - after - fees[side]
        typer.echo(f"{side:<6} {before[side]:,} - fees {fees[side]:,} = {after:,}; {missing:,} missing")
    if record is not None:
        game.record().save(record)
        typer.echo(f"\nThe record is in {record}; croupier solana verify {record} verifies it again.")


def _play(stage: Stage, decks: int) -> tuple[LocalGame, dict[str, int]]:
    """Play and clean up; return the game and the fees of each side."""
    fees = {"player": 0, "house": 0}

    def tell(payer: str, name: str, receipt: Receipt, words: str) -> None:
        fees[payer] += receipt.fee
        typer.echo(
            f"{payer:<6}  {name:<7}  slot {receipt.slot:>2}  {receipt.compute_units:>5,} units  {words}"
        )

    game = stage.open(decks)
    commitment = game.state.chain_tip.hex()[:16]
    tell("player", "create", game.receipts[-1], f"the house signed its commitment {commitment}…")
    rent = stage.chain.balance(game.address)
    while not game.is_finished:
        tag = next_request(game.state)
        tell("player", tag.name.lower(), game.ask(tag), "a request; the slot's hash will decide")
        tell("house", "reveal", game.answer(), _drawn(game.receipts[-1]))
    typer.echo(str(game.state))
    tell("house", "cleanup", game.cleanup(), f"{rent:,} lamports of rent go back to the player")
    return game, fees


def _drawn(receipt: Receipt) -> str:
    (event,) = (event for event in receipt.events if isinstance(event, Revealed))
    cards = format_codes(event.drawn, symbols=True) or "no card"
    return f"{cards} (pre-image {event.preimage.hex()[:16]}…, slot hash {event.slot_hash.hex()[:16]}…)"
