"""A table on the chain: a person plays both sides of a game, or watches an automatic one, and verifies it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from croupier.choices import Choice
from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved
from croupier.solana.card_codes import to_cards
from croupier.solana.codes import MOST_DECKS, Result, Status
from croupier.solana.demonstration import next_request
from croupier.solana.game import Game
from croupier.texts import say
from croupier.web.models.solana_proof import can_forge, forge, prove
from croupier.web.models.solana_run import Run, Script, run_script, slots_to_claim
from croupier.web.models.solana_view import Account, Hand, Purse, SolanaView

_Action = Literal["create", "deal", "hit", "stand", "reveal", "claim", "cleanup", "wait"]
_Count = Annotated[int, Field(ge=0)]

#: Requests that the house answers at once, if it is set to.
_REQUESTS = ("deal", "hit", "stand")
_NEW = Choice("new", say("solana.do.new"), "n")


class SavedSolanaTable(Saved):
    """A saved table. The seed is a string, because some databases keep fewer digits of a number."""

    seed: Annotated[str, Field(pattern=r"^\d{1,80}$")] | None
    decks: Annotated[int, Field(ge=1, le=MOST_DECKS)]
    deeds: list[_Action]
    is_watched: bool
    house_answers: bool
    is_verified: bool
    is_forged: bool
    score: Annotated[list[_Count], Field(min_length=3, max_length=3)]


@dataclass(frozen=True, slots=True)
class _Position:
    """The state of a table; an action replaces all of it, or nothing."""

    script: Script | None = None
    run: Run | None = None
    is_watched: bool = False
    house_answers: bool = True
    is_verified: bool = False
    is_forged: bool = False
    score: tuple[int, int, int] = (0, 0, 0)


class SolanaTable:
    """A table at which one person acts for both sides, or watches.

    Examples
    --------
    >>> table = SolanaTable.opened()
    >>> table.begin(seed=4, decks=1)
    >>> table.act("deal")
    >>> view = table.view()
    >>> view.prompt, [choice.name for choice in view.choices]
    ('You have 17 against 10. Hit or stand?', ['hit', 'stand', 'wait', 'new'])
    >>> table.act("stand")
    >>> table.view().prompt, table.view().score
    ('You win: the dealer is bust with 23.', (1, 0, 0))
    >>> table.act("verify")
    >>> table.view().proof.verdict
    'Consistent: every card follows from the signed transactions.'
    >>> table.act("hit")
    Traceback (most recent call last):
    croupier.errors.InputError: 'hit' is not possible now; possible are: cleanup, forge, new
    """

    def __init__(self, position: _Position) -> None:
        self._now = position
        self._shown = _view(position)

    @classmethod
    def opened(cls) -> Self:
        """Return a table without a game."""
        return cls(_Position())

    def view(self) -> SolanaView:
        """Return what the browser may see: only what is public on the chain."""
        return self._shown

    def begin(self, *, seed: int, decks: int, is_watched: bool = False) -> None:
        """Begin another game on a new chain. An unfinished game is dropped and not counted.

        Parameters
        ----------
        seed
            The seed of the chain, the keys and the house's secret.
        decks
            The number of decks.
        is_watched
            Whether the game plays automatically. It is then created by its first step, otherwise at once.

        Raises
        ------
        InputError
            If the number of decks or the seed is not valid.
        """
        if seed < 0:
            raise InputError(say("solana.refused.seed", seed=str(seed)))
        if len(str(seed)) > 80:
            raise InputError(say("solana.refused.seed", seed=f"{str(seed)[:80]}…"))
        script = Script(seed, decks, () if is_watched else ("create",))
        self._set(
            _Position(
                script,
                run_script(script),
                is_watched,
                self._now.house_answers,
                score=self._now.score,
            )
        )

    def let_house_answer(self, *, is_on: bool) -> None:
        """Set whether the house answers every request at once; switching it on answers an open request, too."""
        now = replace(self._now, house_answers=is_on)
        game = None if now.run is None else now.run.game
        if is_on and not now.is_watched and game is not None and game.status.waits_for_house:
            now = _continued(now, "reveal")
        self._set(now)

    def verify_act(self, name: str) -> None:
        """Raise an :class:`InputError` if an action is not among the choices."""
        possible = [choice.name for choice in self._shown.choices if choice.enabled]
        if name not in possible:
            raise InputError(say("solana.refused.action", name=name, offered=", ".join(possible)))

    def act(self, name: str) -> None:
        """Apply one of the choices; for ``new`` use :meth:`begin`.

        Raises
        ------
        InputError
            If it is not possible now.
        """
        self.verify_act(name)
        now = self._now
        if name == "next":
            assert now.run is not None, "a game is being watched"
            name = _next_action(now.run, is_verified=now.is_verified)
        match name:
            case "verify":
                self._set(replace(now, is_verified=True))
            case "forge":
                self._set(replace(now, is_forged=True))
            case "new":
                raise InputError("a new game needs a seed; use begin")
            case _ if name in _REQUESTS and now.house_answers and not now.is_watched:
                self._set(_continued(now, name, "reveal"))
            case _:
                self._set(_continued(now, name))

    def to_state(self) -> dict[str, Any]:
        """Return everything that is needed to resume; the script reproduces the chain."""
        now = self._now
        script = now.script
        return {
            "seed": None if script is None else str(script.seed),
            "decks": 1 if script is None else script.decks,
            "deeds": [] if script is None else list(script.actions),
            "is_watched": now.is_watched,
            "house_answers": now.house_answers,
            "is_verified": now.is_verified,
            "is_forged": now.is_forged,
            "score": list(now.score),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Restore a table by running its script again.

        Raises
        ------
        InputError
            If the state is not valid, or its script cannot be run.
        """
        saved = read_saved(SavedSolanaTable, state, "table on the chain")
        script = None if saved.seed is None else Script(int(saved.seed), saved.decks, tuple(saved.deeds))
        run = None if script is None else run_script(script)
        if saved.is_forged and (run is None or not can_forge(run.record)):
            raise InputError("table on the chain: a card was changed, but no card was drawn")
        won, tied, lost = saved.score
        return cls(
            _Position(
                script,
                run,
                saved.is_watched,
                saved.house_answers,
                saved.is_verified,
                saved.is_forged,
                (won, tied, lost),
            )
        )

    def _set(self, position: _Position) -> None:
        self._shown = _view(position)
        self._now = position


