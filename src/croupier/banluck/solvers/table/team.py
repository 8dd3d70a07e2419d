"""Two players with a common purse who see each other's cards, against a dealer whose strategy is given.

No collusion can win more than such a team at its best, so this bounds what collusion costs a dealer who keeps to the strategy. For each pair
of the players' final hands, what both win is summed over the dealer's hands. Then the second player's best play is backward
induction for each final hand of the first, and the first one's for each two cards of the second.
"""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.hand_table import Floats, Integers, deals
from croupier.banluck.solvers.table.dealer_states import COUNTS, DealerHands, pass_known
from croupier.banluck.solvers.table.seat_hands import play_values
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.banluck.solvers.table.sums import HandTree
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.banluck.solvers.table.two_seats import FIRST, SECOND
from croupier.numerics.compiled import compiled
from croupier.numerics.threads import side_by_side

_PARTS = 16


class TeamHands(NamedTuple):
    """The hands with which a player's part can end, and what the dealer makes of them.

    Attributes
    ----------
    tree
        The hands: closed ones and shown busts, in the order of the multisets.
    counts, size
        Cards of each class, and of all.
    units
        What each hand wins against each of the dealer's hands, if the dealer settles there.
    bust_units
        What a shown bust brings.
    behind_first, behind_second
        With which mass the dealer settles the other player at each hand, by the first, or second, player's hand and the other one's card
        count.
    """

    tree: HandTree
    counts: Integers
    size: Integers
    units: Floats
    bust_units: Floats
    behind_first: Floats
    behind_second: Floats


def team_value(game: TwoPlayerGame, strategy: TableStrategy) -> float:
    """Return the most that a team can win, in units per hand of both.

    The strategy must say what the dealer does after every bust of the first player
    (:func:`~croupier.banluck.solvers.table.completion.completed`).
    """
    table, seats = game.table, game.table.seats
    start = game.start(strategy.surrender)
    hands, team = _team_hands(game, strategy, start)
    values = np.zeros((len(hands), len(hands)))
    edges = np.linspace(0, len(hands), _PARTS + 1).astype(int).tolist()
    counts = deals().counts[table.dealer.hands]
    side_by_side(
        [
            partial(fill_team_values, values, first, last, team, counts, table.pack, start)
            for first, last in pairwise(edges)
        ]
    )
    dealt = np.flatnonzero(seats.dealt)
    by_first = np.array([_best(game, hands, row)[dealt] for row in values])
    both_in = [float(seats.dealt @ _best(game, hands, column)) for column in by_first.T]
    return float(seats.dealt[dealt] @ both_in) + _with_ban_hands(game, strategy)


def _team_hands(game: TwoPlayerGame, strategy: TableStrategy, start: Floats) -> tuple[Integers, TeamHands]:
    table, seats, policy = game.table, game.table.seats, strategy.dealer
    hands = np.sort(np.concatenate((seats.final, seats.bust)))
    size = deals().card_count[hands]
    units = np.zeros((len(hands), len(table.dealer.hands)))
    units[np.searchsorted(hands, seats.final)] = table.hand_units
    bust_units = np.zeros(len(hands))
    busts = np.searchsorted(hands, seats.bust)
    bust_units[busts] = seats.bust_units
    settled, opened = table.settlements(policy, start)
    behind = np.zeros((2, len(hands), COUNTS, len(table.dealer.hands)))
    for number in range(COUNTS):
        own = seats.final[slice(*seats.first_of_count[number : number + 2])]
        places = np.searchsorted(hands, own)
        known = (policy.first_known[number], policy.second_known[number])
        entries = (opened[FIRST][:, number, :], opened[SECOND][:, :, number])
        closed = (settled[SECOND][:, number, :], settled[FIRST][:, :, number])
        for seat in (FIRST, SECOND):
            stopped = _stopped(table.dealer, entries[seat], known[seat])
            behind[seat, places] = stopped + closed[seat].T
    entry = np.repeat(start[:, None], COUNTS, axis=1)
    if len(busts):
        possible = np.flatnonzero(np.all(deals().counts[seats.bust] <= table.pack, axis=1))
        draws = np.array([strategy.remaining[MULTISETS[hand]][1] for hand in seats.bust[possible]])
        behind[FIRST, busts[possible]] = _stopped(table.dealer, entry, draws)
        behind[SECOND, busts] = _stopped(table.dealer, entry, policy.second_known[COUNTS])
    tree = HandTree.of(hands)
    return hands, TeamHands(
        tree, deals().counts[hands], size, units, bust_units, behind[FIRST], behind[SECOND]
    )


