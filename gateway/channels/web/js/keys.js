// Everything by keyboard; `?` lists the keys.
import { $, dialog, h, isTyping } from "./dom.js";
import { t } from "./i18n.js";

const KEYS = [
  ["Enter", "keySend"],
  ["Shift+Enter", "keyLine"],
  ["Ctrl+Enter", "keyNow"],
  ["Esc", "keyStop"],
  ["1 – 9", "keyDigits"],
  ["Space", "keySpace"],
  ["Alt+1  Alt+2  Alt+3", "keyPriority"],
  ["Alt+Q", "keyQuestion"],
  ["Alt+N", "keyNew"],
  ["Alt+T", "keyThreads"],
  ["/", "keyField"],
  ["?", "keyHelp"],
];

export function showKeys() {
  const calls = !$("talk").hidden || document.body.dataset.call;
  const rows = KEYS.filter(([, words]) => calls || words !== "keySpace").map(([key, words]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, t(words))));
  const box = dialog(t("keys"), h("h2", {}, t("keys")), h("table", { class: "keys" }, h("tbody", {}, rows)), h("button", { type: "button", class: "option", autofocus: true, on: { click: () => box.close() } }, t("close")));
}

export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const done = event.altKey && !event.ctrlKey ? alt(event, actions) : plain(event, actions);
    if (done) event.preventDefault();
  });
}

function alt(event, actions) {
  const priority = { Digit1: "now", Digit2: "next", Digit3: "later" }[event.code];
  if (priority) actions.choose(priority);
  else if (event.code === "KeyN") actions.newThread();
  else if (event.code === "KeyT") actions.toggleThreads();
  else if (event.code === "KeyQ") actions.toQuestion();
  else return false;
  return true;
}

/** A digit that was pressed alone: its button's turn comes when no more keys follow. */
const ALONE_MS = 400;
let alone = null;

function plain(event, actions) {
  if (alone && (event.key === "Escape" || event.key === "Backspace")) return takeBack(), true;
  if (event.key === "Escape") return actions.escape();
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (alone && event.key.length === 1) return asText(actions), false;
  const typing = isTyping(document.activeElement);
  const blank = typing && document.activeElement.id === "message" && !document.activeElement.value;
  if (/^[1-9]$/.test(event.key) && !typing && digit(event.key)) return true;
  if (event.key === "?" && (!typing || blank)) return showKeys(), true;
  if (typing) return false;
  if (event.key.length === 1 && event.key !== " ") actions.focusComposer();
  return false;
}

/** The digit was a slip: its button isn't pressed. */
function takeBack() {
  clearTimeout(alone.timer);
  alone = null;
}

/** More was typed: the digit was the beginning of a message, not an answer. */
function asText(actions) {
  actions.type(alone.key);
  takeBack();
}

/** Press the button with this digit: of the question in focus, or of the only open one. */
function digit(key) {
  const inside = document.activeElement?.closest?.(".card.open");
  const open = document.querySelectorAll(".card.open");
  const card = inside ?? (open.length === 1 ? open[0] : null);
  const button = card?.querySelector(`.option[data-digit="${key}"]`);
  if (!button) return false;
  const press = () => {
    alone = null;
    button.click();
  };
  alone = { key, timer: setTimeout(press, ALONE_MS) };
  return true;
}
