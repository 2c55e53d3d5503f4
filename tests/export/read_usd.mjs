// What TinyUSDZ finds in a stage, as JSON. Usage: node read_usd.mjs NODE_MODULES FILE
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Its WebAssembly was built for browsers and asks where it is.
Object.defineProperty(process, "type", { value: "renderer" });
globalThis.window = globalThis;

try {
  const [modules, file] = process.argv.slice(2);
  const require = createRequire(modules + "/");
  const start = (await import(pathToFileURL(require.resolve("tinyusdz/tinyusdz.js")))).default;
  const native = await start({ wasmBinary: readFileSync(require.resolve("tinyusdz/tinyusdz.wasm")), print: () => {} });
  const usd = new native.TinyUSDZLoaderNative();
  if (!usd.loadFromBinary(new Uint8Array(readFileSync(file)), file)) throw new Error(usd.error());
  const meshes = [];
  for (let i = 0; i < usd.numMeshes(); ++i) {
    const mesh = usd.getMesh(i);
    const found = {};
    for (const [key, value] of Object.entries(mesh)) {
      found[key] = ArrayBuffer.isView(value) ? Array.from(value) : value;
    }
    meshes.push(found);
  }
  console.log(JSON.stringify({ meshes, warnings: usd.warn?.() ?? "" }));
} catch (error) {
  console.error(String(error.message ?? error).slice(0, 2000)); // the stack holds the whole module
  process.exit(1);
}
