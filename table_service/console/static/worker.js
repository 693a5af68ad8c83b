/* Keeps the page for being offline and what it is made of; every other page is always asked for anew. */
"use strict";
const KEPT = "tavolo-offline-1";
self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const kept = await caches.open(KEPT), page = await fetch("/offline"), text = await page.clone().text();
    await kept.put("/offline", page);
    const parts = Array.from(text.matchAll(/(?:href|src)="(\/(?:bundle|static)\/[^"]+)"/g), (m) => m[1]);
    await kept.addAll([...new Set(parts)]);  // a path that stands twice is refused
    await self.skipWaiting();
  })());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const request = event.request, path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (path.startsWith("/bundle/") || path === "/static/icon.svg") {
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});
