// What is filled in on an open question and not sent yet: kept over another thread, another language
// and a reload, in this tab, until the question is decided.
import { recall, remember, session } from "./storage.js";

const FIELDS = "input, select, textarea";
const TICKED = new Set(["checkbox", "radio"]);
const keyOf = (card, person) => `bargein:form:${person}:${card.key}`;

/** Keep what stands in the card's fields whenever it changes; first put back what was kept.
 * `parts` open, by name, what the card shows when asked for; `node.grownParts` are those it shows. */
export function keepFilled(node, card, person, parts = {}) {
  const key = keyOf(card, person);
  const kept = recall(session.get(key));
  node.grownParts = [];
  if (kept) putBack(node, kept, parts);
  node.oninput = node.onchange = () => {
    remember(key, { parts: node.grownParts, values: fieldsOf(node).map(valueOf) }, session);
  };
}

export function forgetFilled(node, card, person) {
  node.oninput = node.onchange = null;
  session.remove(keyOf(card, person));
}

function putBack(node, kept, parts) {
  for (const part of kept.parts) parts[part]?.();
  const fields = fieldsOf(node);
  if (fields.length === kept.values.length) fields.forEach((field, index) => put(field, kept.values[index]));
}

const fieldsOf = (node) => [...node.querySelectorAll(FIELDS)];
const valueOf = (field) => (TICKED.has(field.type) ? field.checked : field.value);

function put(field, value) {
  if (TICKED.has(field.type)) field.checked = value;
  else field.value = value;
}
