"""A durak engine in Python without any library: plays its cheapest card, trumps last."""

import sys

RANKS = "6789TJQKA"


def beats(card: str, attack: str, trump: str) -> bool:
    """Say whether a card beats another."""
    if card[1] == attack[1]:
        return RANKS.index(card[0]) > RANKS.index(attack[0])
    return card[1] == trump


def main() -> None:
    """Answer one line after another."""
    hand: set[str] = set()
    trump = ""
    for line in sys.stdin:
        command, *cards = line.partition(" ##")[0].split()  # this engine does without the JSON
        if command == "game_end":
            return
        fitting: list[str] = []
        if command == "init":
            hand, trump = set(), cards[0][1]
        elif command == "deal":
            hand.update(cards)
        elif command == "move":
            fitting = [card for card in hand if not cards or card[0] in {lying[0] for lying in cards}]
        elif command == "respond":
            fitting = [card for card in hand if beats(card, cards[-1], trump)]
        answer = min(fitting, key=lambda card: (card[1] == trump, RANKS.index(card[0]), card), default="")
        hand.discard(answer)
        print("ok" if command in ("init", "deal") else answer, flush=True)


if __name__ == "__main__":
    main()
