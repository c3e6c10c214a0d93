// A question in the conversation: who asks, what, how it is answered; one line once it is decided.
import { fill, h, link } from "./dom.js";
import { span, t } from "./i18n.js";
import { control } from "./forms.js";
import { answerText, decidedBy } from "./labels.js";
import { approval } from "./approval.js";
import { forgetFilled, keepFilled } from "./filled.js";
import { toJson } from "./json.js";
import { GUARD_MS, buttons } from "./parts.js";
import { choicesOf, kindOf, resolve } from "./schema.js";

const BUTTONS = 12;

export function drawCard(node, card, actions) {
  node.classList.toggle("open", !card.decided);
  node.classList.toggle("folded", Boolean(card.decided));
  if (card.decided) node.classList.remove("busy");
  if (card.decided) return folded(node, card, actions);
  const shape = JSON.stringify([card.key, Boolean(card.token), card.asks, card.responseSchema, card.details, document.documentElement.lang]);
  if (node.shape !== shape) {
    node.shape = shape;
    opened(node, card, actions);
  }
  state(node, card);
}

// -- decided

function folded(node, card, actions) {
  if (node.contains(document.activeElement)) actions.focusComposer();
  node.shape = "";
  forgetFilled(node, card, actions.me());
  node.removeAttribute("aria-labelledby");
  const said = card.from && card.from.trim().toLowerCase() !== answerText(card).toLowerCase() ? h("span", { class: "from" }, t("quoted", { text: card.from })) : null;
  const typed = (card.how === "text" || card.how === "voice") && card.status !== "cancelled" && card.by === actions.me();
  fill(
    node,
    h(
      "p",
      { class: "fold" },
      h("span", { class: "fold-question" }, card.message),
      h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
      said,
      said ? h("span", { class: "arrow", "aria-hidden": "true" }, "→") : null,
      h("strong", { class: `answer ${card.status}` }, answerText(card)),
      h("span", { class: "fold-by" }, decidedBy(card, actions.me())),
      typed ? link(t("change"), () => actions.correct(card)) : null,
    ),
  );
}

// -- open

function opened(node, card, actions) {
  node.shownAt = performance.now();
  const heading = `q-${card.key}`;
  node.setAttribute("aria-labelledby", heading);
  const mine = Boolean(card.token);
  node.timeline = h("span", { class: "timeline" }, h("span", { class: "time-left" }));
  node.problem = h("p", { class: "problem", role: "alert" });
  node.pending = h("p", { class: "pending", role: "status" });
  const body = mine ? bodyOf(node, card, actions) : h("p", { class: "hint" }, t("askedOf", { names: (card.asked ?? []).join(", ") }));
  fill(
    node,
    node.timeline,
    h("p", { class: "asks" }, card.asks === "approval" ? t("wantsToRun", { tool: card.toolName }) : card.asks === "plan" ? t("hasPlan", { tool: card.toolName }) : t("asks", { tool: card.toolName })),
    h("h3", { id: heading }, card.message),
    body.node ?? body,
    node.problem,
    node.pending,
    mine ? foot(node, card, actions, body.links) : null,
  );
  if (mine) keepFilled(node, card, actions.me(), body.parts);
}

/** Press an option, unless the card has only just slid under the pointer. */
function press(node, card, actions, option, value) {
  if (performance.now() - node.shownAt < GUARD_MS || card.busy) return;
  actions.press(card, option, value);
}

function bodyOf(node, card, actions) {
  const pressed = (option, value) => press(node, card, actions, option, value);
  if (card.asks !== "input") return approval(node, card, pressed);
  const root = card.responseSchema;
  const schema = resolve(root);
  const kind = kindOf(schema, root);
  const options = kind === "boolean" ? [["yes", t("yes")], ["no", t("no")]] : (choicesOf(schema) ?? []).map((one, index) => [String(index), one.title, one.description]);
  if (options.length && options.length <= BUTTONS) return buttons(options, pressed);
  if (kind === "text") return freeText(card, schema, actions);
  return asked(node, control(schema, root), card, actions, pressed);
}

function freeText(card, schema, actions) {
  const wanted = "const" in schema ? t("typeExactly", { word: String(schema.const) }) : (card.form ?? "");
  return h("div", { class: "free" }, wanted ? h("p", { class: "hint" }, wanted) : null, h("button", { type: "button", class: "option", on: { click: () => actions.reply(card) } }, t("answerBelow")));
}

function asked(node, field, card, actions, pressed) {
  const submit = (event) => {
    event.preventDefault();
    const got = field.read();
    node.problem.textContent = got.problem ?? "";
    if ("value" in got) pressed("value", got.value);
    else field.focus();
  };
  return h("form", { class: "answer-form", noValidate: true, on: { submit } }, field.node, h("button", { type: "submit", class: "option primary" }, t("answer")));
}

function foot(node, card, actions, links = []) {
  const schema = resolve(card.responseSchema);
  const skips = card.asks === "input" && ("default" in schema || schema.nullable);
  const shown = "default" in schema && schema.default !== null ? t("skipTo", { value: typeof schema.default === "string" ? schema.default : toJson(schema.default) }) : t("skip");
  return h(
    "p",
    { class: "foot" },
    links,
    skips ? link(shown, () => press(node, card, actions, "skip")) : null,
    link(t("declineAll"), () => actions.decline(card)),
    h("span", { class: "left-words" }),
  );
}

function state(node, card) {
  if (card.problem !== node.problemShown) {
    node.problemShown = card.problem;
    if (node.problem) fill(node.problem, card.refused ? h("q", {}, card.refused) : null, card.problem ?? "");
  }
  fill(node.pending, card.answer ? t("answering", { text: card.answer.text }) : "");
  node.classList.toggle("busy", Boolean(card.busy || card.answer));
  node.armed = card.armedAt ? { from: Date.parse(card.armedAt), to: Date.parse(card.expiresAt) } : null;
  tick(node);
}

/** Let the line of the time left shorten. */
export function tick(node) {
  const { armed, timeline } = node;
  if (!timeline) return;
  timeline.hidden = !armed;
  const words = node.querySelector(".left-words");
  if (!armed) return;
  const left = Math.max(0, armed.to - Date.now());
  timeline.firstElementChild.style.transform = `scaleX(${Math.min(1, left / Math.max(1, armed.to - armed.from))})`;
  const text = left < 3600_000 ? t("timeLeft", { span: span(left / 1000) }) : "";
  if (words && words.textContent !== text) words.textContent = text;
}
