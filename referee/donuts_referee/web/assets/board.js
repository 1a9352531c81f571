// The board of a page: the rules as far as a picture needs them, and the picture. No page, no game, no file is known here.
"use strict";

const DonutsBoard = (() => {
  const COLUMNS = "abcdefghi";
  const STEPS = { H: [1, 0], V: [0, 1], D: [1, 1], A: [1, -1] };
  const SVG = "http://www.w3.org/2000/svg";
  const UNIT = 100; // edge of a square in the picture
  const EDGE = 46; // room for the letters and numbers

  function name(square, size) {
    return COLUMNS[square % size] + (Math.floor(square / size) + 1);
  }

  function index(word, size) {
    return COLUMNS.indexOf(word[0]) + (Number(word[1]) - 1) * size;
  }

  function at(column, row, size) {
    return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : -1;
  }

  // The squares of a line through a square, both ways to the edge.
  function line(square, letter, size) {
    const [dx, dy] = STEPS[letter];
    const found = [];
    for (let way = -size; way <= size; way++) {
      const one = at((square % size) + way * dx, Math.floor(square / size) + way * dy, size);
      if (one >= 0) found.push(one);
    }
    return found.sort((a, b) => a - b);
  }

  // The two rings that bound the mover's own rings on each line through the new one flip (RULES 3.4).
  function flips(cells, square, side, size) {
    const found = [];
    for (const [dx, dy] of Object.values(STEPS)) {
      const ends = [1, -1].map((way) => {
        let column = square % size, row = Math.floor(square / size), one;
        do {
          column += way * dx;
          row += way * dy;
          one = at(column, row, size);
        } while (one >= 0 && cells[one] === side);
        return one;
      });
      if (ends.every((one) => one >= 0 && cells[one] !== "." && cells[one] !== side)) found.push(...ends);
    }
    return found.sort((a, b) => a - b);
  }

  // Every square of every row of five or more of one side.
  function fives(cells, side, size) {
    const found = new Set();
    for (let square = 0; square < cells.length; square++) {
      for (const [dx, dy] of Object.values(STEPS)) {
        const row = [0, 1, 2, 3, 4].map((k) =>
          at((square % size) + k * dx, Math.floor(square / size) + k * dy, size));
        if (row.every((one) => one >= 0 && cells[one] === side)) row.forEach((one) => found.add(one));
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  // Positions after 0, 1, ... placements: cells, last square (-1), what flipped, where the next ring may go, rows of five.
  function positions(layout, moves, rings) {
    const size = Math.sqrt(layout.length);
    let cells = ".".repeat(layout.length).split("");
    const all = [{ cells: cells.join(""), last: -1, flips: [], legal: [], five: [] }];
    moves.forEach((word, ply) => {
      const square = index(word, size), side = "xo"[ply % 2];
      const turned = flips(cells, square, side, size);
      cells = cells.slice();
      cells[square] = side;
      turned.forEach((one) => { cells[one] = side; });
      const five = fives(cells, side, size);
      let legal = line(square, layout[square], size).filter((one) => cells[one] === ".");
      if (!legal.length) legal = cells.map((cell, one) => (cell === "." ? one : -1)).filter((one) => one >= 0);
      if (five.length || ply + 1 >= 2 * rings) legal = [];
      all.push({ cells: cells.join(""), last: square, flips: turned, legal, five });
    });
    return all;
  }

  function element(kind, attributes, parent) {
    const made = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.appendChild(made);
    return made;
  }

  // Draw one position into an svg element; what cannot be seen is said in its label.
  function draw(svg, layout, position, label) {
    const size = Math.sqrt(layout.length);
    const span = size * UNIT + EDGE;
    svg.setAttribute("viewBox", `0 0 ${span + 8} ${span + 8}`);
    svg.setAttribute("aria-label", label);
    svg.replaceChildren();
    element("rect", { class: "frame", x: EDGE - 4, y: 4, width: size * UNIT + 8, height: size * UNIT + 8, rx: 14 }, svg);
    for (let one = 0; one < size; one++) {
      const along = one * UNIT + UNIT / 2;
      element("text", { class: "label", x: EDGE + along, y: size * UNIT + 42 }, svg).textContent = COLUMNS[one];
      element("text", { class: "label", x: 20, y: 17 + size * UNIT - along }, svg).textContent = one + 1;
    }
    for (let square = 0; square < layout.length; square++) drawSquare(svg, square, size, layout, position);
  }

  function drawSquare(svg, square, size, layout, position) {
    const x = EDGE + (square % size) * UNIT, y = 8 + (size - 1 - Math.floor(square / size)) * UNIT;
    const cell = position.cells[square], letter = layout[square];
    const marks = ["square"];
    if (square === position.last) marks.push("last");
    if (position.legal.includes(square)) marks.push("legal");
    if (position.flips.includes(square)) marks.push("flipped");
    if (position.five.includes(square)) marks.push("five");
    const group = element("g", {
      class: marks.join(" "), transform: `translate(${x} ${y})`, "data-square": name(square, size), "data-cell": cell,
    }, svg);
    element("rect", { class: "ground", x: 2, y: 2, width: 96, height: 96, rx: 9 }, group);
    const [dx, dy] = STEPS[letter], reach = dx && dy ? 36 : 44;
    element("line", {
      class: "line", x1: 50 - reach * dx, y1: 50 + reach * dy, x2: 50 + reach * dx, y2: 50 - reach * dy,
    }, group);
    if (cell !== ".") {
      element("circle", { class: "rim", cx: 50, cy: 50, r: 26 }, group);
      element("circle", { class: "ring " + cell, cx: 50, cy: 50, r: 26 }, group);
    }
    if (marks.includes("legal")) element("circle", { class: "may", cx: 50, cy: 50, r: 10 }, group);
    if (marks.includes("flipped")) element("circle", { class: "turned", cx: 50, cy: 50, r: 43 }, group);
    if (marks.includes("five") || marks.includes("last")) {
      element("rect", { class: "mark", x: 4, y: 4, width: 92, height: 92, rx: 8 }, group);
    }
  }

  return { name, index, positions, draw };
})();

if (typeof module !== "undefined") module.exports = DonutsBoard;
