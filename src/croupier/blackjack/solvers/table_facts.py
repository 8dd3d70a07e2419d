"""The rules as the exact solver's kernels read them, for one up-card."""

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.payoffs import hand_pays
from croupier.blackjack.solvers.value_kernels import TableFacts
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.rulebook import RulesError
from croupier.texts import say


def table_facts(rules: BlackjackRules, up_card: int) -> TableFacts:
    """Read the rules for an up-card.

    Raises
    ------
    RulesError
        For hands paid at once where a later natural takes the original bet only: whether it also takes a bet whose hand is
        already paid differs from hand to hand of a split, and the values here know of one hand at a time.
    """
    pays_at_once = rules.twenty_one_pays_at_once or rules.charlie != "off" or rules.bonus_21 != "none"
    if rules.hole_card == "no-peek-original-bet" and pays_at_once:
        raise RulesError(say("blackjack.refused.original_bet"))
    return facts_without_check(rules, up_card)


def facts_without_check(rules: BlackjackRules, up_card: int) -> TableFacts:
    """Read the rules for an up-card, also where there are no exact values of whole rounds."""
    leaves_out = rules.hole_card != "no-peek" and rules.natural_beats_21
    is_unknown = rules.natural_beats_21 and rules.hole_card != "open"
    partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(up_card, -1) if is_unknown else -1
    return TableFacts(
        natural_point=partner if leaves_out else -1,
        natural_partner=partner,
        natural_is_21=not rules.natural_beats_21,
        pushes_22=rules.dealer_22_pushes,
        ties_lose=rules.ties_lose,
        surrender_loss=float(rules.surrender_loss),
        pays=hand_pays(rules),
    )
