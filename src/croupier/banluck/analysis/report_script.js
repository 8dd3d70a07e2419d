"use strict";

const RANKS = { 10: "T", J: "T", Q: "T", K: "T" };
const ORDER = "AT98765432";
const SUITS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };

const read = (id) => JSON.parse(document.getElementById(id).textContent);

/* ---- figures ------------------------------------------------------------------------------------------------ */

const FIGURES = read("figures-data");

function colours() {
  const style = getComputedStyle(document.documentElement);
  const name = (variable) => style.getPropertyValue(variable).trim();
  return { ink: name("--ink"), line: name("--line"), paper: name("--paper") };
}

/** Give a figure the colours of the page, light or dark. */
function themed(layout) {
  const { ink, line, paper } = colours();
  const font = { ...layout.font, color: ink, family: getComputedStyle(document.body).fontFamily };
  const result = {
    ...layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font,
    hoverlabel: { ...layout.hoverlabel, bgcolor: paper, bordercolor: line, font },
  };
  for (const axis of ["xaxis", "yaxis"]) {
    result[axis] = { ...layout[axis], gridcolor: line, zerolinecolor: ink, linecolor: line, tickcolor: line };
  }
  return result;
}

function drawFigures() {
  const config = { responsive: true, displaylogo: false, displayModeBar: false };
  for (const place of document.querySelectorAll("[data-figure]")) {
    const figure = FIGURES[place.dataset.figure];
    Plotly.react(place, figure.data, themed(figure.layout), config);
  }
}

/* ---- look-up by hand ---------------------------------------------------------------------------------------- */

const HANDS = read("lookup-data");

/** Split a hand at separators, or, where it has none, into cards (AS6H) or else into ranks (AT6). */
function tokens(text) {
  const parts = text.trim().toUpperCase().split(/[\s,;-]+/).filter(Boolean);
  if (parts.length !== 1) return parts;
  const piece = /[CDHS♣♦♥♠]$/.test(parts[0]) ? "(?:10|.)[CDHS♣♦♥♠]" : "10|.";
  return new RegExp(`^(?:${piece})+$`, "u").test(parts[0]) ? parts[0].match(new RegExp(piece, "gu")) : parts;
}

/** Read ranks, or cards of which none may come twice, into letters A, T, 9 to 2; an Error says what is wrong. */
function ranks(text) {
  const parts = tokens(text);
  const areCards = parts.length > 0 && parts.every((part) => part.length > 1 && part !== "10");
  const seen = new Set();
  return parts.map((part) => {
    let rank = part;
    if (areCards) {
      const suit = SUITS[part.slice(-1)] || part.slice(-1);
      rank = part.slice(0, -1);
      if (!"CDHS".includes(suit)) throw new Error(`card '${part}': no suit '${part.slice(-1)}'; suits are C, D, H, S`);
      const card = (rank === "10" ? "T" : rank) + suit;
      if (seen.has(card)) throw new Error(`card '${part}' is given twice; a deck holds it once`);
      seen.add(card);
    }
    const letter = RANKS[rank] || rank;
    if (letter.length !== 1 || !ORDER.includes(letter)) {
      throw new Error(`no card or rank '${part}'; write ranks such as A-6 or cards such as AS 6H`);
    }
    return letter;
  });
}

/** Return the name under which a hand is listed: its ranks, highest first. */
function handName(text) {
  const letters = ranks(text);
  if (letters.length < 2 || letters.length > 5) throw new Error(`${letters.length} card${letters.length === 1 ? "" : "s"}; hands have 2 to 5 cards`);
  const name = [...letters].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join("-");
  if (!(name in HANDS)) throw new Error(`${name}: more cards of a rank than a pack holds`);
  return name;
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const signed = (number) => {
  if (number === null) return "–";
  const text = number.toFixed(4);
  return /^-0\.0+$/.test(text) ? "0.0000" : (number > 0 ? "+" : "") + text.replace("-", "−");
};
const percent = (share) => `${(100 * share).toFixed(share < 0.01 && share > 0 ? 4 : 2)}%`;

function actionCell(name, ev, isBest) {
  return element("td", ev === null ? "not allowed" : `${name} ${signed(ev)}`, isBest ? "best" : "");
}

/** One line of the answer: a decision, or the reason why there is none. */
function answerRow(who, decision) {
  const row = element("tr");
  const head = element("th", who);
  head.scope = "row";
  row.append(head);
  if (typeof decision === "string") {
    const cell = element("td", `no decision: ${decision}`);
    cell.colSpan = 5;
    row.append(cell);
    return row;
  }
  row.append(
    actionCell(decision.stop, decision.ev_stop, decision.best === decision.stop),
    actionCell(decision.go, decision.ev_go, decision.best === decision.go),
    element("td", `${decision.go} ${percent(decision.go_frequency)}`),
    element("td", decision.cost_of_mistake === null ? "–" : decision.cost_of_mistake.toFixed(4), "number"),
    element("td", percent(decision.reach), "number"),
  );
  return row;
}

function answer(name) {
  const hand = HANDS[name];
  const table = element("table");
  table.append(element("caption", `${name}: ${hand.value}`));
  const head = element("tr");
  for (const title of ["who decides", "stop", "go on", "frequency", "cost of a mistake", "reach"]) {
    const cell = element("th", title);
    cell.scope = "col";
    head.append(cell);
  }
  const headGroup = element("thead");
  headGroup.append(head);
  const body = element("tbody");
  for (const [who, decision] of Object.entries(hand.decisions)) body.append(answerRow(who, decision));
  table.append(headGroup, body);
  const scroll = element("div", undefined, "scroll");
  scroll.append(table);
  return scroll;
}

function lookUp() {
  const text = document.getElementById("lookup-hand").value;
  const result = document.getElementById("lookup-result");
  try {
    result.replaceChildren(text.trim() ? answer(handName(text)) : element("p", "Type a hand, such as A-6.", "error"));
  } catch (error) {
    result.replaceChildren(element("p", `Hand '${text}': ${error.message}.`, "error"));
  }
}

drawFigures();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawFigures);
document.getElementById("lookup-form").addEventListener("submit", (event) => {
  event.preventDefault();
  lookUp();
});
lookUp();
