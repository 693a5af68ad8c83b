/* Holds the one stream of all pages of this browser (table_service/console/shared_streams.py): a browser opens six
   connections to a host, and with a stream for each page the seventh would never load. */
"use strict";
const AGAIN = 1000, UNUSED = 5000, DEAD = 180000;
/* an answer is waited for so long, the first times and later: a browser asks on connections that are dead until none is left */
const PATIENCE = [2000, 2000, 2000, 4000, 8000, 16000, 30000];
const pages = new Map();  /* by number: the page's port, the address of its stream, its token, when it was heard last */
let source = null, name = "", generation = 0, isOpen = false, number = 0, waiting = 0, unused = 0, tried = 0, opening = 0;

function tell(page, what, data) { page.port.postMessage({ what: what, data: data || "", serial: page.serial, generation: generation }); }
function post(fields, csrf) {
  const asked = new AbortController(), late = setTimeout(() => asked.abort(), PATIENCE[0]);
  return fetch("/shared/" + name, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRF": csrf }, signal: asked.signal })
    .finally(() => clearTimeout(late));
}
function begin() {
  clearTimeout(waiting); waiting = 0;
  generation += 1; isOpen = false;
  pages.forEach((page) => tell(page, "begun"));
  name = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const begun = source = new EventSource("/shared/stream?name=" + name);
  clearTimeout(opening);
  opening = setTimeout(() => { if (begun === source && !isOpen) { tried += 1; lost(false); begin(); } }, PATIENCE[Math.min(tried, PATIENCE.length - 1)]);
  begun.onopen = () => {
    if (begun !== source) { return; }
    isOpen = true; tried = 0;
    pages.forEach((page, key) => follow(page, key, 3));
  };
  begun.onmessage = (event) => { if (begun === source) { deal(event.data); } };
  begun.onerror = () => { if (begun === source) { lost(begun.readyState === EventSource.CLOSED); } };
}
/* The line is gone: each page says so and keeps its place. Refused: each page asks again by itself, ever more slowly. */
function lost(refused) {
  source.close(); source = null; isOpen = false;
  pages.forEach((page) => tell(page, refused ? "closed" : "error"));
  if (refused) { pages.clear(); } else { waiting = setTimeout(begin, AGAIN); }
}
function follow(page, key, tries) {
  const at = generation, isWanted = () => at === generation && pages.get(key) === page;
  post({ number: key, page: page.url }, page.csrf).then((answer) => {
    if (answer.ok || !isWanted()) { return; }
    if (answer.status === 404) { lost(false); } else { pages.delete(key); tell(page, "closed"); }
  }, () => { if (isWanted() && source) { if (tries) { follow(page, key, tries - 1); } else { lost(false); } } });
}
function deal(text) {
  const end = text.indexOf("\n"), head = (end < 0 ? text : text.slice(0, end)).split(" "), page = pages.get(Number(head[0]));
  if (!page) { return; }
  if (head[1] === "closed") { pages.delete(Number(head[0])); }
  tell(page, head[1], end < 0 ? "" : text.slice(end + 1));
}
function leave(key) {
  const page = pages.get(key);
  if (!page) { return; }
  pages.delete(key);
  if (isOpen) { post({ number: key }, page.csrf).catch(() => { /* the stream has ended, then */ }); }
  clearTimeout(unused);
  unused = setTimeout(() => {
    if (!pages.size && source) { source.close(); source = null; isOpen = false; }
  }, UNUSED);
}
self.onconnect = (event) => {
  const port = event.ports[0];
  let key = 0;
  port.onmessage = (message) => {
    const said = message.data, page = pages.get(key);
    if (said.what === "leave") { leave(key); return; }
    if (page) { page.heard = Date.now(); }
    if (said.what === "silent" && page) {
      if (said.generation === generation && source) { lost(false); begin(); }
    } else if (said.what === "silent" || said.what === "follow") {
      leave(key);
      key = ++number;
      pages.set(key, { port: port, url: said.url, csrf: said.csrf, serial: said.serial, heard: Date.now() });
      if (isOpen) { follow(pages.get(key), key, 3); } else if (!source && !waiting) { begin(); }
    }
  };
};
/* a page that was ended without a word */
setInterval(() => { pages.forEach((page, key) => { if (Date.now() - page.heard > DEAD) { leave(key); } }); }, 60000);
