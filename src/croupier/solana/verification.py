"""Is a game fair? Three answers: proven on this network, consistent, or forged or incomplete.

Every card is recomputed from the game's transactions (:mod:`~croupier.solana.replay`). That alone shows that the record is
consistent. *Proven* needs a network: that it executed these transactions, with the program that they should have been
executed by, and that this program had its bytes before the game began.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from solders.pubkey import Pubkey

from croupier.solana.codes import Status, Tag
from croupier.solana.deployment import Deployment, program_hash
from croupier.solana.events import Created
from croupier.solana.game import Game
from croupier.solana.house_account import house_address
from croupier.solana.layout import LayoutError
from croupier.solana.record import GameRecord
from croupier.solana.replay import GameCall, RefutedError, Replay, VerifiedStep, openings
from croupier.solana.toolchain.compiler import delivered_programs
from croupier.texts import say

#: The public networks by the hash of their first block.
NETWORKS = {
    "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet-beta",
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG": "devnet",
    "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
}
_UNKNOWN = "that the keys belong to the people who they should belong to"
_NODE = "that the node tells the truth; ask a second one"
_LEADER = "that the house did not work together with the leader of a request's slot"
_OFFLINE = "that any network executed these transactions, and that the slot hashes in them are a network's"


class Verdict(StrEnum):
    """The three answers."""

    PROVEN = "proven"
    CONSISTENT = "consistent"
    REFUTED = "refuted"

    @property
    def words(self) -> str:
        """The verdict as a heading.

        >>> Verdict.REFUTED.words
        'FORGED OR INCOMPLETE'
        """
        return {
            Verdict.PROVEN: "proven on this network",
            Verdict.CONSISTENT: "consistent",
            Verdict.REFUTED: "FORGED OR INCOMPLETE",
        }[self]


@dataclass(frozen=True, slots=True)
class Expected:
    """What the reader knows from elsewhere; ``None`` is not checked.

    Parameters
    ----------
    program_hashes
        The SHA-256 of the programs that may have run the game; by default those of this package.
    is_final
        Whether nobody may be able to change the program.
    opening
        Which of several games under the same number, from 1 on.
    """

    program: Pubkey | None = None
    house: Pubkey | None = None
    player: Pubkey | None = None
    program_hashes: tuple[str, ...] | None = None
    authority: Pubkey | None = None
    is_final: bool = False
    opening: int | None = None


@dataclass(frozen=True, slots=True)
class NetworkView:
    """What a node says about the program and about the game's account, if it still exists."""

    network: str
    deployment: Deployment | str
    account: Game | None = None
    slot_hashes: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The network's name, or the hash of its first block."""
        return NETWORKS.get(self.network, self.network)


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome: the verdict with its reason, who played, the verified steps and what remains unproven."""

    verdict: Verdict
    problem: str | None
    program: Pubkey
    house: Pubkey | None
    player: Pubkey | None
    game: Game | None
    verified: tuple[VerifiedStep, ...]
    findings: tuple[str, ...] = ()
    end_checks: tuple[str, ...] = ()
    not_proven: tuple[str, ...] = ()
    view: NetworkView | None = None

    @property
    def steps(self) -> tuple[str, ...]:
        """What happened, as far as it was verified."""
        return tuple(step.summary for step in self.verified)

    def __str__(self) -> str:
        reason = "every card follows from the signed transactions" if self.problem is None else self.problem
        lines = [*self.steps, f"{self.verdict.words}: {reason}"]
        lines += [
            f"program {self.program}",
            f"house   {self.house or 'unknown'}",
            f"player  {self.player or 'unknown'}",
        ]
        lines += [f"note: {finding}" for finding in self.findings]
        return "\n".join([*lines, *(f"not proven: {gap}" for gap in self.not_proven)])


def verify_game(
    record: GameRecord, view: NetworkView | None = None, expected: Expected | None = None
) -> Verification:
    """Recompute a game from its record; with a node's view, prove that it was played on that network.

    Examples
    --------
    >>> print(verify_game(GameRecord(Pubkey.default(), Pubkey.default(), ())))
    FORGED OR INCOMPLETE: the record is empty: no transaction opens this game
    program 11111111111111111111111111111111
    house   unknown
    player  unknown
    """
    expected = expected or Expected()
    replay = Replay(record, {} if view is None else view.slot_hashes, is_offline=view is None)
    house: Pubkey | None = None
    end_checks: tuple[str, ...] = ()
    problem = None
    try:
        calls, is_last = _chosen(record, expected, replay)
        house = _house_of(record, calls, view if is_last else None, expected.house)
        replay.play(calls, house)
        end_checks = _verify_end(replay, view if is_last else None)
        _verify_names(record, replay.game, expected)
        if view is not None:
            end_checks += _verify_program(record, view.deployment, expected, calls[0].transaction.slot)
    except RefutedError as refuted:
        problem = refuted.args[0]  # a phrase can be put into another language
    game = replay.game
    verdict = (
        Verdict.REFUTED if problem is not None else Verdict.CONSISTENT if view is None else Verdict.PROVEN
    )
    return Verification(
        verdict,
        problem,
        record.program,
        house if game is None else game.house,
        None if game is None else game.player,
        game,
        tuple(replay.steps),
        tuple(replay.findings),
        end_checks,
        _gaps(verdict, expected, view),
        view,
    )


def _chosen(record: GameRecord, expected: Expected, replay: Replay) -> tuple[list[GameCall], bool]:
    """Return the calls of the game that is meant, and whether it is the last under its number."""
    games = openings(record)
    if len(games) == 1 and expected.opening in (None, 1):
        return games[0], True
    told = "; ".join(
        f"{place}: in slot {calls[0].transaction.slot}, with house {_house_of(record, calls) or 'unknown'}"
        for place, calls in enumerate(games, start=1)
    )
    if expected.opening is None:
        raise RefutedError(f"this number was played {len(games)} times ({told}); choose one with --opening")
    if not 1 <= expected.opening <= len(games):
        raise RefutedError(f"there is no opening {expected.opening} ({told})")
    replay.findings.append(f"this number was played {len(games)} times ({told}); this is {expected.opening}")
    return games[expected.opening - 1], expected.opening == len(games)


def _house_of(
    record: GameRecord,
    calls: list[GameCall],
    view: NetworkView | None = None,
    expected: Pubkey | None = None,
) -> Pubkey | None:
    """Return who answered or signed; if nobody did, whose account it was, or who the log or the game's account names."""
    for call in calls:
        if call.tag is Tag.CREATE:
            return call.call.accounts[2]
        if call.tag is Tag.REVEAL:
            return call.call.accounts[1]
    if expected is not None and calls[0].call.accounts[2] == house_address(record.program, expected):
        return expected
    try:
        events = calls[0].transaction.events(record.program)
    except LayoutError:
        events = ()
    for event in events:
        if isinstance(event, Created) and event.game == record.game:
            return event.house
    return None if view is None or view.account is None else view.account.house


