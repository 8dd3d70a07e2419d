"""Durak for two to six: a table with built-in players, by any rules."""

import secrets

from nicegui import ui

from croupier.choices import Choice
from croupier.durak.engine.observation import PassOn
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import ActionKind
from croupier.durak.play.opponents import built_in_opponents
from croupier.durak.play.phrases import engine_title, short_names
from croupier.durak.play.variant_table import YOU, Told, VariantTable, VariantView
from croupier.durak.play.view import PASSING_KEYS, variant_hand
from croupier.web.models.rule_names import preset_meaning
from croupier.web.pages.durak_evaluation import Evaluation, draw_evaluation, draw_mistakes
from croupier.web.pages.durak_game import DurakPage, Turn
from croupier.web.pages.durak_parts import show_discard, show_pairs, show_stock
from croupier.web.pages.durak_review import draw_summary
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.notices import attempt
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.shell import frame, page

#: What a new visitor plays, and against whom.
FIRST_PRESET, FIRST_OPPONENT = "perevodnoy", "durak-master 2"

#: How many moves are listed, how many of them are told above the cards, and how many closed cards a hand shows at most.
LISTED_MOVES, TOLD_MOVES, SHOWN_CARDS = 14, 4, 6


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/durak/party")
    async def durak_party() -> None:
        async with frame(
            services, "nav.durak_party", styles=("durak",), is_table=True, is_translated=True
        ) as visit:
            session = await services.sessions.open(
                visit.visitor, "durak party", fresh=_fresh, restore=VariantTable.from_state
            )
            _PartyPage(visit, session).build()


def _fresh() -> VariantTable:
    return VariantTable(DURAK.preset(FIRST_PRESET).rules, [FIRST_OPPONENT], secrets.randbits(63))


