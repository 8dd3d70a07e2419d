// Shows a notice instead of the browser's error page while the server cannot be reached. Nothing else is kept: tables live on the server.
const NOTICE = "/offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open("offline").then((cache) => cache.addAll([NOTICE, "/static/croupier.css"])));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => caches.match(NOTICE)));
});
