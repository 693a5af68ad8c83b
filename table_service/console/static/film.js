/* The film of an alert: small pictures on one sheet, of which the window shows one. The slider and its arrow keys step
   through them, the button plays them at the pace at which they were taken. Without this file the sheet opens whole. */
(function () {
  "use strict";
  var d = document, timer = 0, kept = null;
  var LEAST_MS = 120, MOST_MS = 1500;

  function parts(film) {
    return { img: film.querySelector("img"), slider: film.querySelector("input"), said: film.querySelector("output"),
      button: film.querySelector("button"), moments: film.dataset.moments.split(" ").map(Number), texts: film.dataset.said.split("|") };
  }
  function show(film, n) {
    var p = parts(film), columns = Number(film.dataset.columns), rows = Math.ceil(p.moments.length / columns);
    p.img.style.width = columns * 100 + "%";
    p.img.style.transform = "translate(" + -100 * (n % columns) / columns + "%," + -100 * Math.floor(n / columns) / rows + "%)";
    p.slider.value = n; p.slider.setAttribute("aria-valuetext", p.texts[n]); p.said.textContent = p.texts[n];
    p.img.alt = film.dataset.alt + ", " + p.texts[n];
  }
  function stop(film) {
    clearTimeout(timer); timer = 0;
    if (film) { var b = parts(film).button; b.textContent = b.dataset.play; }
  }
  function step(film) {
    var p = parts(film), n = Number(p.slider.value) + 1;
    if (!film.isConnected || n >= p.moments.length) { stop(film); return; }
    show(film, n);
    if (n + 1 >= p.moments.length) { stop(film); return; }
    timer = setTimeout(function () { step(film); }, Math.max(LEAST_MS, Math.min(MOST_MS, 1000 * (p.moments[n + 1] - p.moments[n]))));
  }
  function play(film) {
    var p = parts(film);
    p.button.textContent = p.button.dataset.stop;
    if (Number(p.slider.value) >= p.moments.length - 1) { show(film, 0); }
    timer = setTimeout(function () { step(film); }, LEAST_MS);
  }
  function load(film) {
    var img = parts(film).img;
    if (img.dataset.src) { img.src = img.dataset.src; img.removeAttribute("data-src"); }
    show(film, Number(parts(film).slider.value));
  }
  d.addEventListener("toggle", function (e) {
    if (!e.target.matches || !e.target.matches("details.film")) { return; }
    if (e.target.open) { load(e.target); } else { stop(e.target); }
  }, true);
  d.addEventListener("input", function (e) {
    var film = e.target.closest && e.target.closest("details.film");
    if (film) { stop(film); show(film, Number(e.target.value)); }
  });
  d.addEventListener("click", function (e) {
    var button = e.target.closest && e.target.closest("details.film button"), film = button && button.closest("details.film");
    if (!film) { return; }
    if (timer) { stop(film); } else { play(film); }
  });
  /* what arrives makes the page's part anew: the film stays open, where it was, and goes on playing */
  d.addEventListener("htmx:sseBeforeMessage", function () {
    var film = d.querySelector("details.film");
    kept = film && film.open ? { src: film.dataset.sheet, at: film.querySelector("input").value, plays: timer !== 0, held: film.contains(d.activeElement) && d.activeElement.tagName } : null;
  });
  d.addEventListener("htmx:sseMessage", function () {
    var film = d.querySelector("details.film");
    if (!kept || !film || film.open || film.dataset.sheet !== kept.src) { return; }
    clearTimeout(timer); timer = 0;
    film.querySelector("input").value = kept.at; film.open = true; load(film);
    if (kept.held) { film.querySelector(kept.held).focus(); }
    if (kept.plays) { play(film); }
  });
})();
