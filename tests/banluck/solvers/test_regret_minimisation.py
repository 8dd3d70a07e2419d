"""The equilibrium: two independent answers, certified, and monotone where the rules say so.

Equilibria need not be unique, so only values and exploitabilities are compared, never frequencies.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

import pytest

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.banluck.solvers.linear_program import solve_linear_program
from croupier.banluck.solvers.regret_minimisation import REGRET_ALGORITHMS, RegretRun, solve_equilibrium
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.errors import InputError
from tests.long_cases import cases

PRESETS = {preset.name: preset.rules for preset in BANLUCK.presets}
REFERENCE = PRESETS["reference"]
GRID = range(25)

#: The rest of the grid, and of the bases, is left to `make verify`.
SHORT_GRID = 6
LONG_BASES = (5, 8)

#: Sums of some thousand products of size 1 are off by this much at most.
ROUNDING = 1e-12

#: Rule sets at the edge of what can be said in rules.
EXTREMES: dict[str, Mapping[str, object]] = {
    "a dealer without any choice": {"dealer_choice_max": 15, "surrender": "none"},
    "a dealer who must draw to 21": {"dealer_minimum": 21, "dealer_choice_max": 20, "surrender": "none"},
    "a dealer who never draws": {"dealer_minimum": 2, "dealer_choice_max": 1, "surrender": "none"},
    "a dealer who may always choose": {"dealer_minimum": 2, "dealer_choice_max": 20},
    "a player without any choice": {"player_minimum": 21, "below_minimum": "must_hit"},
    "nobody has any choice": {
        "player_minimum": 21,
        "below_minimum": "must_hit",
        "dealer_choice_max": 15,
        "surrender": "none",
    },
    "a player who may stand on anything": {"player_minimum": 2},
    "a fortune for three sevens, a trifle for Ban Luck": {
        "pays_777": 100,
        "pays_ban_luck": 0.01,
        "dealer_collects_multiples": True,
    },
}


@lru_cache(maxsize=64)
def solved(rules: BanluckRules) -> Equilibrium:
    return solve_equilibrium(rules, algorithm=Algorithm.PCFR_PLUS, tolerance=1e-6)


@lru_cache(maxsize=64)
def programmed(rules: BanluckRules) -> Equilibrium:
    """Solve by the linear program, once for all algorithms that are compared with it."""
    return solve_linear_program(rules)


def assert_certified(solution: Equilibrium, tolerance: float) -> None:
    """Check the interval by asking for the best responses to the strategies once more."""
    certificate = certify(solution.player, solution.dealer, solution.rules)
    assert (certificate.lower, certificate.upper) == (solution.lower, solution.upper)
    assert solution.lower - ROUNDING <= certificate.value <= solution.upper + ROUNDING
    assert solution.lower - ROUNDING <= solution.value <= solution.upper + ROUNDING
    assert 0 <= solution.exploitability <= tolerance
    assert solution.converged


def assert_two_answers_agree(rules: BanluckRules, algorithm: Algorithm = Algorithm.CFR_PLUS) -> None:
    program = programmed(rules)
    assert program.exploitability < 1e-9
    assert_certified(program, 1e-9)
    regrets = solve_equilibrium(rules, algorithm=algorithm, tolerance=1e-7)
    assert_certified(regrets, 1e-7)
    assert regrets.value == pytest.approx(program.value, abs=1e-7)
    assert regrets.lower - ROUNDING <= program.value <= regrets.upper + ROUNDING


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_cfr_plus_and_the_linear_program_agree_on_every_preset(preset: str) -> None:
    assert_two_answers_agree(PRESETS[preset])


@pytest.mark.parametrize("number", cases(GRID, long=[3, *GRID[SHORT_GRID:]]))
def test_regret_minimisation_and_the_linear_program_agree_on_a_grid_of_options(
    number: int, random_rules: Callable[[int], BanluckRules]
) -> None:
    """By CFR+, or by the faster PCFR+ where the dealer has a wide range of choice."""
    rules = random_rules(number)
    is_wide = rules.dealer_choice_max - rules.dealer_minimum > 4
    assert_two_answers_agree(rules, Algorithm.PCFR_PLUS if is_wide else Algorithm.CFR_PLUS)


@pytest.mark.parametrize("extreme", cases(EXTREMES, long=["a dealer who may always choose"]))
def test_regret_minimisation_and_the_linear_program_agree_at_the_edge_of_the_rules(extreme: str) -> None:
    assert_two_answers_agree(BanluckRules.create(EXTREMES[extreme]), Algorithm.PCFR_PLUS)


def test_the_grid_holds_every_choice_of_every_option_and_all_widths_of_the_dealers_range(
    random_rules: Callable[[int], BanluckRules],
) -> None:
    grid = [random_rules(number) for number in GRID]
    seen = {name: {getattr(rules, name) for rules in grid} for name in BanluckRules.model_fields}
    assert min(len(values) for values in seen.values()) >= 2
    assert seen["reveal"] == {"optional", "mandatory", "none"}
    assert seen["surrender"] == {"blind", "after_specials", "none"}
    assert {rules.dealer_choice_max - rules.dealer_minimum for rules in grid} >= {-1, 0, 1, 2, 3}
    assert len(set(grid)) == len(GRID)


@pytest.mark.parametrize("number", cases(["reference", "singapore", 7, 12], long=["singapore", 12]))
@pytest.mark.parametrize("algorithm", REGRET_ALGORITHMS)
def test_every_certified_interval_on_the_way_contains_the_value(
    algorithm: Algorithm, number: str | int, random_rules: Callable[[int], BanluckRules]
) -> None:
    rules = PRESETS[number] if isinstance(number, str) else random_rules(number)
    tolerance = 1e-4 if algorithm is Algorithm.CFR else 1e-6
    solution = solve_equilibrium(rules, algorithm=algorithm, tolerance=tolerance)
    assert_certified(solution, tolerance)
    value = programmed(rules).value
    assert solution.curve
    for point in solution.curve:
        assert point.lower - ROUNDING <= value <= point.upper + ROUNDING
    assert [point.width <= tolerance for point in solution.curve] == [False] * (len(solution.curve) - 1) + [
        True
    ]
    assert all(before.iteration < after.iteration for before, after in pairwise(solution.curve))
    assert solution.curve[-1].iteration == solution.iterations
    assert abs(solution.value - value) <= tolerance


def test_pcfr_plus_reaches_1e_9() -> None:
    assert_certified(solve_equilibrium(REFERENCE, algorithm=Algorithm.PCFR_PLUS, tolerance=1e-9), 1e-9)


def test_a_run_that_is_stopped_early_says_so_and_is_certified_all_the_same() -> None:
    solution = solve_equilibrium(REFERENCE, algorithm=Algorithm.CFR, tolerance=1e-9, max_iterations=40)
    assert solution.iterations == 40
    assert not solution.converged
    assert solution.lower < programmed(REFERENCE).value < solution.upper


def test_two_runs_give_the_same_numbers_to_the_last_bit() -> None:
    first, second = (solve_equilibrium(PRESETS["symmetric"], tolerance=1e-6) for _ in range(2))
    assert first.player.hit.tobytes() == second.player.hit.tobytes()
    assert first.dealer.draw.tobytes() == second.dealer.draw.tobytes()
    assert (first.lower, first.upper, first.iterations) == (second.lower, second.upper, second.iterations)


@pytest.mark.parametrize("tolerance", [0.0, -1e-6, math.nan])
def test_a_tolerance_that_cannot_be_met_is_refused(tolerance: float) -> None:
    with pytest.raises(InputError, match="a tolerance is a number above 0"):
        solve_equilibrium(REFERENCE, tolerance=tolerance)


def test_the_linear_program_is_no_regret_algorithm() -> None:
    with pytest.raises(InputError, match="'lp' does not minimise regrets; choose cfr, cfr\\+, dcfr, pcfr\\+"):
        RegretRun.started(REFERENCE, Algorithm.LP)


def test_the_figures_of_a_solution_are_plain_data() -> None:
    data = solved(REFERENCE).to_dict()
    assert data["lower"] <= data["value"] <= data["upper"]
    assert data["exploitability"] == data["upper"] - data["lower"]
    assert data["algorithm"] == "pcfr+"
    assert BanluckRules.create(data["rules"]) == REFERENCE
    assert len(data["curve"]) == len(solved(REFERENCE).curve)
    assert "units/hand, certified in [" in str(solved(REFERENCE))


@pytest.fixture(params=cases(["reference", 2, "singapore", *LONG_BASES], long=["singapore", *LONG_BASES]))
def base(request: pytest.FixtureRequest, random_rules: Callable[[int], BanluckRules]) -> BanluckRules:
    """Rules from which one option is changed."""
    return PRESETS[request.param] if isinstance(request.param, str) else random_rules(request.param)


def assert_ascending(base: BanluckRules, *steps: Mapping[str, object]) -> None:
    """Check that the player's value never falls from one change of the rules to the next.

    What is certified is compared: the least that the lower value can be, with the most that the higher one can be.
    """
    solutions = [solved(base.replaced(step)) for step in steps]
    for lower, higher in pairwise(solutions):
        assert lower.lower <= higher.upper + ROUNDING, (lower.rules.changes(higher.rules), lower, higher)


def test_taking_the_reveal_away_from_the_dealer_never_hurts_the_player(base: BanluckRules) -> None:
    """A dealer who must open is one who may and always does; one who may not look at the count may ignore it.

    Nothing follows for "mandatory" against "none".
    """
    assert_ascending(base, {"reveal": "optional"}, {"reveal": "mandatory"})
    assert_ascending(base, {"reveal": "optional"}, {"reveal": "none"})


def test_taking_the_surrender_away_from_the_dealer_never_hurts_the_player(base: BanluckRules) -> None:
    """Who sees the Ban hands first may decide as if blind; who may surrender need not."""
    steps = ({"surrender": option} for option in ("after_specials", "blind", "none"))
    assert_ascending(base, *steps)


def test_a_narrower_range_of_choice_from_above_never_hurts_the_player(base: BanluckRules) -> None:
    """Where the dealer may draw, the dealer may also stand as one does who may not.

    This holds with a mandatory reveal too: to open a player at a total and to stand on it pay the same.
    """
    highest = range(20, base.dealer_minimum - 2, -2)
    assert_ascending(base, *({"dealer_choice_max": total} for total in highest))


def test_a_narrower_range_of_choice_from_below_never_hurts_the_player(base: BanluckRules) -> None:
    """Where the dealer may stand, the dealer may also draw as one does who must.

    Not so with a mandatory reveal: it makes the dealer open, where the dealer used to draw.
    """
    assert_ascending(
        base.replaced({"dealer_choice_max": 18, "reveal": "optional"}),
        *({"dealer_minimum": minimum} for minimum in (12, 15, 17)),
    )
    assert_ascending(
        base.replaced({"dealer_choice_max": 18, "reveal": "none"}),
        *({"dealer_minimum": minimum} for minimum in (12, 15, 17)),
    )


def test_making_the_player_hit_never_helps_the_player(base: BanluckRules) -> None:
    """A player who may stand and forfeit may also hit always, and every other hand is settled alike."""
    assert_ascending(base, {"below_minimum": "must_hit"}, {"below_minimum": "forfeit"})


def test_a_forfeit_is_no_use_where_nothing_costs_more_than_a_unit(base: BanluckRules) -> None:
    """Standing below the minimum loses a unit for sure, and no card can make it worse than that."""
    cheap = base.replaced({"five_card_bust_player": 1, "dealer_collects_multiples": False})
    assert_ascending(cheap, {"below_minimum": "forfeit"}, {"below_minimum": "must_hit"})


def test_a_lower_minimum_never_hurts_the_player(base: BanluckRules) -> None:
    """A hand that reaches the minimum loses nothing that it would not have forfeited, and the player may stand on more."""
    assert_ascending(base, *({"player_minimum": minimum} for minimum in (17, 14)))


def test_a_low_five_card_hand_that_counts_never_hurts_the_player(base: BanluckRules) -> None:
    """A forfeit loses at least what the same hand loses when it is compared, against each hand of the dealer."""
    steps = ({"five_card_below_minimum": option} for option in ("forfeit", "counts"))
    assert_ascending(base, *steps)


def test_a_dearer_bust_of_the_dealer_never_hurts_the_player(base: BanluckRules) -> None:
    """Each pair of final hands pays the player as much or more."""
    assert_ascending(base, {"five_card_bust_dealer": 1}, {"five_card_bust_dealer": 2})


def test_a_dearer_bust_of_the_player_never_helps_the_player(base: BanluckRules) -> None:
    """Each pair of final hands pays the player as much or less."""
    assert_ascending(base, {"five_card_bust_player": 2}, {"five_card_bust_player": 1})


def test_a_dealer_who_collects_multiples_never_helps_the_player(base: BanluckRules) -> None:
    """With multiples of 1 or more, each pair of final hands pays the player as much or less."""
    multiples = {name: max(1.0, getattr(base, name)) for name in BanluckRules.model_fields if "pays" in name}
    steps = ({"dealer_collects_multiples": option} for option in (True, False))
    assert_ascending(base.replaced(multiples), *steps)


def test_busts_that_stay_closed_never_hurt_the_player_where_the_dealer_collects_no_multiples(
    base: BanluckRules,
) -> None:
    """Each pair of final hands pays the player as much or more, and both games have the same strategies.

    That the dealer must now also decide against bust hands costs the player nothing: where busts are
    settled at once, the dealer may imagine to decide against them too, and it changes no result.
    """
    steps = ({"both_bust": option} for option in ("player_loses", "push"))
    assert_ascending(base.replaced({"dealer_collects_multiples": False}), *steps)


@pytest.mark.parametrize(
    "multiple", ["pays_ban_ban", "pays_ban_luck", "pays_777", "pays_five_card_21", "pays_five_card"]
)
def test_a_higher_multiple_never_hurts_the_player_where_the_dealer_collects_none(
    multiple: str, random_rules: Callable[[int], BanluckRules]
) -> None:
    """Each pair of final hands pays the player as much or more."""
    for base in (REFERENCE, random_rules(5)):
        steps = ({multiple: factor} for factor in (1, 5))
        assert_ascending(base.replaced({"dealer_collects_multiples": False}), *steps)


#: A base, and a change of one option that changes what the game is worth.
TELLING_CHANGES: list[tuple[Mapping[str, object], Mapping[str, object]]] = [
    ({}, {"ace_values": ((1, 11),) * 4}),
    ({}, {"player_minimum": 17}),
    # With four cards and 19, a player who needs 20 gives up a unit rather than bust for two.
    ({"player_minimum": 20, "five_card_bust_player": 2}, {"below_minimum": "must_hit"}),
    ({}, {"five_card_below_minimum": "counts"}),
    ({}, {"dealer_minimum": 18}),
    ({}, {"dealer_choice_max": 18}),
    ({}, {"reveal": "mandatory"}),
    ({}, {"reveal": "none"}),
    # Heads-up, who may be opened matters only where the dealer must open.
    ({"reveal": "mandatory"}, {"reveal_from": 2}),
    ({}, {"surrender": "none"}),
    # Against players who forfeit often, a hard 15 is kept, unless the dealer sees what it is up against.
    ({"player_minimum": 19}, {"surrender": "after_specials"}),
    ({}, {"dealer_collects_multiples": True}),
    ({}, {"five_card_mirror": "push"}),
    ({}, {"five_card_bust_player": 2}),
    ({}, {"five_card_bust_dealer": 2}),
    ({}, {"both_bust": "push"}),
    ({}, {"special_777": False}),
    ({}, {"pays_ban_ban": 4}),
    ({}, {"pays_ban_luck": 3}),
    ({}, {"pays_777": 21}),
    ({}, {"pays_five_card_21": 4}),
    ({}, {"pays_five_card": 3}),
]


def test_every_option_has_a_telling_change() -> None:
    assert {name for _, change in TELLING_CHANGES for name in change} == set(BanluckRules.model_fields)


@pytest.mark.parametrize(
    ("given", "change"),
    TELLING_CHANGES,
    ids=lambda options: " ".join(f"{name}={value}" for name, value in options.items()),
)
def test_no_option_is_ignored(given: Mapping[str, object], change: Mapping[str, object]) -> None:
    unchanged = solved(REFERENCE.replaced(given))
    changed = solved(REFERENCE.replaced({**given, **change}))
    assert changed.upper < unchanged.lower or unchanged.upper < changed.lower


def test_games_of_other_rules_are_other_games() -> None:
    assert sequence_game(REFERENCE) is sequence_game(BanluckRules())
    assert sequence_game(REFERENCE) is not sequence_game(PRESETS["symmetric"])
