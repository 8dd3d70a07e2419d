// Run Surfpool's network without a connection to any other, until standard input ends. Output: its address.
import { createRequire } from "node:module";

const { Surfnet } = createRequire(import.meta.url)("@solana/surfpool-linux-x64-gnu");
const network = Surfnet.startWithConfig({ offline: true, slotTimeMs: 50 });
console.log(network.rpcUrl);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
