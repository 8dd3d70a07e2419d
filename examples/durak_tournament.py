"""Everybody against everybody: functions, an engine object and programs in one tournament."""

from croupier import durak


def cheapest(seen: durak.Observation) -> list[int]:
    """Play the cheapest card that may be played."""
    return seen.by_cost(seen.playable)[:1]


def stingy(seen: durak.Observation) -> list[int]:
    """Play no trump while another answer is allowed."""
    plain = [card for card in seen.playable if not seen.is_trump(card)]
    return seen.by_cost(plain or ([] if seen.can_pass else seen.playable))[:1]


result = durak.tournament([cheapest, stingy, "durak-dummy", "durak-random --seed 1"], pairs=10, seed=1)
print(result)