class _PartyPage(DurakPage[VariantTable]):
    """One open page of a table."""

    def build(self) -> None:
        """Lay the page out, and let the others move until it is the person's turn."""
        texts = self._texts
        shell = TableShell(
            texts("nav.durak_party"), choices=texts("durak.hand"), aside=texts("durak.score.title")
        )
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            with tag("section", classes="sheet stack"):
                self.drawing(lambda: self.draw_score(self._view.score))
                self.drawing(self._draw_moves)
            self._setting_panel()
            show_introduction("durak", texts, is_new=not any(self._view.score))
        with shell.below:
            self.drawing(self._draw_review)
        with shell.foot:
            self.drawing(self._draw_foot)
        self.begin()

    @property
    def _view(self) -> VariantView:
        return self._session.model.view()

    # What happens

    @property
    def turn(self) -> Turn:
        """What the person may do now."""
        view = self._view
        seen = view.seen
        is_yours = view.turn == YOU
        hand = variant_hand(seen, is_asked=is_yours)
        return Turn(seen.phase if is_yours else None, hand, seen.throw_in_limit, seen.can_pass)

    @property
    def moment(self) -> str:
        """The game, and how many moves have been made."""
        view = self._view
        return f"{view.number}/{len(view.moves)}"

    async def play(self, cards: tuple[int, ...]) -> None:
        """Play cards, or none."""
        await self.change(lambda table: table.play(cards))

    async def let_others_move(self) -> None:
        """Let the others move until it is the person's turn."""
        while self._view.turn not in (YOU, None):
            await self._session.change(lambda table: table.let_others_move())

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        word, _, card = name.partition(" ")
        match word:
            case "next":
                await self.change(lambda table: table.deal_next())
            case "review":
                await self.change(lambda table: table.judge())
            case "transfer" | "show":
                await self.change(lambda table: table.play(PassOn(int(card), is_shown=word == "show")))
            case _:
                await self.play_selected()

    def choices(self) -> list[Choice]:
        """Return what can be chosen now, apart from the cards."""
        view, texts = self._view, self._texts
        if view.is_over:
            return [
                Choice("next", texts("durak.do.next"), "Enter"),
                Choice("review", texts("durak.do.review"), "r", enabled=view.review is None),
            ]
        if view.turn != YOU:
            return []
        choices = self.passing_choices()
        variant = view.seen.variant
        if variant is not None:
            passing = [("transfer", card) for card in variant.transfers]
            passing += [("show", card) for card in variant.shows]
            for key, (word, card) in zip(PASSING_KEYS, passing, strict=False):
                label = texts(f"durak.party.do_{word}", card=short_names([card]))
                choices.append(Choice(f"{word} {card}", label, key))
        return choices

    # What is shown

    def _draw_felt(self) -> None:
        view, texts, seen = self._view, self._texts, self._view.seen
        with draw("div", classes="durak-seats"):
            for seat in range(1, len(view.counts)):
                self._draw_seat(view, seat)
        with draw("div", classes="durak-middle"):
            show_stock(seen.trump, seen.deck_count, texts)
            show_pairs(_pairs(view), texts)
            show_discard(len(seen.discarded), texts)

    def _draw_foot(self) -> None:
        view, texts = self._view, self._texts
        with draw("div", classes="said", role="status", aria_live="polite"):
            told = " · ".join(self._move(move) for move in view.moves[-TOLD_MOVES:])
            draw("p", told, "quiet durak-news", data_testid="news")
            with draw("p", classes="prompt"):
                draw(
                    "span",
                    " · ".join([texts("durak.party.you"), *self._roles(view, YOU)]),
                    "durak-role",
                    data_testid="roles",
                )
                draw("span", self._prompt(view), data_testid="prompt")
        self.draw_hand()
        self.draw_choices()

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

    def _draw_moves(self) -> None:
        view, texts = self._view, self._texts
        draw("h3", f"{texts('durak.game', number=view.number)}: {texts('durak.score.moves').lower()}")
        with draw("ol", classes="durak-moves", data_testid="moves"):
            for move in view.moves[-LISTED_MOVES:][::-1]:
                draw("li", self._move(move))

    def _draw_review(self) -> None:
        view, texts = self._view, self._texts
        if view.review is None:
            return
        names = [self._player(seat) for seat in range(len(view.counts))]
        evaluation = Evaluation(view.review, [move.action.kind for move in view.moves], names)
        with draw("section", classes="sheet stack", data_testid="review"):
            draw_summary(view.review, texts)
            if view.review:
                draw_evaluation(evaluation, texts)
                draw_mistakes(evaluation, texts)

    def _setting_panel(self) -> None:
        texts, table = self._texts, self._session.model
        presets = {preset.name: texts(f"durak.preset.{preset.name}") for preset in DURAK.presets}
        engines = {opponent.name: engine_title(opponent.name, texts) for opponent in built_in_opponents()}
        with ui.expansion(texts("durak.setting.title")).classes("durak-panel").props('data-testid="setting"'):
            preset = ui.select(
                presets, value=DURAK.nearest(table.rules).name, label=texts("durak.party.rules")
            ).props('outlined dense data-testid="preset"')
            players = ui.select(
                [2, 3, 4, 5, 6], value=table.rules.players, label=texts("durak.party.players")
            ).props('outlined dense data-testid="players"')
            meaning = tag("p", preset_meaning("durak", DURAK.preset(str(preset.value))), "quiet small")

            def choose_preset() -> None:
                chosen = DURAK.preset(str(preset.value))
                players.set_value(chosen.rules.players)
                meaning.set_text(texts.shown(preset_meaning("durak", chosen)))

            preset.on_value_change(choose_preset)
            opponent = ui.select(engines, value=table.names[1], label=texts("durak.setting.opponent")).props(
                'outlined dense data-testid="opponent-field"'
            )
            tag("p", texts("durak.party.help"), "quiet")

            async def deal() -> None:
                await attempt(self._open(str(preset.value), int(players.value), str(opponent.value)))

            button(texts("durak.do.deal"), "deal", deal, is_main=True)

    async def _open(self, preset: str, players: int, opponent: str) -> None:
        """Replace the table by a new one."""
        rules = DURAK.rules(preset, players=players)
        await self._session.replace(VariantTable(rules, [opponent], secrets.randbits(63)))
        await self.let_others_move()


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
