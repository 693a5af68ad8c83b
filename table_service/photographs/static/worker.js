/* Keeps the page that takes photographs, so that it opens where the hall cannot be reached; asks the hall first always. */
"use strict";
const KEPT = "tavolo-photographs-1", HERE = new URL("./", self.location).pathname;
/* the page of a rule set in a language is the same for every table and deal */
function named(url) {
  const at = new URL(url), plain = new URL(at.pathname, at.origin);
  for (const name of ["rules", "lang"]) { if (at.searchParams.get(name)) { plain.searchParams.set(name, at.searchParams.get(name)); } }
  return plain.href;
}
async function asked(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) { await kept.put(named(request.url), answer.clone()); }
    return answer;
  } catch (problem) {
    const known = (await kept.match(named(request.url))) || (request.mode === "navigate" && (await kept.match(HERE, { ignoreSearch: true })));
    if (known) { return known; }
    throw problem;
  }
}
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
/* the page says what it consists of, the pages of the other rule sets with it */
self.addEventListener("message", (event) => {
  const parts = Array.isArray(event.data) ? event.data : [];
  event.waitUntil(Promise.all(parts.map((part) => asked(new Request(new URL(part, self.location), { credentials: "same-origin" })).catch(() => {}))));
});
self.addEventListener("fetch", (event) => {
  const request = event.request, path = new URL(request.url).pathname;
  if (request.method === "GET" && (path === HERE || path.startsWith(`${HERE}static/`))) { event.respondWith(asked(request)); }
});
