// A durak engine in JavaScript: plays its cheapest card, trumps last.   node engine.js
const ranks = "6789TJQKA";
let hand = new Set();
let trump = "";

const rank = (card) => ranks.indexOf(card[0]);
const cost = (card) => rank(card) + (card[1] === trump ? 9 : 0);
const beats = (card, attack) => (card[1] === attack[1] ? rank(card) > rank(attack) : card[1] === trump);

// Answer with the cheapest of these cards, and take it out of the hand; without one, answer with an empty line.
function play(cards) {
  const [card = ""] = cards.sort().sort((a, b) => cost(a) - cost(b)); // equal costs stay in order of suits
  hand.delete(card);
  return card;
}

const answers = {
  init: ([card]) => {
    hand = new Set();
    trump = card[1];
    return "ok";
  },
  deal: (cards) => {
    cards.forEach((card) => hand.add(card));
    return "ok";
  },
  move: (table) => play([...hand].filter((card) => !table.length || table.some((lying) => lying[0] === card[0]))),
  respond: (table) => play([...hand].filter((card) => beats(card, table.at(-1)))),
  give_more: () => "",
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [command, ...cards] = line.split(" ##")[0].split(" ").filter(Boolean); // this engine does without the JSON
    if (command === "game_end") process.exit(0);
    process.stdout.write(answers[command](cards) + "\n");
  });
