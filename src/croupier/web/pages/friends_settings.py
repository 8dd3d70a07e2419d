"""What a host chooses before a table for friends is opened, game by game."""

import secrets
from typing import ClassVar, Protocol

from nicegui import ui

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.rules import REFERENCE
from croupier.blackjack.engine import BLACKJACK, BlackjackRules, Session
from croupier.blackjack.engine.betting import verify_bet
from croupier.durak.engine.rules import DURAK
from croupier.durak.play.opponents import built_in_opponents
from croupier.durak.play.phrases import engine_title
from croupier.errors import InputError
from croupier.texts import DEFAULT_LANGUAGE, Texts, sentence
from croupier.web.friends.banluck import MOST_HANDS_EACH, BanluckEvening
from croupier.web.friends.betting import FIRST_BET, Bets
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game, verified_bet
from croupier.web.parts.elements import tag
from croupier.web.parts.rules_panel import RulesPanel


class Setting(Protocol):
    """The form of one game."""

    title: ClassVar[str]
    help: ClassVar[str]

    def show(self) -> None:
        """Put the fields on the page."""

    def game(self) -> Game:
        """Return what was chosen as a game that can begin."""


class BanluckSetting:
    """The form of an evening of Banluck."""

    title: ClassVar[str] = "Banluck"
    help: ClassVar[str] = "Two to eight people. The bank goes round; the totals say at the end who owes whom."

    def __init__(self) -> None:
        self._rules = REFERENCE

    def show(self) -> None:
        """Put the fields on the page."""
        with tag("div", classes="rules-form"):
            self._each = ui.number("hands a dealer", value=1, min=1, max=MOST_HANDS_EACH, format="%d").props(
                'outlined dense data-testid="hands-each"'
            )
            self._bet = ui.number("first bet", value=FIRST_BET / 100, min=0.01, format="%.6g").props(
                'outlined dense data-testid="first-bet"'
            )
        RulesPanel(BANLUCK, self._rules, self._take, BANLUCK.describe)

    async def _take(self, rules: BanluckRules) -> None:
        self._rules = rules

    def game(self) -> Game:
        """Return what was chosen."""
        each = self._each.value
        if each is None or each != int(each):
            raise InputError(f"hands a dealer: a whole number from 1 to {MOST_HANDS_EACH}")
        bets = Bets(first=verified_bet(self._bet.value))
        return BanluckEvening(self._rules, secrets.randbits(64), hands_each=int(each), bets=bets)


class DurakSetting:
    """The form of durak among friends."""

    title: ClassVar[str] = "Durak"
    help: ClassVar[str] = "Person against person, or up to six. Engines play the seats that nobody takes."

    def show(self) -> None:
        """Put the fields on the page."""
        texts = Texts(DEFAULT_LANGUAGE)
        engines = {opponent.name: engine_title(opponent.name, texts) for opponent in built_in_opponents()}
        presets = {preset.name: preset.name for preset in DURAK.presets}
        with tag("div", classes="rules-form"):
            self._preset = ui.select(presets, value="table", label="rules").props(
                'outlined dense data-testid="preset"'
            )
            self._players = ui.select([2, 3, 4, 5, 6], value=2, label="players").props(
                'outlined dense data-testid="players"'
            )
            self._engine = ui.select(engines, value="durak-master 2", label="engine of empty seats").props(
                'outlined dense data-testid="engine"'
            )
        meaning = tag("p", sentence(DURAK.preset("table").meaning), "quiet small")

        def choose_preset() -> None:
            preset = DURAK.preset(str(self._preset.value))
            self._players.set_value(preset.rules.players)
            meaning.set_text(sentence(preset.meaning))

        self._preset.on_value_change(choose_preset)

    def game(self) -> Game:
        """Return what was chosen."""
        rules = DURAK.rules(str(self._preset.value), players=int(self._players.value))
        return DurakEvening(rules, str(self._engine.value), secrets.randbits(63))


class BlackjackSetting:
    """The form of blackjack among friends."""

    title: ClassVar[str] = "Blackjack"
    help: ClassVar[str] = "One to seven people at one shoe, against the bank, which the computer deals for."

    def __init__(self) -> None:
        self._rules = BLACKJACK.preset("vegas-strip").rules

    def show(self) -> None:
        """Put the fields on the page."""
        with tag("div", classes="rules-form"):
            self._bet = ui.number("first bet", value=10, min=0.01, format="%.6g").props(
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
