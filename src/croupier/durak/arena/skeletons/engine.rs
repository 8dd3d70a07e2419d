// A durak engine in Rust: plays its cheapest card, trumps last.   rustc -O engine.rs
use std::io::{self, BufRead, Write};

#[derive(Default)]
struct Engine {
    hand: Vec<String>,
    trump: char,
}

fn rank(card: &str) -> usize {
    "6789TJQKA".find(&card[..1]).expect("a rank")
}

fn suit(card: &str) -> char {
    card.chars().nth(1).expect("a suit")
}

impl Engine {
    fn cost(&self, card: &str) -> usize {
        rank(card) + if suit(card) == self.trump { 9 } else { 0 }
    }

    fn beats(&self, card: &str, attack: &str) -> bool {
        if suit(card) == suit(attack) { rank(card) > rank(attack) } else { suit(card) == self.trump }
    }

    /// Answer with the cheapest card that fits, and take it out of the hand; without one, answer with an empty line.
    fn play(&mut self, fits: impl Fn(&Engine, &str) -> bool) -> String {
        let place = (0..self.hand.len())
            .filter(|&place| fits(self, &self.hand[place]))
            .min_by_key(|&place| (self.cost(&self.hand[place]), suit(&self.hand[place])));
        place.map_or(String::new(), |place| self.hand.remove(place))
    }

    fn answer(&mut self, command: &str, cards: &[&str]) -> String {
        match command {
            "init" => {
                self.hand.clear();
                self.trump = suit(cards[0]);
                "ok".to_string()
            }
            "deal" => {
                self.hand.extend(cards.iter().map(|card| card.to_string()));
                "ok".to_string()
            }
            "move" => self.play(|_, card| cards.is_empty() || cards.iter().any(|lying| lying[..1] == card[..1])),
            "respond" => self.play(|engine, card| engine.beats(card, cards[cards.len() - 1])),
            _ => String::new(), // give_more
        }
    }
}

fn main() {
    let mut engine = Engine::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(" ##").next().unwrap_or("").split_whitespace().collect(); // without the JSON
        if words[0] == "game_end" {
            return;
        }
        println!("{}", engine.answer(words[0], &words[1..]));
        io::stdout().flush().expect("somebody listens");
    }
}
