"""Durak for two to six: a table with built-in players, by any rules."""

import secrets
from functools import partial
from typing import Any

from nicegui import background_tasks, ui

from croupier.choices import Choice
from croupier.durak.engine.observation import PassOn, Reply
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import ActionKind
from croupier.durak.play.opponents import built_in_opponents
from croupier.durak.play.phrases import engine_title, short_names
from croupier.durak.play.variant_table import YOU, Told, VariantTable, VariantView
from croupier.web.pages.durak_parts import attempt_in, show_discard, show_pairs, show_stock
from croupier.web.parts.actions import action_bar, shortcuts
from croupier.web.parts.cards import card_button, fan
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

#: What a new visitor plays, and against whom.
FIRST_PRESET, FIRST_OPPONENT = "perevodnoy", "durak-master 2"

#: How many moves are listed, how many of them are told above the cards, and how many closed cards a hand shows at most.
LISTED_MOVES, TOLD_MOVES, SHOWN_CARDS = 14, 4, 6

_CARD_KEYS = "1234567890"


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/durak/party")
    async def durak_party() -> None:
        async with frame(services, "nav.durak_party", styles=("durak",)) as visit:
            session = await services.sessions.open(
                visit.visitor, "durak party", fresh=_fresh, restore=VariantTable.from_state
            )
            _PartyPage(visit, session).build()


def _fresh() -> VariantTable:
    return VariantTable(DURAK.preset(FIRST_PRESET).rules, [FIRST_OPPONENT], secrets.randbits(63))


