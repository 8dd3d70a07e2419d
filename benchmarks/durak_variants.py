"""Measure the variants of durak: games per second of sample engines, how often they draw, and the master among them.

    .venv/bin/python -m benchmarks.durak_variants [--quick] [--games N] [--rounds N] [--preset NAME] [--json FILE]

The master sits in each seat in turn, with sample engines in all the others (in teams, as partners too). Its points (1 for all but the
losers, ½ in a draw) are compared with those of a sample engine in the same seat with the same cards. See ``benchmarks/README.md``.
"""

import time

import numpy as np

from benchmarks.report import Report, argument_parser
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.durak.players.variant_kernel import play_out
from croupier.durak.players.variant_master import best_reply, position_numbers, rule_numbers

_SEED = 2026


def main() -> None:
    """Measure every preset that the compiled search of two players does not cover, and print the report."""
    parser = argument_parser("Measure the variants of durak.", "20 games of the master a preset")
    parser.add_argument(
        "--games", type=int, metavar="N", help="games of the master a preset (200; 20 with --quick)"
    )
    parser.add_argument(
        "--rounds", type=int, default=1_000, metavar="N", help="games played out for a move (1000)"
    )
    parser.add_argument("--preset", metavar="NAME", help="this preset only")
    arguments = parser.parse_args()
    games = arguments.games or (20 if arguments.quick else 200)
    presets = [DURAK.preset(arguments.preset)] if arguments.preset else DURAK.presets
    report = Report("Durak, variants")
    with report.console.status("playing") as status:
        for preset in presets:
            if not preset.rules.is_compiled:
                status.update(f"playing {preset.name}")
                measure_dummies(report, preset.name, preset.rules)
                measure_master(report, preset.name, preset.rules, games, arguments.rounds)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


def dealt(rules: DurakRules, number: int) -> GameState:
    """Deal a game."""
    deal = deal_of_pair(_SEED, number, rules)
    return start(rules, deal.deck, deal.leader)


def measure_dummies(report: Report, name: str, rules: DurakRules) -> None:
    """Let sample engines play 1,000 games compiled, and 20 of them in the readable engine."""
    states = [dealt(rules, number) for number in range(1_000)]
    inputs = [
        (
            position_numbers(state, state.hands),
            rule_numbers(rules, state.trump),
            np.array(state.stock, dtype=np.int64),
        )
        for state in states
    ]
    play_out(inputs[0][0].copy(), *inputs[0][1:])  # compiled, if it was not
    begin = time.perf_counter()
    actions = sum(play_out(*entry) for entry in inputs)
    report.add(name, "dummy games a second, compiled", 1_000 / (time.perf_counter() - begin), "games/s")
    report.add(name, "actions a game", actions / 1_000, "actions")
    draws = sum(not entry[0][: rules.players].any() for entry in inputs)
    report.add(name, "draws in 1,000 games", draws, "games")
    begin = time.perf_counter()
    for state in states[:20]:
        played(state, master=None, rounds=0)
    report.add(name, "the readable engine", 20 / (time.perf_counter() - begin), "games/s")


def measure_master(report: Report, name: str, rules: DurakRules, games: int, rounds: int) -> None:
    """Compare the master's points with a sample engine's in the same seats."""
    master, dummy = [], []
    begin = time.perf_counter()
    for number in range(games):
        state, seat = dealt(rules, number), number % rules.players
        master.append(played(state, seat, rounds).points(seat))
        dummy.append(played(state, None, 0).points(seat))
    seconds = (time.perf_counter() - begin) / games
    gains = np.array(master) - np.array(dummy)
    error = float(gains.std(ddof=1) / np.sqrt(games))
    note = f"{100 * np.mean(dummy):.1f} % for a dummy; gain {100 * gains.mean():+.1f} ± {100 * error:.1f}; {seconds:.2f} s a game"
    report.add(
        name,
        f"the master's points, {rounds} rounds, {games} games",
        100 * float(np.mean(master)),
        "%",
        note=note,
    )


def played(state: GameState, master: int | None, rounds: int) -> GameState:
    """Play a game to its end: the master in one seat, if it is in any, and sample engines in the others."""
    while (seat := state.to_act) is not None:
        if seat == master:
            reply = best_reply(state, Budget(rounds=rounds), seed=len(state.history))
        else:
            reply = variant_dummy_policy(observe(state, seat))
        state = answer(state, reply)
    return state


if __name__ == "__main__":
    main()