def _verify_end(replay: Replay, view: NetworkView | None) -> tuple[str, ...]:
    game = replay.game
    assert game is not None, "a replay without a problem has a game"
    account = None if view is None else view.account
    if view is not None and replay.is_closed and account is not None:
        raise RefutedError(
            "the record ends with the closed game, but the account is there: transactions are missing"
        )
    if view is not None and not replay.is_closed and account is None:
        raise RefutedError(
            "the account is gone, but nothing in the record closed it: transactions are missing"
        )
    if account is not None and account != game:
        raise RefutedError(f"the account differs from the record: {account}")
    if game.status is not Status.FINISHED:
        raise RefutedError(f"the game is not over: {game.status.name.lower().replace('_', ' ')}")
    same = () if account is None else ("the account on the chain equals the recomputed game, byte by byte",)
    return (say("solana.proof.over"), *same)


def _verify_names(record: GameRecord, game: Game | None, expected: Expected) -> None:
    assert game is not None, "a replay without a problem has a game"
    for who, is_, should in (
        ("program", record.program, expected.program),
        ("house", game.house, expected.house),
        ("player", game.player, expected.player),
    ):
        if should is not None and is_ != should:
            raise RefutedError(f"another {who}: {is_}; expected {should}")


def _verify_program(
    record: GameRecord, deployment: Deployment | str, expected: Expected, first_slot: int
) -> tuple[str, ...]:
    if isinstance(deployment, str):
        raise RefutedError(deployment)
    hashes = expected.program_hashes
    known = "those of this package" if hashes is None else "the expected ones"
    if hashes is None:
        hashes = tuple(program_hash(program) for program in delivered_programs().values())
    if deployment.hash not in hashes:
        raise RefutedError(
            f"another program: the bytes of {record.program} have the SHA-256 {deployment.hash}, which is not {known}"
        )
    if deployment.slot >= first_slot:
        raise RefutedError(
            f"the program was last changed in slot {deployment.slot}, and the game began in slot {first_slot}: "
            "which program dealt it is unknown"
        )
    if expected.is_final and deployment.authority is not None:
        raise RefutedError(f"the program is not final: {deployment.authority} may change it")
    if expected.authority is not None and deployment.authority != expected.authority:
        raise RefutedError(
            f"another upgrade authority: {deployment.authority or 'nobody'}; expected {expected.authority}"
        )
    changes = (
        "nobody can change it" if deployment.authority is None else f"{deployment.authority} may change it"
    )
    return (
        f"the program's bytes have the SHA-256 {deployment.hash}, {known}, since slot {deployment.slot}; {changes}",
    )


def _gaps(verdict: Verdict, expected: Expected, view: NetworkView | None) -> tuple[str, ...]:
    """Return what a good verdict does not show."""
    if verdict is Verdict.REFUTED:
        return ()
    gaps = [_OFFLINE] if view is None else [_NODE]
    if expected.house is None or expected.player is None:
        gaps.append(_UNKNOWN)
    return (*gaps, _LEADER)
