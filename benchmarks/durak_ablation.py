"""What each part of ``durak-master`` is worth: the whole engine against itself with one part left out, at equal rounds a move.

    .venv/bin/python -m benchmarks.durak_ablation [--quick] [--pairs 100] [--rounds 25000] [--part NAME...] [--json FILE]

Rounds are counted, not time, so a busy machine changes nothing, and a seed gives the same games again. A part that makes rounds slower
looks better than it is at equal time. What the networks and the size of the tree are worth cannot be switched off here: they are compiled in.
"""

from collections.abc import Callable

from benchmarks.report import Report, argument_parser
from croupier import durak
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.levels import LEVELS
from croupier.durak.players.master import MasterEngine

_SEED = 2026
_FULL = LEVELS[-1]


def _without_conclusions(rounds: int) -> MasterEngine:
    return MasterEngine(Budget(rounds=rounds), level=_FULL._replace(uses_evidence=False, trust=0.0))


def _without_dummies(rounds: int) -> MasterEngine:
    return MasterEngine(Budget(rounds=rounds), level=_FULL._replace(trust=0.0))


def _without_policy(rounds: int) -> MasterEngine:
    return MasterEngine(Budget(rounds=rounds), level=_FULL._replace(follows_policy=False))


def _without_proofs(rounds: int) -> MasterEngine:
    evaluator = Evaluator(trust=_FULL.trust, proves=(False, False), follows_policy=True)
    return MasterEngine(Budget(rounds=rounds), evaluator=evaluator)


def _with_tenth(rounds: int) -> MasterEngine:
    return MasterEngine(Budget(rounds=max(1, rounds // 10)))


#: What is left out, by name: the engine without it.
PARTS: dict[str, Callable[[int], MasterEngine]] = {
    "conclusions": _without_conclusions,
    "dummies": _without_dummies,
    "policy": _without_policy,
    "proofs": _without_proofs,
    "nine of ten rounds": _with_tenth,
}

#: What each of them is, for people.
_TOLD = {
    "conclusions": "no conclusions from what the other player did: all hands are as likely",
    "dummies": "the other player is never taken for a durak-dummy",
    "policy": "moves are searched in a tree instead of being played out as the policy plays",
    "proofs": "end games are searched, not proved, once every card is known",
    "nine of ten rounds": "a tenth of the rounds",
}


def main() -> None:
    """Play the whole engine against each of the others and print what it scores."""
    parser = argument_parser("What each part of durak-master is worth.", "5 pairs")
    parser.add_argument(
        "--pairs", type=int, metavar="N", help="pairs of games for each part (100; 5 with --quick)"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=25_000,
        help="rounds of the search a move, 12 for a bout of a play-out (25000)",
    )
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS), help="only these (all)")
    arguments = parser.parse_args()
    pairs = arguments.pairs or (5 if arguments.quick else 100)
    report = Report("Durak, ablation")
    for name in arguments.part:
        whole = MasterEngine(Budget(rounds=arguments.rounds))
        result = durak.match(whole, PARTS[name](arguments.rounds), pairs, _SEED)
        note = f"{result.wins} won, {result.draws} drawn, {result.losses} lost; ± {result.error:.0f}; {_TOLD[name]}"
        report.add(name, f"{arguments.rounds} rounds a move", result.elo, "Elo", note=note)
        report.console.print(f"{name}: {result.elo:+.0f} Elo; {note}", markup=False)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
