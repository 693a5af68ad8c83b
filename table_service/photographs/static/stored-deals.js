/* Deals on this phone, from the first picture until the hall has them: in IndexedDB, so that a page that the phone closes
   loses nothing; in memory where a browser gives no such store. */
const NAME = "tavolo-photographs", STORE = "deals", memory = new Map();
let opening = null;

function opened() {
  opening ??= new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  return opening;
}
async function within(mode, act) {
  const base = await opened();
  return new Promise((done, failed) => {
    const change = base.transaction(STORE, mode), asked = act(change.objectStore(STORE));
    change.oncomplete = () => done(asked.result);
    change.onabort = change.onerror = () => failed(change.error);
  });
}
/* `deal` with its pictures as they are now; false if it is in memory only, for the phone has no room */
export async function store(deal) {
  memory.set(deal.id, deal);
  return within("readwrite", (deals) => deals.put(deal)).then(() => { memory.delete(deal.id); return true; }, () => false);
}
export async function forget(id) {
  memory.delete(id);
  await within("readwrite", (deals) => deals.delete(id)).catch(() => {});
}
/* all deals, the one that was changed last first */
export async function stored() {
  const kept = await within("readonly", (deals) => deals.getAll()).catch(() => []);
  const all = new Map([...kept, ...memory.values()].map((deal) => [deal.id, deal]));
  return [...all.values()].sort((a, b) => b.changed - a.changed);
}
export const fresh_id = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
