// Runs a simulated node under MicroPython's WebAssembly build:
//   node wasm_host.mjs MICROPYTHON.mjs NODE_FOLDER CONFIG SCHEMA LINK_FD CAUSE
// The twin's lines come on standard input; LINK_FD is a socket whose other end is the pseudo-terminal.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [library, folder, config, schema, linkFd, cause] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(library).href);

process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

const fed = [];
let linked = [];
const link = new Socket({ fd: Number(linkFd), readable: true, writable: true });
const take = (parts) => (parts.length ? Buffer.concat(parts).toString("hex") : "");

const micropython = await loadMicroPython({
  heapsize: 8 * 1024 * 1024,
  stdout: (line) => console.error(line),
  stderr: (line) => console.error(line),
  linebuffer: true,
});
micropython.registerJsModule("tavolo_host", {
  wall_us: () => String(process.hrtime.bigint() / 1000n),
  boot: () => String(randomBytes(4).readUInt32LE()),
  cause: () => cause,
  read_feed: () => take(fed.splice(0, 1)),
  read_link: () => { const parts = linked; linked = []; return take(parts); },
  write_link: (text) => { link.write(Buffer.from(text, "hex")); },
});
micropython.FS.mkdir("/node");
for (const name of readdirSync(folder).filter((name) => name.endsWith(".py"))) {
  micropython.FS.writeFile(join("/node", name), readFileSync(join(folder, name)));
}
micropython.FS.writeFile("/node/config.json", readFileSync(config));
micropython.FS.writeFile("/node/schema.json", readFileSync(schema));
micropython.runPython("import sys\nsys.path.insert(0, '/node')\nimport wasm_main\nstep = wasm_main.step");
const step = micropython.globals.get("step");

let timer = null;
let busy = false;
function turn() {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  const wait = step();
  busy = false;
  timer = setTimeout(turn, wait);
}
process.stdin.on("data", (data) => {
  for (let at = 0; at < data.length; at += 4096) fed.push(data.subarray(at, at + 4096));
  setImmediate(turn);
});
process.stdin.on("end", () => process.exit(0));
link.on("data", (data) => { linked.push(data); setImmediate(turn); });
link.on("error", () => process.exit(0));
link.on("close", () => process.exit(0));
turn();
