"""The work of the ``croupier solana`` commands that play: one transaction, or two if the house answers at once."""

import asyncio
from collections.abc import Awaitable, Callable

import typer

from croupier.cli.json_output import print_json
from croupier.cli.solana_chain import LAMPORTS
from croupier.cli.solana_reports import game_fields
from croupier.cli.solana_seat import Seat
from croupier.errors import InputError
from croupier.solana.card_codes import format_codes
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import REVEAL_WINDOW, Tag
from croupier.solana.events import Revealed
from croupier.solana.layout import KEY_SIZE
from croupier.solana.receipt import Receipt
from croupier.solana.table import NewestGame, Side


def open_game(
    seat: Seat, *, decks: int, number: int | None, player_seed: str | None, bet: float, as_json: bool
) -> None:
    """Open a game and save its number as the newest."""
    seed = None if player_seed is None else _read_seed(player_seed)

    async def act() -> None:
        async with seat.cluster() as cluster:
            table = seat.table
            if table.house_address is None and table.has_key("house") and not bet:
                house = table.house_key.pubkey()
                game, receipt = await ClusterGame.open(
                    cluster,
                    table.player,
                    table.house_key,
                    table.house,
                    number=number,
                    decks=decks,
                    player_seed=seed,
                )
            else:
                house = table.house_pubkey(cluster.program)
                game, receipt = await ClusterGame.join(
                    cluster,
                    table.player,
                    house,
                    number=number,
                    decks=decks,
                    player_seed=seed,
                    bet=round(bet * LAMPORTS),
                )
            table.remember_game(cluster.program, NewestGame(game.number, game.player, house))
            await _report(game, [("new", receipt)], as_json=as_json)

    asyncio.run(act())


def ask(seat: Seat, tag_name: str, *, auto_reveal: bool, wait: bool, as_json: bool) -> None:
    """Send the player's request and, if asked to, the house's answer, or wait for it."""
    tag = Tag[tag_name]

    async def act(game: ClusterGame) -> list[tuple[str, Receipt]]:
        house = (seat.table.house_key, seat.table.house) if auto_reveal else None
        steps = [(tag.name.lower(), await game.ask(tag, seat.table.player))]
        if house is not None:
            steps.append(("reveal", await game.answer(*house)))
        elif wait:
            await game.wait_for_answer()
        return steps

    _play(seat, act, as_json=as_json)


def answer(seat: Seat, *, as_json: bool) -> None:
    """Reveal as the house."""

    async def act(game: ClusterGame) -> list[tuple[str, Receipt]]:
        return [("reveal", await game.answer(seat.table.house_key, seat.table.house))]

    _play(seat, act, as_json=as_json)


def claim(seat: Seat, side: Side | None, *, as_json: bool) -> None:
    """Claim the game for one side."""

    async def act(game: ClusterGame) -> list[tuple[str, Receipt]]:
        return [("claim", await game.claim(seat.table.key_of(side)))]

    _play(seat, act, as_json=as_json)


def clean_up(seat: Seat, payer: Side | None, *, as_json: bool) -> None:
    """Close a game and print the rent that was returned."""

    async def act() -> None:
        async with seat.game() as game:
            state, held = await game.state(), await game.cluster.balance(game.address)
            receipt = await game.cleanup(seat.table.key_of(payer))
        share = 0 if state.stake is None else state.stake.house_share(state.result)
        if as_json:
            returned = {"lamports_returned": held - share, "lamports_to_bankroll": share}
            print_json({**_receipt_fields("cleanup", receipt), **returned})
            return
        _print_step("cleanup", receipt)
        typer.echo(
            f"game {game.number} is closed; {held - share:,} lamports went {'back ' if state.stake is None else ''}to {game.player}"
        )
        if state.stake is not None:
            typer.echo(f"{share:,} lamports went to the bankroll {state.stake.bankroll}")

    asyncio.run(act())


def _play(
    seat: Seat, act: Callable[[ClusterGame], Awaitable[list[tuple[str, Receipt]]]], *, as_json: bool
) -> None:
    async def run() -> None:
        async with seat.game() as game:
            await _report(game, await act(game), as_json=as_json)

    asyncio.run(run())


async def _report(game: ClusterGame, steps: list[tuple[str, Receipt]], *, as_json: bool) -> None:
    state = await game.outcome()
    if as_json:
        transactions = [_receipt_fields(name, receipt) for name, receipt in steps]
        print_json({"transactions": transactions, "game": game_fields(state, game.address)})
        return
    for name, receipt in steps:
        _print_step(name, receipt)
    typer.echo(str(state))
    if state.status.waits_for_house:
        typer.echo(
            f"The house has to answer; if it does not, you may claim after slot {state.slot + REVEAL_WINDOW}."
        )


def _print_step(name: str, receipt: Receipt) -> None:
    cards = [
        format_codes(event.drawn, symbols=True) for event in receipt.events if isinstance(event, Revealed)
    ]
    drawn = "".join(f", drawn: {text or 'no card'}" for text in cards)
    typer.echo(
        f"{name} in slot {receipt.slot}: {receipt.compute_units:,} compute units, fee {receipt.fee:,} lamports{drawn}"
    )


def _receipt_fields(name: str, receipt: Receipt) -> dict[str, object]:
    return {
        "instruction": name,
        "signature": receipt.signature,
        "slot": receipt.slot,
        "compute_units": receipt.compute_units,
        "fee": receipt.fee,
    }


def _read_seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != KEY_SIZE:
        raise InputError(f"--player-seed '{text}': give {2 * KEY_SIZE} hex digits")
    return seed
