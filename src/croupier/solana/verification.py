"""Proving that a game was fair, or that it was not, from public data alone.

Every card is computed again from what was logged: the house's pre-images, which must fit the tip that it committed to
before the first card; the player's seed; and the hash of each request's slot, which the program read from the runtime.
What cannot be checked offline is that the cluster really had those slot hashes: the logs carry the cluster's word.
"""

from dataclasses import dataclass, replace

from croupier.solana.addresses import AddressError, game_address
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import MOST_DECKS, Result, Status, Tag
from croupier.solana.events import Claimed, Created, Event, Revealed
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.model import request, reveal
from croupier.solana.randomness import next_tip
from croupier.solana.record import GameRecord

_TAGS = {Status.DEAL_REQUESTED: Tag.DEAL, Status.HIT_REQUESTED: Tag.HIT, Status.STAND_REQUESTED: Tag.STAND}


class _RefutedError(Exception):
    """The record does not fit; the message says where."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What came out: the steps that fit, the first thing that does not, and the game as recomputed so far."""

    steps: tuple[str, ...]
    problem: str | None
    game: Game | None

    @property
    def is_fair(self) -> bool:
        """Whether everything fits and the game is over."""
        return self.problem is None

    def __str__(self) -> str:
        verdict = "fair: every card follows from the public data"
        return "\n".join([*self.steps, verdict if self.problem is None else f"NOT PROVEN: {self.problem}"])


def verify_game(record: GameRecord, account: Game | None = None) -> Verification:
    """Recompute a game from its record, and compare it with its account where that still exists.

    Examples
    --------
    >>> from solders.pubkey import Pubkey
    >>> print(verify_game(GameRecord(Pubkey.default(), ())))
    NOT PROVEN: the record is empty
    """
    steps: list[str] = []
    game: Game | None = None
    try:
        for number, event in enumerate(record.events):
            game, step = _opened(record, event) if number == 0 else _continued(game, event, number)
            steps.append(step)
        _verify_end(game, account)
    except _RefutedError as problem:
        return Verification(tuple(steps), str(problem), game)
    return Verification(tuple(steps), None, game)


def _opened(record: GameRecord, event: Event) -> tuple[Game, str]:
    if not isinstance(event, Created):
        raise _RefutedError("the record does not begin with the game's creation")
    for other in record.events:
        if other.game != event.game:
            raise _RefutedError(f"the record mixes games {event.game} and {other.game}")
    try:
        address = game_address(record.program, event.player, event.number)
    except AddressError as error:
        raise _RefutedError(str(error)) from None
    if address != event.game:
        raise _RefutedError(f"game {event.number} of {event.player} lives at {address}, not at {event.game}")
    if not 1 <= event.decks <= MOST_DECKS:
        raise _RefutedError(f"the game has {event.decks} decks; 1 to {MOST_DECKS} are possible")
    game = Game.created(
        event.player,
        event.house,
        event.chain_tip,
        event.player_seed,
        number=event.number,
        decks=event.decks,
    )
    packs = "1 deck" if event.decks == 1 else f"{event.decks} decks"
    return game, f"created: {packs}, the house committed to {event.chain_tip.hex()[:16]}…"


def _continued(game: Game | None, event: Event, number: int) -> tuple[Game, str]:
    assert game is not None, "the first event has opened the game"
    if isinstance(event, Created):
        raise _RefutedError(f"step {number}: the game is created a second time")
    if event.slot < game.slot:
        raise _RefutedError(f"step {number}: slot {event.slot} comes before slot {game.slot}")
    if isinstance(event, Revealed):
        return _answered(_requested(game, event, number), event, number)
    if event.request.waits_for_house:
        game = _requested(game, event, number)
    expected = Result.HOUSE_FORFEIT if game.status.waits_for_house else Result.PLAYER_FORFEIT
    if (event.request, event.result) != (game.status, expected):
        raise _RefutedError(f"step {number}: a claim in {game.status.name} gives {expected.name}")
    finished = replace(game, status=Status.FINISHED, result=event.result)
    return finished, f"claimed: {event.result.name.lower().replace('_', ' ')}"


def _requested(game: Game, event: Revealed | Claimed, number: int) -> Game:
    tag = _TAGS.get(event.request)
    if tag is None:
        raise _RefutedError(f"step {number}: {event.request.name} is nothing that the house answers")
    try:
        return request(game, tag, event.slot)
    except Refusal as refusal:
        raise _RefutedError(f"step {number}: {tag.name.lower()}: {refusal}") from None


def _answered(game: Game, event: Revealed, number: int) -> tuple[Game, str]:
    if next_tip(event.preimage) != game.chain_tip:
        raise _RefutedError(f"step {number}: the pre-image is not the one that the house committed to")
    answer = reveal(game, event.game, event.preimage, event.slot_hash, event.slot)
    for place, (logged, computed) in enumerate(zip(event.drawn, answer.drawn, strict=False), start=1):
        if logged != computed:
            raise _RefutedError(
                f"step {number}, card {place}: {format_codes([logged])} was dealt, "
                f"but the public data give {format_codes([computed])}"
            )
    if len(event.drawn) != len(answer.drawn):
        raise _RefutedError(
            f"step {number}: {len(event.drawn)} cards were dealt, but the rules ask for {len(answer.drawn)}"
        )
    after = answer.game
    if (event.status, event.result) != (after.status, after.result):
        raise _RefutedError(
            f"step {number}: {event.status.name} and {event.result.name} were logged, "
            f"but the cards give {after.status.name} and {after.result.name}"
        )
    asked = _TAGS[event.request].name.lower()
    cards = format_codes(event.drawn, symbols=True) or "no card"
    ending = "" if after.result is Result.OPEN else f"; {after.result.name.lower().replace('_', ' ')}"
    return after, f"{asked} in slot {event.slot}: {cards}{ending}"


def _verify_end(game: Game | None, account: Game | None) -> None:
    if game is None:
        raise _RefutedError("the record is empty")
    if account is not None and replace(account, slot=game.slot) != game:
        raise _RefutedError(f"the account holds another game than the record: {account}")
    if game.status is not Status.FINISHED:
        raise _RefutedError(f"the game is not over: {game.status.name.lower().replace('_', ' ')}")
