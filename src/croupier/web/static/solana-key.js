// The visitor's key for blackjack on Solana: made and kept by this browser, or that of an injected wallet (wallet-standard).
// The server sends transactions to sign and gets them back signed; it never sees a private key.
window.solanaKey = (() => {
  const wallets = [];
  let current = null;

  const register = (...found) => wallets.push(...found);
  window.addEventListener("wallet-standard:register-wallet", ({ detail }) => detail({ register }));
  window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));

  const toText = (bytes) => btoa(String.fromCharCode(...bytes));
  const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const finished = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  async function keys(mode) {
    const opening = indexedDB.open("croupier", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    return (await finished(opening)).transaction("keys", mode).objectStore("keys");
  }

  // The private key cannot be exported, not even by this page.
  async function own() {
    let pair = await finished((await keys("readonly")).get("player"));
    if (!pair) {
      pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
      await finished((await keys("readwrite")).put(pair, "player"));
    }
    current = async (bytes) => {
      // One signature: a count, 64 bytes, the message.
      const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, bytes.slice(65));
      const signed = bytes.slice();
      signed.set(new Uint8Array(signature), 1);
      return signed;
    };
    return toText(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  }

  async function connect(name) {
    const wallet = wallets.find((one) => one.name === name);
    const { accounts } = await wallet.features["standard:connect"].connect();
    const [account] = accounts;
    current = async (transaction) => {
      const feature = wallet.features["solana:signTransaction"];
      const [{ signedTransaction }] = await feature.signTransaction({ account, transaction });
      return signedTransaction;
    };
    return toText(new Uint8Array(account.publicKey));
  }

  const able = (wallet) => "standard:connect" in wallet.features && "solana:signTransaction" in wallet.features;
  return {
    own,
    connect,
    names: () => wallets.filter(able).map((wallet) => wallet.name),
    sign: async (text) => toText(await current(toBytes(text))),
  };
})();