def _continued(now: _Position, *actions: str) -> _Position:
    """Return the state after more actions; a game that they end is added to the score."""
    assert now.script is not None, "there is a game"
    assert now.run is not None, "it was run"
    script = now.script.continued(*actions)
    run = run_script(script)
    is_ended = run.last_game is not None and run.last_game.status is Status.FINISHED
    was_ended = now.run.last_game is not None and now.run.last_game.status is Status.FINISHED
    score = now.score
    if run.last_game is not None and is_ended and not was_ended and not now.is_watched:
        won, tied, lost = score
        result = run.last_game.result
        is_tie = result is Result.TIE
        score = (
            won + result.player_wins,
            tied + is_tie,
            lost + (not result.player_wins and not is_tie),
        )
    return replace(now, script=script, run=run, score=score)


def _next_action(run: Run, *, is_verified: bool) -> str:
    """Return the next action of an automatic game; empty at its end."""
    game = run.game
    if game is None:
        return "" if run.is_closed else "create"
    if game.status.waits_for_house:
        return "reveal"
    if game.status is not Status.FINISHED:
        return next_request(game).name.lower()
    return "cleanup" if is_verified else "verify"


def _view(now: _Position) -> SolanaView:
    run = now.run
    if run is None or now.script is None:
        prompt = say("solana.prompt.first")
        return SolanaView(
            prompt,
            (replace(_NEW, label=say("solana.do.open")),),
            house_answers=now.house_answers,
            score=now.score,
        )
    game = run.last_game
    is_over = game is not None and game.status is Status.FINISHED
    return SolanaView(
        prompt=_prompt(run, is_watched=now.is_watched),
        choices=_choices(now, run),
        is_watched=now.is_watched,
        watched_seed=now.script.seed if now.is_watched else None,
        house_answers=now.house_answers,
        decks=now.script.decks,
        player=Hand() if game is None or not game.player_cards else _hand(game.player_cards, game, "player"),
        dealer=Hand() if game is None or not game.dealer_cards else _hand(game.dealer_cards, game, "dealer"),
        account=Account(
            run.program, run.player, run.house, run.address, run.number, run.slot, _deadline(run)
        ),
        entries=run.entries,
        purses=_balances(run),
        proof=prove(run.record, run.game) if now.is_verified else None,
        forgery=forge(run.record) if now.is_forged else None,
        record=run.record.to_json() if is_over else None,
        score=now.score,
    )


