// A durak engine in Go: plays its cheapest card, trumps last.   go build engine.go
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

var hand = map[string]bool{}
var trump byte

func rank(card string) int { return strings.IndexByte("6789TJQKA", card[0]) }

func cost(card string) int {
	if card[1] == trump {
		return rank(card) + 9
	}
	return rank(card)
}

func beats(card, attack string) bool {
	if card[1] == attack[1] {
		return rank(card) > rank(attack)
	}
	return card[1] == trump
}

// play answers with the cheapest card that fits, and takes it out of the hand; without one, it answers with an empty line.
func play(fits func(card string) bool) string {
	best := ""
	for card := range hand {
		dearer := best != "" && (cost(card) > cost(best) || cost(card) == cost(best) && card[1] > best[1])
		if fits(card) && !dearer {
			best = card
		}
	}
	delete(hand, best)
	return best
}

func answer(command string, cards []string) string {
	switch command {
	case "init":
		hand = map[string]bool{}
		trump = cards[0][1]
		return "ok"
	case "deal":
		for _, card := range cards {
			hand[card] = true
		}
		return "ok"
	case "move":
		return play(func(card string) bool {
			for _, lying := range cards {
				if lying[0] == card[0] {
					return true
				}
			}
			return len(cards) == 0
		})
	case "respond":
		return play(func(card string) bool { return beats(card, cards[len(cards)-1]) })
	}
	return "" // give_more
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		text, _, _ := strings.Cut(lines.Text(), " ##") // this engine does without the JSON
		words := strings.Fields(text)
		if words[0] == "game_end" {
			return
		}
		fmt.Println(answer(words[0], words[1:]))
	}
}
