// Runs Python code under MicroPython's WebAssembly build, with files put into /node: node run_wasm.mjs LIBRARY CODE FILE…
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [library, code, ...files] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(library).href);
const micropython = await loadMicroPython({ heapsize: 8 * 1024 * 1024, stdout: console.log, linebuffer: true });
micropython.FS.mkdir("/node");
for (const path of files) {
  micropython.FS.writeFile("/node/" + basename(path), readFileSync(path));
}
micropython.runPython("import sys\nsys.path.insert(0, '/node')\n" + code);
