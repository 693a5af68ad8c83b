/* Takes pictures, shows what was read on them, lets a person mend it, and asks the hall for the score. A deal is stored on
   the phone at each step; what the hall has not answered is asked again as soon as it can be reached. */
import { bare } from "./bare-picture.js";
import { forget, fresh_id, store, stored } from "./stored-deals.js";
(async () => {
  const game = JSON.parse(document.getElementById("game").textContent), w = game.words, at = (id) => document.getElementById(id);
  const SUITS = { H: "♥", D: "♦", C: "♣", S: "♠" }, MOST = 12.5e6, MOST_BYTES = 24e6, SHOWN = 3e6, AGAIN_MS = 5000;
  const keep = at("keep"), CURRENT = `tavolo-deal-${game.rules}`, canvases = new Map();
  let state = fresh(), counting = 0, sending = false, timer = 0, answered = null, saving = null;
  function fresh() {
    const search = new URLSearchParams(location.search), number = parseInt(search.get("deal"), 10);
    return { id: fresh_id(), rules: game.rules, groups: [], pictures: [], written: {}, facts: {}, sign: { table: search.get("table") || "", number: Number.isNaN(number) ? 1 : number }, confirmed: false, changed: 0 };
  }
  const make = (tag, set = {}, ...inner) => { const one = document.createElement(tag); for (const [k, v] of Object.entries(set)) { if (k in one) { one[k] = v; } else { one.setAttribute(k, v); } } one.append(...inner); return one; };
  const called = (shows) => { const [kind, whose = ""] = shows.split("-"); return `${w[kind]} ${whose}`.trim(); };
  const french = game.cards.includes("7H");
  const face = (card) => card === "??" ? "?" : !french ? card : card === "JK" ? "JK" : (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
  /* a sentence of the hall with its cards as they are printed */
  const spelled = (text) => french ? text.replace(/\b[A2-9TJQK][HDCS]\b|\?\?/g, face) : text;
  const said = (card) => card === "??" ? w.unknown : !french ? card : card === "JK" ? w.joker : `${card[0] === "T" ? "10" : card[0]} ${w[{ H: "hearts", D: "diamonds", C: "clubs", S: "spades" }[card[1]]]}`;

  /* a camera's picture goes as it is, without what was written beside it; another kind, or more than 12.5 megapixels, is drawn anew */
  async function sendable(file) {
    const own = await bare(file).catch(() => null);
    return own && own.size[0] * own.size[1] <= MOST && own.blob.size <= MOST_BYTES ? own : redrawn(file);
  }
  const opened = (file) => createImageBitmap(file, { imageOrientation: "from-image" });
  function drawn(bitmap, most) {
    const grow = Math.min(1, Math.sqrt(most / (bitmap.width * bitmap.height))), canvas = make("canvas", { width: Math.round(bitmap.width * grow), height: Math.round(bitmap.height * grow) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
  async function redrawn(file) {
    const canvas = drawn(await opened(file).catch(() => { throw new Error(w.not_opened); }), MOST);
    return { blob: await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9)), size: [canvas.width, canvas.height] };
  }
  /* the picture to look at: its place is there at once, the picture while the hall reads */
  function canvas_of(picture) {
    if (!canvases.has(picture)) {
      const [width, height] = picture.size || [4, 3], canvas = make("canvas", { width, height });
      canvases.set(picture, canvas);
      opened(picture.blob).then((bitmap) => {
        const small = drawn(bitmap, SHOWN);
        bitmap.close();
        Object.assign(canvas, { width: small.width, height: small.height });
        canvas.getContext("2d").drawImage(small, 0, 0);
      }).catch(() => { /* the hall says what is wrong with it */ });
    }
    return canvases.get(picture);
  }
  /* the hall's answer; a TypeError where it gives none: out of reach, starting again, or the phone is no longer signed in */
  async function asked(path, body, json = true) {
    const answer = await fetch(path, { method: "POST", body: json ? JSON.stringify(body) : body, headers: { ...(json ? { "Content-Type": "application/json" } : { "Content-Type": "image/jpeg" }), ...(game.csrf ? { "X-CSRF": game.csrf } : {}) } });
    const told = await answer.json().catch(() => null);
    if (told === null || answer.status >= 502 || (answer.status === 503 && !told.sorry)) { throw new TypeError("no answer"); }
    if (!answer.ok) { throw Object.assign(new Error(told.sorry || w.refused), { told }); }
    return told;
  }
  async function save() {
    state.changed = Date.now();
    if (state.kept || !(state.pictures.length || Object.keys(state.written).length)) { return; }
    localStorage.setItem(CURRENT, state.id);
    saving = store(state);
    if (!(await saving)) { at("state").textContent = w.no_room; }
  }
  async function take(input) {
    if (!input.files.length) { return; }
    at("state").textContent = w.reading;
    try {
      state.pictures.push({ shows: input.dataset.shows, ...(await sendable(input.files[0])), taken: new Date().toISOString(), picture: null, advice: [], cloud: null });
    } catch (problem) { at("state").textContent = problem.message; return; } finally { input.value = ""; }
    shown();  /* stores the deal, too */
    await send();
  }
  /* -- what the hall has not answered yet -- */
  const unread = (deal) => deal.pictures.filter((one) => !one.picture);
  /* a picture is read; one that the hall cannot read is taken away, with the reason */
  async function read(deal, picture) {
    let seen;
    try {
      seen = await asked(`read?rules=${deal.rules}&shows=${encodeURIComponent(picture.shows)}`, picture.blob, false);
    } catch (problem) {
      if (problem instanceof TypeError) { throw problem; }
      const gone = deal.pictures.indexOf(picture);
      deal.pictures.splice(gone, 1);
      deal.groups.forEach((g) => { g.picture -= g.picture > gone ? 1 : 0; });
      return problem.message;
    }
    const first = deal.groups.length, number = deal.pictures.indexOf(picture);
    Object.assign(picture, { picture: seen.picture, cloud: seen.cloud, advice: seen.advice, ms: seen.ms });
    seen.groups.forEach((g) => deal.groups.push({ ...g, beside: g.beside.map((n) => n + first), picture: number, cards: g.cards.map((c) => ({ ...c })) }));
    return "";
  }
  /* a deal that both lines have looked at goes to the hall, with the pictures that the hall no longer holds */
  async function keep_deal(deal) {
    try { return await asked("keep", document_(deal)); } catch (problem) {
      const lacking = (problem.told || {}).lacking;
      if (!lacking) { throw problem; }
      for (const one of deal.pictures.filter((p) => lacking.includes(p.picture))) { one.picture = (await asked(`read?rules=${deal.rules}&shows=${encodeURIComponent(one.shows)}`, one.blob, false)).picture; }
      return asked("keep", document_(deal));
    }
  }
  async function send_deal(deal) {
    const mine = deal.id === state.id, busy = unread(deal);
    for (const picture of busy) {
      const problem = await read(deal, picture);
      if (mine) { at("state").textContent = problem; shown(); } else { await store(deal); }
    }
    if (!deal.confirmed || deal.kept || unread(deal).length) { return; }
    try {
      const told = await keep_deal(deal);
      deal.kept = true;
      await forget(deal.id);
      if (mine) { at("state").replaceChildren(w.kept, ...(told.sheet ? [" ", make("a", { href: told.sheet, textContent: w.to_sheet })] : [])); }
    } catch (problem) {
      if (problem instanceof TypeError) { throw problem; }
      deal.confirmed = false;
      await store(deal);
      if (mine) { at("state").textContent = problem.message; }
    }
  }
  /* all that waits goes to the hall, the deal that is open first; what gets no answer is tried again */
  async function send() {
    if (sending) { return; }
    sending = true;
    let reached = true;
    try {
      await send_deal(state);
      for (const deal of (await stored()).filter((one) => one.id !== state.id)) { await send_deal(deal); }
    } catch (problem) {
      if (!(problem instanceof TypeError)) { throw problem; }
      reached = false;
    } finally { sending = false; }
    await saving;  /* only then is it true that nothing is lost */
    if (!reached) { at("state").textContent = state.confirmed ? w.keeps_here : w.no_connection; }
    const waits = await waiting();
    clearTimeout(timer);
    if (waits || !reached) { timer = setTimeout(send, AGAIN_MS); }
  }
  /* the deals on this phone but the open one, each to be opened or given up; true if anything waits for the hall */
  async function waiting() {
    const deals = (await stored()).filter((deal) => deal.id !== state.id), box = at("waiting");
    box.hidden = !deals.length;
    at("deals").replaceChildren(...deals.map((deal) => {
      const where = deal.sign.table ? `${deal.sign.table}, ${w.deal} ${deal.sign.number}` : `${deal.rules}, ${new Date(deal.changed).toLocaleTimeString(game.language, { hour: "2-digit", minute: "2-digit" })}`;
      const why = deal.confirmed ? w.goes_by_itself : unread(deal).length ? w.not_read_yet : w.look_and_confirm;
      const open = make("button", { type: "button", textContent: w.open }), gone = make("button", { type: "button", textContent: w.give_up });
      open.addEventListener("click", () => { localStorage.setItem(`tavolo-deal-${deal.rules}`, deal.id); go({ rules: deal.rules, table: deal.sign.table, deal: deal.sign.number }); });
      gone.addEventListener("click", async () => { if (window.confirm(`${w.give_up}: ${where}?`)) { await forget(deal.id); await waiting(); } });
      return make("li", {}, make("span", { textContent: `${where}: ${why}` }), make("span", { className: "keys" }, open, gone));
    }));
    return [state, ...deals].some((deal) => (deal.confirmed && !deal.kept) || unread(deal).length);
  }
  function go(to) {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(to)) { if (value) { next.set(name, value); } else { next.delete(name); } }
    location.search = next;
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
      const shows = state.pictures[number].shows;
      state.groups.push({ shows: game.shows.includes(shows) ? shows : game.shows[0], picture: number, cards: [{ card: "??", confidence: 0, outline }], doubts: [], gaps: [], beside: [] });
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
    at("advice").replaceChildren(...state.pictures.flatMap((p) => p.advice || []).map((text) => make("li", { textContent: text })));
    const parts = state.pictures.map((picture, number) => {
      const shot = make("div", { className: "shot" }, canvas_of(picture)), svg = document.createElementNS(SVG, "svg");
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
    at("all-right").hidden = !(state.pictures.some((p) => p.cloud && !p.checked) || state.groups.some(doubted));
    at("pictures").replaceChildren(...(parts.length ? parts : [make("p", { textContent: w.nothing_yet })]));
    document.querySelectorAll(".take").forEach((one) => one.classList.toggle("done", state.pictures.some((p) => p.picture && p.shows === one.querySelector("input").dataset.shows)));
    count();
  }
  const doubted = (group) => group.doubts.length || group.gaps.length || group.beside.length || group.cards.some((c) => c.card !== "??" && c.confidence < 0.9);
  /* no card is missing: places where one was only supposed go, what was read is right */
  function settle(group) {
    group.cards = group.cards.filter((c, k) => !(group.gaps.includes(k) && c.card === "??"));
    Object.assign(group, { doubts: [], beside: [], gaps: [] });
    group.cards.forEach((c) => { if (c.card !== "??") { c.confidence = 1; } });
  }
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
    const group = state.groups[n], box = at("pick"), meld = ((answered || {}).melds || []).find((m) => m.group === n);
    const key = (card) => make("button", { value: card, textContent: face(card), className: french && /[HD]$/.test(card) ? "red" : "", "aria-label": said(card) });
    at("offers").replaceChildren(...((meld && meld.offers) || []).map(key));
    const rows = french ? ["H", "D", "C", "S"].map((s) => game.cards.filter((c) => c[1] === s && c !== "JK")).concat([game.cards.filter((c) => c === "JK")]) : [game.cards];
    at("faces").replaceChildren(...rows.map((row) => make("div", { className: french ? "keys suit" : "keys" }, ...row.map(key))));
    box.returnValue = "cancel";
    box.onclose = () => {
      const card = box.returnValue;
      if (card === "cancel" || card === "") { return; }
      const out = card === "remove";
      if (out) { group.cards.splice(k, 1); } else { group.cards[k] = { ...(group.cards[k] || {}), card, confidence: 1 }; }
      group.gaps = group.gaps.filter((n) => n !== k).map((n) => n - (out && n > k ? 1 : 0));
      if (!group.cards.length) { regroup([n]); }
      shown();
    };
    box.showModal();
  }
  /* -- the sheet -- */
  const typed_in = (form) => Object.fromEntries(new FormData(form));
  function facts(form) {
    const out = { NS: { hands: {} }, EW: { hands: {} } };
    for (const line of ["NS", "EW"]) {
      if (form.closed) { out[line].closed = form.closed === line; }
      if (form[`pot-${line}`]) { out[line].pot = form[`pot-${line}`]; }
      if (form.last_trick) { out[line].last_trick = form.last_trick === line; }
      for (const seat of line) { if (form[`empty-${seat}`]) { out[line].hands[seat] = []; } }
    }
    for (const name of ["board", "tricks"]) { const n = parseInt(form[name], 10); if (!Number.isNaN(n)) { out[name] = n; } }
    for (const name of ["contract", "doubled", "declarer"]) { if (form[name]) { out[name] = form[name]; } }
    return out;
  }
  function document_(deal) {
    const seen = deal.pictures.filter((p) => p.picture);
    /* a picture of the whole table shows what its groups are said to be */
    const of = (p) => (p.shows === "table" ? deal.groups.filter((g) => deal.pictures[g.picture] === p).map((g) => g.shows) : [p.shows]);
    return { id: deal.id, rules: deal.rules, facts: facts(deal.facts), shown: [...new Set(seen.map((p) => p.shows))], pictures: seen.map((p) => p.picture),
      taken: Object.fromEntries(seen.map((p) => [p.picture, p.taken])),
      clouded: Object.fromEntries(seen.filter((p) => p.cloud && !p.checked).flatMap((p) => of(p).map((one) => [one, p.cloud]))), written: deal.written,
      who: deal.sign.who || "", table: deal.sign.table || "", number: deal.sign.number, confirmed: ["NS", "EW"].filter((line) => deal.sign[line]),
      groups: deal.groups.map((g) => ({ shows: g.shows, cards: g.cards.map((c) => c.card), confidence: g.cards.map((c) => c.confidence), doubts: g.doubts, gaps: g.gaps, beside: g.beside })) };
  }
  const blank = () => ({ lines: Object.fromEntries(["NS", "EW"].map((line) => [line, { items: Object.fromEntries(game.order.map((item) => [item, null])), total: null }])), notes: [], differences: [] });
  async function count() {
    const mine = ++counting;
    let answer;
    save();
    try { answer = await asked("count", document_(state)); } catch (problem) {
      if (!(problem instanceof TypeError)) { at("state").textContent = problem.message; return; }
      at("state").textContent = w.no_connection;
      answer = blank();  /* what is written by hand can be typed all the same */
    }
    if (mine !== counting) { return; }
    answered = answer;
    (answer.melds || []).forEach((m) => { const why = at(`why-${m.group}`); if (why) { why.textContent = m.doubts.map((d) => spelled(d[game.language])).join("; "); why.closest(".group").classList.toggle("odd", !m.certain); } });
    sheet(answer);
    at("notes").replaceChildren(...answer.notes.map((n) => make("li", { textContent: (n.line ? `${n.line}: ` : "") + spelled(n.text[game.language]) })));
    at("pbn").hidden = at("pbn-file").parentElement.hidden = !answer.pbn; at("pbn").textContent = answer.pbn || "";
    URL.revokeObjectURL(at("pbn-file").href);
    if (answer.pbn) { Object.assign(at("pbn-file"), { href: URL.createObjectURL(new Blob([answer.pbn], { type: "text/plain" })), download: `board-${document_(state).facts.board || "x"}.pbn` }); }
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
      const why = d.cards.map(([card, value]) => w.made_of.replace("{card}", card.includes(" ") ? card.split(" ").map(face).join(" ") : said(card)).replace("{value}", value)).concat(d.adds_up === undefined ? [] : [w.adds_up.replace("{sum}", d.adds_up)]).join(", ");
      return make("li", { textContent: w.differs.replace("{line}", d.line).replace("{item}", game.items[d.item] || w.total).replace("{written}", d.written).replace("{seen}", d.seen).replace("{why}", why ? `: ${why}` : "") });
    }));
  }
  document.querySelectorAll(".take input").forEach((input) => input.addEventListener("change", () => take(input)));
  at("all-right").addEventListener("click", () => { state.pictures.forEach((p) => { p.checked = true; }); state.groups.forEach(settle); shown(); });
  at("facts").addEventListener("change", () => { state.facts = typed_in(at("facts")); count(); });
  at("facts").addEventListener("submit", (event) => event.preventDefault());
  at("new").addEventListener("click", async () => {
    await save();
    localStorage.removeItem(CURRENT);
    go({ rules: game.rules, table: state.sign.table, deal: state.sign.table ? state.sign.number + (state.kept || state.confirmed ? 1 : 0) : "" });
  });
  window.addEventListener("online", send);
  if (keep) {
    const signed = () => { const form = typed_in(keep); state.sign = { ...form, table: form.table || "", number: parseInt(form.number, 10) || 1 }; };
    keep.addEventListener("change", () => { signed(); save(); });
    keep.addEventListener("submit", async (event) => {
      event.preventDefault();
      signed();
      if (unread(state).length) { at("state").textContent = w.look_later; } else { state.confirmed = true; state.kept = false; await save(); await send(); }
      at("state").scrollIntoView({ block: "center" });
    });
  }
  /* -- a deal that this phone still has is open again, as it was -- */
  function filled(form, values) {
    for (const [name, value] of Object.entries(values)) {
      const field = form && form.elements[name];
      if (field && field.type === "checkbox") { field.checked = Boolean(value); } else if (field) { field.value = value; }
    }
  }
  const wanted = new URLSearchParams(location.search).get("table"), known = (await stored()).filter((deal) => deal.rules === game.rules);
  const open = known.find((deal) => (wanted ? deal.sign.table === wanted && deal.sign.number === state.sign.number : deal.id === localStorage.getItem(CURRENT)));
  if (open) { state = open; }
  filled(at("facts"), state.facts);
  filled(keep, state.sign);
  shown();
  await send();
  if ("serviceWorker" in navigator && window.isSecureContext) {
    navigator.serviceWorker.register("worker.js").then(() => navigator.serviceWorker.ready).then((worker) => worker.active.postMessage(game.parts)).catch(() => { /* then only while the page is open */ });
  }
})();
