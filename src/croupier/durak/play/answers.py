"""Whether the person may give an answer; why not is said in words to that person, in the reader's language."""

from collections.abc import Sequence

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.phases import Phase
from croupier.durak.play.phrases import short_names
from croupier.durak.play.refusal import DurakRefusal


def verify_answer(seen: Observation, cards: Sequence[int]) -> None:
    """Raise unless a player may answer with these cards; none means done, take, or nothing more.

    Raises
    ------
    DurakRefusal
        Saying what can be played instead.

    Examples
    --------
    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("7C 9C 6H"), read_cards("8C"), (), 24, 5, read_card("AH"))
    >>> verify_answer(seen, read_cards("7C"))
    Traceback (most recent call last):
    croupier.durak.play.refusal.DurakRefusal: 7♣ cannot be played now; what can: 9♣ 6♥.
    """
    if not cards:
        if not seen.can_pass:
            raise DurakRefusal("durak.refused.lead")
        return
    missing = [card for card in cards if card not in seen.hand]
    if missing:
        raise DurakRefusal("durak.refused.not_held", cards=short_names(missing))
    unfit = [card for card in cards if card not in seen.playable]
    if unfit:
        key = "durak.refused.cannot_play" if seen.playable else "durak.refused.nothing_fits"
        offered = short_names(seen.by_cost(seen.playable))
        raise DurakRefusal(key, cards=short_names(unfit), offered=offered)
    if seen.phase is Phase.THROW_IN:
        if len(cards) > seen.throw_in_limit:
            raise DurakRefusal("durak.refused.throw_limit", count=len(cards), limit=seen.throw_in_limit)
    elif len(cards) > 1:
        raise DurakRefusal("durak.refused.one_card", count=len(cards))
