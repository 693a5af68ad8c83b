/* The page's own few lines: clocks that run, a bell, filters of the hall, and what a person was doing when a part of
   the page is swapped. Everything else is the server's, by htmx. */
(function () {
  "use strict";
  var d = document, banner = d.getElementById("stream-lost");
  function all(selector, root) { return Array.from((root || d).querySelectorAll(selector)); }
  /* a request that a newer one has taken the place of is no loss (htmx:sendAbort) */
  d.addEventListener("htmx:sendError", function () { banner.hidden = false; });

  /* clocks: seconds since, until, or standing still */
  function two(n) { return (n < 10 ? "0" : "") + n; }
  function told(seconds) {
    var s = Math.abs(Math.round(seconds)), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
    return (seconds < -0.5 ? "−" : "") + (h ? h + ":" + two(m) : m) + ":" + two(s % 60);
  }
  function tick() {
    var now = Date.now() / 1000;
    all("time.tick").forEach(function (t) {
      if (t.dataset.for) { t.dataset.until = now + Number(t.dataset.for); delete t.dataset.for; }  /* no matter whose clock is right */
      var data = t.dataset, left = data.until ? data.until - now : data.fixed;
      var text = told(data.since ? Math.max(0, now - data.since) : left);
      if (t.textContent !== text) { t.textContent = text; }
      if (!data.since) { t.classList.toggle("over", left <= 0); }
    });
  }
  setInterval(tick, 500); tick();

  /* a link to what is folded unfolds it */
  function unfold(hash) {
    for (var e = hash && d.getElementById(hash.slice(1)); e; e = e.parentElement) { if (e.tagName === "DETAILS") { e.open = true; } }
  }
  d.addEventListener("click", function (event) { var a = event.target.closest("a[href*='#']"); if (a) { unfold(a.hash); } });
  unfold(location.hash);

  /* the tab's title says how many wait */
  function count() {
    var badge = d.querySelector(".alerts .badge:not(.quiet), .chip.alarm b, .chip.busy b");
    var plain = d.title.replace(/^\(\d+\) /, "");
    var wanted = badge ? "(" + badge.textContent.trim() + ") " + plain : plain;
    if (d.title !== wanted) { d.title = wanted; }
  }

  /* the bell: on when a person has turned it on; browsers allow sound only after a touch */
  var button = d.getElementById("bell-button"), audio = null, heard = 0;
  function wanted() { try { return localStorage.getItem("bell") === "on"; } catch (e) { return false; } }
  function show() {
    if (!button) { return; }
    var on = wanted(), text = on ? button.dataset.on : button.dataset.off;
    button.setAttribute("aria-pressed", String(on)); button.title = text;
    button.querySelector(".sr").textContent = text;
  }
  function wake() {
    var Kind = window.AudioContext || window.webkitAudioContext;
    if (!audio && Kind) { audio = new Kind(); }
    if (audio && audio.state === "suspended") { audio.resume(); }
  }
  function sound(kind) {
    if (!audio) { return; }
    var notes = kind === "raised" ? [880, 660, 880, 660] : kind === "order" ? [440, 330] : [660, 880];
    notes.forEach(function (pitch, i) {
      var tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + i * 0.17;
      tone.frequency.value = pitch; tone.connect(gain); gain.connect(audio.destination);
      gain.gain.setValueAtTime(0.0001, at); gain.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.16); tone.start(at); tone.stop(at + 0.17);
    });
  }
  if (button) {
    button.addEventListener("click", function () {
      try { localStorage.setItem("bell", wanted() ? "off" : "on"); } catch (e) { return; }
      show();
      if (wanted()) {
        wake(); sound("call");
        if (window.Notification && Notification.permission === "default") { Notification.requestPermission(); }
      }
    });
    d.addEventListener("pointerdown", function () { if (wanted()) { wake(); } }, { once: true });
    show();
  }
  function ring() {
    var said = d.querySelector("#bell [data-kind]");
    if (!said || said.dataset.n === heard) { return; }
    heard = said.dataset.n;
    d.body.dataset.rang = heard;
    if (!wanted()) { return; }
    sound(said.dataset.kind);
    if (navigator.vibrate) { navigator.vibrate([120, 60, 120]); }
    if (d.hidden && window.Notification && Notification.permission === "granted") {
      new Notification("Tavolo", { body: said.textContent, tag: "tavolo-" + heard });
    }
  }

  /* filters of the hall; kept while the tab lives */
  var fields = ["show", "floor", "find"].map(function (id) { return d.getElementById(id); }).filter(Boolean);
  function filter(cells) {
    var by = {};
    fields.forEach(function (f) { by[f.id] = f.value.trim().toLowerCase(); });
    (cells || all(".cell")).forEach(function (cell) {
      var tile = cell.querySelector(".tile"); if (!tile) { return; }
      var fits = (!by.show || tile.classList.contains(by.show)) &&
        (!by.floor || cell.dataset.floor.toLowerCase() === by.floor) &&
        (!by.find || (tile.dataset.name + " " + tile.dataset.who).toLowerCase().indexOf(by.find) >= 0);
      if (cell.hidden === fits) { cell.hidden = !fits; }
    });
  }
  fields.forEach(function (f) {
    try { f.value = sessionStorage.getItem("hall-" + f.id) || f.value || ""; } catch (e) { /* not kept, then */ }
    f.addEventListener("input", function () { try { sessionStorage.setItem("hall-" + f.id, f.value); } catch (e) { /* as above */ } filter(); });
  });
  if (fields.length) { filter(); }

  /* minutes follow the deals that were chosen */
  all("[data-minutes]").forEach(function (radio) {
    radio.addEventListener("change", function () { d.getElementById("minutes").value = radio.dataset.minutes; });
  });

  /* the line of time: where on it the moment lies that is shown */
  all(".scrub").forEach(function (range) {
    var xs = range.dataset.xs.split(" "), line = d.querySelector(".time-line .now");
    function show() { ["x1", "x2"].forEach(function (end) { line.setAttribute(end, xs[range.value]); }); }
    range.addEventListener("input", show); show();
    /* what the slider stands at, for those who hear the page: the moment and its time */
    d.addEventListener("htmx:afterSwap", function (event) {
      var now = event.target.id === "past" && event.target.querySelector(".past-now");
      if (now) { range.setAttribute("aria-valuetext", now.textContent.trim()); }
    });
  });

  /* a swap leaves alone what was opened, chosen, typed, scrolled and focused */
  var kept = null, soon = false;
  function ticked(e) { return e.type === "radio" || e.type === "checkbox"; }
  d.addEventListener("htmx:sseBeforeMessage", function (event) {
    var part = event.target, lines = part.querySelector(".lines"), focus = d.activeElement;
    kept = null;
    if (part.classList.contains("cell") && !part.contains(focus)) { return; }
    kept = {
      open: all("details[open][id]", part).map(function (e) { return e.id; }),
      shut: all("details[id]:not([open])", part).map(function (e) { return e.id; }),
      ended: !!part.querySelector("details.ended[open]"),
      fields: all("input[id], select[id], textarea[id]", part).map(function (e) { return [e.id, ticked(e) ? e.checked : e.value]; }),
      scrolled: lines ? lines.scrollTop : 0,
      focus: focus && focus.id && part.contains(focus) ? focus.id : null
    };
  });
  d.addEventListener("htmx:sseMessage", function (event) {
    var part = event.target;
    if (kept) {
      kept.open.forEach(function (id) { var e = d.getElementById(id); if (e) { e.open = true; } });
      kept.shut.forEach(function (id) { var e = d.getElementById(id); if (e) { e.open = false; } });
      var ended = part.querySelector("details.ended"); if (ended && kept.ended) { ended.open = true; }
      kept.fields.forEach(function (pair) {
        var e = d.getElementById(pair[0]); if (!e) { return; }
        if (ticked(e)) { e.checked = pair[1]; } else { e.value = pair[1]; if (e.tagName === "SELECT" && e.selectedIndex < 0) { e.selectedIndex = 0; } }
      });
      var lines = part.querySelector(".lines"); if (lines && kept.scrolled) { lines.scrollTop = kept.scrolled; }
      if (kept.focus && d.activeElement === d.body) { var f = d.getElementById(kept.focus); if (f) { f.focus({ preventScroll: true }); } }
      kept = null;
    }
    if (part.id === "bell") { ring(); }
    if (fields.length && part.classList.contains("cell")) { filter([part]); }
    if (fields.length && part.querySelector(".cell")) { filter(); }
    if (!soon) { soon = true; requestAnimationFrame(function () { soon = false; tick(); count(); }); }
  });

  /* one sentence about what went wrong goes by itself; a deed that went well closes what was opened for it */
  var strip = d.getElementById("sorry"), timer = 0;
  /* a deed that has no answer yet says so: else a button that does nothing is pressed again and again */
  var LATE = 5000, late = new Map();
  function isDeed(detail) { return detail.requestConfig && detail.requestConfig.verb !== "get"; }
  function sayLate() { clearTimeout(timer); strip.textContent = strip.dataset.late; }
  d.addEventListener("htmx:beforeSend", function (event) {
    if (isDeed(event.detail)) { late.set(event.detail.xhr, setTimeout(sayLate, LATE)); }
  });
  d.addEventListener("htmx:afterRequest", function (event) {
    var xhr = event.detail.xhr;
    if (!late.has(xhr)) { return; }
    clearTimeout(late.get(xhr)); late.delete(xhr);
    if (xhr.status !== 0 && !late.size && strip.textContent === strip.dataset.late) { strip.textContent = ""; }
  });
  d.addEventListener("submit", function (event) {
    if (!event.defaultPrevented && event.target.getAttribute("method") === "post") { setTimeout(sayLate, LATE); }  /* the answer is another page */
  });
  d.addEventListener("htmx:afterSwap", function (event) {
    if (event.target === strip) { clearTimeout(timer); timer = setTimeout(function () { strip.textContent = ""; }, 9000); }
  });
  d.addEventListener("htmx:afterRequest", function (event) {
    var xhr = event.detail.xhr, from = event.detail.elt;
    if (!xhr || xhr.status === 0) { return; }
    banner.hidden = true;
    if (xhr.status === 204 && from.closest) {
      strip.textContent = "";
      var act = from.closest("details.act"); if (act) { act.open = false; }
      if (from.tagName === "FORM") { from.reset(); }
    }
  });
  d.addEventListener("click", function (event) {
    all("details.menu[open]").forEach(function (menu) { if (!menu.contains(event.target)) { menu.open = false; } });
  });
  d.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { all("details.menu[open], details.act[open]").forEach(function (e) { e.open = false; e.querySelector("summary").focus(); }); }
  });
  count();

  /* a table that nobody has heard of yet: asked for again, and shown once it is there; nobody's page is taken away before */
  if (d.querySelector("[data-asks-again]")) {
    setInterval(function () {
      fetch(location.href, { method: "HEAD" }).then(function (answer) { if (answer.ok) { location.reload(); } }, function () { /* later, then */ });
    }, 3000);
  }

  /* a page for being offline; browsers allow it over TLS, and on this machine */
  if (navigator.serviceWorker && window.isSecureContext) { navigator.serviceWorker.register("/worker.js").catch(function () { /* then without */ }); }
})();
