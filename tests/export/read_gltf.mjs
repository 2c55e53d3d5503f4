// The tree of nodes that the loader of three.js finds in a binary glTF file, as JSON: names, meshes, children.
// Usage: node read_gltf.mjs NODE_MODULES FILE
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, file] = process.argv.slice(2);
const { GLTFLoader } = await import(pathToFileURL(modules + "/three/examples/jsm/loaders/GLTFLoader.js"));
const bytes = readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");

// Names of objects are made unique words; what the file says is beside them.
function told(node) {
  const geometry = node.geometry;
  return {
    name: node.userData.name ?? node.name,
    vertices: geometry ? geometry.attributes.position.count : 0,
    targets: geometry?.morphAttributes.position?.length ?? 0,
    children: node.children.map(told),
  };
}
console.log(JSON.stringify({ scene: told(gltf.scene), tracks: gltf.animations.map((motion) => motion.tracks.length) }));
