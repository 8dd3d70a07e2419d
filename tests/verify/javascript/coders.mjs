// Encode and decode with Anchor's own coders, and load the IDL into Codama. Input: vectors.json; output: one JSON object.
import { readFileSync } from "node:fs";
import { createFromRoot } from "codama";
import { rootNodeFromAnchor } from "@codama/nodes-from-anchor";
import anchor from "@coral-xyz/anchor";

const { BN, Program } = anchor;
const vectors = JSON.parse(readFileSync(process.argv[2]));
const { coder } = new Program(vectors.idl, { connection: {} });
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const instructions = {};
for (const { name, args } of vectors.idl.instructions) {
  const values = {};
  for (const { name: field, type } of args) {
    const value = vectors.instructions[name][field];
    values[camel(field)] = type === "u64" ? new BN(value) : value;
  }
  const data = coder.instruction.encode(camel(name), values);
  instructions[name] = { data: data.toString("hex"), decoded: coder.instruction.decode(data).name };
}
const game = coder.accounts.decode("game", Buffer.from(vectors.game, "hex"));
const house = coder.accounts.decode("house", Buffer.from(vectors.house, "hex"));
const events = vectors.events.map((text) => coder.events.decode(text));
const { program } = createFromRoot(rootNodeFromAnchor(vectors.idl)).getRoot();
console.log(
  JSON.stringify({
    instructions,
    game: { player: game.player.toBase58(), slot: game.slot.toNumber(), cardsLeft: game.cardsLeft },
    house: { house: house.house.toBase58(), tips: house.tips.length },
    events: events.map(({ name, data }) => ({ name, drawn: data.drawn ? [...data.drawn] : null })),
    codama: { instructions: program.instructions.length, accounts: program.accounts.length, errors: program.errors.length },
  }),
);
