/* Nothing moves under a finger: while a list is in use its rows keep their places (new ones come at the end, ended ones
   stay as a shadow); what has just changed takes no touch for a moment; focus stays in the row where it was. */
(function () {
  "use strict";
  var d = document, HOLD = 4000, SETTLE = 400, HOVER = matchMedia("(hover: hover)"), mouse = false, used = 0, before = null, order = [], changed = {}, timer = 0;
  /* a mouse that has moved hovers, whatever the screen says of itself: a tablet may have one */
  function hovers() { return mouse || HOVER.matches; }
  d.addEventListener("pointermove", function (e) { mouse = mouse || e.pointerType === "mouse"; }, { capture: true, passive: true });
  function all(selector, root) { return Array.from((root || d).querySelectorAll(selector)); }
  function rows(list) { return Array.from(list.children).filter(function (e) { return e.id; }); }
  function row(e) { return e && e.closest ? e.closest("[data-rows] > [id], [data-steady]") : null; }
  /* what a finger could hit in a row, and where */
  function targets(e) {
    return Array.from(e.querySelectorAll("a, button, summary, input"), function (one) { return (one.id || one.className) + one.textContent + Math.round(one.getBoundingClientRect().top / 4); }).join("|");
  }
  function name(e) { return e.id || e.getAttribute("sse-swap"); }
  ["pointerdown", "pointermove", "keydown"].forEach(function (kind) {
    d.addEventListener(kind, function (e) { if (row(e.target) || (kind === "pointermove" && e.target.closest && e.target.closest("[data-rows]"))) { used = Date.now(); } }, { capture: true, passive: true });
  });

  d.addEventListener("htmx:sseBeforeMessage", function (event) {
    var part = event.target, list = part.querySelector("[data-rows]"), focused = row(d.activeElement);
    before = { html: {}, order: [], elements: {}, top: part.getBoundingClientRect().top, focus: focused && part.contains(focused) ? name(focused) : null };
    if (part.matches("[data-steady]")) { before.html[name(part)] = targets(part); }
    if (!list) { return; }
    before.top = list.getBoundingClientRect().top;
    rows(list).forEach(function (e) { before.order.push(e.id); before.html[e.id] = targets(e); before.elements[e.id] = e; });
  });
  d.addEventListener("htmx:sseMessage", function (event) {
    var part = event.target, list = part.querySelector("[data-rows]"), was = before, now = Date.now();
    before = null;
    if (!was) { return; }
    if (part.matches("[data-steady]") && targets(part) !== was.html[name(part)]) { changed[name(part)] = now; }
    if (part.matches("[data-steady]")) { settle(part); }
    if (list) {
      order = rows(list).map(function (e) { return e.id; });
      if (now - used < HOLD || !hovers()) { hold(list, was); }
      var moved = list.getBoundingClientRect().top - was.top;
      if (Math.abs(moved) > 2 && scrollY + moved > 0) { scrollBy(0, moved); }
      rows(list).forEach(function (e) { if (was.html[e.id] !== undefined && targets(e) !== was.html[e.id]) { changed[e.id] = now; } settle(e); });
    }
    if (was.focus && d.activeElement === d.body) { refocus(part, was); }
  });

  /* rows in the order in which they were shown; who is gone leaves a shadow */
  function hold(list, was) {
    var there = {};
    rows(list).forEach(function (e) { there[e.id] = e; });
    was.order.forEach(function (id) {
      var e = there[id] || was.elements[id];
      if (!there[id]) { e.classList.add("gone"); e.inert = true; }
      list.append(e);
    });
    order.forEach(function (id) { if (was.order.indexOf(id) < 0) { list.append(there[id]); } });
    later();
  }
  function later() { if (!hovers()) { return; } clearTimeout(timer); timer = setTimeout(release, Math.max(200, used + HOLD - Date.now())); }
  /* a finger is not seen before it touches: there rows find their places only after the person's own deed, or when the
     page is looked at again */
  d.addEventListener("htmx:afterRequest", function (event) { if (!hovers() && row(event.detail.elt)) { setTimeout(release, SETTLE, true); } });
  d.addEventListener("visibilitychange", function () { if (!hovers() && !d.hidden) { release(true); } });
  function release(now) {
    if (now !== true && Date.now() - used < HOLD) { later(); return; }
    all("[data-rows]").forEach(function (list) {
      var focus = d.activeElement, inside = list.contains(focus);
      all(":scope > .gone", list).forEach(function (e) { e.remove(); });
      if (inside && focus.isConnected) { return; }
      order.forEach(function (id) { var e = d.getElementById(id); if (e && e.parentElement === list) { list.append(e); } });
    });
  }
  function refocus(part, was) {
    var here = d.getElementById(was.focus), at = was.order.indexOf(was.focus), list = part.querySelector("[data-rows]");
    if (!here && part.getAttribute("sse-swap") === was.focus) { here = part; }
    if ((!here || here.inert) && list) {
      here = was.order.slice(at + 1).concat(was.order.slice(0, at).reverse()).map(function (id) { return d.getElementById(id); })
        .find(function (e) { return e && !e.inert; }) || part;
    }
    if (!here) { return; }
    var target = here === part ? null : here.querySelector(".acts a, .acts button, a, button");
    if (!target) { target = part.querySelector("h1, h2") || part; target.tabIndex = -1; }
    target.focus({ preventScroll: true });
  }

  /* a second quick touch must not hit what the first one has put there; data-fresh lets the style sheet say so, too */
  function settle(e) {
    var left = (changed[name(e)] || 0) + SETTLE - Date.now();
    if (left <= 0) { delete e.dataset.fresh; return; }
    e.dataset.fresh = ""; setTimeout(settle, left, e);
  }
  d.addEventListener("click", function (event) {
    var e = row(event.target), at = e && changed[name(e)];
    if (event.detail && at && Date.now() - at < SETTLE) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
})();
