"""The proof of a game in words, and a forged record that fails it."""

from dataclasses import replace

from croupier.solana.card_codes import format_codes
from croupier.solana.events import Revealed
from croupier.solana.game import Game
from croupier.solana.record import GameRecord
from croupier.solana.verification import Verification, verify_game
from croupier.web.models.solana_view import Forgery, Proof, ProvenStep


def prove(record: GameRecord, account: Game | None) -> Proof:
    """Verify a record, and the account if it still exists.

    Examples
    --------
    >>> from solders.pubkey import Pubkey
    >>> prove(GameRecord(Pubkey.default(), ()), None).verdict
    'Not proven: the record is empty.'
    """
    return _in_words(verify_game(record, account))


def can_forge(record: GameRecord) -> bool:
    """Return whether the record has a card that can be changed."""
    return _last_draw(record) is not None


def forge(record: GameRecord) -> Forgery:
    """Change the first card of the last reveal in a copy of the record, and verify the copy."""
    place = _last_draw(record)
    assert place is not None, "a record to forge has a card"
    event = record.events[place]
    assert isinstance(event, Revealed), "cards are drawn by reveals"
    true, *others = event.drawn
    false = (true + 1) % 52
    events = (
        *record.events[:place],
        replace(event, drawn=(false, *others)),
        *record.events[place + 1 :],
    )
    was, became = format_codes([true], symbols=True), format_codes([false], symbols=True)
    change = f"In a copy of the record, entry {place + 1} says {became}, but the house drew {was}."
    return Forgery(change, _in_words(verify_game(GameRecord(record.program, events))))


def _last_draw(record: GameRecord) -> int | None:
    places = [
        place for place, event in enumerate(record.events) if isinstance(event, Revealed) and event.drawn
    ]
    return places[-1] if places else None


def _in_words(verification: Verification) -> Proof:
    steps = tuple(ProvenStep(step.summary, step.checks) for step in verification.verified)
    if verification.problem is None:
        verdict = "Proven: every card follows from the public data."
    else:
        verdict = f"Not proven: {verification.problem}."
    return Proof(steps, verification.problem, verification.end_checks, verdict)
