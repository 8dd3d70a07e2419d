// Generate a TypeScript client from the IDL with Codama, and bundle it for node. Arguments: the IDL, the file to write.
import { readFileSync } from "node:fs";
import { createFromRoot } from "codama";
import { rootNodeFromAnchor } from "@codama/nodes-from-anchor";
import { renderVisitor } from "@codama/renderers-js";
import { build } from "esbuild";

const [idl, target] = process.argv.slice(2);
await createFromRoot(rootNodeFromAnchor(JSON.parse(readFileSync(idl)))).accept(renderVisitor("generated"));
await build({ entryPoints: ["./generated/index.ts"], outfile: target, bundle: true, format: "esm", packages: "external" });
console.log(JSON.stringify({ client: target }));
