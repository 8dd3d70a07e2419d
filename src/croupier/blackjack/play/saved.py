"""A blackjack session as plain JSON, and back: the shoe as it lies, the round as its history."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field

from croupier.blackjack.engine import (
    BlackjackRules,
    BlackjackShoe,
    RoundState,
    Session,
    ShoeStatistics,
    Table,
    from_json,
    pack_of,
    to_json,
)
from croupier.cards import format_cards, parse_card
from croupier.errors import InputError
from croupier.saved_state import Saved

_Count = Annotated[int, Field(ge=0)]


class SavedShoe(Saved):
    """A shoe: its cards in their order, and how far it is dealt."""

    order: str
    cut: _Count
    seed: list[_Count]
    is_infinite: bool
    dealt: _Count
    round_start: _Count
    refills: _Count
    reused: _Count
    rounds_played: _Count


class SavedSession(Saved):
    """A session. Of past shoes only the sum is kept: their number alone decides the cards to come."""

    rules: dict[str, Any]
    seed: _Count
    shoe: SavedShoe
    round: dict[str, Any] | None
    shoes: _Count
    past: dict[str, int | float]
    present: dict[str, int | float]


def save_session(session: Session) -> SavedSession:
    """Write a session down.

    >>> session = Session.opened(BlackjackRules(decks=1), seed=3).start_round(bets=[5])
    >>> load_session(save_session(session)) == session
    True
    """
    return SavedSession(
        rules=session.rules.model_dump(mode="json"),
        seed=session.seed,
        shoe=_save_shoe(session.shoe),
        round=None if session.table is None else _save_round(session.table.state),
        shoes=len(session.past_shoes),
        past=asdict(sum(session.past_shoes, ShoeStatistics())),
        present=asdict(session.present_shoe),
    )


def load_session(saved: SavedSession) -> Session:
    """Read a session back; one that cannot have come from play is refused."""
    rules = BlackjackRules.create(saved.rules)
    shoe = _load_shoe(saved.shoe, rules)
    table = None if saved.round is None else Table(_load_round(saved.round, rules), shoe)
    if table is not None:
        dealt = shoe.order[shoe.round_start : shoe.dealt]
        if Counter(dealt) != Counter(table.state.dealt_cards):
            raise InputError("saved blackjack table: the cards on the table did not come from the shoe")
    past = (_statistics(saved.past), *[ShoeStatistics()] * (saved.shoes - 1)) if saved.shoes else ()
    return Session(rules, saved.seed, shoe, table, past, _statistics(saved.present))


def _save_shoe(shoe: BlackjackShoe) -> SavedShoe:
    return SavedShoe(
        order=format_cards(shoe.order),
        cut=shoe.cut,
        seed=list(shoe.seed) if isinstance(shoe.seed, tuple) else [shoe.seed],
        is_infinite=shoe.is_infinite,
        dealt=shoe.dealt,
        round_start=shoe.round_start,
        refills=shoe.refills,
        reused=shoe.reused,
        rounds_played=shoe.rounds_played,
    )


def _load_shoe(saved: SavedShoe, rules: BlackjackRules) -> BlackjackShoe:
    order = tuple(parse_card(token) for token in saved.order.split())
    if not saved.round_start <= saved.dealt <= len(order):
        raise InputError(
            f"saved blackjack table: {saved.dealt} cards dealt from {saved.round_start} on, of {len(order)}"
        )
    if saved.is_infinite != (rules.decks == "infinite"):
        raise InputError("saved blackjack table: the shoe is not one of these rules")
    if rules.decks != "infinite" and Counter(order) != Counter(pack_of(rules) * rules.decks):
        raise InputError(f"saved blackjack table: the shoe does not hold {rules.decks} packs")
    fields = saved.model_dump() | {"order": order, "seed": tuple(saved.seed)}
    return BlackjackShoe(**fields, has_tens=rules.ten_spots)


def _save_round(state: RoundState) -> dict[str, Any]:
    saved: dict[str, Any] = json.loads(to_json(state))
    del saved["rules"]
    return saved


def _load_round(saved: Mapping[str, Any], rules: BlackjackRules) -> RoundState:
    return from_json(json.dumps({**saved, "rules": rules.model_dump(mode="json")}))


def _statistics(saved: Mapping[str, float]) -> ShoeStatistics:
    try:
        return ShoeStatistics(**saved)  # type: ignore[arg-type]
    except TypeError as error:
        raise InputError(f"saved blackjack table: statistics of a shoe: {error}") from None