class _PartyPage:
    """One open page of a table."""

    def __init__(self, visit: Visit, session: TableSession[VariantTable]) -> None:
        self._texts, self._session = visit.texts, session
        self._selected: set[int] = set()
        self._is_acting = False

    def build(self) -> None:
        """Lay the page out, and let the others move until it is the person's turn."""
        tag("h1", self._texts("nav.durak_party"), "durak-hidden")
        with tag("div", classes="durak-columns"):
            with tag("div", classes="stack"):
                self._felt = Drawing(self._draw_felt)
            with tag("aside", classes="stack"):
                with tag("section", classes="sheet stack"):
                    score = Drawing(self._draw_score)
                    moves = Drawing(self._draw_moves)
                self._setting_panel()
        self._drawings = (self._felt, score, moves)
        self._session.watch(self._refresh)
        shortcuts(self._press)
        background_tasks.create(self._let_others_move(), name="durak party")

    @property
    def _view(self) -> VariantView:
        return self._session.model.view()

    def _refresh(self) -> None:
        view = self._view
        is_choosing = view.turn == YOU and view.seen.phase is Phase.THROW_IN
        self._selected &= set(view.seen.playable) if is_choosing else set()
        for drawing in self._drawings:
            drawing.refresh()

    # What happens

    async def _change(self, action: Any) -> None:
        """Do something at the table and let the others answer; a second click before the first is done counts for nothing."""
        if self._is_acting:
            return
        self._is_acting = True
        try:
            is_done = await attempt_in(self._texts, self._session.change(action))
        finally:
            self._is_acting = False
        if is_done:
            await self._let_others_move()

    async def _let_others_move(self) -> None:
        while self._view.turn not in (YOU, None):
            await self._session.change(lambda table: table.let_others_move())

    async def _reply(self, reply: Reply) -> None:
        await self._change(lambda table: table.play(reply))

    async def _choose_card(self, card: int) -> None:
        seen = self._view.seen
        if seen.phase is not Phase.THROW_IN:
            await self._reply((card,))
            return
        if card in self._selected:
            self._selected.remove(card)
        elif len(self._selected) < seen.throw_in_limit:
            self._selected.add(card)
        self._felt.refresh()

    async def _choose(self, name: str) -> None:
        word, _, card = name.partition(" ")
        match word:
            case "next":
                await self._change(lambda table: table.deal_next())
            case "transfer" | "show":
                await self._reply(PassOn(int(card), is_shown=word == "show"))
            case _:
                await self._reply(tuple(sorted(self._selected)))

    async def _press(self, key: str) -> None:
        view = self._view
        hand = view.seen.by_cost(view.seen.hand)
        if view.turn == YOU and key in _CARD_KEYS[: len(hand)]:
            card = hand[_CARD_KEYS.index(key)]
            if card in view.seen.playable:
                await self._choose_card(card)
            return
        wanted = "Enter" if key == " " else key
        for choice in self._choices(view):
            if choice.key == wanted:
                await self._choose(choice.name)
                return

    def _choices(self, view: VariantView) -> list[Choice]:
        texts, seen = self._texts, view.seen
        if view.is_over:
            return [Choice("next", texts("durak.do.next"), "Enter")]
        if view.turn != YOU:
            return []
        choices = []
        if seen.phase is Phase.THROW_IN:
            count = len(self._selected)
            label = texts("durak.do.throw_in", count=count) if count else texts("durak.do.nothing")
            choices.append(Choice("throw-in", label, "Enter"))
        elif seen.can_pass:
            name = "take" if seen.phase is Phase.DEFEND else "done"
            choices.append(Choice(name, texts(f"durak.do.{name}"), "Enter"))
        if seen.variant is not None:
            passing = [("transfer", card) for card in seen.variant.transfers]
            passing += [("show", card) for card in seen.variant.shows]
            for key, (word, card) in zip("asdfgh", passing, strict=False):
                label = texts(f"durak.party.do_{word}", card=short_names([card]))
                choices.append(Choice(f"{word} {card}", label, key))
        return choices

    # What is shown

    def _draw_felt(self) -> None:
        view, texts, seen = self._view, self._texts, self._view.seen
        with draw("section", classes="felt durak-felt durak-party", aria_label=texts("nav.durak_party")):
            with draw("div", classes="durak-seats"):
                for seat in range(1, len(view.counts)):
                    self._draw_seat(view, seat)
            with draw("div", classes="durak-middle"):
                show_stock(seen.trump, seen.deck_count, texts)
                show_pairs(_pairs(view), texts)
                show_discard(len(seen.discarded), texts)
            with draw("div", classes="durak-said", role="status", aria_live="polite"):
                told = " · ".join(self._move(move) for move in view.moves[-TOLD_MOVES:])
                draw("p", told, "quiet durak-news", data_testid="news")
                draw("p", self._prompt(view), "prompt", data_testid="prompt")
            action_bar(self._choices(view), self._choose, moment=f"{view.number}/{len(view.moves)}")
            self._draw_hand(view)

    def _draw_seat(self, view: VariantView, seat: int) -> None:
        texts = self._texts
        is_turn = " durak-turn" if view.turn == seat else ""
        with draw("div", classes=f"durak-seat{is_turn}", data_testid=f"seat-{seat}"):
            with draw("div", classes="durak-name"):
                draw("strong", texts("durak.party.seat", number=seat + 1), title=view.names[seat])
                count = view.counts[seat]
                left = texts("durak.cards_left", count=count) if count else texts("durak.party.out")
                draw("span", left, "quiet", data_testid=f"count-{seat}")
                for role in self._roles(view, seat):
                    draw("span", role, "durak-role")
            closed: list[int | None] = [None] * min(view.counts[seat] - len(view.known[seat]), SHOWN_CARDS)
            label = texts("durak.opponents_cards", count=view.counts[seat])
            fan((*closed, *view.known[seat]), texts, label=label, classes="durak-tiny-fan")

    def _roles(self, view: VariantView, seat: int) -> list[str]:
        texts, rules = self._texts, self._session.model.rules
        roles = []
        if not view.is_over and seat == view.attacker:
            roles.append(texts("durak.party.attacks"))
        if not view.is_over and seat == view.defender:
            roles.append(texts("durak.party.defends"))
        if seat != YOU and rules.side_of(seat) == rules.side_of(YOU):
            roles.append(texts("durak.party.partner"))
        return roles

    def _draw_hand(self, view: VariantView) -> None:
        texts, seen = self._texts, view.seen
        roles = " · ".join([texts("durak.party.you"), *self._roles(view, YOU)])
        draw("strong", roles, data_testid="roles")
        playable = seen.playable if view.turn == YOU else ()
        with draw(
            "div", classes="durak-hand", role="group", aria_label=texts("durak.hand"), data_testid="hand"
        ):
            for place, card in enumerate(seen.by_cost(seen.hand)):
                key = _CARD_KEYS[place] if place < len(_CARD_KEYS) and card in playable else "\u00a0"
                card_button(
                    card,
                    texts,
                    partial(self._choose_card, card),
                    enabled=card in playable,
                    selected=card in self._selected,
                    hint=key,
                )

    def _prompt(self, view: VariantView) -> str:
        texts, seen = self._texts, view.seen
        if view.is_over:
            if not view.losers:
                return texts("durak.party.drawn")
            if YOU in view.losers:
                return texts("durak.party.lost" if len(view.losers) == 1 else "durak.party.lost_side")
            return texts("durak.party.won", players=", ".join(self._player(seat) for seat in view.losers))
        if view.turn != YOU:
            return texts("durak.party.waiting", player=self._player(view.turn or 0))
        match seen.phase:
            case Phase.DEFEND:
                return texts("durak.party.defend", card=short_names(seen.table[-1:]))
            case Phase.THROW_IN:
                return texts("durak.party.throw_in", limit=seen.throw_in_limit)
            case _:
                return texts("durak.party.add" if seen.table else "durak.party.lead")

    def _player(self, seat: int) -> str:
        texts = self._texts
        return texts("durak.party.you") if seat == YOU else texts("durak.party.seat", number=seat + 1)

    def _move(self, move: Told) -> str:
        is_nothing = move.action.kind is ActionKind.THROW_IN and not move.action.cards
        kind = "nothing" if is_nothing else move.action.kind.value
        return self._texts(
            f"durak.party.{kind}_move", player=self._player(move.seat), cards=short_names(move.action.cards)
        )

    def _draw_score(self) -> None:
        view, texts = self._view, self._texts
        draw("h2", texts("durak.score.title"))
        with draw("div", classes="facts", data_testid="score"):
            for name, count in zip(("won", "drawn", "lost"), view.score, strict=True):
                fact(texts(f"durak.score.{name}"), str(count), f"score-{name}")

    def _draw_moves(self) -> None:
        view, texts = self._view, self._texts
        draw("h3", f"{texts('durak.game', number=view.number)}: {texts('durak.score.moves').lower()}")
        with draw("ol", classes="durak-moves", data_testid="moves"):
            for move in view.moves[-LISTED_MOVES:][::-1]:
                draw("li", self._move(move))

    def _setting_panel(self) -> None:
        texts, table = self._texts, self._session.model
        presets = [preset.name for preset in DURAK.presets]
        engines = {opponent.name: engine_title(opponent.name, texts) for opponent in built_in_opponents()}
        with (
            ui.expansion(texts("durak.setting.title"), value=True)
            .classes("durak-panel")
            .props('data-testid="setting"')
        ):
            preset = ui.select(
                presets, value=DURAK.nearest(table.rules).name, label=texts("durak.party.rules")
            ).props('outlined dense data-testid="preset"')
            players = ui.select(
                [2, 3, 4, 5, 6], value=table.rules.players, label=texts("durak.party.players")
            ).props('outlined dense data-testid="players"')
            preset.on_value_change(
                lambda event: players.set_value(DURAK.preset(str(event.value)).rules.players)
            )
            opponent = ui.select(engines, value=table.names[1], label=texts("durak.setting.opponent")).props(
                'outlined dense data-testid="opponent-field"'
            )
            tag("p", texts("durak.party.help"), "quiet")

            async def deal() -> None:
                await attempt_in(
                    texts, self._open(str(preset.value), int(players.value), str(opponent.value))
                )

            button(texts("durak.do.deal"), "deal", deal, is_main=True)

    async def _open(self, preset: str, players: int, opponent: str) -> None:
        """Replace the table by a new one."""
        rules = DURAK.rules(preset, players=players)
        await self._session.replace(VariantTable(rules, [opponent], secrets.randbits(63)))
        await self._let_others_move()


def _pairs(view: VariantView) -> list[tuple[int, int | None]]:
    """Return what lies on the table: attack cards with what beat them, those that wait, those thrown in."""
    seen = view.seen
    thrown_in = () if seen.variant is None else seen.variant.thrown_in
    waiting = () if seen.variant is None else seen.variant.waiting
    table = seen.table[: len(seen.table) - len(thrown_in)]
    pairs: list[tuple[int, int | None]] = [
        (table[place], table[place + 1] if place + 1 < len(table) else None)
        for place in range(0, len(table), 2)
    ]
    return [*pairs, *((card, None) for card in (*waiting, *thrown_in))]
