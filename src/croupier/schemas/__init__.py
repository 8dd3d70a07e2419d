"""JSON Schemas of everything that commands print with ``--json``, and of the JSON files that people keep.

``docs/json.md`` is written from these models; ``croupier schema`` prints them.
"""

from typing import Any

from pydantic import BaseModel

from croupier.errors import InputError
from croupier.rulebook.errors import suggestion
from croupier.schemas import banluck, blackjack, counting, durak, runs, solana
from croupier.schemas.document import schema_of_model

#: By command. A command that prints another object with some option has an entry for it, such as ``blackjack chart --check``.
OUTPUTS: dict[str, type[BaseModel]] = {
    "rules banluck": banluck.RuleSet,
    "rules blackjack": blackjack.RuleSet,
    "rules durak": durak.RuleSet,
    "banluck solve": banluck.Solution,
    "banluck solve --players": banluck.TableSolution,
    "banluck baseline": banluck.Baseline,
    "banluck chart": banluck.Charts,
    "banluck chart --players": banluck.TableCharts,
    "banluck explain": banluck.Explanation,
    "banluck explain --players": banluck.TableExplanation,
    "banluck simulate": banluck.Simulation,
    "banluck simulate --players": banluck.TableSimulation,
    "banluck research": banluck.Research,
    "banluck research --players": banluck.TableResearch,
    "blackjack edge": blackjack.Edge,
    "blackjack side-bets": blackjack.SideBets,
    "blackjack chart": blackjack.BestChart,
    "blackjack chart --check": blackjack.ChartCheck,
    "blackjack ev": blackjack.HandValues,
    "blackjack simulate": blackjack.Simulation,
    "blackjack evolve": blackjack.Evolution,
    "blackjack count": counting.Counting,
    "blackjack count --list-indices": counting.IndexList,
    "blackjack profile": counting.Profile,
    "blackjack bets": counting.Bets,
    "blackjack compare": counting.SystemComparison,
    "blackjack indices": counting.IndexWorths,
    "blackjack mistakes": counting.MistakePrices,
    "blackjack side-counts": counting.SideCounts,
    "durak match": durak.Match,
    "durak tournament": durak.Tournament,
    "durak ratings": durak.Ratings,
    "durak suite": durak.EndgameSuite,
    "durak check": durak.Compliance,
    "durak replay": durak.Replay,
    "durak review": durak.LogReview,
    "runs list": runs.RunList,
    "runs show": runs.RunRecord,
    "runs compare": runs.Comparison,
    "solana build": solana.Build,
    "solana keygen": solana.Keys,
    "solana deploy": solana.Deployment,
    "solana buffers": solana.Buffers,
    "solana house": solana.House,
    "solana bankroll": solana.Bankroll,
    "solana new": solana.Played,
    "solana deal": solana.Played,
    "solana hit": solana.Played,
    "solana stand": solana.Played,
    "solana reveal": solana.Played,
    "solana claim": solana.Played,
    "solana cleanup": solana.Cleanup,
    "solana show": solana.ShownGame,
    "solana verify": solana.Verification,
}

#: JSON that people write or keep.
FILES: dict[str, type[BaseModel]] = {
    "blackjack chart file": blackjack.ChartFile,
    "blackjack round": blackjack.SavedRound,
    "banluck hand": banluck.SavedHand,
    "durak log": durak.LoggedGame,
    "durak variant log": durak.LoggedVariantGame,
    "solana record": solana.SavedRecord,
}


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a command's output or of a file.

    Raises
    ------
    InputError
        If there is none of this name.

    Examples
    --------
    >>> schema_of("banluck baseline")["properties"]["value"]
    {'description': "The player's expected result in units per hand.", 'type': 'number'}
    """
    models = OUTPUTS | FILES
    if name not in models:
        raise InputError(f"no JSON schema of '{name}'; {suggestion(name, models, 'schemas')}")
    return schema_of_model(models[name])
