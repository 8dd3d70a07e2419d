"""Let two engines play a game, keep it in a log, and see which choices gave something away."""

from pathlib import Path

from croupier import durak

game = durak.Game.between("durak-dummy", "durak-random --seed 1", seed=7)
print(game.story)

Path("games.log").write_text(game.to_log(), encoding="utf-8")
again = durak.Game.from_log("games.log")

review = durak.review(again, rounds=2000)
print(review)
for move in review.worse[:3]:
    better = durak.cards_text(move.best.cards) or "no card"
    print(f"Action {move.number + 1} gave away {move.loss:.2f}; {better} was better.")
