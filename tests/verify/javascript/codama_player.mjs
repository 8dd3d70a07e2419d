// Play a whole game with a bet as a stranger, by the client that Codama has generated. Output: one JSON object.
import { readFileSync } from "node:fs";
import {
  address,
  appendTransactionMessageInstruction,
  createAddressWithSeed,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import * as blackjack from "./client.mjs";

const [url, , keyFile, houseText] = process.argv.slice(2);
const rpc = createSolanaRpc(url);
const player = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(keyFile))));
const house = address(houseText);
const program = blackjack.CROUPIER_BLACKJACK_PROGRAM_ADDRESS;
const accountOf = (seed) => createAddressWithSeed({ baseAddress: house, programAddress: program, seed });
const [houseAccount, bankroll] = await Promise.all(["blackjack-house", "blackjack-bankroll"].map(accountOf));
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const confirmed = { commitment: "confirmed" };

async function gameAddress() {
  for (let number = 1n; ; number++) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, number, true);
    const seeds = ["blackjack", getAddressEncoder().encode(player.address), bytes];
    const [found, bump] = await getProgramDerivedAddress({ programAddress: program, seeds });
    if (bump === 255) return { number, game: found };
  }
}

async function send(instruction) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(player, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (dated) => appendTransactionMessageInstruction(instruction, dated),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: "base64" }).send();
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err, (_, part) => (typeof part === "bigint" ? Number(part) : part)));
    if (value[0]) return;
    await pause();
  }
}

const { number, game } = await gameAddress();
const { tips } = (await blackjack.fetchHouse(rpc, houseAccount, confirmed)).data;
const place = tips.findIndex((tip) => tip.some((byte) => byte !== 0));
const limits = (await blackjack.fetchBankroll(rpc, bankroll, confirmed)).data;
const bet = limits.leastBet;
const rent = await rpc.getMinimumBalanceForRentExemption(304n).send();
await send(
  blackjack.getJoinStakedInstruction({
    game,
    player,
    houseAccount,
    bankroll,
    decks: 1,
    place,
    reserved: new Uint8Array(5),
    number,
    lamports: rent + bet,
    playerSeed: new Uint8Array(32).fill(7),
    chainTip: tips[place],
    bet,
    cover: bet + limits.bond,
  }),
);
const [PLAYER_TURN, FINISHED] = [3, 6];
let state = (await blackjack.fetchStakedGame(rpc, game, confirmed)).data;
for (const request of [blackjack.getDealInstruction, blackjack.getStandInstruction]) {
  if (state.status === FINISHED) break;
  await send(request({ game, player }));
  do {
    await pause();
    const found = await blackjack.fetchMaybeStakedGame(rpc, game, confirmed);
    // The house settles games, too; the last state that was seen stays.
    state = found.exists ? found.data : { ...state, status: FINISHED, result: null };
  } while (state.status !== PLAYER_TURN && state.status !== FINISHED);
}
const isOpen = async () => (await blackjack.fetchMaybeStakedGame(rpc, game, confirmed)).exists;
if (await isOpen()) {
  try {
    await send(blackjack.getSettleInstruction({ game, player: player.address, bankroll }));
  } catch (error) {
    if (await isOpen()) throw error;
  }
}
console.log(JSON.stringify({ number: Number(number), result: state.result, bet: Number(state.bet) }));
