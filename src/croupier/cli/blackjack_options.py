"""Options that several blackjack commands share."""

from typing import Annotated

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.cli.options import rule_options

ChosenRules = Annotated[BlackjackRules, rule_options(BLACKJACK, "soft17=hit")]
