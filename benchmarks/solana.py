"""Measure blackjack on Solana: compute units of each instruction, and of three ways to know the cards left.

    .venv/bin/python -m benchmarks.solana [--quick] [--json FILE]

The runtime counts compute units, so the report is the same on every machine. Games are random with a fixed seed.
"""

import hashlib
from collections import defaultdict
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey

from benchmarks.report import Report, argument_parser
from croupier.numerics.streams import RandomStream
from croupier.solana.addresses import game_address, next_number
from croupier.solana.bankroll import BetLimits, bankroll_address
from croupier.solana.codes import MOST_COMMITMENTS, REVEAL_WINDOW, Status, Tag
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.instructions import (
    TIPS_PER_COMMIT,
    close_house,
    commit,
    create,
    game_rent,
    join,
    open_house,
)
from croupier.solana.local_chain import KEPT_SLOT_HASHES, LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.model import reveal
from croupier.solana.randomness import CardStream, draw_code
from croupier.solana.stake import Stake
from croupier.solana.stake_instructions import (
    close_bankroll,
    join_staked,
    open_bankroll,
    set_limits,
    withdraw,
)
from croupier.solana.toolchain.compiler import PROGRAM_SOURCE, build_program, read_program

LIMIT = 3300
GAMES = 400
WAYS = ("52 counts, stored", "52 counts, rebuilt", "none, by rejection")
DEALT = (3, 6, 12, 20)
DRAWS = (1, 3)
SAMPLES = 40


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
    """Measure Create at an address that already holds lamports."""
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


def measure_house() -> dict[str, int]:
    """Measure the instructions about a house's account, with its largest number of places."""
    chain = LocalChain(seed=5)
    chain.deploy(read_program())
    player, house = chain.funded_key(), chain.funded_key()
    program, key = chain.program, house.pubkey()
    making, opening = open_house(program, key, MOST_COMMITMENTS, lamports=10**8)
    chain.send([making], [house])
    units = {"OpenHouse": chain.send([opening], [house]).compute_units}
    tips = [hashlib.sha256(bytes([number])).digest() for number in range(MOST_COMMITMENTS)]
    for start in range(0, len(tips), TIPS_PER_COMMIT):
        fresh = tips[start : start + TIPS_PER_COMMIT]
        receipt = chain.send([commit(program, key, fresh)], [house])
        what = f"Commit, {len(fresh)} tips after {start}"
        if start == 0 or len(fresh) < TIPS_PER_COMMIT:
            units[what] = receipt.compute_units
    joining = join(
        program,
        player.pubkey(),
        key,
        place=MOST_COMMITMENTS - 1,
        number=next_number(program, player.pubkey()),
        player_seed=bytes(32),
        chain_tip=tips[-1],
    )
    units["Join"] = chain.send([joining], [player]).compute_units
    units["CloseHouse"] = chain.send([close_house(program, key)], [house]).compute_units
    return units


def measure_stakes() -> dict[str, int]:
    """Measure the instructions about stakes, by a game that the house loses by silence."""
    chain = LocalChain(seed=6)
    chain.deploy(read_program())
    player, house = chain.funded_key(), chain.funded_key()
    program, key, limits = chain.program, house.pubkey(), BetLimits()
    links = chain_links(b"s" * 32, 0)
    chain.send(open_house(program, key, 1, lamports=10**8), [house])
    chain.send([commit(program, key, [links[-1]])], [house])
    making, opening = open_bankroll(program, key, limits, lamports=10**9)
    chain.send([making], [house])
    units = {"OpenBankroll": chain.send([opening], [house]).compute_units}
    units["SetLimits"] = chain.send([set_limits(program, key, limits)], [house]).compute_units
    units["Withdraw"] = chain.send([withdraw(program, key, 1000)], [house]).compute_units
    number = next_number(program, player.pubkey())
    stake = Stake(bankroll_address(program, key), limits.least_bet, limits.least_bet + limits.bond)
    joining = join_staked(
        program,
        player.pubkey(),
        key,
        stake,
        place=0,
        number=number,
        player_seed=bytes(32),
        chain_tip=links[-1],
    )
    game = LocalGame(chain, player, house, links, number, game_address(program, player.pubkey(), number))
    units["JoinStaked"] = game.send(joining, player).compute_units
    game.ask(Tag.DEAL)
    chain.advance(REVEAL_WINDOW + 1)
    game.claim(player)
    units["Settle"] = game.cleanup().compute_units
    units["CloseBankroll"] = chain.send([close_bankroll(program, key)], [house]).compute_units
    return units


def measure_longest_reveals(units: dict[str, list[int]]) -> None:
    """Measure the longest reveals: the player reaches 21, then the dealer draws the longest possible hand.

    That hand is six aces (soft 16), a six (hard 12) and five aces (17). A normal shoe hardly ever deals it, so shoes of
    almost only aces are written into the account, and a player's seed is searched that deals them in this order. Before
    a hit the player has 19 cards: ten aces (soft 20), a two (hard 12), eight aces (20).
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
    """Change an account behind the program's back, find a seed that draws the most cards, and measure that reveal.

    The request's slot hash is the oldest that the runtime keeps, which takes longest to find.
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
    """Return a one-deck game with some random cards dealt, and a seed."""
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
    """Return the compute units of drawing: those of a call with draws minus those of a call without."""
    address, payer = Pubkey(bytes([5] * 32)), chain.funded_key(10**7)
    totals = []
    for number in (draws, 0):
        chain.svm.set_account(address, Account(game_rent(), game.encode(), chain.program, False, 0))
        data = bytes([way, number]) + bytes(6) + seed
        call = Instruction(chain.program, data, [AccountMeta(address, False, True)])
        totals.append(chain.send([call], [payer]).compute_units)
    return totals[0] - totals[1]


def report_instructions(report: Report, units: dict[str, list[int]]) -> None:
    """Add the maximum of each kind of instruction, with its range."""
    for what, values in sorted(units.items()):
        least, most, times = min(values), max(values), len(values)
        value_range = (
            f"always, in {times}"
            if least == most
            else f"from {least:,}, mean {fmean(values):,.0f}, in {times}"
        )
        report.add("maximum per instruction", what, most, "compute units", f"at most {LIMIT:,}", value_range)
    report.add("program", "size", len(read_program()), "bytes")


def report_ways(report: Report, costs: dict[tuple[int, int], list[float]]) -> None:
    """Add the cost of drawing for each way to know the cards left."""
    for (dealt, draws), values in costs.items():
        for way, value in zip(WAYS, values, strict=True):
            group = f"{dealt} cards dealt, {draws} drawn"
            report.add(group, way, value, "compute units", note=f"mean of {SAMPLES}")


def main() -> None:
    """Measure everything and print the report."""
    arguments = argument_parser("Count the compute units of blackjack on Solana.", "fewer games").parse_args()
    report = Report("Blackjack on Solana")
    with report.console.status("playing games on the runtime") as status:
        units = measure_games(GAMES // 10 if arguments.quick else GAMES)
        measure_prefunded(units)
        house_units = measure_house()
        status.update("looking for the longest reveals")
        measure_longest_reveals(units)
        report_instructions(report, units)
        for what, value in house_units.items():
            report.add("a house's account", what, value, "compute units", note=f"{MOST_COMMITMENTS} places")
        for what, value in measure_stakes().items():
            report.add("stakes", what, value, "compute units", f"at most {LIMIT:,}")
        status.update("drawing in three ways")
        report_ways(report, measure_ways())
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
