// The page of games: a list to choose from, and one game to step through. The address says which: #g=12&ply=5.
"use strict";

(() => {
  const PAGE = 50; // games of the list that are shown at once
  const SIDES = { x: "Chocolate", o: "Vanilla" };
  const chunks = new Map(); // by number: the games that came, or who waits for them
  let list = null;
  let shown = null; // the game on the board: { number, facts, positions, ply }
  let page = 0;

  const $ = (id) => document.getElementById(id);

  // --- what the data files call ---------------------------------------------------------------------------------

  window.donutsList = (given) => { list = given; };
  window.donutsGames = (number, games) => {
    const waiting = chunks.get(number);
    chunks.set(number, games);
    if (typeof waiting === "function") waiting(games);
  };

  function fetchGame(number, then) {
    const part = Math.floor((number - 1) / list.chunk);
    const give = (games) => then(games[(number - 1) % list.chunk]);
    const there = chunks.get(part);
    if (Array.isArray(there)) return give(there);
    chunks.set(part, give); // who asked last is served
    if (there) return;
    const script = document.createElement("script");
    script.src = `data/games-${String(part + 1).padStart(4, "0")}.js`;
    script.onerror = () => { chunks.delete(part); $("said").textContent = `${script.src} is not there.`; };
    document.head.appendChild(script);
  }

  // --- the address ----------------------------------------------------------------------------------------------

  function address() {
    return new URLSearchParams(location.hash.slice(1));
  }

  function go(number, ply) {
    const words = new URLSearchParams();
    words.set("g", number);
    words.set("ply", ply);
    const bot = address().get("bot");
    if (bot !== null) words.set("bot", bot);
    history.replaceState(null, "", `#${words}`);
    follow();
  }

  function follow() {
    const words = address();
    const bot = words.get("bot");
    if (bot !== null && list.bots[Number(bot)] !== undefined) $("of").value = bot;
    fill();
    const number = Number(words.get("g"));
    $("viewer").hidden = !(Number.isInteger(number) && number >= 1 && number <= list.games.length);
    if ($("viewer").hidden) return;
    const wish = words.has("ply") ? Number(words.get("ply")) : 0;
    if (shown && shown.number === number) return step(wish);
    fetchGame(number, (facts) => { open(number, facts, wish); });
  }

  // --- one game -------------------------------------------------------------------------------------------------

  function open(number, facts, ply) {
    const moves = facts.moves.match(/../g) || [];
    shown = { number, facts, moves, positions: DonutsBoard.positions(facts.layout, moves, facts.rings), ply: 0 };
    const [x, o] = list.games[number - 1];
    $("title").textContent = `Game ${number}: ${list.bots[x]} – ${list.bots[o]}`;
    for (const [side, bot] of [["x", x], ["o", o]]) {
      const link = $(`bot-${side}`);
      link.textContent = list.bots[bot];
      link.href = list.pages[bot];
    }
    $("verdict").textContent = facts.text;
    $("about").textContent = facts.about;
    $("slider").max = moves.length;
    const rows = $("moves");
    rows.replaceChildren();
    moves.forEach((word, at) => {
      const row = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.className = "xo"[at % 2];
      button.textContent = word;
      button.setAttribute("aria-label", `after ply ${at}: ${SIDES["xo"[at % 2]]} ${word}`);
      button.onclick = () => go(number, at + 1);
      row.appendChild(button);
      rows.appendChild(row);
    });
    step(ply);
  }

  function step(wish) {
    const { facts, moves, positions } = shown;
    const ply = Math.max(0, Math.min(moves.length, Number.isFinite(wish) ? Math.floor(wish) : 0));
    shown.ply = ply;
    const position = positions[ply], size = Math.sqrt(facts.layout.length);
    const said = sentence(ply, position, size);
    DonutsBoard.draw($("board"), facts.layout, position, `${said} ${rings(position, size)}`);
    $("said").textContent = said;
    $("slider").value = ply;
    $("slider").setAttribute("aria-valuetext", `${ply} of ${moves.length} placements`);
    $("count").textContent = `${ply} / ${moves.length}`;
    for (const side of ["x", "o"]) beside(side, ply);
    $("over").classList.toggle("now", ply === moves.length);
    [...$("moves").children].forEach((row, at) => {
      const button = row.firstChild;
      if (at + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const current = $("moves").children[Math.max(0, ply - 1)];
    if (current) $("moves").scrollTop = current.offsetTop - $("moves").clientHeight / 2;
  }

  function sentence(ply, position, size) {
    if (ply === 0) return "The empty board: the first ring goes anywhere.";
    const side = "xo"[(ply - 1) % 2];
    let said = `Ply ${ply - 1}: ${SIDES[side]} on ${DonutsBoard.name(position.last, size)}`;
    if (ply <= shown.facts.opening) said += " (opening)";
    if (position.flips.length) said += `, flips ${position.flips.map((one) => DonutsBoard.name(one, size)).join(" ")}`;
    if (position.five.length) return `${said}. Five in a row.`;
    if (!position.legal.length) return `${said}. All rings are placed.`;
    const next = SIDES["xo"[ply % 2]];
    if (position.legal.length > 9) return `${said}. ${next} may choose among ${position.legal.length} squares.`;
    return `${said}. ${next} may go to ${position.legal.map((one) => DonutsBoard.name(one, size)).join(" ")}.`;
  }

  function rings(position, size) {
    return ["x", "o"].map((side) => {
      const on = [...position.cells].flatMap((cell, at) => (cell === side ? [DonutsBoard.name(at, size)] : []));
      return `${SIDES[side]} on ${on.join(" ") || "no square"}.`;
    }).join(" ");
  }

  // The last that is known of a side's clock and of its own chances after `ply` placements.
  function beside(side, ply) {
    let at = ply - 1;
    if (at >= 0 && "xo"[at % 2] !== side) at--;
    const { clocks, spent, evals } = shown.facts;
    const known = at >= 0 && at < shown.moves.length;
    $(`clock-${side}`).textContent = known && clocks[at] !== null ? seconds(clocks[at]) : "–";
    $(`spent-${side}`).textContent = known && spent[at] !== null ? `${spent[at]} ms` : "–";
    $(`eval-${side}`).textContent = known && evals[at] !== null ? `${(evals[at] / 10).toFixed(1)} %` : "–";
    $(`side-${side}`).classList.toggle("turn", "xo"[ply % 2] === side && ply < shown.moves.length);
  }

  function seconds(ms) {
    const whole = Math.floor(ms / 60000), rest = ((ms % 60000) / 1000).toFixed(1).padStart(4, "0");
    return `${whole}:${rest}`;
  }

  // --- the list -------------------------------------------------------------------------------------------------

  function fill() {
    const bot = $("of").value, why = $("by").value;
    const chosen = [];
    list.games.forEach((game, at) => {
      if ((bot === "" || game[0] === Number(bot) || game[1] === Number(bot)) && (why === "" || game[3] === why)) {
        chosen.push(at);
      }
    });
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    page = Math.max(0, Math.min(page, pages - 1));
    $("pages").textContent = `${chosen.length} games, page ${page + 1} of ${pages}`;
    $("earlier").disabled = page === 0;
    $("later").disabled = page === pages - 1;
    const rows = $("list");
    rows.replaceChildren();
    for (const at of chosen.slice(page * PAGE, (page + 1) * PAGE)) rows.appendChild(listed(at));
  }

  function listed(at) {
    const [x, o, result, why, plies, where] = list.games[at];
    const row = document.createElement("tr");
    if (shown && shown.number === at + 1) row.className = "chosen";
    const words = { x: "1–0", o: "0–1", "-": "½–½", v: "void" };
    [at + 1, where, list.bots[x], list.bots[o], words[result], why, plies].forEach((value, column) => {
      const cell = document.createElement("td");
      if (column === 0) {
        const link = document.createElement("a");
        link.href = `#g=${at + 1}&ply=0`;
        link.textContent = value;
        link.setAttribute("aria-label", `game ${at + 1}`);
        link.onclick = (event) => { event.preventDefault(); go(at + 1, 0); $("viewer").scrollIntoView(); };
        cell.appendChild(link);
      } else {
        cell.textContent = value;
      }
      if (column === 0 || column === 6) cell.className = "number";
      row.appendChild(cell);
    });
    return row;
  }

  function choices(id, words) {
    for (const [value, word] of words) {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = word;
      $(id).appendChild(option);
    }
    $(id).onchange = () => {
      page = 0;
      if (id === "of") forgetBot();
      fill();
    };
  }

  // A choice by hand outdoes the one in the address.
  function forgetBot() {
    const words = address();
    words.delete("bot");
    history.replaceState(null, "", `#${words}`);
  }

  // --- the start ------------------------------------------------------------------------------------------------

  window.addEventListener("DOMContentLoaded", () => {
    if (!list) return;
    choices("of", list.bots.map((name, at) => [String(at), name]));
    choices("by", [...new Set(list.games.map((game) => game[3]))].sort().map((why) => [why, why]));
    $("earlier").onclick = () => { page--; fill(); };
    $("later").onclick = () => { page++; fill(); };
    const move = (by) => { if (shown && !$("viewer").hidden) go(shown.number, Math.max(0, Math.min(shown.moves.length, shown.ply + by))); };
    $("first").onclick = () => move(-Infinity);
    $("back").onclick = () => move(-1);
    $("on").onclick = () => move(1);
    $("end").onclick = () => move(Infinity);
    $("slider").oninput = () => go(shown.number, Number($("slider").value));
    $("before").onclick = () => { if (shown && shown.number > 1) go(shown.number - 1, 0); };
    $("next").onclick = () => { if (shown && shown.number < list.games.length) go(shown.number + 1, 0); };
    document.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
      const typing = event.target instanceof Element && event.target.matches("select, input");
      if (by === undefined || typing || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      move(by);
    });
    window.addEventListener("hashchange", follow);
    follow();
  });
})();