def _hand(codes: tuple[int, ...], game: Game, side: str) -> Hand:
    return Hand(to_cards(codes), str(game.player_value if side == "player" else game.dealer_value))


def _choices(now: _Position, run: Run) -> tuple[Choice, ...]:
    if now.is_watched:
        action = _next_action(run, is_verified=now.is_verified)
        steps = (
            (Choice("next", say("solana.do.next", action=say(f"solana.action.{action}")), "Enter"),)
            if action
            else ()
        )
        return (*steps, *_after_the_end(now, run), _NEW)
    game = run.game
    if game is None or game.status is Status.FINISHED:
        verify = () if now.is_verified else (Choice("verify", say("solana.do.verify"), "v"),)
        close = () if game is None else (Choice("cleanup", say("solana.do.close"), "k"),)
        return (*verify, *close, *_after_the_end(now, run), _NEW)
    waiting = _waiting_choices(game, run)
    match game.status:
        case Status.CREATED:
            return (Choice("deal", say("solana.do.deal"), "d"), *waiting, _NEW)
        case Status.PLAYER_TURN:
            return (
                Choice("hit", say("solana.do.hit"), "h"),
                Choice("stand", say("solana.do.stand"), "s"),
                *waiting,
                _NEW,
            )
        case _:
            return (Choice("reveal", say("solana.do.reveal"), "r"), *waiting, _NEW)


def _after_the_end(now: _Position, run: Run) -> tuple[Choice, ...]:
    is_offered = now.is_verified and not now.is_forged and can_forge(run.record)
    return (Choice("forge", say("solana.do.forge"), "f"),) if is_offered else ()


def _waiting_choices(game: Game, run: Run) -> tuple[Choice, ...]:
    """Return the choice to make the other side wait, or to claim the game."""
    if slots_to_claim(game, run.slot):
        label = say("solana.do.silent" if game.status.waits_for_house else "solana.do.walk")
        return (Choice("wait", label, "w"),)
    label = say("solana.do.claim" if game.status.waits_for_house else "solana.do.house_claim")
    return (Choice("claim", label, "c"),)


def _prompt(run: Run, *, is_watched: bool) -> str:
    """Return the state of the game in words."""
    game = run.last_game
    if game is None:
        return say("solana.prompt.deployed")
    who = "player" if is_watched else "you"
    is_late = run.game is not None and not slots_to_claim(game, run.slot)
    match game.status:
        case Status.CREATED:
            return say(f"solana.prompt.{who}_late" if is_late else "solana.prompt.committed")
        case Status.PLAYER_TURN:
            has = f"{who}_{'has' if is_watched else 'have'}{'_late' if is_late else ''}"
            total, up_card = game.player_value.total, game.dealer_value.total
            return say(f"solana.prompt.{has}", total=total, up_card=up_card)
        case Status.FINISHED:
            ending = _ending(game, who)
            return say("solana.prompt.closed", ending=ending) if run.is_closed else ending
        case _ if is_late:
            return say(f"solana.prompt.{who}_may_claim")
        case _:
            return say("solana.prompt.requested", slot=game.slot)


def _ending(game: Game, who: str) -> str:
    key = f"solana.end.{who}_{game.result.name.lower()}"
    if game.result in (Result.HOUSE_FORFEIT, Result.PLAYER_FORFEIT):  # perhaps before the first card
        return say(key)
    player, dealer = game.player_value, game.dealer_value
    hand = player if game.result is Result.PLAYER_BUST else dealer
    return say(key, player=player.total, dealer=dealer.total, hand=str(hand))


def _deadline(run: Run) -> str:
    game = run.game
    if game is None or game.status is Status.FINISHED:
        return ""
    side = "player" if game.status.waits_for_house else "house"
    return say(f"solana.deadline_{side}", slot=run.slot + slots_to_claim(game, run.slot))


def _balances(run: Run) -> tuple[Purse, ...]:
    """Account for every lamport of both sides."""
    if not run.entries:
        return ()
    first, last = run.entries[0].purses, run.entries[-1].purses
    now = {purse.name: purse.after for purse in last}
    fees = dict.fromkeys(("player", "house"), 0)
    for entry in run.entries:
        if entry.transaction is not None:
            fees[entry.transaction.payer] += entry.transaction.fee
    return tuple(
        Purse(
            purse.name,
            purse.before,
            fees[purse.name],
            now["game"] * (purse.name == "player"),
            now[purse.name],
        )
        for purse in first
        if purse.name in fees
    )
