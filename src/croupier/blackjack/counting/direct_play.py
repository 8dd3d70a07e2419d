"""Playing the bets of a question for real: the second method behind the answers of a profile, and the only one for cover limits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from croupier.blackjack.counting import betting_kernel as kernel
from croupier.blackjack.counting.answers import Figure
from croupier.blackjack.counting.kernel import Floats
from croupier.blackjack.counting.profile_kernel import LOWEST_COUNT
from croupier.blackjack.counting.questions import Question, chosen_bets, spots_of
from croupier.blackjack.engine.shoe import BlackjackShoe
from croupier.blackjack.simulation import round_terms
from croupier.blackjack.simulation.result import error_over_shoes
from croupier.blackjack.simulation.simulator import BLOCK_ROUNDS, block_stream
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.errors import InputError
from croupier.runs.blocks import run_blocks
from croupier.runs.executors import open_executor

if TYPE_CHECKING:
    from croupier.blackjack.counting.profile import CountProfile

#: Bankrolls of one random stream.
_BLOCK_TRIPS = 256

#: A trip without an end is one of so many rounds.
_ENDLESS = 2**62
