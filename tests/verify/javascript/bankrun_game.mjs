// Play a whole game in bankrun, both sides: create, deal, stand with their reveals, cleanup. Output: one JSON object.
// Arguments: the IDL, and the folder in which the program lies as blackjack.so.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import anchor from "@coral-xyz/anchor";
import { start } from "solana-bankrun";

const { BN, Program, web3 } = anchor;
const { Keypair, PublicKey, SystemProgram, SYSVAR_SLOT_HASHES_PUBKEY, Transaction } = web3;
const [idlFile, folder] = process.argv.slice(2);
process.env.BPF_OUT_DIR = folder;
const idl = JSON.parse(readFileSync(idlFile));
const program = new Program(idl, { connection: {} });
const context = await start([{ name: "blackjack", programId: program.programId }], []);
const { banksClient: client, payer: player } = context;
const house = Keypair.generate();
const links = [Buffer.alloc(32, 7)];
while (links.length < 25) links.push(createHash("sha256").update(links.at(-1)).digest());
const tip = links.pop();

function gameAddress() {
  for (let number = 1; ; number++) {
    const bytes = new BN(number).toArrayLike(Buffer, "le", 8);
    const [address, bump] = PublicKey.findProgramAddressSync([Buffer.from("blackjack"), player.publicKey.toBuffer(), bytes], program.programId);
    if (bump === 255) return { number, address };
  }
}

async function send(builder, ...signers) {
  const transaction = new Transaction().add(await builder.instruction());
  [transaction.recentBlockhash] = await client.getLatestBlockhash();
  transaction.feePayer = player.publicKey;
  transaction.sign(player, ...signers);
  const { computeUnitsConsumed } = await client.processTransaction(transaction);
  return Number(computeUnitsConsumed);
}

const { number, address: game } = gameAddress();
const state = async () => program.coder.accounts.decode("game", Buffer.from((await client.getAccount(game)).data));

async function slotHash(slot) {
  const data = Buffer.from((await client.getAccount(SYSVAR_SLOT_HASHES_PUBKEY)).data);
  for (let place = 8; place < 8 + 40 * Number(data.readBigUInt64LE(0)); place += 40)
    if (Number(data.readBigUInt64LE(place)) === slot) return [...data.subarray(place + 8, place + 40)];
  throw new Error(`no hash of slot ${slot}`);
}

async function reveal() {
  const slot = (await state()).slot.toNumber();
  context.warpToSlot(BigInt(slot + 1));
  const answer = program.methods.reveal([...links.pop()], await slotHash(slot));
  return await send(answer.accountsStrict({ game, house: house.publicKey, slotHashes: SYSVAR_SLOT_HASHES_PUBKEY }), house);
}

const rent = Number((await client.getRent()).minimumBalance(256n));
const opening = [1, 0, Array(5).fill(0), new BN(number), new BN(rent), Array(32).fill(5), [...tip]];
const accounts = { game, player: player.publicKey, house: house.publicKey, systemProgram: SystemProgram.programId };
const units = { create: await send(program.methods.create(...opening).accountsStrict(accounts), house) };
const FINISHED = 6;
for (const request of ["deal", "stand"]) {
  if ((await state()).status === FINISHED) break;
  units[request] = await send(program.methods[request]().accountsStrict({ game, player: player.publicKey }));
  units[`reveal of ${request}`] = await reveal();
}
const { result, status } = await state();
units.cleanup = await send(program.methods.cleanup().accountsStrict({ game, player: player.publicKey }));
console.log(JSON.stringify({ status, result, isClosed: (await client.getAccount(game)) === null, units }));
process.exit(0);
