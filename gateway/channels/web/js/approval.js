// Leave to run a tool or to follow a plan: what it will do, approve and deny of equal weight.
import { h, link } from "./dom.js";
import { t } from "./i18n.js";
import { control } from "./forms.js";
import { Whole, fromJson, toJson } from "./json.js";
import { GUARD_MS, buttons, table } from "./parts.js";

/** The question's form (`node`), what else can be done with it (`links`), and what opens the fields
 * that it shows when asked for, by name (`parts`). */
export function approval(node, card, pressed) {
  const plan = card.asks === "plan";
  const extra = { reason: null, edits: null, remember: null };
  const what = h("div", {}, plan ? planList(card.details.plan) : table(card.details.arguments ?? {}));
  const send = (option) => pressed("value", decision(option === "approve", extra, node));
  const options = [
    ["approve", t(plan ? "agree" : "approve")],
    ["deny", t(plan ? "disagree" : "deny")],
  ];
  const reason = h("div", { class: "reason", hidden: true });
  const rule = card.details.suggestedRule ? remember(extra, card) : null;
  const because = link(t(plan ? "disagreeBecause" : "denyBecause"), () => grown(node, parts.reason).focus());
  const change = plan || !editable(card) ? null : link(t("changeArguments"), () => grown(node, parts.edits)?.focus());
  const shows = (name, opener, open) => () => {
    opener.hidden = true;
    node.grownParts.push(name);
    return open();
  };
  const parts = { reason: shows("reason", because, () => giveReason(reason, extra, send)) };
  if (change) parts.edits = shows("edits", change, () => edit(what, card, extra));
  const form = h(
    "div",
    { class: "approval" },
    plan ? null : h("p", { class: "effect" }, t("willRun", { tool: card.toolName })),
    plan || !card.details.reason ? null : h("p", { class: "effect size" }, `${card.details.reason}.`),
    what,
    rule,
    reason,
    buttons(
      options,
      (option) => {
        if (performance.now() - node.grownAt < GUARD_MS) return;
        const wrong = option === "approve" ? extra.edits?.problem() : null;
        if (wrong) node.problem.textContent = wrong;
        else send(option);
      },
      { digits: false },
    ),
  );
  return { node: form, links: [because, change], parts };
}

/** Whether other arguments than the call's own may be allowed. */
function editable(card) {
  const names = Object.keys(card.details.arguments ?? {});
  return names.length > 0 && "updatedArguments" in (card.responseSchema.properties ?? {});
}

/** Keep all of the card in sight where it grows by what its person asked for; what slid under the
 * pointer meanwhile isn't pressed. The first field of what came. */
function grown(node, change) {
  const first = change();
  node.grownAt = performance.now();
  node.scrollIntoView({ block: "nearest" });
  return first;
}

function decision(approved, extra) {
  const value = { approved };
  const reason = extra.reason?.value.trim();
  if (!approved && reason) value.reason = reason;
  if (approved && extra.edits) value.updatedArguments = extra.edits.read();
  if (approved && extra.remember?.checked) value.remember = true;
  return value;
}

function planList(plan) {
  const steps = Array.isArray(plan) ? plan : [plan];
  return h("ol", { class: "plan" }, steps.map((step) => h("li", {}, typeof step === "string" ? step : (step?.title ?? step?.text ?? JSON.stringify(step)))));
}

function remember(extra, card) {
  extra.remember = h("input", { type: "checkbox" });
  return h("label", { class: "check" }, extra.remember, t("dontAskAgain", { tool: card.toolName }));
}

function giveReason(box, extra, send) {
  box.hidden = false;
  extra.reason = h("input", { type: "text", maxLength: 500, "aria-label": t("reason"), placeholder: t("reason") });
  const submit = (event) => {
    event.preventDefault();
    send("deny");
  };
  box.append(h("form", { class: "answer-form", on: { submit } }, extra.reason));
  return extra.reason;
}

/** Fields in place of the arguments' table; an argument keeps its JSON type, and what wasn't touched
 * stays as it was asked about. */
function edit(box, card, extra) {
  const fields = Object.entries(card.details.arguments).map(([name, value]) => [name, value, control(schemaOf(value), {}, name, plain(value))]);
  const given = fields.map(([, , field]) => toJson(field.read()));
  box.replaceChildren(h("div", { class: "form" }, fields.map(([, , field]) => field.node)));
  const read = ([name, value, field], place) => [name, toJson(field.read()) === given[place] ? { value } : parsed(value, field.read())];
  const got = () => fields.map(read);
  extra.edits = {
    problem: () => got().map(([, one]) => one.problem).find(Boolean) ?? null,
    read: () => Object.fromEntries(got().map(([name, one]) => [name, one.value])),
  };
  return fields[0]?.[2];
}

function schemaOf(value) {
  if (typeof value === "boolean") return { type: "boolean" };
  if (value instanceof Whole) return { type: "integer" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  return { type: "string", minLength: 0 };
}

const isPlain = (value) => ["string", "number", "boolean"].includes(typeof value) || value instanceof Whole;
const plain = (value) => (isPlain(value) ? value : toJson(value));

function parsed(before, got) {
  if (isPlain(before) || !("value" in got)) return got;
  try {
    return { value: fromJson(got.value) };
  } catch {
    return { problem: t("needsJson") };
  }
}
