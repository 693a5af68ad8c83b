/* An alert's pictures, large: tap or Enter opens one; tap again, two fingers, wheel or + and − enlarge; drag to move;
   arrows change from before to at to after. Without this file a picture simply opens by itself. */
(function () {
  "use strict";
  var d = document, box = null, img = null, line = null, links = [], at = 0, opener = null;
  var scale = 1, x = 0, y = 0, fingers = new Map(), moved = false, apart = 0;
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
  function show(n) {
    if (n < 0 || n >= links.length) { return; }
    at = n; scale = 1; x = y = 0;
    var small = links[at].querySelector("img"), said = links[at].closest("figure").querySelector("figcaption");
    img.src = links[at].href; img.alt = small ? small.alt : ""; line.textContent = said ? Array.from(said.children, function (e) { return e.textContent.trim(); }).join(" · ") : "";
    box.querySelector(".zoom-prev").disabled = at === 0; box.querySelector(".zoom-next").disabled = at === links.length - 1;
    place();
  }
  function close() { box.close(); }
  function keys(e) {
    var acts = { ArrowLeft: function () { show(at - 1); }, ArrowRight: function () { show(at + 1); },
      "+": function () { centre(1.5); }, "=": function () { centre(1.5); }, "-": function () { centre(1 / 1.5); }, "0": function () { centre(0); } };
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
    if (scale > 1) { centre(0); x = y = 0; place(); } else { zoom(2.5, e.clientX, e.clientY); }
  }
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
