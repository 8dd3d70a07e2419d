"""What an engine process remembers from the protocol is what the rules engine says that its player may know."""

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.protocol import QUESTIONS, Notice, notices, opening, parse_command, question
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.memory import GameMemory
from croupier.numerics.streams import RandomStream


def tell(memories: list[GameMemory], notice: Notice) -> None:
    command = parse_command(notice.line)
    if command.name == "deal":
        memories[notice.seat].deal(command.cards, command.data)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([1, 3, 12]))
def test_every_question_finds_the_memory_equal_to_the_observation(seed: int, eagerness: int) -> None:
    stream = RandomStream((seed, 6))
    state = start(DurakRules(), shuffle(PACK, seed), leader=seed % 2)
    memories = [GameMemory(state.trump), GameMemory(state.trump)]
    for notice in opening(state):
        tell(memories, notice)
    while (asked := question(state)) is not None:
        command = parse_command(asked.line)
        assert command.name == QUESTIONS[state.phase]
        seen = memories[asked.seat].question(state.phase, command.cards, command.data)
        expected = observe(state, asked.seat)
        assert seen._replace(known_enemy=()) == expected._replace(known_enemy=())
        assert sorted(seen.known_enemy) == sorted(expected.known_enemy)
        legal = legal_actions(state)
        with_cards = [action for action in legal if action.cards]
        choice = with_cards if with_cards and stream.below(eagerness) else list(legal)
        action = choice[stream.below(len(choice))]
        memories[asked.seat].play(seen, action.cards)
        before, state = state, act(state, action)
        for notice in notices(before, state):
            tell(memories, notice)
