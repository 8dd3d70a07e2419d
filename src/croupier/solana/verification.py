"""Prove from public data alone that a game was fair, or that it was not.

Every card is recomputed from the log: the house's pre-images, which must match the tip that it committed to before the
first card; the player's seed; and the hash of each request's slot, which the program read from the runtime. One thing
cannot be checked offline: that the cluster really had those slot hashes. For that the logs are the only evidence.
"""

from dataclasses import dataclass, replace

from croupier.solana.addresses import AddressError, game_address
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import MOST_DECKS, Result, Status, Tag
from croupier.solana.events import Claimed, Created, Event, Revealed
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.model import request, reveal
from croupier.solana.randomness import next_tip, reveal_seed
from croupier.solana.record import GameRecord

_TAGS = {Status.DEAL_REQUESTED: Tag.DEAL, Status.HIT_REQUESTED: Tag.HIT, Status.STAND_REQUESTED: Tag.STAND}


class _RefutedError(Exception):
    """The record contradicts itself; the message says where."""


@dataclass(frozen=True, slots=True)
class VerifiedStep:
    """A verified event: what happened, and every check that it passed, in words."""

    summary: str
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of a verification: the verified events, the first problem, and the game as recomputed so far."""

    verified: tuple[VerifiedStep, ...]
    problem: str | None
    game: Game | None
    end_checks: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[str, ...]:
        """What happened, as far as it was verified."""
        return tuple(step.summary for step in self.verified)

    @property
    def is_fair(self) -> bool:
        """Whether every event was verified and the game is over."""
        return self.problem is None

    def __str__(self) -> str:
        verdict = "fair: every card follows from the public data"
        return "\n".join([*self.steps, verdict if self.problem is None else f"NOT PROVEN: {self.problem}"])


def verify_game(record: GameRecord, account: Game | None = None) -> Verification:
    """Recompute a game from its record, and compare it with its account if that still exists.

    Examples
    --------
    >>> from solders.pubkey import Pubkey
    >>> print(verify_game(GameRecord(Pubkey.default(), ())))
    NOT PROVEN: the record is empty
    """
    steps: list[VerifiedStep] = []
    game: Game | None = None
    try:
        for number, event in enumerate(record.events):
            game, step = _opened(record, event) if number == 0 else _continued(game, event, number)
            steps.append(step)
        end_checks = _checked_end(game, account)
    except _RefutedError as problem:
        return Verification(tuple(steps), str(problem), game)
    return Verification(tuple(steps), None, game, end_checks)


def _opened(record: GameRecord, event: Event) -> tuple[Game, VerifiedStep]:
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
    decks = "1 deck" if event.decks == 1 else f"{event.decks} decks"
    checks = (
        f"all {len(record.events)} entries of the record are about this one game, and its creation comes first",
        f"the address {address} follows from the program, the player and the game's number {event.number}",
        f"the shoe is complete: {decks}, {game.cards_left} cards",
    )
    return game, VerifiedStep(f"created: {decks}, the house committed to {_short(event.chain_tip)}", checks)


def _continued(game: Game | None, event: Event, number: int) -> tuple[Game, VerifiedStep]:
    assert game is not None, "the first event has opened the game"
    if isinstance(event, Created):
        raise _RefutedError(f"step {number}: the game is created a second time")
    if event.slot < game.slot:
        raise _RefutedError(f"step {number}: slot {event.slot} comes before slot {game.slot}")
    if isinstance(event, Revealed):
        return _answered(_requested(game, event, number), event, number)
    if game.status is Status.FINISHED:
        raise _RefutedError(f"step {number}: a claim comes after the end of the game")
    if event.request.waits_for_house:
        game = _requested(game, event, number)
    expected = Result.HOUSE_FORFEIT if game.status.waits_for_house else Result.PLAYER_FORFEIT
    if (event.request, event.result) != (game.status, expected):
        raise _RefutedError(f"step {number}: a claim in {game.status.name} gives {expected.name}")
    finished = replace(game, status=Status.FINISHED, result=event.result)
    ending = _words(event.result.name)
    late = "house had to answer" if game.status.waits_for_house else "player had to act"
    checks = (f"the {late}, so a claim ends the game as {ending}, as logged",)
    return finished, VerifiedStep(f"claimed: {ending}", checks)


def _requested(game: Game, event: Revealed | Claimed, number: int) -> Game:
    tag = _TAGS.get(event.request)
    if tag is None:
        raise _RefutedError(f"step {number}: {event.request.name} is not a request that the house answers")
    try:
        return request(game, tag, event.slot)
    except Refusal as refusal:
        raise _RefutedError(f"step {number}: {tag.name.lower()}: {refusal}") from None


def _answered(game: Game, event: Revealed, number: int) -> tuple[Game, VerifiedStep]:
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
    seed = reveal_seed(event.preimage, game.player_seed, event.slot_hash, event.game)
    ending = "" if after.result is Result.OPEN else f"; {_words(after.result.name)}"
    outcome = _words(after.status.name) if after.result is Result.OPEN else _words(after.result.name)
    checks = (
        f"SHA-256 of the pre-image {_short(event.preimage)} is {_short(game.chain_tip)}, the house's commitment",
        f"the pre-image, the player's seed, the hash {_short(event.slot_hash)} of slot {event.slot} and the game's address "
        f"give the seed {_short(seed)} of this draw",
        f"out of the {game.cards_left} cards left, this seed draws {cards}, as logged",
        f"by the rules this leads to: {outcome}, as logged",
    )
    return after, VerifiedStep(f"{asked} in slot {event.slot}: {cards}{ending}", checks)


def _checked_end(game: Game | None, account: Game | None) -> tuple[str, ...]:
    if game is None:
        raise _RefutedError("the record is empty")
    if account is not None and replace(account, slot=game.slot) != game:
        raise _RefutedError(f"the account differs from the record: {account}")
    if game.status is not Status.FINISHED:
        raise _RefutedError(f"the game is not over: {_words(game.status.name)}")
    same = () if account is None else ("the account on the chain equals the recomputed game",)
    return ("the game is over, and nothing comes after its end", *same)


def _short(digest: bytes) -> str:
    return f"{digest.hex()[:16]}…"


def _words(name: str) -> str:
    return name.lower().replace("_", " ")
