/* Cards picked by touch: a rank, then a suit. Beside the field, which takes what is typed as before. */
(function () {
  "use strict";
  var d = document;
  function press(text, label, css, act) {
    var b = d.createElement("button");
    b.type = "button"; b.className = "btn " + css; b.textContent = text; b.setAttribute("aria-label", label); b.addEventListener("click", act);
    return b;
  }
  function picker(field) {
    var box = d.createElement("div"), ranks = d.createElement("div"), suits = d.createElement("div"), rank = "";
    box.className = "picker"; box.setAttribute("role", "group"); box.setAttribute("aria-label", field.dataset.cards);
    function add(card) { field.value = (field.value.trim() + " " + card).trim(); rank = ""; show(); field.dispatchEvent(new Event("input", { bubbles: true })); }
    function show() {
      Array.from(ranks.children).forEach(function (b) { b.setAttribute("aria-pressed", String(b.textContent === rank)); });
      Array.from(suits.children).forEach(function (b) { if (b.dataset.suit) { b.disabled = !rank; } });
    }
    field.dataset.ranks.split(" ").forEach(function (one) { ranks.append(press(one, one, "small", function () { rank = rank === one ? "" : one; show(); })); });
    ["♥", "♦", "♣", "♠"].forEach(function (one) { var b = press(one, one, "small suit-" + one, function () { add(rank + one); }); b.dataset.suit = one; suits.append(b); });
    suits.append(press("★", "JK", "small", function () { add("JK"); }));
    suits.append(press("⌫", field.dataset.remove, "small quiet", function () { field.value = field.value.trim().split(/\s+/).slice(0, -1).join(" "); }));
    box.append(ranks, suits); show();
    field.after(box);
  }
  function all() { d.querySelectorAll("input[data-cards]").forEach(function (field) { if (!field.nextElementSibling || !field.nextElementSibling.classList.contains("picker")) { picker(field); } }); }
  d.addEventListener("htmx:sseMessage", all); d.addEventListener("htmx:afterSwap", all);
  all();
})();
