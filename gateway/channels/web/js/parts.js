// Parts that questions and messages share: rows of buttons, tables of values.
import { h } from "./dom.js";
import { fromJson, toJson } from "./json.js";

/** For so long nothing is pressed on what has only just slid under the pointer. */
export const GUARD_MS = 400;

/** A row of buttons; the first nine have a digit key, but for leave: nobody types a "1" into a yes. */
export function buttons(options, pressed, { digits = true } = {}) {
  const digit = (index) => digits && index < 9;
  return h(
    "div",
    { class: "options" },
    options.map(([option, title, description], index) =>
      h(
        "button",
        { type: "button", class: "option", data: { option, ...(digit(index) && { digit: String(index + 1) }) }, title: description, on: { click: () => pressed(option) } },
        h("span", {}, title),
        digit(index) ? h("kbd", { "aria-hidden": "true" }, index + 1) : null,
      ),
    ),
  );
}

/** Signs that are not seen and turn or cover those beside them. */
const COVERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const shown = (text) => text.replace(/\r\n/g, "\n").replace(COVERS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Names and values, two columns. */
export function table(values) {
  return h("table", { class: "values" }, h("tbody", {}, Object.entries(values).map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, shown(name)), h("td", {}, shown(pretty(value)))))));
}

export function pretty(value) {
  if (typeof value !== "string") return toJson(value, 1);
  try {
    const parsed = fromJson(value);
    return typeof parsed === "object" && parsed !== null ? toJson(parsed, 2) : value;
  } catch {
    return value;
  }
}
