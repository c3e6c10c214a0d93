// Words in the chosen language; plurals, numbers and dates by locale.
import { local } from "./storage.js";
import en from "./words.en.js";
import ru from "./words.ru.js";

const WORDS = { en, ru };
const KEY = "bargein:language";
let language = initial();
let rules = new Intl.PluralRules(language);
const listeners = [];

function initial() {
  const kept = local.get(KEY);
  if (kept in WORDS) return kept;
  const wanted = navigator.languages ?? [navigator.language ?? "en"];
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in WORDS) ?? "en";
}

export const currentLanguage = () => language;

export function setLanguage(next) {
  language = next;
  rules = new Intl.PluralRules(next);
  local.set(KEY, next);
  drawStatic();
  for (const listener of listeners) listener(next);
}

export const onLanguage = (listener) => listeners.push(listener);

/** A sentence. `{name}` is filled from `values`; with `values.count` the plural form is chosen. */
export function t(key, values = {}) {
  let text = WORDS[language][key] ?? en[key] ?? key;
  if (typeof text === "object") text = text[rules.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? (typeof values[name] === "number" ? number(values[name]) : String(values[name])) : whole,
  );
}

/** Further words: of a part that is loaded when it is needed. */
export function addWords(more) {
  for (const name of Object.keys(WORDS)) Object.assign(WORDS[name], more[name]);
}

export const has = (key) => key in en;
export const number = (value) => new Intl.NumberFormat(language).format(value);

/** The time of day of a moment; with its day where that is not today. */
export function moment(iso) {
  const when = new Date(iso);
  const today = when.toDateString() === new Date().toDateString();
  const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(language, form).format(when);
}

/** A length of time in its largest unit: "12 seconds", "3 minutes". */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return t("seconds", { count: whole });
  if (whole < 5400) return t("minutes", { count: Math.round(whole / 60) });
  if (whole < 36 * 3600) return t("hours", { count: Math.round(whole / 3600) });
  return t("days", { count: Math.round(whole / 86400) });
}

export const bytes = (size) =>
  size < 1024 * 1024
    ? t("kilobytes", { size: number(Math.max(1, Math.round(size / 1024))) })
    : t("megabytes", { size: number(Math.round(size / 104857.6) / 10) });

/** Fill the words that stand in the page itself. */
export function drawStatic() {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
    if (node.tagName === "BUTTON") node.title = t(node.dataset.tLabel);
  }
  for (const node of document.querySelectorAll("#languages button"))
    node.setAttribute("aria-pressed", String(node.dataset.language === language));
}
