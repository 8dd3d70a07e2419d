"""The events that the program logs: a game can be verified from them even after its account is closed."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from solders.pubkey import Pubkey

from croupier.cards import DECK_SIZE
from croupier.solana.codes import LAYOUT_VERSION, STAKED_VERSION, EventType, Result, Status
from croupier.solana.layout import CLAIMED_EVENT, CREATED_EVENT, REVEALED_EVENT, SETTLED_EVENT, LayoutError
from croupier.solana.stake import Stake

_INVOKE = re.compile(r"Program (\S+) invoke \[(\d+)\]")
_DATA = "Program data: "


@dataclass(frozen=True, slots=True)
class Created:
    """A game was opened."""

    decks: int
    number: int
    game: Pubkey
    player: Pubkey
    house: Pubkey
    player_seed: bytes
    chain_tip: bytes
    stake: Stake | None = None


@dataclass(frozen=True, slots=True)
class Revealed:
    """The house answered a request, and cards were drawn (none if the dealer stands at once)."""

    request: Status
    status: Status
    result: Result
    slot: int
    game: Pubkey
    preimage: bytes
    slot_hash: bytes
    drawn: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """One side ended the game because the other did not act in time."""

    request: Status
    result: Result
    slot: int
    game: Pubkey


@dataclass(frozen=True, slots=True)
class Settled:
    """A game with stakes was closed; the player's lamports include the rent."""

    result: Result
    player_lamports: int
    house_lamports: int
    game: Pubkey


Event = Created | Revealed | Claimed | Settled


def decode_event(data: bytes) -> Event:
    """Decode one event.

    Raises
    ------
    LayoutError
        If the bytes are not an event of this version.

    Examples
    --------
    >>> event = Claimed(Status.HIT_REQUESTED, Result.HOUSE_FORFEIT, 17, Pubkey.default())
    >>> decode_event(encode_event(event)) == event
    True
    >>> decode_event(b"")
    Traceback (most recent call last):
    croupier.solana.layout.LayoutError: event: no bytes
    """
    if len(data) < 2:
        raise LayoutError(f"event: {len(data) or 'no'} bytes")
    is_staked = data[:2] == bytes([EventType.CREATED, STAKED_VERSION])
    if data[1] != LAYOUT_VERSION and not is_staked:
        raise LayoutError(f"event: version {data[1]}; expected version {LAYOUT_VERSION}")
    try:
        match EventType(data[0]):
            case EventType.CREATED:
                return _decode_created(data, is_staked=is_staked)
            case EventType.REVEALED:
                return _decode_revealed(data)
            case EventType.CLAIMED:
                return _decode_claimed(data)
            case EventType.SETTLED:
                return _decode_settled(data)
    except ValueError as error:
        raise error if isinstance(error, LayoutError) else LayoutError(f"event: {error}") from None


def encode_event(event: Event) -> bytes:
    """Encode an event as the program does."""
    match event:
        case Created():
            created = CREATED_EVENT.pack(
                {
                    "type": EventType.CREATED,
                    "version": LAYOUT_VERSION if event.stake is None else STAKED_VERSION,
                    "decks": event.decks,
                    "number": event.number,
                    "game": bytes(event.game),
                    "player": bytes(event.player),
                    "house": bytes(event.house),
                    "player_seed": event.player_seed,
                    "chain_tip": event.chain_tip,
                }
            )
            return created if event.stake is None else created + event.stake.encode()
        case Revealed():
            head = {
                "type": EventType.REVEALED,
                "version": LAYOUT_VERSION,
                "request": event.request,
                "status": event.status,
                "result": event.result,
                "slot": event.slot,
                "game": bytes(event.game),
                "preimage": event.preimage,
                "slot_hash": event.slot_hash,
                "drawn_count": len(event.drawn),
            }
            return REVEALED_EVENT.pack(head) + bytes(event.drawn)
        case Claimed():
            return CLAIMED_EVENT.pack(
                {
                    "type": EventType.CLAIMED,
                    "version": LAYOUT_VERSION,
                    "request": event.request,
                    "result": event.result,
                    "slot": event.slot,
                    "game": bytes(event.game),
                }
            )
        case Settled():
            return SETTLED_EVENT.pack(
                {
                    "type": EventType.SETTLED,
                    "version": LAYOUT_VERSION,
                    "result": event.result,
                    "player_lamports": event.player_lamports,
                    "house_lamports": event.house_lamports,
                    "game": bytes(event.game),
                }
            )


def events_in_logs(logs: Iterable[str], program: Pubkey) -> Iterator[Event]:
    """Yield the program's events in a transaction's logs.

    Any program can log bytes that look like an event, so only bytes logged by our program itself count, not those of
    programs that it calls or that call it.

    Raises
    ------
    LayoutError
        If our program logged something that is not an event.

    Examples
    --------
    >>> ours, other = Pubkey(bytes([7] * 32)), Pubkey(bytes([8] * 32))
    >>> text = base64.b64encode(encode_event(Claimed(Status.CREATED, Result.PLAYER_FORFEIT, 9, other))).decode()
    >>> def logs(program):
    ...     return [f"Program {program} invoke [1]", f"Program data: {text}", f"Program {program} success"]
    >>> [event.slot for event in events_in_logs(logs(ours), ours)], list(events_in_logs(logs(other), ours))
    ([9], [])
    """
    running: list[str] = []
    for line in logs:
        if entered := _INVOKE.fullmatch(line):
            running.append(entered[1])
        elif running and (
            line == f"Program {running[-1]} success" or line.startswith(f"Program {running[-1]} failed")
        ):
            running.pop()
        elif line.startswith(_DATA) and running and running[-1] == str(program):
            yield decode_event(_decode_line(line))


def _decode_line(line: str) -> bytes:
    try:
        return base64.b64decode(line.removeprefix(_DATA), validate=True)
    except binascii.Error as error:
        raise LayoutError(f"event: not base64 ({error})") from None


def _decode_created(data: bytes, *, is_staked: bool) -> Created:
    values = CREATED_EVENT.unpack(data[: CREATED_EVENT.size] if is_staked else data)
    return Created(
        values["decks"],
        values["number"],
        Pubkey(values["game"]),
        Pubkey(values["player"]),
        Pubkey(values["house"]),
        values["player_seed"],
        values["chain_tip"],
        Stake.decode(data[CREATED_EVENT.size :]) if is_staked else None,
    )


def _decode_revealed(data: bytes) -> Revealed:
    values = REVEALED_EVENT.unpack(data[: REVEALED_EVENT.size])
    drawn = tuple(data[REVEALED_EVENT.size :])
    if len(drawn) != values["drawn_count"] or any(code >= DECK_SIZE for code in drawn):
        raise LayoutError(f"event: {values['drawn_count']} cards drawn, but {drawn} follow")
    return Revealed(
        Status(values["request"]),
        Status(values["status"]),
        Result(values["result"]),
        values["slot"],
        Pubkey(values["game"]),
        values["preimage"],
        values["slot_hash"],
        drawn,
    )


def _decode_claimed(data: bytes) -> Claimed:
    values = CLAIMED_EVENT.unpack(data)
    return Claimed(
        Status(values["request"]), Result(values["result"]), values["slot"], Pubkey(values["game"])
    )


def _decode_settled(data: bytes) -> Settled:
    values = SETTLED_EVENT.unpack(data)
    return Settled(
        Result(values["result"]), values["player_lamports"], values["house_lamports"], Pubkey(values["game"])
    )
