from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.advice import FINE, MasterAdviser
from croupier.durak.players.budget import Budget
from croupier.durak.players.built_in import built_in_player
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.review import review

QUICK = Budget(rounds=300)


def test_a_hint_is_what_the_evaluation_says() -> None:
    deal = deal_of_pair(seed=1, pair=0)
    seen = observe(start(DurakRules(), deal.deck, leader=0), seat=0)
    advised = MasterAdviser(DurakRules(), seed=7, budget=QUICK).moves(seen, Evidence())
    assert advised == Evaluator(PACK_SIZE).evaluate(seen, Evidence(), QUICK, seed=7)


def test_a_review_counts_what_was_good_and_adds_up_what_was_lost() -> None:
    deal = deal_of_pair(seed=2, pair=0)
    game = start(DurakRules(), deal.deck, deal.leader)
    while game.to_act is not None:
        game = answer(game, built_in_player("durak-random").answer(game, seed=3))
    judged = MasterAdviser(DurakRules(), seed=7, budget=QUICK, review_budget=QUICK).review(game, seat=0)
    expected = review(game, QUICK, 7, seats=(0,))
    assert judged.moves == expected
    assert judged.worse == tuple(move for move in expected if move.move_class not in FINE)
    assert judged.fine == len(expected) - len(judged.worse)
    assert judged.lost == sum(move.loss for move in expected)
    assert judged.worse
