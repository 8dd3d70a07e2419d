"""The output of ``croupier solana show`` and ``croupier solana verify``."""

import asyncio
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from solders.pubkey import Pubkey

from croupier.cli.json_output import print_json
from croupier.cli.solana_seat import Seat
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, Result, Status
from croupier.solana.game import Game
from croupier.solana.layout import GAME, STAKE
from croupier.solana.record import GameRecord
from croupier.solana.stake import Stake
from croupier.solana.verification import Expected, NetworkView, Verdict, Verification, verify_game

#: What ``verify`` ends with; 2 is bad input.
EXIT_CODES = {Verdict.PROVEN: 0, Verdict.REFUTED: 1, Verdict.CONSISTENT: 3}


def result_text(result: Result) -> str:
    """Write a result in words.

    >>> result_text(Result.PLAYER_WINS)
    'player wins'
    """
    return result.name.lower().replace("_", " ")


def game_fields(game: Game, address: Pubkey) -> dict[str, object]:
    """Return the JSON fields of a game."""
    return {
        "address": str(address),
        "number": game.number,
        "player": str(game.player),
        "house": str(game.house),
        "decks": game.decks,
        "status": game.status.name,
        "result": game.result.name,
        "player_cards": format_codes(game.player_cards).split(),
        "player_total": game.player_value.total if game.player_cards else 0,
        "dealer_cards": format_codes(game.dealer_cards).split(),
        "dealer_total": game.dealer_value.total if game.dealer_cards else 0,
        "cards_left": game.cards_left,
        "slot": game.slot,
        "chain_tip": game.chain_tip.hex(),
        "player_seed": game.player_seed.hex(),
        "stake": stake_fields(game.stake),
    }


def stake_fields(stake: Stake | None) -> dict[str, object] | None:
    """Return the JSON fields of a game's stakes."""
    if stake is None:
        return None
    return {"bankroll": str(stake.bankroll), "bet": stake.bet, "cover": stake.cover}


def show_game(seat: Seat, *, show_bytes: bool, as_json: bool) -> None:
    """Print the current state of a game."""

    async def look() -> tuple[Game, bytes, Pubkey, int, int]:
        async with seat.game() as game:
            state, address, cluster = await game.state(), game.address, game.cluster
            data = await cluster.account_data(address) or b""
            return state, data, address, await cluster.balance(address), await cluster.slot()

    state, data, address, lamports, slot = asyncio.run(look())
    if as_json:
        account = {"lamports": lamports, "cluster_slot": slot, "data": data.hex() if show_bytes else None}
        print_json(game_fields(state, address) | account)
        return
    console = Console()
    _print_summary(console, state, address, lamports, slot)
    if show_bytes:
        _print_bytes(console, data)


def _print_summary(console: Console, game: Game, address: Pubkey, lamports: int, slot: int) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    status = game.status.name.lower().replace("_", " ")
    rows = [
        ("game", f"{game.number}, at {address}"),
        ("status", status if game.result is Result.OPEN else f"{status}: {result_text(game.result)}"),
        ("player", f"{_hand(game.player_cards, game)}{game.player}"),
        ("dealer", f"{_hand(game.dealer_cards, game, dealer=True)}{game.house}"),
        ("shoe", f"{game.cards_left} of {52 * game.decks} cards left"),
        *([] if game.stake is None else [("stakes", f"{game.stake}; in the account, too")]),
        ("rent", f"{lamports - _at_stake(game):,} lamports, which go back to the player"),
        ("slot", f"{game.slot} at the last change, {slot} now{_deadline(game)}"),
    ]
    for name, text in rows:
        table.add_row(f"[dim]{name}[/dim]", escape(text))
    console.print(table)


def _at_stake(game: Game) -> int:
    return 0 if game.stake is None else game.stake.bet + game.stake.cover


def _hand(cards: tuple[int, ...], game: Game, *, dealer: bool = False) -> str:
    if not cards:
        return ""
    value = game.dealer_value if dealer else game.player_value
    return f"{format_codes(cards, symbols=True)} ({value}); "


def _deadline(game: Game) -> str:
    if game.status is Status.FINISHED:
        return ""
    if game.status.waits_for_house:
        return f"; the player may claim after slot {game.slot + REVEAL_WINDOW}"
    return f"; the house may claim after slot {game.slot + PLAYER_WINDOW}"


def _print_bytes(console: Console, data: bytes) -> None:
    table = Table(title=f"The account, {len(data)} bytes", title_justify="left")
    table.add_column("offset", justify="right")
    table.add_column("bytes", justify="right")
    table.add_column("field")
    table.add_column("content", overflow="fold")
    for field in GAME.fields:
        content = data[field.offset : field.offset + field.size].hex()
        table.add_row(str(field.offset), str(field.size), field.name, content)
    for field in STAKE.fields if len(data) > GAME.size else ():
        place = GAME.size + field.offset
        table.add_row(str(place), str(field.size), field.name, data[place : place + field.size].hex())
    console.print(table)


def verify_record(path: Path, save: Path | None, expected: Expected, *, as_json: bool) -> None:
    """Verify a record offline."""
    _show(GameRecord.load(path), None, expected, save, as_json=as_json)


def verify_on_cluster(seat: Seat, save: Path | None, expected: Expected, *, as_json: bool) -> None:
    """Fetch a game's record and what the node says about its program, and verify them."""

    async def fetch() -> tuple[GameRecord, NetworkView, Expected]:
        async with seat.game() as game:
            newest = seat.table.newest_game(game.cluster.program)
            house = expected.house
            if (
                house is None
                and newest is not None
                and (newest.number, newest.player) == (game.number, game.player)
            ):
                house = newest.house
            known = replace(expected, house=house, player=game.player)
            return *await game.evidence(), known

    record, view, known = asyncio.run(fetch())
    _show(record, view, known, save, as_json=as_json)


def _show(
    record: GameRecord, view: NetworkView | None, expected: Expected, save: Path | None, *, as_json: bool
) -> None:
    if save is not None:
        record.save(save)
    verification = verify_game(record, view, expected)
    if as_json:
        print_json(_verification_fields(verification))
    else:
        typer.echo(str(verification))
        if view is not None:
            typer.echo(f"network {view.name}")
        for check in verification.end_checks:
            typer.echo(f"checked: {check}")
        if verification.game is not None:
            typer.echo(str(verification.game))
    raise typer.Exit(EXIT_CODES[verification.verdict])


def _verification_fields(verification: Verification) -> dict[str, object]:
    game, view = verification.game, verification.view
    deployment = None if view is None or isinstance(view.deployment, str) else view.deployment
    return {
        "verdict": verification.verdict.value,
        "problem": verification.problem,
        "network": None if view is None else view.name,
        "program": str(verification.program),
        "program_sha256": None if deployment is None else deployment.hash,
        "upgrade_authority": None
        if deployment is None or deployment.authority is None
        else str(deployment.authority),
        "house": None if verification.house is None else str(verification.house),
        "player": None if verification.player is None else str(verification.player),
        "steps": list(verification.steps),
        "findings": list(verification.findings),
        "not_proven": list(verification.not_proven),
        "result": None if game is None else game.result.name,
        "stake": None if game is None else stake_fields(game.stake),
        "player_cards": [] if game is None else format_codes(game.player_cards).split(),
        "dealer_cards": [] if game is None else format_codes(game.dealer_cards).split(),
    }
