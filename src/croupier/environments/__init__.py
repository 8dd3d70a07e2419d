"""The games for people who train and study agents, as environments of Gymnasium (extra ``rl``).

Importing this package registers the environments with Gymnasium. Its older versions found them by an entry point; since 1.0 a package has
to be imported, or named with the environment: ``gymnasium.make("croupier.environments:croupier/Blackjack-v0")``.

Examples
--------
>>> import gymnasium, croupier.environments
>>> env = gymnasium.make("croupier/Blackjack-v0", rules="vegas-strip")
>>> observation, info = env.reset(seed=7)
>>> int(observation["total"]), info["legal"]
(18, ('stand', 'hit', 'double'))
"""

from typing import TYPE_CHECKING

from croupier.extras import needs
from croupier.lazy import lazy_names

if TYPE_CHECKING:
    from croupier.environments.banluck import BanluckEnvironment as BanluckEnvironment
    from croupier.environments.banluck_turns import BanluckTurns
    from croupier.environments.blackjack import BlackjackEnvironment as BlackjackEnvironment
    from croupier.environments.blackjack_counting import (
        BlackjackCountingEnvironment as BlackjackCountingEnvironment,
    )
    from croupier.environments.blackjack_policies import ChartPolicy as ChartPolicy
    from croupier.environments.blackjack_policies import policy_chart as policy_chart
    from croupier.environments.blackjack_tables import BlackjackTables as BlackjackTables
    from croupier.environments.durak import DurakEnvironment as DurakEnvironment
    from croupier.environments.durak_tables import DurakTables as DurakTables
    from croupier.environments.durak_turns import DurakTurns
    from croupier.environments.evaluation import Evaluation as Evaluation
    from croupier.environments.evaluation import evaluate as evaluate

    durak_aec = DurakTurns
    banluck_aec = BanluckTurns

    __all__: list[str]
else:  # hidden from type checkers, so that they refuse a name that is not there
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "banluck": "BanluckEnvironment",
            "banluck_turns": "banluck_aec=BanluckTurns",
            "blackjack": "BlackjackEnvironment",
            "blackjack_counting": "BlackjackCountingEnvironment",
            "blackjack_policies": "ChartPolicy policy_chart",
            "blackjack_tables": "BlackjackTables",
            "durak": "DurakEnvironment",
            "durak_tables": "DurakTables",
            "durak_turns": "durak_aec=DurakTurns",
            "evaluation": "Evaluation evaluate",
        },
    )

#: Environments by their names in Gymnasium.
ENVIRONMENTS = {
    "croupier/Banluck-v0": "banluck:BanluckEnvironment",
    "croupier/Blackjack-v0": "blackjack:BlackjackEnvironment",
    "croupier/BlackjackCounting-v0": "blackjack_counting:BlackjackCountingEnvironment",
    "croupier/Durak-v0": "durak:DurakEnvironment",
}

#: Those that a kernel steps by the thousand.
VECTOR_ENVIRONMENTS = {
    "croupier/Blackjack-v0": "blackjack_tables:BlackjackTables",
    "croupier/Durak-v0": "durak_tables:DurakTables",
}


def register() -> None:
    """Tell Gymnasium of the environments; importing the package does it."""
    needs("rl")
    import gymnasium  # noqa: PLC0415 - comes with an extra

    for name, place in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            many = VECTOR_ENVIRONMENTS.get(name)
            gymnasium.register(
                name,
                entry_point=f"{__name__}.{place}",
                vector_entry_point=None if many is None else f"{__name__}.{many}",
            )


register()
