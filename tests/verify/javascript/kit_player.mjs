// Play a whole game as a stranger, with @solana/kit alone: join, deal, stand, cleanup. Output: one JSON object.
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

const [url, programText, keyFile, houseText] = process.argv.slice(2);
const rpc = createSolanaRpc(url);
const player = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(keyFile))));
const [program, house] = [address(programText), address(houseText)];
const houseAccount = await createAddressWithSeed({
  baseAddress: house,
  programAddress: program,
  seed: "blackjack-house",
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const [READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER] = [0, 1, 2, 3];
const signer = (role) => ({ address: player.address, role, signer: player });

async function gameAddress() {
  for (let number = 1n; ; number++) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, number, true);
    const seeds = ["blackjack", getAddressEncoder().encode(player.address), bytes];
    const [found, bump] = await getProgramDerivedAddress({ programAddress: program, seeds });
    if (bump === 255) return { number, game: found };
  }
}

async function account(key) {
  const { value } = await rpc.getAccountInfo(key, { encoding: "base64", commitment: "confirmed" }).send();
  return Buffer.from(value.data[0], "base64");
}

async function send(accounts, data) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(player, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (dated) => appendTransactionMessageInstruction({ programAddress: program, accounts, data }, dated),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: "base64" }).send();
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err));
    if (value[0]) return;
    await pause();
  }
}

const [DEAL, STAND, CLEANUP, JOIN] = [1, 3, 6, 9];
const plain = (tag) => Uint8Array.from([tag, 0, 0, 0, 0, 0, 0, 0]);
const { number, game } = await gameAddress();
const queue = await account(houseAccount);
const tipAt = (place) => queue.subarray(48 + 32 * place, 80 + 32 * place);
let place = 0;
while (tipAt(place).every((byte) => byte === 0)) place++;
const opening = new Uint8Array(88);
const view = new DataView(opening.buffer);
opening.set([JOIN, 1, place]);
view.setBigUint64(8, number, true);
view.setBigUint64(16, await rpc.getMinimumBalanceForRentExemption(256n).send(), true);
opening.fill(6, 24, 56);
opening.set(tipAt(place), 56);
const system = address("11111111111111111111111111111111");
const writableGame = { address: game, role: WRITABLE };
await send(
  [writableGame, signer(WRITABLE_SIGNER), { address: houseAccount, role: WRITABLE }, { address: system, role: READONLY }],
  opening,
);
const [PLAYER_TURN, FINISHED] = [3, 6];
let state = await account(game);
for (const tag of [DEAL, STAND]) {
  if (state[3] === FINISHED) break;
  await send([writableGame, signer(READONLY_SIGNER)], plain(tag));
  do {
    await pause();
    state = await account(game);
  } while (state[3] !== PLAYER_TURN && state[3] !== FINISHED);
}
await send([writableGame, { address: player.address, role: WRITABLE }], plain(CLEANUP));
console.log(JSON.stringify({ number: Number(number), result: state[4] }));
