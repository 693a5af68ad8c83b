/* An alert's pictures: small ones cropped at the fact, a strip that begins with it; large ones: tap or Enter opens one at
   the fact; tap again for the whole table, two fingers, wheel or + and − enlarge; drag to move; arrows change from before
   to at to after. Without this file a picture is shown whole, and opens by itself. */
(function () {
  "use strict";
  var d = document, box = null, img = null, line = null, links = [], at = 0, opener = null;
  var scale = 1, x = 0, y = 0, fingers = new Map(), moved = false, apart = 0, acted = false;
  var MOST = 6;

  function button(name, text, label, act) {
    var b = d.createElement("button");
    b.type = "button"; b.className = "zoom-" + name; b.textContent = text; b.setAttribute("aria-label", label);
    b.addEventListener("click", act);
    return b;
  }
  function build(group) {
    box = d.createElement("dialog"); box.className = "zoom-box"; box.setAttribute("aria-label", group.getAttribute("aria-label"));
    img = d.createElement("img"); img.draggable = false; line = d.createElement("p"); line.setAttribute("role", "status");
    var help = d.createElement("p"); help.className = "zoom-help"; help.textContent = group.dataset.help;
    box.append(button("close", "✕", group.dataset.close, close), button("prev", "‹", group.dataset.prev, function () { show(at - 1); }),
      button("next", "›", group.dataset.next, function () { show(at + 1); }), img, line, help);
    d.body.append(box);
    box.addEventListener("close", function () { if (opener && opener.isConnected) { opener.focus(); } });
    box.addEventListener("keydown", keys);
    img.addEventListener("load", function () { if (!acted) { begin(); } });  // who is quicker than the picture is not overruled
    ["keydown", "pointerdown", "wheel"].forEach(function (kind) { box.addEventListener(kind, function () { acted = true; }, { capture: true, passive: true }); });
    img.addEventListener("pointerdown", down); img.addEventListener("pointermove", drag);
    img.addEventListener("pointerup", up); img.addEventListener("pointercancel", up);
    box.addEventListener("wheel", function (e) { e.preventDefault(); zoom(e.deltaY < 0 ? 1.2 : 1 / 1.2, e.clientX, e.clientY); }, { passive: false });
  }
  function place() {
    var free = (scale - 1) / 2, w = img.offsetWidth * free, h = img.offsetHeight * free;
    x = Math.max(-w, Math.min(w, x)); y = Math.max(-h, Math.min(h, y));
    img.style.transform = "translate(" + x + "px," + y + "px) scale(" + scale + ")";
    img.classList.toggle("large", scale > 1);
  }
  function zoom(by, px, py) {
    var r = img.getBoundingClientRect(), next = Math.max(1, Math.min(MOST, scale * by)), real = next / scale;
    x += (r.left + r.width / 2 - px) * (real - 1); y += (r.top + r.height / 2 - py) * (real - 1);
    scale = next; place();
  }
  function centre(by) { zoom(by, innerWidth / 2, innerHeight / 2); }
  /* the picture begins at the fact, where the table says where in it that is */
  function whole() { scale = 1; x = y = 0; place(); }
  function begin() {
    var crop = links[at] && links[at].dataset.crop;
    whole();
    if (!crop) { return; }
    var n = crop.split(" ").map(Number);
    scale = Math.min(MOST, 1 / n[2]);
    x = (0.5 - n[0] - n[2] / 2) * img.offsetWidth * scale; y = (0.5 - n[1] - n[2] / 2) * img.offsetHeight * scale;
    place();
  }
  function show(n) {
    if (n < 0 || n >= links.length) { return; }
    at = n; acted = false; whole();
    var small = links[at].querySelector("img"), said = links[at].closest("figure").querySelector("figcaption");
    img.src = links[at].href; img.alt = small ? small.alt : ""; line.textContent = said ? Array.from(said.children, function (e) { return e.textContent.trim(); }).join(" · ") : "";
    box.querySelector(".zoom-prev").disabled = at === 0; box.querySelector(".zoom-next").disabled = at === links.length - 1;
    if (img.complete) { begin(); }
  }
  function close() { box.close(); }
  function keys(e) {
    var acts = { ArrowLeft: function () { show(at - 1); }, ArrowRight: function () { show(at + 1); },
      "+": function () { centre(1.5); }, "=": function () { centre(1.5); }, "-": function () { centre(1 / 1.5); }, "0": whole };
    if (acts[e.key]) { e.preventDefault(); acts[e.key](); }
  }
  function spread() {
    var p = Array.from(fingers.values());
    return { apart: Math.hypot(p[0].x - p[1].x, p[0].y - p[1].y), x: (p[0].x + p[1].x) / 2, y: (p[0].y + p[1].y) / 2 };
  }
  function down(e) {
    e.preventDefault(); try { img.setPointerCapture(e.pointerId); } catch (error) { /* a made-up pointer */ }
    fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (fingers.size === 1) { moved = false; } else { moved = true; apart = spread().apart; }
  }
  function drag(e) {
    var was = fingers.get(e.pointerId);
    if (!was) { return; }
    fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (fingers.size === 2) {
      var now = spread(); zoom(now.apart / Math.max(1, apart), now.x, now.y); apart = now.apart;
    } else if (Math.hypot(e.clientX - was.x, e.clientY - was.y) > 3 || moved) {
      moved = true; x += e.clientX - was.x; y += e.clientY - was.y; place();
    } else { fingers.set(e.pointerId, was); }
  }
  function up(e) {
    if (!fingers.delete(e.pointerId) || e.type === "pointercancel" || fingers.size || moved) { return; }
    if (scale > 1) { whole(); } else { zoom(2.5, e.clientX, e.clientY); }
  }
  function crops() {
    d.querySelectorAll("[data-crop]").forEach(function (frame) {
      var n = frame.dataset.crop.split(" ").map(Number), small = frame.querySelector("img");
      small.style.transform = "scale(" + 1 / n[2] + ") translate(" + -100 * n[0] + "%," + -100 * n[1] + "%)";
    });
  }
  var pushed = null;
  function strip() {
    var group = d.querySelector(".pictures"), fact = group && group.querySelector(".fact");
    if (fact) { group.scrollLeft = pushed === null ? fact.offsetLeft - group.offsetLeft - (group.clientWidth - fact.offsetWidth) / 2 : pushed; }
  }
  d.addEventListener("htmx:sseBeforeMessage", function () { var group = d.querySelector(".pictures"); pushed = group ? group.scrollLeft : null; });
  d.addEventListener("htmx:sseMessage", function () { crops(); strip(); });
  crops(); strip();
  d.addEventListener("click", function (e) {
    var link = e.target.closest && e.target.closest("a.zoom");
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey || !window.HTMLDialogElement) { return; }
    e.preventDefault();
    var group = link.closest(".pictures");
    if (!box) { build(group); }
    links = Array.from(group.querySelectorAll("a.zoom")); opener = link; fingers.clear();
    box.showModal(); show(links.indexOf(link));
  });
})();