def _stopped(dealer: DealerHands, entry: Floats, draw: Floats) -> Floats:
    found = np.zeros((len(draw), COUNTS, len(dealer.hands)))
    fill_stopped(found, np.ascontiguousarray(entry), dealer, np.ascontiguousarray(draw))
    return found


def _best(game: TwoPlayerGame, hands: Integers, values: Floats) -> Floats:
    """Return what each hand of one player is worth to the team, for the values of final hands."""
    seats = game.table.seats
    stand = np.zeros(len(MULTISETS))
    stand[hands] = values
    worth = np.where(seats.acts, 0.0, stand)
    hit = seats.effective(np.zeros(len(MULTISETS)))
    play_values(worth, stand, seats.acts, seats.must_hit, hit, deals().child, np.array([True]))
    return worth


def _with_ban_hands(game: TwoPlayerGame, strategy: TableStrategy) -> float:
    """Return what the team wins where somebody holds a Ban hand: the one player who is left knows everything already."""
    keeps = game.table.dealer.dealt[:, None, None] * (1.0 - strategy.surrender)
    won = float(game.ban_deals.against_ban.sum()) + float(np.sum(game.ban_deals.shown.sum(axis=0) * keeps))
    for case in game.known_cases(strategy.seats).values():
        if case.shown:
            left = game.played_case(case, strategy)
            won += 2 * case.probability * (left.value + left.gain)
    return won


@compiled
def fill_stopped(found: Floats, entry: Floats, dealer: DealerHands, draw: Floats) -> None:
    """Fill with which mass the dealer stops at each hand, by known hand and the other player's card count."""
    hands = len(dealer.hands)
    reach, stopped = np.empty((hands, COUNTS)), np.empty(COUNTS)
    for known in range(len(found)):
        reach[:] = entry
        for hand in range(hands):
            pass_known(reach, stopped, hand, dealer, draw[known])
            found[known, :, hand] = stopped


@compiled
def fill_team_values(
    values: Floats, first: int, last: int, team: TeamHands, dealer: Integers, pack: Integers, start: Floats
) -> None:
    """Fill what both players win together, by the first one's hand (rows ``first`` to ``last``) and the second one's."""
    tree = team.tree
    hands, points = dealer.shape
    left, stack = np.empty((points, hands)), np.empty((6, hands))
    inverse = np.empty((COUNTS, hands))
    for own in range(first, last):
        _take_out(left, stack[0], inverse, team, own, dealer, pack)
        count = team.size[own] - 2
        for node in range(len(tree.depth)):
            depth, other = tree.depth[node], tree.final[node]
            taken = float(tree.before[node])
            for hand in range(hands):
                stack[depth, hand] = stack[depth - 1, hand] * max(left[tree.point[node], hand] - taken, 0.0)
            if other >= 0:
                lost = team.bust_units[own] + team.bust_units[other]
                behind_own = team.behind_first[own, team.size[other] - 2]
                behind_other = team.behind_second[other, count]
                total = 0.0
                for hand in range(hands):
                    won = (
                        behind_other[hand] * team.units[own, hand]
                        + behind_own[hand] * team.units[other, hand]
                    )
                    ways = stack[depth, hand] * inverse[team.size[other] - 2, hand]
                    total += ways * (won + lost * start[hand])
                values[own, other] = total


@compiled
def _take_out(
    left: Floats,
    ways: Floats,
    inverse: Floats,
    team: TeamHands,
    own: int,
    dealer: Integers,
    pack: Integers,
) -> None:
    """Take one player's hand and each of the dealer's out of the pack: what is left, in how many ways, out of how many."""
    for hand in range(len(dealer)):
        ways[hand] = 1.0
        taken = 0
        for point in range(len(pack)):
            held = team.counts[own, point] + dealer[hand, point]
            for before in range(held):
                ways[hand] *= max(pack[point] - before, 0)
            left[point, hand] = pack[point] - held
            taken += held
        for count in range(COUNTS):
            orders = 1.0
            for before in range(taken + count + 2):
                orders *= max(pack.sum() - before, 1)
            inverse[count, hand] = 1.0 / orders
