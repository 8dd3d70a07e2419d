"""What blackjack on Solana costs: compute units for each instruction, and three ways to know the cards left.

Run ``python benchmarks/solana.py``. Compute units are counted by the runtime, not timed: the table is the same on every
machine. Games are random from a fixed seed.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table
from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey

from croupier.lab.streams import RandomStream
from croupier.solana.addresses import game_address, next_number
from croupier.solana.codes import REVEAL_WINDOW, Status, Tag
from croupier.solana.compiler import PROGRAM_SOURCE, build_program, read_program
from croupier.solana.game import Game
from croupier.solana.instructions import create, game_rent
from croupier.solana.local_chain import KEPT_SLOT_HASHES, LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.model import reveal
from croupier.solana.randomness import CardStream, draw_code

LIMIT = 3300
GAMES = 400
WAYS = ("52 counts, stored", "52 counts, rebuilt", "none, by rejection")
DEALT = (3, 6, 12, 20)
DRAWS = (1, 3)
SAMPLES = 40


@dataclass(frozen=True)
class Measurement:
    """Compute units of one kind of instruction."""

    what: str
    times: int
    least: int
    mean: float
    most: int


def measure_games(games: int) -> dict[str, list[int]]:
    """Play random games on the runtime and collect the compute units of every instruction."""
    chain = LocalChain(seed=1)
    chain.deploy(read_program())
    player, house, stream = chain.funded_key(), chain.funded_key(), RandomStream(1)
    units: dict[str, list[int]] = defaultdict(list)
    number = 0
    for _ in range(games):
        secret = bytes(stream.below(256) for _ in range(32))
        game = LocalGame.open(
            chain, player, house, secret=secret, start_number=number, decks=1 + stream.below(8)
        )
        units["Create"].append(game.receipts[-1].compute_units)
        while not game.is_finished:
            is_new = game.state.status is Status.CREATED
            tag = Tag.DEAL if is_new else (Tag.HIT, Tag.STAND)[stream.below(2)]
            name = tag.name.capitalize()
            units[name].append(game.ask(tag).compute_units)
            if stream.below(20) == 0:
                chain.advance(REVEAL_WINDOW + 1)
                units["Claim"].append(game.claim(player).compute_units)
            else:
                units[f"Reveal of {name}"].append(game.answer(1 + stream.below(40)).compute_units)
        units["Cleanup"].append(game.cleanup().compute_units)
        number = game.number + 1
    return units


def measure_prefunded(units: dict[str, list[int]]) -> None:
    """Measure Create at an address to which somebody has sent lamports before."""
    chain = LocalChain(seed=2)
    chain.deploy(read_program())
    player, house = chain.funded_key(), chain.funded_key()
    number = next_number(chain.program, player.pubkey())
    chain.svm.airdrop(game_address(chain.program, player.pubkey(), number), game_rent())
    creation = create(
        chain.program,
        player.pubkey(),
        house.pubkey(),
        number=number,
        player_seed=bytes(32),
        chain_tip=bytes(32),
    )
    units["Create, prefunded"].append(chain.send([creation], [player, house]).compute_units)


def measure_longest_reveals(units: dict[str, list[int]]) -> None:
    """Measure the reveals that take the most: 21 at last, then the longest hand that the dealer can have.

    That is six aces (soft 16), a six (hard 12) and five aces (17). Shoes of little but aces are put into the account,
    and a player's seed is searched that deals them in this order; a fair shoe would hardly ever do it. On a hit the
    player has 19 cards before: ten aces (soft 20), a deuce (hard 12), eight aces (20).
    """
    aces = tuple({9: 1, 5: 1}.get(code, 8 * (code % 13 == 0)) for code in range(52))
    deal = {"counts": aces}
    units["Reveal of Deal, longest"].append(measure_forged(deal, most_cards=14))
    hit = {
        "status": Status.HIT_REQUESTED,
        "player_cards": (0,) * 8 + (13,) * 2 + (1,) + (13,) * 6 + (26,) * 2,
        "dealer_cards": (26,),
        "counts": tuple({26: 5, 39: 8, 44: 1}.get(code, 0) for code in range(52)),
    }
    units["Reveal of Hit, longest"].append(measure_forged(hit, most_cards=12))


def measure_forged(changes: dict[str, Any], most_cards: int) -> int:
    """Change an account under the program, search a seed that draws the most cards, and measure that reveal.

    The hash of the request's slot is the oldest that is kept, so that finding it takes the longest, too.
    """
    chain = LocalChain(seed=3)
    chain.deploy(read_program())
    game = LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=b"l" * 32, decks=8)
    game.ask(Tag.DEAL)
    chain.advance(KEPT_SLOT_HASHES)
    slot_hash = chain.slot_hash(game.state.slot)
    assert slot_hash is not None
    forged = replace(game.state, **changes)
    for attempt in count():
        forged = replace(forged, player_seed=hashlib.sha256(b"%d" % attempt).digest())
        answer = reveal(forged, game.address, game.links[-2], slot_hash, chain.slot)
        if len(answer.drawn) == most_cards:
            break
    chain.svm.set_account(game.address, Account(game_rent(), forged.encode(), chain.program, False, 0))
    units = game.send(game.revelation(), game.house).compute_units
    assert game.state == answer.game
    return units


def measure_ways() -> dict[tuple[int, int], list[float]]:
    """Compare the three ways to know the cards left, by cards dealt and cards drawn in one reveal."""
    source = Path(__file__).with_name("solana_deck.c")
    chain = LocalChain(seed=4)
    chain.deploy(build_program(source, include=PROGRAM_SOURCE.parent))
    stream = RandomStream(4)
    costs: dict[tuple[int, int], list[float]] = {}
    for dealt in DEALT:
        samples = [sample_state(stream, dealt) for _ in range(SAMPLES)]
        for draws in DRAWS:
            costs[dealt, draws] = [
                fmean(draw_cost(chain, state, seed, way, draws) for state, seed in samples)
                for way in range(len(WAYS))
            ]
    return costs


def sample_state(stream: RandomStream, dealt: int) -> tuple[Game, bytes]:
    """Return a game of one deck with some cards on the table, as random as they come, and a seed."""
    seed = bytes(stream.below(256) for _ in range(32))
    cards, counts = CardStream(seed), [1] * 52
    codes = []
    for _ in range(dealt):
        codes.append(draw_code(counts, cards))
        counts[codes[-1]] -= 1
    key = Pubkey.default()
    game = Game.created(key, key, bytes(32), bytes(32), number=0)
    player, dealer = tuple(codes[: dealt // 2]), tuple(codes[dealt // 2 :])
    state = replace(game, counts=tuple(counts), player_cards=player, dealer_cards=dealer)
    return state, hashlib.sha256(seed).digest()


def draw_cost(chain: LocalChain, game: Game, seed: bytes, way: int, draws: int) -> int:
    """Return the compute units that drawing takes: those of the call with draws, less those without."""
    address, payer = Pubkey(bytes([5] * 32)), chain.funded_key(10**7)
    totals = []
    for number in (draws, 0):
        chain.svm.set_account(address, Account(game_rent(), game.encode(), chain.program, False, 0))
        data = bytes([way, number]) + bytes(6) + seed
        call = Instruction(chain.program, data, [AccountMeta(address, False, True)])
        totals.append(chain.send([call], [payer]).compute_units)
    return totals[0] - totals[1]


def summary(units: dict[str, list[int]]) -> list[Measurement]:
    """Sum the compute units up, one row a kind of instruction."""
    return [
        Measurement(what, len(values), min(values), fmean(values), max(values))
        for what, values in sorted(units.items())
    ]


def print_report(rows: list[Measurement], costs: dict[tuple[int, int], list[float]]) -> None:
    """Print the two tables."""
    console = Console(width=110)
    table = Table(title=f"Compute units an instruction (limit {LIMIT:,})", title_justify="left")
    for heading in ("instruction", "times", "least", "mean", "most"):
        table.add_column(heading, justify="left" if heading == "instruction" else "right")
    for row in rows:
        table.add_row(row.what, f"{row.times:,}", f"{row.least:,}", f"{row.mean:,.0f}", f"{row.most:,}")
    console.print(table)
    console.print(f"The program has {len(read_program()):,} bytes.")
    table = Table(
        title="Compute units for drawing, one deck, by what the account keeps of the shoe",
        title_justify="left",
    )
    for heading in ("cards on the table", "cards drawn", *WAYS):
        table.add_column(heading, justify="right")
    for (dealt, draws), values in costs.items():
        table.add_row(str(dealt), str(draws), *(f"{value:,.0f}" for value in values))
    console.print(table)


def main() -> None:
    """Measure everything and print the report."""
    parser = argparse.ArgumentParser(description="Count the compute units of blackjack on Solana.")
    parser.add_argument("--quick", action="store_true", help="fewer games")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
    arguments = parser.parse_args()
    units = measure_games(GAMES // 10 if arguments.quick else GAMES)
    measure_prefunded(units)
    measure_longest_reveals(units)
    costs = measure_ways()
    rows = summary(units)
    print_report(rows, costs)
    if arguments.json is not None:
        ways = [
            {"dealt": dealt, "drawn": draws, **dict(zip(WAYS, values, strict=True))}
            for (dealt, draws), values in costs.items()
        ]
        data = {"instructions": [asdict(row) for row in rows], "ways": ways}
        arguments.json.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
