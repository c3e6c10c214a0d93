// Controls for answers: each gives `node`, `read()` → { value } or { problem }, and `focus()`.
import { h, newId } from "./dom.js";
import { number, t } from "./i18n.js";
import { whole } from "./json.js";
import { boundsOf, choicesOf, inputType, kindOf, moneyOf, resolve } from "./schema.js";

/** A control for a schema; `name` labels it. */
export function control(schema, root, name = "", given = undefined) {
  const real = resolve(schema, root);
  const kind = kindOf(real, root);
  const make = { boolean: yesNo, choice: choice, number: amount, input: native, many, list, object: form, money, text: line }[kind];
  return make(real, root, name, given ?? real.default);
}

/** An input with its label and hint; `shown` is what holds the input, where that is more. */
function labelled(input, name, hint, shown = input) {
  input.id = `f${newId()}`;
  if (!name) input.setAttribute("aria-label", t("answer"));
  return h("div", { class: "field" }, name ? h("label", { htmlFor: input.id }, name) : null, shown, hint ? h("small", {}, hint) : null);
}

function yesNo(schema, root, name, given) {
  const group = newId();
  const [yes, no] = [true, false].map((value) => h("input", { type: "radio", name: group, checked: given === value }));
  const rows = [[yes, t("yes")], [no, t("no")]].map(([input, words]) => h("label", { class: "check" }, input, words));
  const node = h("fieldset", { class: "field" }, h("legend", { class: name ? "" : "unseen" }, name || t("answer")), h("div", { class: "checks" }, rows));
  const read = () => (yes.checked || no.checked ? { value: yes.checked } : { problem: t("chooseOne") });
  return { node, read, focus: () => yes.focus() };
}

function choice(schema, root, name, given) {
  const choices = choicesOf(schema);
  const select = h("select", {}, h("option", { value: "" }, "—"), choices.map((one, index) => h("option", { value: String(index), selected: one.value === given }, one.title)));
  const read = () => (select.value === "" ? { problem: t("chooseOne") } : { value: choices[Number(select.value)].value });
  return { node: labelled(select, name), read, focus: () => select.focus() };
}

function amount(schema, root, name, given) {
  const { low, high, step } = boundsOf(schema);
  const input = h("input", { type: "number", inputMode: schema.type === "integer" ? "numeric" : "decimal", min: low, max: high, step: step ?? "any", value: given ?? "" });
  const move = (by) => () => {
    const now = input.value === "" ? (by > 0 ? (low ?? 0) - by : (high ?? 0) - by) : Number(input.value);
    const next = Math.min(high ?? Infinity, Math.max(low ?? -Infinity, now + by));
    input.value = String(Number(next.toFixed(10)));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  };
  const size = step ?? 1;
  const stepper = h(
    "span",
    { class: "stepper" },
    h("button", { type: "button", "aria-label": t("less"), on: { click: move(-size) } }, "−"),
    input,
    h("button", { type: "button", "aria-label": t("more"), on: { click: move(size) } }, "+"),
  );
  const hint = low !== undefined && high !== undefined ? t("fromTo", { low, high }) : low !== undefined ? t("noLess", { low }) : high !== undefined ? t("noMore", { high }) : "";
  const read = () => {
    const value = Number(input.value);
    if (input.value === "" || Number.isNaN(value)) return { problem: t("needsNumber") };
    if (low !== undefined && value < low) return { problem: t("noLess", { low }) };
    if (high !== undefined && value > high) return { problem: t("noMore", { high }) };
    if (schema.type === "integer" && !Number.isInteger(value)) return { problem: t("needsWhole") };
    return { value: whole(input.value) };
  };
  return { node: labelled(input, name, hint, stepper), read, focus: () => input.focus() };
}

function native(schema, root, name, given) {
  const type = inputType(schema);
  const input = h("input", { type, value: given ?? "", min: schema.formatMinimum, max: schema.formatMaximum });
  const read = () => {
    if (!input.value || !input.validity.valid) return { problem: input.validationMessage || t("needsValue") };
    if (type === "time") return { value: input.value.length === 5 ? `${input.value}:00` : input.value };
    if (type === "datetime-local") return { value: new Date(input.value).toISOString().replace(/\.\d+Z/, "Z") };
    return { value: input.value };
  };
  return { node: labelled(input, name), read, focus: () => input.focus() };
}

