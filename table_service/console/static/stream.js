/* The page's stream: one for all pages of a browser where it has shared workers, none while the page is hidden unless
   its bell is to ring, and a new one where it has fallen silent, the page wakes up or the network is back. */
(function () {
  "use strict";
  if (!window.htmx) { return; }
  var d = document, banner = d.getElementById("stream-lost"), SILENT = 25000, DOZE = 5000;
  var source = null, heard = 0, dozing = null, worker = null, silences = 0, serials = 0, self = String(Math.random());
  var headers = JSON.parse(d.body.getAttribute("hx-headers") || "{}");
  function start() {
    try { worker = new SharedWorker(d.body.dataset.streamWorker); } catch (e) { return; }  /* then each page its own */
    worker.onerror = unshared;
    setInterval(function () { if (worker) { worker.port.postMessage({ what: "here" }); } }, 20000);
  }
  /* the part of a page's stream that the worker carries, as an EventSource to those who read it */
  class SharedStream extends EventTarget {
    constructor(url) {
      super();
      /* a worker may ask in another language than its page: the parts come in the page's */
      this.url = url + (url.indexOf("?") < 0 ? "?" : "&") + "lang=" + d.documentElement.lang; this.serial = ++serials; this.readyState = 0; this.onopen = this.onerror = null;
      worker.port.onmessage = (event) => this.take(event.data);
      this.say("follow");
    }
    say(what) { worker.port.postMessage({ what: what, url: this.url, csrf: headers["X-CSRF"] || "", serial: this.serial, generation: this.generation }); }
    take(said) {
      if (this.readyState === 2 || said.serial !== this.serial) { return; }
      silences = 0;
      this.generation = said.generation;
      if (said.what === "open" || said.what === "error" || said.what === "closed") { this.become(said.what); return; }
      this.dispatchEvent(new MessageEvent(said.what, { data: said.data }));
    }
    become(what) {
      this.readyState = { open: 1, error: 0, closed: 2 }[what];
      var event = new Event(what === "open" ? "open" : "error"), call = what === "open" ? this.onopen : this.onerror;
      if (call) { call.call(this, event); }
      this.dispatchEvent(event);
    }
    close() { if (this.readyState !== 2) { this.readyState = 2; this.say("leave"); } }
  }
  function alive() { heard = Date.now(); }
  htmx.createEventSource = function (url) {
    if (!worker && start) { start(); start = null; }
    source = worker ? new SharedStream(url) : new EventSource(url, { withCredentials: true });
    ["open", "here"].forEach(function (name) { source.addEventListener(name, alive); });
    source.addEventListener("open", function () { d.body.dataset.stream = "open"; });
    alive();
    return source;
  };
  function close() { source.close(); d.body.dataset.stream = "closed"; }
  function ended() {
    close();
    if (source.onerror) { source.onerror(new Event("error")); }
  }
  function unshared() { worker = null; if (source) { ended(); } }
  function anew() {
    if (!source) { return; }
    alive();
    if (!(source instanceof SharedStream) || source.readyState === 2) { ended(); return; }
    silences += 1;
    if (silences > 2) { unshared(); return; }  /* the worker itself does not answer */
    banner.hidden = false;
    source.say("silent");
  }
  function rings() { var bell = d.getElementById("bell-button"); return bell && bell.getAttribute("aria-pressed") === "true"; }
  d.addEventListener("htmx:sseError", function () { banner.hidden = false; });
  d.addEventListener("htmx:sseOpen", function () { banner.hidden = true; });
  setInterval(function () { if (!d.hidden && source && source.readyState !== 2 && Date.now() - heard > SILENT) { anew(); } }, 5000);
  d.addEventListener("visibilitychange", function () {
    clearTimeout(dozing);
    if (!source) { return; }
    if (!d.hidden) { if (source.readyState === 2 || Date.now() - heard > SILENT / 2) { anew(); } return; }
    dozing = setTimeout(function () {
      if (!rings()) { close(); } else if (!worker && source.readyState !== 2) { localStorage.setItem("bell-page", self); }
    }, DOZE);
  });
  /* without a shared worker one hidden page alone rings: each that rang would hold a connection of the six. Two may
     have written at once, so what stands there now counts and not what was heard: else both would fall silent. */
  window.addEventListener("storage", function (event) {
    if (event.key === "bell-page" && localStorage.getItem("bell-page") !== self && d.hidden && source && !worker) { close(); }
  });
  window.addEventListener("online", anew);
  window.addEventListener("offline", function () { banner.hidden = false; });
  window.addEventListener("pagehide", function () { if (source) { close(); } });
  window.addEventListener("pageshow", function (event) { if (event.persisted) { anew(); } });
})();
