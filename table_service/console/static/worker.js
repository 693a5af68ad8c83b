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
/* what the console says while no page is open; a message that cannot be read is shown as one, a browser wants to see something */
self.addEventListener("push", (event) => {
  let said = {};
  try { said = event.data ? event.data.json() : {}; } catch (_) { /* not ours */ }
  event.waitUntil(self.registration.showNotification(said.title || "Tavolo", {
    body: said.body || "", tag: said.tag || "tavolo", renotify: true, lang: said.lang || "it", icon: "/static/icon.svg", data: { url: said.url || "/" }
  }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = new URL(event.notification.data.url, self.location.origin);
  if (wanted.origin !== self.location.origin) { return; }
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = open.find((one) => "navigate" in one);
    if (page) { await page.focus(); await page.navigate(wanted.href).catch(() => self.clients.openWindow(wanted.href)); } else { await self.clients.openWindow(wanted.href); }
  })());
});
