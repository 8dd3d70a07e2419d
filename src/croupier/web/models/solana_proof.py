"""The proof of a game in words, and a forged record that fails it."""

import base64
from dataclasses import replace

from croupier.solana.card_codes import format_codes
from croupier.solana.events import Revealed, encode_event
from croupier.solana.game import Game
from croupier.solana.record import GameRecord
from croupier.solana.verification import Verification, verify_game
from croupier.texts import say
from croupier.web.models.solana_view import Forgery, Proof, ProvenStep


def prove(record: GameRecord, account: Game | None) -> Proof:
    """Verify a record, and the account if it still exists.

    Examples
    --------
    >>> from solders.pubkey import Pubkey
    >>> prove(GameRecord(Pubkey.default(), Pubkey.default(), ()), None).verdict
    'Forged or incomplete: the record is empty: no transaction opens this game.'
    """
    verification = verify_game(record)
    if account is None or verification.problem is not None:
        return _in_words(verification)
    if account != verification.game:
        return _in_words(replace(verification, problem=say("solana.proof.differs")))
    same = say("solana.proof.same")
    return _in_words(replace(verification, end_checks=(*verification.end_checks, same)))


def can_forge(record: GameRecord) -> bool:
    """Return whether the record has a card that can be changed."""
    return _last_draw(record) is not None


def forge(record: GameRecord) -> Forgery:
    """Change the first card of the last reveal in a copy of the record, and verify the copy."""
    found = _last_draw(record)
    assert found is not None, "a record to forge has a card"
    place, event = found
    true, *others = event.drawn
    false = (true + 1) % 52
    transaction = record.transactions[place]
    truth, lie = (_logged(entry) for entry in (event, replace(event, drawn=(false, *others))))
    logs = tuple(line.replace(truth, lie) for line in transaction.logs)
    forged = replace(
        record,
        transactions=(
            *record.transactions[:place],
            replace(transaction, logs=logs),
            *record.transactions[place + 1 :],
        ),
    )
    was, became = format_codes([true], symbols=True), format_codes([false], symbols=True)
    change = say("solana.proof.change", place=place + 1, became=became, was=was)
    return Forgery(change, _in_words(verify_game(forged)))


def _logged(event: Revealed) -> str:
    return base64.b64encode(encode_event(event)).decode()


def _last_draw(record: GameRecord) -> tuple[int, Revealed] | None:
    """Return the last reveal that drew a card, and the place of its transaction."""
    for place, transaction in reversed(list(enumerate(record.transactions))):
        for event in transaction.events(record.program):
            if isinstance(event, Revealed) and event.drawn:
                return place, event
    return None


def _in_words(verification: Verification) -> Proof:
    steps = tuple(ProvenStep(step.summary, step.checks) for step in verification.verified)
    problem = verification.problem
    verdict: str = say("solana.proof.consistent")
    if problem is not None:
        verdict = say("solana.proof.forged", problem=problem)
    return Proof(steps, verification.problem, verification.end_checks, verdict)
