(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = data.boards;
  const SVG = "http://www.w3.org/2000/svg";
  const articles = [...document.querySelectorAll("article")];

  // ------------------------------------------------------------------ small helpers

  function made(parent, tag, attributes, text) {
    const svg = parent.namespaceURI === SVG || tag === "svg";
    const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  // ------------------------------------------------------------------ what lies on the table

  function said(value) {
    if (value === null || value === undefined) return "none";
    if (value === true) return "yes";
    if (value === false) return "no";
    if (Array.isArray(value)) return value.map(said).join(", ");
    if (isObject(value)) {
      const parts = Object.entries(value);
      if (parts.every(([, each]) => typeof each === "boolean"))
        return parts.filter(([, each]) => each).map(([name]) => name).join(", ") || "nobody";
      return parts.map(([name, each]) => `${name} ${said(each)}`).join(", ");
    }
    return String(value).replaceAll("_", " ");
  }

  function cards(value) {
    if (Array.isArray(value)) return value.map(String);
    if (!isObject(value)) return [said(value)];
    const parts = Object.entries(value);
    if (parts.length === 1 && parts[0][0] === "size")
      return [`${parts[0][1]} ${parts[0][1] === 1 ? "card" : "cards"}`];
    if (parts.some(([, each]) => typeof each === "object" && each !== null))
      return parts.flatMap(([name, each]) => cards(each).map((card) => `${name}: ${card}`));
    return parts.filter(([, each]) => each).map(([name, n]) => (n === 1 ? name : `${n} × ${name}`));
  }

  function records(state, pool, owner) {
    const of = (value) => (owner === undefined || !isObject(value) ? value : value[owner]);
    const size = of(state[`${pool}.size`]) || 0;
    const fields = Object.keys(words).filter((name) => words[name].pool === pool && words[name].field !== "size");
    return Array.from({ length: size }, (_, i) => fields
      .map((name) => [words[name].field, (of(state[name]) || [])[i]])
      .filter(([, value]) => ![null, undefined, 0, false].includes(value))
      .map(([field, value]) => (field === "card" ? said(value)
        : field.replaceAll("_", " ") + (value === true ? "" : ` ${said(value)}`)))
      .join(", "));
  }

  // The places of a state, each with its owner ("" for the middle), its label, and what is in it.
  function places(state) {
    const found = [], pools = new Set();
    const add = (name, owner, about, items) => found.push(
      { key: `${name}/${owner}`, owner, label: about.label, items, value: about.kind === "value" });
    for (const [name, about] of Object.entries(words)) {
      if (!(name in state)) continue;
      const value = state[name];
      const items = (part) => (about.kind === "cards" ? cards(part) : [said(part)]);
      if (about.kind === "records") {
        if (pools.has(about.pool)) continue;
        pools.add(about.pool);
        const size = state[`${about.pool}.size`];
        for (const owner of about.each && isObject(size) ? Object.keys(size) : [undefined])
          add(about.pool, owner || "", about, records(state, about.pool, owner));
      } else if (about.each && isObject(value)) {
        for (const [owner, part] of Object.entries(value)) add(name, owner, about, items(part));
      } else add(name, "", about, items(value));
    }
    return found;
  }

  // ------------------------------------------------------------------ a board as SVG

  const CARD = 96, HIGH = 20, PAD = 6, MOST = 12;
  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  // `mark` is "lit" for what differs under another answer, "moved" for what the move has changed.
  function zone(parent, place, x, y, width, mark) {
    const items = place.items.length > MOST
      ? [...place.items.slice(0, MOST - 1), `… ${place.items.length - MOST + 1} more`] : place.items;
    const across = Math.max(1, Math.floor((width - PAD) / (CARD + PAD)));
    const height = 24 + Math.max(1, Math.ceil(items.length / across)) * (HIGH + 4);
    const group = made(parent, "g", { "data-place": place.key });
    made(group, "title", {}, `${place.label}: ${place.items.join(", ")}`);
    made(group, "rect", { class: `zone ${mark}`, x, y, width, height, rx: 5 });
    made(group, "text", { class: "label", x: x + PAD, y: y + 14 }, place.label);
    items.forEach((item, i) => {
      const cx = x + PAD + (i % across) * (CARD + PAD), cy = y + 20 + Math.floor(i / across) * (HIGH + 4);
      made(group, "rect", { class: "card", x: cx, y: cy, width: CARD, height: HIGH, rx: 3 });
      made(group, "text", { x: cx + 5, y: cy + 14 }, shortened(item, 15));
    });
    return height;
  }

  function value(parent, place, x, y, width, mark) {
    const group = made(parent, "g", { "data-place": place.key });
    const text = `${place.label}: ${place.items.join(", ")}`;
    made(group, "title", {}, text);
    if (mark) made(group, "rect", { class: `zone ${mark}`, x, y, width, height: 18, rx: 4 });
    made(group, "text", { x: x + PAD, y: y + 13 }, shortened(text, Math.floor(width / 6.2)));
    return 20;
  }

  const dull = (place) => place.items.length === 0
    || (place.value && ["no", "none", "nobody", "0"].includes(place.items[0]));

  function board(host, state, moved, lit) {
    host.replaceChildren();
    const all = places(state);
    const mark = (place) => (lit.has(place.key) ? "lit" : moved.has(place.key) ? "moved" : "");
    const found = all.filter((place) => mark(place) || !dull(place));
    const owners = [...new Set(all.map((place) => place.owner).filter(Boolean))];
    const columns = Math.max(1, Math.min(owners.length, 3, Math.floor((host.clientWidth || 700) / 180)));
    const width = columns * 222 + PAD;
    const svg = made(host, "svg", { class: "board", role: "img", "aria-label": "what lies on the table" });
    const stack = (some, x, top, room) => {
      let at = top;
      for (const place of some.filter((each) => !each.value)) at += zone(svg, place, x, at, room, mark(place)) + PAD;
      for (const place of some.filter((each) => each.value)) at += value(svg, place, x, at, room, mark(place));
      return at;
    };
    let y = stack(found.filter((place) => !place.owner), PAD, PAD, width - 2 * PAD) + PAD;
    for (let first = 0; first < owners.length; first += columns) {
      y = PAD + Math.max(...owners.slice(first, first + columns).map((owner, i) => {
        const x = PAD + i * 222;
        made(svg, "text", { class: "player", x: x + PAD, y: y + 14 }, owner);
        return stack(found.filter((place) => place.owner === owner), x, y + 20, 222 - PAD);
      }));
    }
    svg.setAttribute("viewBox", `0 0 ${width} ${y}`);
    svg.style.maxWidth = `${Math.round(width * 1.15)}px`;
  }

  function differing(one, other) {
    const before = new Map(places(other).map((place) => [place.key, place.items]));
    return places(one).filter((place) => !same(place.items, before.get(place.key))).map((place) => place.key);
  }

  // ------------------------------------------------------------------ plays

  function tablesOf(play) {
    const all = [play.start];
    for (const step of play.steps) all.push({ ...all[all.length - 1], ...step.changes });
    return all;
  }

  // The number of moves that plays have in common at their beginning.
  function parting(plays) {
    const least = Math.min(...plays.map((play) => play.steps.length));
    for (let at = 0; at < least; at += 1)
      if (plays.some((play) => !same(play.steps[at], plays[0].steps[at]))) return at;
    return least;
  }

  function stepper(host, plays) {
    const shown = plays.filter((play) => play.replayed);
    if (shown.length < plays.length)
      made(host, "p", { class: "dim" }, "A play of this finding was recorded under another version of the rules: it is told below, and cannot be stepped.");
    for (const size of new Set(shown.map((play) => play.size))) {
      const group = shown.filter((play) => play.size === size);
      const part = made(host, "section", {});
      made(part, "h4", {}, `Play in ${size}${group.length > 1 ? ", under each answer" : ""}`);
      together(part, group);
    }
  }

  function together(host, plays) {
    const tables = plays.map(tablesOf);
    const last = Math.max(...tables.map((each) => each.length - 1));
    const controls = made(host, "div", { class: "controls" });
    const back = made(controls, "button", { type: "button", "aria-label": "a move back" }, "◀");
    const slider = made(controls, "input", { type: "range", min: 0, max: last, "aria-label": "move" });
    const on = made(controls, "button", { type: "button", "aria-label": "a move on" }, "▶");
    const split = plays.length > 1 ? parting(plays) + 1 : 0;
    const jump = plays.length > 1 ? made(controls, "button", { type: "button" }, "where they part") : null;
    const counter = made(controls, "output", { "aria-live": "polite" });
    const sides = made(host, "div", { class: "sides" });
    const panes = plays.map((play) => {
      const side = made(sides, "div", { class: "side" });
      if (play.title) made(side, "h5", {}, play.title);
      return { move: made(side, "p", { class: "move" }), picture: made(side, "div", { class: "picture" }) };
    });
    let at = 0;
    function show(move) {
      at = Math.max(0, Math.min(last, move));
      slider.value = at;
      counter.textContent = `move ${at} of ${last}`;
      back.disabled = at === 0;
      on.disabled = at === last;
      const now = tables.map((each) => each[Math.min(at, each.length - 1)]);
      plays.forEach((play, i) => {
        const over = at >= tables[i].length;
        const move = at === 0 ? "Before the first move."
          : over ? "Nothing more is played." : `${at}. ${play.steps[at - 1].text}.`;
        panes[i].move.textContent = play.end && at >= tables[i].length - 1 ? `${move} ${play.end}` : move;
        const moved = at > 0 && !over ? differing(now[i], tables[i][at - 1]) : [];
        const lit = now.flatMap((other) => differing(now[i], other));
        board(panes[i].picture, now[i], new Set(moved), new Set(lit));
      });
    }
    back.addEventListener("click", () => show(at - 1));
    on.addEventListener("click", () => show(at + 1));
    slider.addEventListener("input", () => show(Number(slider.value)));
    if (jump) jump.addEventListener("click", () => show(split));
    host.parentElement.addEventListener("step", (event) => show(at + event.detail));
    show(split);
  }

  // Boards are drawn one finding after the other, so that the page answers meanwhile.
  function draw(article) {
    const about = data.findings[article.dataset.number];
    if (!about || article.dataset.drawn) return;
    article.dataset.drawn = "yes";
    const picture = article.querySelector("[data-board]");
    if (picture) board(picture, about.position, new Set(), new Set());
    const plays = article.querySelector("[data-plays]");
    if (plays) stepper(plays, about.plays);
  }

  (function drawFrom(place) {
    if (place === articles.length) return;
    draw(articles[place]);
    setTimeout(() => drawFrom(place + 1));
  })(0);
  window.addEventListener("beforeprint", () => articles.forEach(draw));

  // ------------------------------------------------------------------ the game itself

  const OFFERED = 300;

  async function play(host) {
    const game = await playable(data.game);
    const controls = made(host, "div", { class: "controls" });
    const anew = made(controls, "button", { type: "button" }, "a new game");
    const undo = made(controls, "button", { type: "button" }, "take back");
    const chance = made(controls, "button", { type: "button" }, "let chance decide");
    const turn = made(host, "p", { class: "turn", "aria-live": "polite" });
    const offers = made(host, "div", { class: "offers" });
    const picture = made(host, "div", { class: "picture" });
    const log = made(host, "ol", { class: "moves log" });
    let states = [];

    function show() {
      const state = states[states.length - 1], before = states[states.length - 2];
      const here = game.node(state), table = game.table(state), found = here.kind === "final" ? [] : game.moves(state);
      const won = isObject(table.winners) ? said(table.winners) : "nobody";
      turn.textContent = here.kind === "final" ? `The game is over; the winners: ${won}.`
        : [here.kind === "chance" ? "Chance is next." : here.kind === "open" ? "No rule says who is next." : `To move: ${game.mover(state)}.`,
          here.ask, here.title && `(${here.title})`, found.length ? "" : "Nothing can be done here."].filter(Boolean).join(" ");
      undo.disabled = states.length < 2;
      chance.hidden = here.kind !== "chance";
      offers.replaceChildren();
      for (const move of found.slice(0, OFFERED)) {
        const button = made(offers, "button", { type: "button" }, move.text);
        button.addEventListener("click", () => make(move));
      }
      if (found.length > OFFERED) made(offers, "span", {}, `and ${found.length - OFFERED} more`);
      chance.onclick = () => {
        let at = Math.random() * found.reduce((all, move) => all + move.weight, 0);
        make(found.find((move) => (at -= move.weight) < 0) || found[found.length - 1]);
      };
      board(picture, table, new Set(before ? differing(table, game.table(before)) : []), new Set());
    }

    function make(move) {
      log.scrollTop = 1e6;
      const line = made(log, "li", {}, `${states.length}. ${move.text}`);
      if (move.notes.length) made(line, "span", { class: "fault" }, ` (here: ${move.notes.join("; ")})`);
      if (!move.after) {
        made(line, "span", { class: "fault" }, " (the rules go round for ever)");
        return;
      }
      states.push(move.after);
      show();
    }

    function begin() {
      const first = game.begin();
      log.replaceChildren();
      if (!first) {
        turn.textContent = "The setup of the game goes round for ever.";
        return;
      }
      states = [first];
      show();
    }

    anew.addEventListener("click", begin);
    undo.addEventListener("click", () => {
      states.pop();
      while (log.children.length >= states.length) log.lastChild.remove();
      show();
    });
    begin();
  }

  const hostOfGame = document.getElementById("game");
  if (hostOfGame) {
    const open = made(hostOfGame, "button", { type: "button", id: "open-game" }, "Play the game");
    open.addEventListener("click", () => {
      open.remove();
      play(hostOfGame).catch((error) => { made(hostOfGame, "p", {}, `This browser cannot run the rules: ${error.message}`); });
    });
  }

  // ------------------------------------------------------------------ filters

  const filters = document.getElementById("filters");
  function filter() {
    const chosen = (id) => document.getElementById(id).value;
    const [find, cls, level, step, clause] = ["find", "by-class", "by-level", "by-step", "by-clause"].map(chosen);
    let count = 0;
    for (const article of articles) {
      const about = article.dataset;
      const fits = (!cls || about.class === cls) && (!level || about.level === level)
        && (!step || about.steps.split("\n").includes(step))
        && (!clause || about.clauses.split("\n").includes(clause))
        && (!find || article.textContent.toLowerCase().includes(find.toLowerCase()));
      article.hidden = !fits;
      document.querySelector(`[data-row="${about.number}"]`).hidden = !fits;
      count += fits;
    }
    document.getElementById("matching").textContent = `${count} of ${articles.length}`;
  }
  filters.addEventListener("input", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());

  // ------------------------------------------------------------------ keys, theme, machine

  let here = null;
  document.addEventListener("focusin", (event) => { here = event.target.closest("article") || here; });

  function visit(by) {
    const open = articles.filter((article) => !article.hidden);
    if (!open.length) return;
    const at = open.indexOf(here);
    here = open[at < 0 ? 0 : Math.max(0, Math.min(open.length - 1, at + by))];
    draw(here);
    here.focus();
    here.scrollIntoView({ block: "start" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "j" || event.key === "k") visit(event.key === "j" ? 1 : -1);
    else if (event.key === "/") document.getElementById("find").focus();
    else if (arrow && here && here.querySelector("[data-plays]"))
      here.querySelector("[data-plays]").dispatchEvent(new CustomEvent("step", { detail: arrow }));
    else return;
    event.preventDefault();
  });

  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const machine = document.querySelector(".machine");
  const listed = document.getElementById("node-findings");
  function choose(node) {
    for (const edge of machine.querySelectorAll(".edge"))
      edge.classList.toggle("on", [edge.dataset.from, edge.dataset.to].includes(node.dataset.node));
    const numbers = node.dataset.findings.split(" ").filter(Boolean);
    listed.replaceChildren(`${node.getAttribute("aria-label")}: ${numbers.length ? "" : "no findings"}`);
    for (const number of numbers) {
      made(listed, "a", { href: `#finding-${number}` }, `finding ${number}`);
      listed.append(" ");
    }
  }
  for (const node of machine.querySelectorAll(".node")) {
    node.addEventListener("click", () => choose(node));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      choose(node);
      event.preventDefault();
    });
  }
})();
