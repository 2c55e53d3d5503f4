// Attributes and time samples that the parser of three.js finds in a stage, as JSON by path.
// Usage: node read_usd_samples.mjs NODE_MODULES FILE
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, file] = process.argv.slice(2);
const { USDAParser } = await import(pathToFileURL(modules + "/three/examples/jsm/loaders/usd/USDAParser.js"));
const { specsByPath } = new USDAParser().parseData(readFileSync(file, "utf8"));
const found = {};
for (const [path, spec] of Object.entries(specsByPath)) found[path] = spec.fields;
console.log(JSON.stringify(found, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)));
