/* Takes pictures, shows what was read on them, lets a person mend it, and asks the hall for the score. */
"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent), w = game.words, at = (id) => document.getElementById(id);
  const SUITS = { H: "♥", D: "♦", C: "♣", S: "♠" }, MOST = 12.5e6;
  const state = { groups: [], pictures: [], written: {}, answer: null };
  const keep = at("keep");
  let counting = 0, waiting = null;
  const make = (tag, set = {}, ...inner) => { const one = document.createElement(tag); for (const [k, v] of Object.entries(set)) { if (k in one) { one[k] = v; } else { one.setAttribute(k, v); } } one.append(...inner); return one; };
  const called = (shows) => { const [kind, whose] = shows.split("-"); return `${w[kind]} ${whose}`; };
  const french = game.cards.includes("7H");
  const face = (card) => card === "??" ? "?" : !french ? card : card === "JK" ? "JK" : (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
  const said = (card) => card === "??" ? w.unknown : !french ? card : card === "JK" ? w.joker : `${card[0] === "T" ? "10" : card[0]} ${w[{ H: "hearts", D: "diamonds", C: "clubs", S: "spades" }[card[1]]]}`;

  /* a picture is drawn anew: smaller than 12.5 megapixels, and without what the camera wrote beside it */
  async function redrawn(file) {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => { throw new Error(w.not_opened); }), grow = Math.min(1, Math.sqrt(MOST / (bitmap.width * bitmap.height)));
    const canvas = make("canvas", { width: Math.round(bitmap.width * grow), height: Math.round(bitmap.height * grow) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return [canvas, await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9))];
  }
  async function asked(path, body, json = true) {
    const answer = await fetch(path, { method: "POST", body: json ? JSON.stringify(body) : body, headers: { ...(json ? { "Content-Type": "application/json" } : { "Content-Type": "image/jpeg" }), ...(game.csrf ? { "X-CSRF": game.csrf } : {}) } });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) { throw new Error(told.sorry || w.no_connection); }
    return told;
  }
  async function take(input) {
    if (!input.files.length) { return; }
    const shows = input.dataset.shows, file = input.files[0];
    at("state").textContent = w.reading;
    try {
      const [canvas, blob] = await redrawn(file);
      const seen = await asked(`read?rules=${game.rules}&shows=${encodeURIComponent(shows)}`, blob, false);
      const number = state.pictures.length, first = state.groups.length;
      state.pictures.push({ ...seen, canvas });
      seen.groups.forEach((g) => state.groups.push({ ...g, beside: g.beside.map((n) => n + first), picture: number, cards: g.cards.map((c) => ({ ...c })) }));
      input.closest(".take").classList.add("done");
      at("state").textContent = "";
      waiting = null;
    } catch (problem) {
      at("state").textContent = problem instanceof TypeError ? w.no_connection : problem.message;
      waiting = input;
      const again = make("button", { type: "button", textContent: w.again });
      again.addEventListener("click", () => take(input));
      at("state").append(" ", again);
      return;
    }
    input.value = "";
    shown();
  }
  /* -- what was read -- */
  const SVG = "http://www.w3.org/2000/svg", line_of = (shows) => shows.replace(/NS$|EW$/, (line) => (line === "NS" ? "EW" : "NS"));
  /* groups go or join: those that are left keep knowing which may be one with them */
  function regroup(gone, made = null) {
    const kept = state.groups.map((_, n) => n).filter((n) => !gone.includes(n)), place = new Map(kept.map((n, k) => [n, k]));
    if (made) { gone.forEach((n) => place.set(n, kept.length)); }
    const groups = kept.map((n) => state.groups[n]).concat(made ? [made] : []);
    groups.forEach((g, k) => { g.beside = [...new Set(g.beside.map((n) => place.get(n)))].filter((n) => n !== undefined && n !== k); });
    state.groups = groups;
  }
  const one_of = (groups, cards) => ({ ...groups[0], cards, doubts: [...new Set(groups.flatMap((g) => g.doubts))], gaps: [], beside: [...new Set(groups.flatMap((g) => g.beside))] });
  function join(n) {
    const next = state.groups.findIndex((g, k) => k > n && g.picture === state.groups[n].picture);
    if (next < 0) { return; }
    const both = [state.groups[n], state.groups[next]];
    regroup([n, next], one_of(both, along(both.flatMap((g) => g.cards))));
    shown();
  }
  const middle = (card) => [0, 1].map((a) => card.outline.reduce((sum, p) => sum + p[a], 0) / card.outline.length);
  /* cards of two melds made one, in order along the longer side of where they lie */
  function along(cards) {
    if (!cards.every((card) => card.outline)) { return cards; }
    const places = cards.map(middle), spread = [0, 1].map((a) => Math.max(...places.map((p) => p[a])) - Math.min(...places.map((p) => p[a])));
    const long = spread[0] > spread[1] ? 0 : 1;
    return [...cards].sort((a, b) => middle(a)[long] - middle(b)[long]);
  }
  /* a frame, from corner to corner as fractions of the picture: the cards whose middles it holds are one meld */
  function frame(number, from, to) {
    const low = [0, 1].map((a) => Math.min(from[a], to[a])), high = [0, 1].map((a) => Math.max(from[a], to[a]));
    const inside = (card) => card.outline && middle(card).every((v, a) => low[a] <= v && v <= high[a]);
    const held = state.groups.map((g, n) => n).filter((n) => state.groups[n].picture === number && state.groups[n].cards.some(inside));
    const groups = held.map((n) => state.groups[n]), all = groups.flatMap((g) => g.cards.filter(inside)), cards = groups.length > 1 ? along(all) : all;
    if (!cards.length) {
      const outline = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
      state.groups.push({ shows: state.pictures[number].shows, picture: number, cards: [{ card: "??", confidence: 0, outline }], doubts: [], gaps: [], beside: [] });
    } else {
      groups.forEach((g) => { g.cards = g.cards.filter((card) => !cards.includes(card)); });
      regroup(held.filter((n) => !state.groups[n].cards.length), one_of(groups, cards));
    }
    shown();
  }
  function framed(shot, svg, number) {
    const button = make("button", { type: "button", textContent: w.frame, "aria-pressed": "false" });
    let from = null, box = null;
    const at_of = (event) => { const r = svg.getBoundingClientRect(); return [(event.clientX - r.left) / r.width, (event.clientY - r.top) / r.height]; };
    const end = () => { from = null; if (box) { box.remove(); box = null; } };
    button.addEventListener("click", () => { const on = shot.classList.toggle("framing"); button.setAttribute("aria-pressed", on); end(); });
    svg.addEventListener("pointerdown", (event) => {
      if (!shot.classList.contains("framing")) { return; }
      event.preventDefault(); svg.setPointerCapture(event.pointerId);
      if (from) { const first = from; end(); frame(number, first, at_of(event)); return; }
      from = at_of(event); box = document.createElementNS(SVG, "rect"); box.classList.add("frame"); svg.append(box);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!from || !box) { return; }
      const to = at_of(event), low = [0, 1].map((a) => Math.min(from[a], to[a]));
      for (const [k, v] of [["x", low[0]], ["y", low[1]], ["width", Math.abs(to[0] - from[0])], ["height", Math.abs(to[1] - from[1])]]) { box.setAttribute(k, v); }
    });
    svg.addEventListener("pointerup", (event) => {
      if (!from) { return; }
      const to = at_of(event);
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.03) { const first = from; end(); frame(number, first, to); }
    });
    return button;
  }
  const odd = (group, k) => group.cards[k].card === "??" || group.cards[k].confidence < 0.9;
  function shown() {
    at("advice").replaceChildren(...state.pictures.flatMap((p) => p.advice).map((text) => make("li", { textContent: text })));
    const parts = state.pictures.map((picture, number) => {
      const shot = make("div", { className: "shot" }, picture.canvas), svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", "0 0 1 1"); svg.setAttribute("preserveAspectRatio", "none"); svg.setAttribute("aria-hidden", "true");
      const rows = [];
      state.groups.forEach((group, n) => {
        if (group.picture !== number) { return; }
        group.cards.forEach((card, k) => {
          if (!card.outline) { return; }
          const ring = document.createElementNS(SVG, "polygon");
          ring.setAttribute("points", card.outline.map((p) => p.join(",")).join(" "));
          if (odd(group, k)) { ring.classList.add("odd"); }
          ring.addEventListener("click", () => { if (!shot.classList.contains("framing")) { pick(n, k); } });
          svg.append(ring);
        });
        rows.push(row(group, n));
      });
      shot.append(svg);
      const acts = make("div", { className: "keys" }, framed(shot, svg, number));
      if (/NS$|EW$/.test(picture.shows)) {
        const swap = make("button", { type: "button", textContent: w.swap });
        swap.addEventListener("click", () => { picture.shows = line_of(picture.shows); state.groups.filter((g) => g.picture === number).forEach((g) => { g.shows = line_of(g.shows); }); shown(); });
        acts.append(swap);
      }
      const mine = state.groups.filter((g) => g.picture === number);
      if ((picture.cloud && !picture.checked) || mine.some(doubted)) {
        const all = make("button", { type: "button", textContent: w.picture_right });
        all.addEventListener("click", () => { picture.checked = true; mine.forEach(settle); shown(); });
        acts.append(all);
      }
      return make("div", {}, make("h3", { textContent: called(picture.shows) }), shot, acts, ...rows);
    });
    at("pictures").replaceChildren(...(parts.length ? parts : [make("p", { textContent: w.nothing_yet })]));
    count();
  }
  const doubted = (group) => group.doubts.length || group.gaps.length || group.beside.length || group.cards.some((c) => c.card !== "??" && c.confidence < 0.9);
  const settle = (group) => { group.doubts = []; group.beside = []; group.gaps = []; group.cards.forEach((c) => { if (c.card !== "??") { c.confidence = 1; } }); };
  function row(group, n) {
    const whose = make("select", { "aria-label": w.whose });
    game.shows.forEach((one) => whose.append(make("option", { value: one, textContent: called(one), selected: one === group.shows })));
    whose.addEventListener("change", () => { group.shows = whose.value; count(); });
    const cards = group.cards.map((card, k) => {
      const one = make("button", { type: "button", className: "card", textContent: face(card.card), "aria-label": said(card.card) });
      if (french && /[HD]$/.test(card.card)) { one.classList.add("red"); }
      if (odd(group, k)) { one.classList.add("odd"); }
      one.addEventListener("click", () => pick(n, k));
      return one;
    });
    const add = make("button", { type: "button", textContent: "+", "aria-label": w.add });
    add.addEventListener("click", () => pick(n, group.cards.length));
    const gone = make("button", { type: "button", textContent: "×", "aria-label": w.remove_group });
    gone.addEventListener("click", () => { regroup([n]); shown(); });
    const made = make("div", { className: "group", role: "group", "aria-label": group.cards.map((c) => said(c.card)).join(", ") }, whose, ...cards, add, gone);
    if (state.groups.some((g, k) => k > n && g.picture === group.picture)) {
      const both = make("button", { type: "button", textContent: "⤓", "aria-label": w.join, title: w.join });
      both.addEventListener("click", () => join(n));
      made.append(both);
    }
    if (doubted(group)) {
      const right = make("button", { type: "button", textContent: w.checked });
      right.addEventListener("click", () => { settle(group); shown(); });
      made.append(right);
    }
    made.append(make("p", { className: "why", id: `why-${n}` }));
    return made;
  }
  function pick(n, k) {
    const group = state.groups[n], box = at("pick"), meld = ((state.answer || {}).melds || []).find((m) => m.group === n);
    const key = (card) => make("button", { value: card, textContent: face(card), "aria-label": said(card) });
    at("offers").replaceChildren(...((meld && meld.offers) || []).map(key));
    const rows = french ? ["H", "D", "C", "S"].map((s) => game.cards.filter((c) => c[1] === s && c !== "JK")).concat([game.cards.filter((c) => c === "JK")]) : [game.cards];
    at("faces").replaceChildren(...rows.map((row) => make("div", { className: "keys" }, ...row.map(key))));
    box.returnValue = "cancel";
    box.onclose = () => {
      const card = box.returnValue;
      if (card === "cancel" || card === "") { return; }
      if (card === "remove") { group.cards.splice(k, 1); } else { group.cards[k] = { ...(group.cards[k] || {}), card, confidence: 1 }; }
      group.gaps = [];
      if (!group.cards.length) { regroup([n]); }
      shown();
    };
    box.showModal();
  }
  /* -- the sheet -- */
  function facts() {
    const form = new FormData(at("facts")), out = { NS: { hands: {} }, EW: { hands: {} } }, closed = form.get("closed"), last = form.get("last_trick");
    for (const line of ["NS", "EW"]) {
      if (closed) { out[line].closed = closed === line; }
      if (form.get(`pot-${line}`)) { out[line].pot = form.get(`pot-${line}`); }
      if (last) { out[line].last_trick = last === line; }
      for (const seat of line) { if (form.get(`empty-${seat}`)) { out[line].hands[seat] = []; } }
    }
    for (const name of ["board", "tricks"]) { const n = parseInt(form.get(name), 10); if (!Number.isNaN(n)) { out[name] = n; } }
    for (const name of ["contract", "doubled", "declarer"]) { if (form.get(name)) { out[name] = form.get(name); } }
    return out;
  }
  function document_() {
    return { rules: game.rules, facts: facts(), shown: [...new Set(state.pictures.map((p) => p.shows))], pictures: state.pictures.map((p) => p.picture),
      clouded: Object.fromEntries(state.pictures.filter((p) => p.cloud && !p.checked).map((p) => [p.shows, p.cloud])), written: state.written,
      groups: state.groups.map((g) => ({ shows: g.shows, cards: g.cards.map((c) => c.card), confidence: g.cards.map((c) => c.confidence), doubts: g.doubts, gaps: g.gaps, beside: g.beside })) };
  }
  async function count() {
    const mine = ++counting;
    let answer;
    try { answer = await asked("count", document_()); } catch (problem) { at("state").textContent = problem instanceof TypeError ? w.no_connection : problem.message; return; }
    if (mine !== counting) { return; }
    state.answer = answer;
    (answer.melds || []).forEach((m) => { const why = at(`why-${m.group}`); if (why) { why.textContent = m.doubts.map((d) => d[game.language]).join("; "); why.closest(".group").classList.toggle("odd", !m.certain); } });
    sheet(answer);
    at("notes").replaceChildren(...answer.notes.map((n) => make("li", { textContent: (n.line ? `${n.line}: ` : "") + n.text[game.language] })));
    at("pbn").hidden = !answer.pbn; at("pbn").textContent = answer.pbn || "";
  }
  function sheet(answer) {
    const lines = Object.keys(answer.lines), rows = [];
    const value = (v) => make("td", { textContent: v === null ? "?" : v, className: v === null ? "open" : "" });
    for (const item of Object.keys(answer.lines[lines[0]].items)) {
      rows.push(make("tr", {}, make("th", { scope: "row", textContent: game.items[item] || item }), ...lines.flatMap((line) => [value(answer.lines[line].items[item]), make("td", {}, typed(line, item))])));
    }
    rows.push(make("tr", {}, make("th", { scope: "row", textContent: w.total }), ...lines.flatMap((line) => [value(answer.lines[line].total), make("td", {}, typed(line, "total"))])));
    const head = make("tr", {}, make("th", { scope: "col", textContent: w.sheet }), ...lines.flatMap((line) => [make("th", { scope: "col", textContent: line }), make("th", { scope: "col", textContent: w.written })]));
    at("sheet").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
    differs(answer);
  }
  function typed(line, item) {
    const own = (state.written[line] || {})[item], box = make("input", { inputMode: "numeric", value: own === undefined ? "" : own, "aria-label": `${w.written}: ${game.items[item] || w.total} ${line}` });
    box.addEventListener("change", () => { const n = parseInt(box.value, 10); state.written[line] = state.written[line] || {}; if (Number.isNaN(n)) { delete state.written[line][item]; } else { state.written[line][item] = n; } count(); });
    return box;
  }
  function differs(answer) {
    at("differs").replaceChildren(...answer.differences.map((d) => {
      const why = d.cards.map(([card, value]) => w.made_of.replace("{card}", said(card)).replace("{value}", value)).join(", ");
      return make("li", { textContent: w.differs.replace("{line}", d.line).replace("{item}", game.items[d.item] || w.total).replace("{written}", d.written).replace("{seen}", d.seen).replace("{why}", why ? `: ${why}` : "") });
    }));
  }
  document.querySelectorAll(".take input").forEach((input) => input.addEventListener("change", () => take(input)));
  at("facts").addEventListener("change", count);
  at("facts").addEventListener("submit", (event) => event.preventDefault());
  at("new").addEventListener("click", () => {
    const next = new URLSearchParams(location.search), form = keep ? new FormData(keep) : new FormData();
    if (form.get("table")) { next.set("table", form.get("table")); next.set("deal", (parseInt(form.get("number"), 10) || 0) + (state.kept ? 1 : 0)); }
    next.set("rules", game.rules);
    location.search = next;
  });
  window.addEventListener("online", () => { if (waiting) { take(waiting); } });
  if (keep) {
    keep.addEventListener("submit", async (event) => {
      event.preventDefault();
      const form = new FormData(keep);
      try {
        const told = await asked("keep", { ...document_(), who: form.get("who"), table: form.get("table") || "", number: form.get("number"), confirmed: ["NS", "EW"].filter((line) => form.get(line)) });
        state.kept = true;
        at("state").replaceChildren(w.kept, ...(told.sheet ? [" ", make("a", { href: told.sheet, textContent: w.to_sheet })] : []));
      } catch (problem) { at("state").textContent = problem instanceof TypeError ? w.no_connection : problem.message; }
      at("state").scrollIntoView({ block: "center" });
    });
  }
  count();
})();
