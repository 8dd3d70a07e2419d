"""Every variant read twice: the engine and an independent reading of the rules agree on whole games and on counts.

Rule sets come from the fields of the model. So an option that one of the two ignores makes them differ, and an option that both
ignore leaves the games as they were.
"""

from collections.abc import Callable

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import next_leader, start, with_open_suit
from croupier.durak.engine.pack import card_text, cards_text
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import Action, GameState
from croupier.numerics.streams import RandomStream
from tests.durak.engine.perft import perft
from tests.durak.engine.second_reading import Move, SecondGame, count_sequences, pack
from tests.durak.rule_sets import RULE_SETS, values_of

COUNTED = 4

#: Deals to two players, of which the last ends in a draw by the rules of the protocol; and to more.
SHORT_GAMES, LONG_GAMES = (0, 120), (0, 2)


def second_of(state: GameState) -> SecondGame:
    deck = [card_text(card) for card in state.deck]
    return SecondGame(state.rules.model_dump(), deck, state.leader)


def move_of(action: Action) -> Move:
    return action.kind.value, frozenset(card_text(card) for card in action.cards)


def dealt(rules: DurakRules, seed: int) -> GameState:
    return start(rules, with_open_suit(shuffle(rules.cards, seed)), leader=seed % rules.players)


def played_twice(rules: DurakRules, seed: int) -> list[str]:
    """Play a game at random by both readings, and compare them after every move; return what was done."""
    stream = RandomStream((seed, 1))
    state = dealt(rules, seed)
    second = second_of(state)
    told: list[str] = []
    while legal := legal_actions(state):
        assert state.to_act == second.turn()
        moves = [move_of(action) for action in legal]
        assert len(set(moves)) == len(moves)
        assert set(moves) == second.moves(), told
        with_cards = [action for action in legal if action.cards]
        choice = with_cards if with_cards and stream.below(6) else list(legal)
        action = choice[stream.below(len(choice))]
        told.append(f"{state.to_act} {action.kind} {cards_text(action.cards)}")
        state = act(state, action)
        second.do(*move_of(action))
        assert [{card_text(card) for card in hand} for hand in state.hands] == second.hands, told
        assert (state.attacker, state.defender, state.bout) == (
            second.attacker,
            second.defender,
            second.number,
        ) or state.is_over
    assert second.over()
    assert set(state.losers) == second.losers()
    assert next_leader(state) == second.next_leader()
    return [*told, f"losers {state.losers}, next {next_leader(state)}"]


def games_of(rules: DurakRules) -> list[list[str]]:
    """Play some games by both readings."""
    return [played_twice(rules, seed) for seed in (SHORT_GAMES if rules.players == 2 else LONG_GAMES)]


def test_whole_games_agree_under_every_value_of_every_option_and_each_value_matters() -> None:
    games = {tuple(rules.model_dump().items()): games_of(rules) for rules in RULE_SETS}
    for name, field in DurakRules.model_fields.items():
        for value in values_of(name, field):
            differing = [
                options
                for options, told in games.items()
                if (changed := tuple({**dict(options), name: value}.items())) in games
                and games[changed] != told
            ]
            assert differing, f"{name} = {value} makes no difference to any game"


def test_the_packs_are_the_same() -> None:
    for rules in RULE_SETS:
        assert [card_text(card) for card in rules.cards] == pack(rules.model_dump())


def test_the_counts_of_every_preset_agree_and_are_those_recorded(
    compare_with_golden: Callable[[str, str], None],
) -> None:
    lines = ["How many sequences of 1, 2, 3 ... actions can be played from a deal.", ""]
    for preset in DURAK.presets:
        for seed in (1, 2):
            state = dealt(preset.rules, seed)
            deck = [card_text(card) for card in state.deck]
            counts = [perft(state, depth) for depth in range(1, COUNTED + 1)]
            assert counts == [
                count_sequences(preset.rules.model_dump(), deck, state.leader, [], depth)
                for depth in range(1, COUNTED + 1)
            ]
            lines.append(
                f"{preset.name}, deal {seed}: {' '.join(map(str, [*counts, perft(state, COUNTED + 1)]))}"
            )
    compare_with_golden("durak/variant-perft.txt", "\n".join(lines) + "\n")
