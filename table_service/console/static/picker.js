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
      Array.from(ranks.children).forEach(function (b) { b.setAttribute("aria-pressed", String(b.dataset.rank === rank)); });
      Array.from(suits.children).forEach(function (b) { if (b.dataset.suit) { b.disabled = !rank; } });
    }
    var keys = field.dataset.keys ? JSON.parse(field.dataset.keys) : null, alone = d.createElement("div");
    var named = keys ? keys.ranks : field.dataset.ranks.split(" ").map(function (one) { return [one, one]; });
    named.forEach(function (key) { var b = press(key[0], key[0], "small", function () { rank = rank === key[1] ? "" : key[1]; show(); }); b.dataset.rank = key[1]; ranks.append(b); });
    (keys ? keys.suits : ["♥", "♦", "♣", "♠"].map(function (one) { return [one, one]; })).forEach(function (key) { var b = press(key[0], key[0], "small suit-" + key[1], function () { add(rank + key[1]); }); b.dataset.suit = key[1]; suits.append(b); });
    if (keys) { keys.alone.forEach(function (key) { alone.append(press(key[0], key[0], "small", function () { add(key[1]); })); }); }
    else { suits.append(press("★", "JK", "small", function () { add("JK"); })); }
    suits.append(press("⌫", field.dataset.remove, "small quiet", function () { field.value = field.value.trim().split(/\s+/).slice(0, -1).join(" "); }));
    box.append(ranks, suits); if (keys) { box.append(alone); } show();
    field.after(box);
  }
  function all() { d.querySelectorAll("input[data-cards]").forEach(function (field) { if (!field.nextElementSibling || !field.nextElementSibling.classList.contains("picker")) { picker(field); } }); }
  d.addEventListener("htmx:sseMessage", all); d.addEventListener("htmx:afterSwap", all);
  all();
})();
