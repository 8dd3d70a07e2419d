// Fetch the published IDL of a program as Anchor does. Output: the IDL.
import anchor from "@anchor-lang/core";

const { Program, web3 } = anchor;
const [url, program] = process.argv.slice(2);
console.log(JSON.stringify(await Program.fetchIdl(program, { connection: new web3.Connection(url, "confirmed") })));
