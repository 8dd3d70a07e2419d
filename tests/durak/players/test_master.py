import io
import random
import subprocess
import sys

import pytest

from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, Policy, observe
from croupier.durak.engine.pack import PACK, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import notices, opening, question
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players import evaluation
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.endgame import EndgameSolver, Outcome, is_open
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.levels import RUNGS, find_level, rounds_of
from croupier.durak.players.master import MasterEngine, MasterPolicy, main, only_answer
from croupier.durak.players.question import Suspicion
from croupier.errors import InputError
from tests.durak.rule_sets import COMPILED_RULE_SETS

FEW = Budget(rounds=60)


def random_deck(seed: int) -> tuple[int, ...]:
    return tuple(random.Random(seed).sample(PACK, len(PACK)))


def played(state: GameState, policies: tuple[Policy, Policy]) -> GameState:
    while not state.is_over:
        assert state.to_act is not None
        state = answer(state, policies[state.to_act](observe(state, state.to_act)))
    return state


def test_it_beats_the_sample_engine() -> None:
    evaluator = Evaluator()
    wins = losses = 0
    for pair in range(15):
        deck = random_deck(pair)
        for seat in (0, 1):
            master = MasterPolicy(Budget(rounds=400), pair, evaluator=evaluator)
            policies = (master, dummy_policy) if seat == 0 else (dummy_policy, master)
            end = played(start(DurakRules(), deck, leader=pair % 2), policies)
            wins += end.winner == seat
            losses += end.winner == 1 - seat
    assert wins >= 5 * losses
    assert wins >= 20


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_level_plays_whole_legal_games_at_any_table(level: int) -> None:
    for number, rules in enumerate(COMPILED_RULE_SETS):
        cap = rules.attack_cap(2)
        chance = random.Random(number)

        def anything(seen: Observation, chance: random.Random = chance) -> tuple[int, ...]:
            return seen.hand[: 1 if not seen.table else 0] or dummy_policy(seen) * chance.randrange(2)

        master = MasterPolicy(FEW, number, find_level(level), cap=cap)
        assert played(start(rules, random_deck(number), leader=number % 2), (master, anything)).is_over


def test_level_one_plays_as_the_sample_engine() -> None:
    master = MasterPolicy(FEW, 1, find_level(1))
    state = start(DurakRules(), random_deck(1), leader=0)
    while not state.is_over:
        assert state.to_act is not None
        seen = observe(state, state.to_act)
        cards = dummy_policy(seen)
        if state.to_act == 0:
            assert master(seen) == cards
        state = answer(state, cards)


def other_deal(state: GameState, seat: int, chance: random.Random) -> GameState:
    """The same game as one player has seen it, with the cards that were hidden from that player in other places."""
    hidden = [
        card for card in (*state.hands[1 - seat], *state.stock[:-1]) if card in observe(state, seat).unseen
    ]
    mixed = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    deck = tuple(mixed.get(card, card) for card in state.deck)
    again = start(state.rules, deck, state.leader)
    for action in state.history:
        again = act(again, action)
    return again


def answers_along(state: GameState, seat: int) -> list[tuple[int, ...]]:
    """What the master would have answered at each turn of a player in a game."""
    master = MasterPolicy(Budget(rounds=200), seed=9)
    found, before = [], start(state.rules, state.deck, state.leader)
    for action in state.history:
        if before.to_act == seat:
            seen = observe(before, seat)
            master._evidence.see(seen)
            found.append(master._answer(seen))
            master._evidence.play(seen, action.cards)
        before = act(before, action)
    return found


def test_it_does_not_see_hidden_cards() -> None:
    """Other hidden cards, same seed, same rounds: the same answers, at every turn so far."""
    chance = random.Random(4)
    moved = 0
    for game in range(6):
        state = start(DurakRules(), random_deck(100 + game), leader=game % 2)
        while state.deck_count > 8 and not state.is_over:
            state = act(state, chance.choice(legal_actions(state)))
        other = other_deal(state, 0, chance)
        moved += other.hands[1] != state.hands[1]
        assert answers_along(other, seat=0) == answers_along(state, seat=0)
    assert moved >= 5


