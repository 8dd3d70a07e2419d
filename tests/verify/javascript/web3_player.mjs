// Play a whole game as a stranger, with Anchor and web3.js: join, deal, stand, cleanup. Output: one JSON object.
// With "subscribe" as the last argument, transactions are confirmed by subscriptions over WebSocket.
import { readFileSync } from "node:fs";
import anchor from "@coral-xyz/anchor";

const { AnchorProvider, BN, Program, Wallet, web3 } = anchor;
const { Connection, Keypair, PublicKey, SystemProgram } = web3;
const [url, idlFile, keyFile, houseText, mode] = process.argv.slice(2);
const player = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(keyFile))));
const connection = new Connection(url, "confirmed");
const provider = new AnchorProvider(connection, new Wallet(player), {});
const program = new Program(JSON.parse(readFileSync(idlFile)), provider);
const house = new PublicKey(houseText);
const houseAccount = await PublicKey.createWithSeed(house, "blackjack-house", program.programId);
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

function gameAddress() {
  for (let number = 1; ; number++) {
    const bytes = new BN(number).toArrayLike(Buffer, "le", 8);
    const seeds = [Buffer.from("blackjack"), player.publicKey.toBuffer(), bytes];
    const [address, bump] = PublicKey.findProgramAddressSync(seeds, program.programId);
    if (bump === 255) return { number, address };
  }
}

async function send(builder) {
  if (mode === "subscribe") return await builder.rpc();
  const transaction = await builder.transaction();
  transaction.feePayer = player.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(player);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  for (;;) {
    const { value } = await connection.getSignatureStatuses([signature]);
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err));
    if (value[0]) return;
    await pause();
  }
}

const { number, address: game } = gameAddress();
const { tips } = await program.account.house.fetch(houseAccount);
const place = tips.findIndex((tip) => tip.some((byte) => byte !== 0));
const rent = await connection.getMinimumBalanceForRentExemption(256);
const seed = Array(32).fill(5);
const accounts = { game, player: player.publicKey, houseAccount, systemProgram: SystemProgram.programId };
const opening = [1, place, Array(5).fill(0), new BN(number), new BN(rent), seed, tips[place]];
await send(program.methods.join(...opening).accountsStrict(accounts));
const [PLAYER_TURN, FINISHED] = [3, 6];
let state = await program.account.game.fetch(game);
for (const request of ["deal", "stand"]) {
  if (state.status === FINISHED) break;
  await send(program.methods[request]().accountsStrict({ game, player: player.publicKey }));
  do {
    await pause();
    state = await program.account.game.fetch(game);
  } while (state.status !== PLAYER_TURN && state.status !== FINISHED);
}
await send(program.methods.cleanup().accountsStrict({ game, player: player.publicKey }));
console.log(JSON.stringify({ number, result: state.result, house: state.house.toBase58() }));
process.exit(0);
