// What a screen reader hears: the stream in whole sentences, questions, ends. Nothing twice.
import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { endText } from "./labels.js";

const LINES = 30;
const SENTENCE = /[^.!?…\n]*[.!?…]+["»”)]?(?=\s|$)\s*|[^\n]+\n+/y;
const said = new Map();
let aloud = true;

/** On a call the voice says it: replies and questions are not said a second time over it. */
export function quiet(on) {
  aloud = !on;
}

/** Say the sentences of a growing reply that are whole now. */
export function hears(item) {
  let at = said.get(item.key) ?? 0;
  if (at > item.text.length) return;
  SENTENCE.lastIndex = at;
  let found;
  let text = "";
  while ((found = SENTENCE.exec(item.text)) && found[0]) {
    const whole = found.index + found[0].length;
    if (whole === item.text.length && item.live && !/\s$/.test(found[0])) break;
    text += found[0];
    at = whole;
    SENTENCE.lastIndex = at;
  }
  if (!item.live && at < item.text.length) {
    text += item.text.slice(at);
    at = item.text.length;
  }
  said.set(item.key, at);
  if (text.trim() && aloud) say(text.trim());
}

/** Don't say what stood there before. */
export function skip(items) {
  for (const item of items) if (item.kind === "reply") said.set(item.key, item.text.length);
}

export function say(text) {
  const box = $("spoken");
  box.append(h("p", {}, text));
  while (box.childElementCount > LINES) box.firstElementChild.remove();
}

export const sayEnd = (item) => say(endText(item));

/** Say at once: a question waits. */
export function announce(text) {
  $("announced").textContent = "";
  requestAnimationFrame(() => ($("announced").textContent = text));
}

export const announceQuestion = (card) => aloud && announce(t("announceQuestion", { tool: card.toolName, message: card.message }));
