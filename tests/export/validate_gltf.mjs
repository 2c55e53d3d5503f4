// The Khronos validator's report on a glTF file, as JSON. Usage: node validate_gltf.mjs NODE_MODULES FILE
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, file] = process.argv.slice(2);
const require = createRequire(modules + "/");
const validator = require("gltf-validator");
const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 100 });
console.log(JSON.stringify(report));