function many(schema, root, name, given) {
  const choices = choicesOf(resolve(schema.items, root));
  const boxes = choices.map((one, index) => h("input", { type: "checkbox", value: String(index), checked: Array.isArray(given) && given.includes(one.value) }));
  const rows = choices.map((one, index) => h("label", { class: "check" }, boxes[index], one.title));
  const node = h("fieldset", { class: "field" }, h("legend", { class: name ? "" : "unseen" }, name || t("chooseSome")), h("div", { class: "checks" }, rows), sizeHint(schema));
  const read = () => counted(schema, choices.filter((_, index) => boxes[index].checked).map((one) => one.value));
  return { node, read, focus: () => boxes[0]?.focus() };
}

function list(schema, root, name, given) {
  const items = resolve(schema.items ?? {}, root);
  const area = h("textarea", { rows: 3, value: Array.isArray(given) ? given.join("\n") : "" });
  const read = () => {
    const lines = area.value.split("\n").map((one) => one.trim()).filter(Boolean);
    const numeric = items.type === "integer" || items.type === "number";
    const values = numeric ? lines.map(whole) : lines;
    if (numeric && values.some(Number.isNaN)) return { problem: t("needsNumber") };
    return counted(schema, values);
  };
  return { node: labelled(area, name, t("oneALine")), read, focus: () => area.focus() };
}

function counted(schema, values) {
  if (schema.minItems !== undefined && values.length < schema.minItems) return { problem: t("fewest", { count: schema.minItems }) };
  if (schema.maxItems !== undefined && values.length > schema.maxItems) return { problem: t("mostAllowed", { count: schema.maxItems }) };
  return { value: values };
}

function sizeHint(schema) {
  if (schema.minItems !== undefined && schema.maxItems !== undefined) return h("small", {}, t("fromTo", { low: schema.minItems, high: schema.maxItems }));
  if (schema.minItems) return h("small", {}, t("fewest", { count: schema.minItems }));
  return schema.maxItems ? h("small", {}, t("mostAllowed", { count: schema.maxItems })) : null;
}

function form(schema, root, name, given) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([key, field]) => {
    const real = resolve(field, root);
    return { key, optional: !required.has(key), ...control(field, root, real.title ?? key, given?.[key]) };
  });
  const node = h("fieldset", { class: "form" }, name ? h("legend", {}, name) : null, fields.map((field) => field.node));
  const read = () => {
    const value = {};
    for (const field of fields) {
      const got = field.read();
      if ("value" in got) value[field.key] = got.value;
      else if (!field.optional) {
        field.focus();
        return { problem: got.problem ?? t("needsValue") };
      }
    }
    return { value };
  };
  return { node, read, focus: () => fields[0]?.focus() };
}

function money(schema, root, name, given) {
  const { amount: sum, currency, codes } = moneyOf(schema, root);
  const input = h("input", { type: "number", inputMode: "decimal", min: sum[1].minimum ?? 0, max: sum[1].maximum, step: sum[1].multipleOf ?? (sum[1].type === "integer" ? 1 : 0.01), value: given?.[sum[0]] ?? "" });
  const select = h("select", { "aria-label": t("currency") }, codes.map((code) => h("option", { value: code.value, selected: code.value === given?.[currency] }, code.title)));
  const field = labelled(input, name, sum[1].maximum !== undefined ? t("noMore", { high: number(sum[1].maximum) }) : "");
  input.after(select);
  field.classList.add("money");
  const read = () => (input.value === "" || !input.validity.valid ? { problem: input.validationMessage || t("needsNumber") } : { value: { [sum[0]]: Number(input.value), [currency]: select.value } });
  return { node: field, read, focus: () => input.focus() };
}

function line(schema, root, name, given) {
  const several = String(given ?? "").includes("\n");
  const input = h(several ? "textarea" : "input", { ...(several ? { rows: 4 } : { type: "text" }), value: given ?? "", maxLength: schema.maxLength ?? 4000 });
  const read = () => (input.value || schema.minLength === 0 ? { value: input.value } : { problem: t("needsValue") });
  return { node: labelled(input, name), read, focus: () => input.focus() };
}