def conversation(seed: int, engine: MasterEngine) -> list[str]:
    """Everything that an engine says in one game against the sample engine, over the protocol."""
    state = start(DurakRules(), random_deck(seed), leader=0)
    lines = [notice.line for notice in opening(state) if notice.seat == 0]
    said: list[str] = []

    def talk(line: str) -> str:
        output = io.StringIO()
        lines.append(line)
        engine.run([*(old for old in lines)], output)
        return output.getvalue().splitlines()[-1]

    while not state.is_over:
        asked = question(state)
        assert asked is not None
        assert state.to_act is not None
        if asked.seat == 0:
            said.append(talk(asked.line))
            cards = read_cards(said[-1])
        else:
            cards = dummy_policy(observe(state, 1))
        after = answer(state, cards)
        lines.extend(notice.line for notice in notices(state, after) if notice.seat == 0)
        state = after
    return said


def test_a_seed_and_a_number_of_rounds_give_the_same_game_in_any_process() -> None:
    engine = MasterEngine(Budget(rounds=40), seed=5)
    here = conversation(1, engine)
    state = start(DurakRules(), random_deck(1), leader=0)
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier.durak.players.master", "--nodes", "40", "--seed", "5"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(line: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    with process:
        assert [ask(notice.line) for notice in opening(state) if notice.seat == 0] == ["ok", "ok"]
        there = []
        while not state.is_over:
            asked = question(state)
            assert asked is not None
            if asked.seat == 0:
                there.append(ask(asked.line))
                cards = read_cards(there[-1])
            else:
                cards = dummy_policy(observe(state, 1))
            after = answer(state, cards)
            for notice in notices(state, after):
                if notice.seat == 0 and notice.line != "game_end":
                    assert ask(notice.line) == "ok"
            state = after
        process.stdin.write("game_end\n")
        process.stdin.flush()
        assert process.wait() == 0
    assert there == here


