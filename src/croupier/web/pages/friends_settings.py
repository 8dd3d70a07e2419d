"""What a host chooses before a table for friends is opened, game by game."""

import secrets
from typing import Protocol

from nicegui import ui

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.rules import REFERENCE
from croupier.blackjack.engine import BLACKJACK, BlackjackRules, Session
from croupier.blackjack.engine.betting import verify_bet
from croupier.durak.engine.rules import DURAK
from croupier.durak.play.opponents import built_in_opponents
from croupier.durak.play.phrases import engine_title
from croupier.errors import InputError
from croupier.texts import say
from croupier.web.friends.banluck import MOST_HANDS_EACH, BanluckEvening
from croupier.web.friends.betting import FIRST_BET, Bets
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game, verified_bet
from croupier.web.models.rule_names import preset_meaning
from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts
from croupier.web.parts.rules_panel import RulesPanel


class Setting(Protocol):
    """The form of one game."""

    def show(self) -> None:
        """Put the fields on the page."""

    def game(self) -> Game:
        """Return what was chosen as a game that can begin."""


class BanluckSetting:
    """The form of an evening of Banluck."""

    def __init__(self) -> None:
        self._rules = REFERENCE

    def show(self) -> None:
        """Put the fields on the page."""
        texts = page_texts()
        with tag("div", classes="rules-form"):
            self._each = ui.number(
                texts("friends.lobby.hands_each"), value=1, min=1, max=MOST_HANDS_EACH, format="%d"
            ).props('outlined dense data-testid="hands-each"')
            self._bet = ui.number(
                texts("friends.lobby.first_bet"), value=FIRST_BET / 100, min=0.01, format="%.6g"
            ).props('outlined dense data-testid="first-bet"')
        RulesPanel(BANLUCK, self._rules, self._take, BANLUCK.describe)

    async def _take(self, rules: BanluckRules) -> None:
        self._rules = rules

    def game(self) -> Game:
        """Return what was chosen."""
        each = self._each.value
        if each is None or each != int(each):
            raise InputError(say("friends.refused.hands_each_whole", most=MOST_HANDS_EACH))
        bets = Bets(first=verified_bet(self._bet.value))
        return BanluckEvening(self._rules, secrets.randbits(64), hands_each=int(each), bets=bets)


class DurakSetting:
    """The form of durak among friends."""

    def show(self) -> None:
        """Put the fields on the page."""
        texts = page_texts()
        engines = {opponent.name: engine_title(opponent.name, texts) for opponent in built_in_opponents()}
        presets = {preset.name: texts(f"durak.preset.{preset.name}") for preset in DURAK.presets}
        with tag("div", classes="rules-form"):
            self._preset = ui.select(presets, value="table", label=texts("durak.party.rules")).props(
                'outlined dense data-testid="preset"'
            )
            self._players = ui.select([2, 3, 4, 5, 6], value=2, label=texts("durak.party.players")).props(
                'outlined dense data-testid="players"'
            )
            self._engine = ui.select(
                engines, value="durak-master 2", label=texts("friends.lobby.engine")
            ).props('outlined dense data-testid="engine"')
        meaning = tag("p", preset_meaning("durak", DURAK.preset("table")), "quiet small")

        def choose_preset() -> None:
            preset = DURAK.preset(str(self._preset.value))
            self._players.set_value(preset.rules.players)
            meaning.set_text(texts.shown(preset_meaning("durak", preset)))

        self._preset.on_value_change(choose_preset)

    def game(self) -> Game:
        """Return what was chosen."""
        rules = DURAK.rules(str(self._preset.value), players=int(self._players.value))
        return DurakEvening(rules, str(self._engine.value), secrets.randbits(63))


class BlackjackSetting:
    """The form of blackjack among friends."""

    def __init__(self) -> None:
        self._rules = BLACKJACK.preset("vegas-strip").rules

    def show(self) -> None:
        """Put the fields on the page."""
        texts = page_texts()
        with tag("div", classes="rules-form"):
            self._bet = ui.number(texts("friends.lobby.first_bet"), value=10, min=0.01, format="%.6g").props(
                'outlined dense data-testid="first-bet"'
            )
        RulesPanel(BLACKJACK, self._rules, self._take, BLACKJACK.describe)

    async def _take(self, rules: BlackjackRules) -> None:
        self._rules = rules

    def game(self) -> Game:
        """Return what was chosen."""
        bets = Bets(first=verified_bet(self._bet.value))
        verify_bet(self._rules, bets.first / 100)
        return BlackjackEvening(Session.opened(self._rules, secrets.randbits(63)), bets=bets)


SETTINGS: dict[str, type[Setting]] = {
    "banluck": BanluckSetting,
    "durak": DurakSetting,
    "blackjack": BlackjackSetting,
}
