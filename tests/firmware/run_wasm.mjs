// Runs check_vectors.py under MicroPython's WebAssembly build: node run_wasm.mjs LIBRARY SCRIPT NODE SCHEMA VECTORS
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [library, script, folder, schema, vectors] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(library).href);
const micropython = await loadMicroPython({ heapsize: 4 * 1024 * 1024, stdout: console.log, linebuffer: true });
micropython.FS.mkdir("/node");
for (const name of readdirSync(folder).filter((name) => name.endsWith(".py"))) {
  micropython.FS.writeFile(join("/node", name), readFileSync(join(folder, name)));
}
micropython.FS.writeFile("/node/check_vectors.py", readFileSync(script));
micropython.FS.writeFile("/schema.json", readFileSync(schema));
micropython.FS.writeFile("/vectors.json", readFileSync(vectors));
micropython.runPython(`
import sys
sys.path.insert(0, "/node")
import check_vectors
check_vectors.main("/node", "/schema.json", "/vectors.json")
`);
