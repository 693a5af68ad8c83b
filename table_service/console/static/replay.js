/* A past deal that plays by itself: at a speed, by keyboard, and the link to the moment that is shown. */
(function () {
  "use strict";
  var d = document, panel = d.getElementById("replay");
  if (!panel) { return; }
  var range = d.querySelector(".scrub"), play = d.getElementById("replay-play"), speed = d.getElementById("replay-speed");
  var link = d.getElementById("moment-link"), ts = range.dataset.ts.split(" ").map(Number), seqs = range.dataset.seqs.split(" ");
  var SHORTEST = 120, LONGEST = 3000, timer = 0, playing = false, shown = true, due = false;

  function number() { return Number(range.value); }
  function linked() {
    link.value = location.origin + range.dataset.moment + seqs[number()];
    history.replaceState(history.state, "", location.pathname + "?n=" + range.value);
  }
  function go(n) {
    range.value = Math.max(0, Math.min(ts.length - 1, n));
    shown = false;
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function label() {
    var text = playing ? play.dataset.pause : play.dataset.play;
    play.setAttribute("aria-pressed", String(playing)); play.textContent = text;
  }
  function stop() { playing = false; clearTimeout(timer); label(); }
  function next() {
    if (!playing) { return; }
    var n = number();
    if (n >= ts.length - 1) { stop(); return; }
    due = false;
    var wait = (ts[n + 1] - ts[n]) * 1000 / Number(speed.value);
    clearTimeout(timer);
    timer = setTimeout(function () { due = true; step(); }, Math.max(SHORTEST, Math.min(LONGEST, wait)));
  }
  /* the next moment comes when its time has come and the one before is on the page */
  function step() { if (playing && due && shown) { go(number() + 1); next(); } }
  function start() {
    if (number() >= ts.length - 1) { go(0); }
    playing = true; label(); next();
  }
  play.addEventListener("click", function () { if (playing) { stop(); } else { start(); } });
  speed.addEventListener("change", function () { if (playing) { next(); } });
  range.addEventListener("input", linked);
  range.addEventListener("pointerdown", stop);
  d.addEventListener("htmx:afterSwap", function (event) { if (event.target.id === "past") { shown = true; step(); } });
  d.addEventListener("htmx:sendError", function () { shown = true; stop(); });
  d.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not(.scrub), textarea, select, summary, a, button:not(#replay-play)")) { return; }
    var speeds = Array.from(speed.options), at = speed.selectedIndex, by = { "+": 1, "=": 1, "-": -1 }[event.key];
    if (event.key === " " && event.target !== play) { event.preventDefault(); play.click(); }
    else if (by && speeds[at + by]) { speed.selectedIndex = at + by; speed.dispatchEvent(new Event("change")); }
    else if (event.target !== range && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault(); stop(); go(number() + (event.key === "ArrowRight" ? 1 : -1));
    }
  });
  linked();
})();