def test_playing_needs_neither_numba_nor_numpy() -> None:
    program = """
import io, sys
from croupier.durak.players.master import MasterEngine
from croupier.durak.players.budget import Budget
MasterEngine(Budget(rounds=50), 1).run(io.StringIO('init 8H\\ndeal 6C 9C KC AC 7D TD ## {"deck_count": 24, "enemy_count": 6}\\n'
    'move  ## {"deck_count": 24, "enemy_count": 6}\\n'), io.StringIO())
print([name for name in ("numba", "numpy", "pydantic", "dataclasses", "subprocess") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--level", "6"], "level 6: levels are 1 (weakest) to 5 (strongest)"),
        (["--time-ms"], "--time-ms '': not a number"),
        (["--time-ms", "nan"], "--time-ms nan: out of range"),
        (["--nodes", "0"], "--nodes 0: out of range"),
        (["--nodes", "5", "--time-ms", "5"], "exclude each other"),
        (["--strength", "1200", "--nodes", "5"], "--nodes and --strength exclude each other"),
        (["--strength", "9000"], "strength 9000: "),
        (["--threads", "0"], "--threads 0: out of range"),
        (["--seed", "1", "--seed", "1"], "--seed is given twice"),
        (["--fast", "1"], "no option '--fast'"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_code_two(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(words)
    errors = capsys.readouterr().err
    assert leaving.value.code == 2
    assert message in errors
    assert errors.count("\n") == 1


def test_a_higher_strength_searches_longer() -> None:
    rounds = [rounds_of(elo) for elo in range(RUNGS[0].elo, RUNGS[-1].elo + 1)]
    assert rounds == sorted(rounds)
    assert all(rounds_of(rung.elo) == rung.rounds for rung in RUNGS)


def test_threads_add_their_visits_up_and_give_the_same_again() -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35])
    alone, *both = (
        Evaluator(threads=threads).evaluate(seen, None, Budget(rounds=400), seed=3) for threads in (1, 2, 2)
    )
    assert both[0] == both[1]
    assert sum(value.visits for value in both[0]) == 2 * sum(value.visits for value in alone) == 800


def test_help_gives_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert "Example: durak-master" in capsys.readouterr().out


@pytest.mark.parametrize(
    "budget", [Budget(), Budget(time_ms=0), Budget(rounds=0), Budget(time_ms=5, rounds=5)]
)
def test_a_budget_that_is_none_is_refused(budget: Budget) -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35])
    with pytest.raises(InputError):
        Evaluator().evaluate(seen, None, budget, seed=1)


def test_a_budget_of_time_answers_every_legal_move() -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35])
    values = Evaluator().evaluate(seen, None, Budget(time_ms=2), seed=1)
    assert {value.cards for value in values} == {(card,) for card in PACK[:6]}
    assert all(0 <= value.expected_score <= 1 for value in values)
    assert values[0].visits == max(value.visits for value in values)


def test_what_the_rules_force_is_played_without_thinking() -> None:
    seen = Observation(Phase.THROW_IN, read_cards("9C 9D"), read_cards("9H"), (), 24, 1, read_card("8S"))
    assert only_answer(seen) == ()
    assert only_answer(seen._replace(enemy_count=2)) is None
    assert only_answer(seen._replace(phase=Phase.ATTACK, table=(), hand=seen.hand[:1])) == seen.hand[:1]


def test_a_referee_that_tells_nothing_is_answered_all_the_same() -> None:
    lines = ["init 8H", "deal 6C 9C KC AC 7D TD ## {}", "move  ## {}", "respond TC ## {}", "game_end"]
    output = io.StringIO()
    MasterEngine(Budget(rounds=50), seed=1).run(lines, output)
    assert output.getvalue().splitlines() == ["ok", "ok", "6C", "KC"]


@pytest.mark.parametrize(
    "change",
    [
        {"deck_count": 20},
        {"enemy_count": 7},
        {"hand": ()},
        {"hand": (*PACK[:5], PACK[35])},
        {"table": PACK[6:7]},
        {"known_enemy": PACK[:1]},
    ],
)
def test_a_view_that_does_not_add_up_is_refused(change: dict[str, object]) -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35])._replace(**change)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Evaluator().evaluate(seen, None, Budget(rounds=10), seed=1)


def test_a_hand_that_is_known_to_the_last_card_needs_no_evidence() -> None:
    known, hidden = PACK[6:9], PACK[9:14]
    gone = tuple(card for card in PACK[14:35])
    seen = Observation(Phase.ATTACK, PACK[:6], (), gone, 1 + len(hidden), 3, PACK[35], known)
    values = Evaluator().evaluate(seen, None, Budget(rounds=100), seed=1)
    assert {value.cards for value in values} == {(card,) for card in PACK[:6]}


@pytest.mark.parametrize("follows_policy", [False, True])
@pytest.mark.parametrize("trust", [0.0, 0.2, 0.9])
def test_an_end_game_is_answered_however_little_time_there_is(follows_policy: bool, trust: float) -> None:
    """The time may be over before any proof has begun: other processes take the processor away as well."""
    hand, other = read_cards("KS QH JS KH TC 8H 7S 9S 9D AD AH"), read_cards("TH 9H KD TS JH")
    gone = tuple(card for card in PACK if card not in {*hand, *other})
    seen = Observation(Phase.ATTACK, hand, (), gone, 0, len(other), read_card("JH"), known_enemy=other)
    evaluator = Evaluator(trust=trust, follows_policy=follows_policy)
    [card] = evaluator.best_move(seen, None, Budget(time_ms=0.001), seed=1)
    assert card in hand


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_whole_games_are_played_however_little_time_there_is(level: int) -> None:
    master = MasterPolicy(Budget(time_ms=0.001), 1, find_level(level))
    assert played(start(DurakRules(), random_deck(2), leader=0), (master, dummy_policy)).is_over


def test_whom_one_plays_against_is_not_asked_again_where_every_card_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Late in a game the question takes milliseconds, which the proof needs."""
    asked: list[Observation] = []

    def remembered(seen: Observation, *_: object, **__: object) -> Suspicion:
        asked.append(seen)
        return Suspicion(0.2)

    monkeypatch.setattr(evaluation, "suspicion_of", remembered)
    master = MasterPolicy(FEW, 1, find_level(5))
    assert played(start(DurakRules(), random_deck(3), leader=0), (master, dummy_policy)).is_over
    assert len(asked) > 3
    assert not any(map(is_open, asked))


