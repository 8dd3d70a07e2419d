"""The games for OpenSpiel (extra ``openspiel``). Importing this package registers them.

``python_croupier_banluck``, ``python_croupier_blackjack`` and ``python_croupier_durak`` are played card by card.
:func:`compressed_banluck` is the same Banluck as a small tree, on which OpenSpiel's CFR and best responses run.

Examples
--------
>>> import pyspiel, croupier.environments.openspiel
>>> game = pyspiel.load_game("python_croupier_banluck")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.legal_actions())
(True, 10)
"""

from croupier.extras import needs

needs("openspiel")

import pyspiel  # noqa: E402 - comes with an extra

from croupier.environments.openspiel import banluck, blackjack, durak  # noqa: E402
from croupier.environments.openspiel.compressed import (  # noqa: E402
    CompressedBanluck,
    compressed_banluck,
)

__all__ = ["CompressedBanluck", "compressed_banluck", "register"]


def register() -> None:
    """Tell OpenSpiel of the games; importing the package does it."""
    known = set(pyspiel.registered_names())
    for module, game in (
        (banluck, banluck.BanluckGame),
        (blackjack, blackjack.BlackjackGame),
        (durak, durak.DurakGame),
    ):
        if module.TYPE.short_name not in known:
            pyspiel.register_game(module.TYPE, game)


register()