def test_the_time_of_a_move_without_a_choice_proves_what_follows() -> None:
    """The queen has to be taken; after that a look at a few positions tells that the attacker wins, which it would not otherwise."""
    lead, hand = read_cards("QH 7D KC AC 7H 8H TC"), read_cards("9C 8S 9S JS 6C KD 6D")
    gone = tuple(card for card in PACK if card not in {*lead, *hand})
    trump, held = read_card("6H"), (*hand, lead[0])
    taker = Observation(Phase.DEFEND, hand, lead[:1], gone, 0, 6, trump)
    attacker = Observation(Phase.ATTACK, lead[1:], (), gone, 0, 8, trump, known_enemy=held)

    def proved_win(evaluator: Evaluator) -> bool:
        bounds = evaluator._solver.bounds(attacker, 200, is_complete=False)
        return any(bound.least is Outcome.WIN for bound in bounds.values())

    fresh, prepared = Evaluator(follows_policy=True), Evaluator(follows_policy=True)
    assert MasterPolicy(Budget(rounds=20_000), 1, evaluator=prepared)(taker) == ()
    assert proved_win(prepared)
    assert not proved_win(fresh)


@pytest.mark.parametrize(
    ("lead", "enemy", "trump", "winning"),
    [
        ("TD 6D JD JC KS 8D", "QD KD AS AD TS QS QH TH TC 9S", "8D", "JC"),
        ("KS QH JS KH TC 8H 7S 9S 9D AD AH", "TH 9H KD TS JH", "JH", "AD JS"),
    ],
)
def test_it_finds_the_winning_leads_of_end_games_that_it_once_threw_away(
    lead: str, enemy: str, trump: str, winning: str
) -> None:
    hand, other = read_cards(lead), read_cards(enemy)
    gone = tuple(card for card in PACK if card not in {*hand, *other})
    seen = Observation(Phase.ATTACK, hand, (), gone, 0, len(other), read_card(trump), known_enemy=other)
    [card] = MasterPolicy(Budget(rounds=100_000), 1)(seen)
    assert card in read_cards(winning)


def test_a_move_that_is_proved_not_to_win_is_not_played_while_another_may_win() -> None:
    """The policy likes the ten, which a proof refutes long before it finds that the king wins."""
    hand, other = read_cards("QS 8S 6C KH TD KS"), read_cards("QD AD 8C TC 6S TH 6H AS")
    table, trump = read_cards("6D"), read_card("9S")
    gone = tuple(card for card in PACK if card not in {*hand, *other, *table, trump})
    seen = Observation(Phase.DEFEND, hand, table, gone, 1, len(other), trump, known_enemy=other)
    bounds = EndgameSolver().bounds(seen, 500_000, is_complete=False, promising=[read_cards("TD")])
    assert bounds[read_cards("TD")].most < Outcome.WIN
    assert bounds[read_cards("KS")] == (Outcome.LOSS, Outcome.WIN)
    assert MasterPolicy(Budget(rounds=20_000), 1)(seen) == read_cards("KS")
