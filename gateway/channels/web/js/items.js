// How each kind of item looks: what people said, replies, tool calls, notes, ends.
import { fill, h, link } from "./dom.js";
import { bytes, t } from "./i18n.js";
import { drawCard } from "./card.js";
import { endText, labelText } from "./labels.js";
import { draw as drawText } from "./markdown.js";
import { pretty, table } from "./parts.js";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function itemNode(item) {
  const props = { class: `item ${item.kind}`, data: { key: item.key, kind: item.kind } };
  if (item.kind === "said") return h("article", props, h("div", { class: "bubble" }), h("div", { class: "mark" }));
  if (item.kind === "reply") return h("article", { ...props, "aria-label": t("agent") }, h("div", { class: "text" }));
  if (item.kind === "call") return callNode(props);
  if (item.kind === "card") return h("section", { ...props, tabIndex: -1 });
  return h("div", props);
}

export function drawItem(node, item, actions) {
  ({ said, reply, call, note, end, card: drawCard })[item.kind](node, item, actions);
}

function said(node, item, actions) {
  node.classList.toggle("mine", item.mine);
  node.dataset.state = item.state;
  node.setAttribute("aria-label", item.mine ? t("youSaid") : t("personSaid", { name: item.sender }));
  const bubble = node.firstElementChild;
  const drawn = JSON.stringify([item.text, item.sender, item.attachments]);
  if (node.drawn !== drawn) {
    node.drawn = drawn;
    fill(bubble, item.mine ? null : h("span", { class: "who" }, item.sender), files(item.attachments), item.text ? h("div", { class: "words" }, item.text) : null);
  }
  mark(node.lastElementChild, item, actions);
}

/** The button of an item: one, whatever is drawn anew around it. */
function button(node, words, act) {
  node.button ??= link("", act);
  return fill(node.button, t(words));
}

function mark(node, item, actions) {
  const { label, state } = item;
  if (state === "sending" && actions.offline()) return fill(node, t("sentWhenBack"));
  if (!label) return fill(node, "");
  const again = label.again && item.mine ? button(node, "send", () => actions.sendAgain(node.parentElement.item)) : null;
  return fill(node, labelText(label), again);
}

export function files(attachments) {
  if (!attachments?.length) return null;
  return h("div", { class: "files" }, attachments.map(file));
}

function file(attached) {
  const address = `/files/${encodeURIComponent(attached.blob)}?name=${encodeURIComponent(attached.name)}`;
  if (PICTURES.has(attached.mediaType)) {
    const picture = h("img", { src: address, alt: attached.name || t("picture"), loading: "lazy", class: "picture" });
    return h("a", { href: address, target: "_blank", rel: "noopener" }, picture);
  }
  const name = attached.name || t("file");
  return h("a", { href: address, download: attached.name || "file", class: "file" }, name, h("span", { class: "size" }, bytes(attached.sizeBytes)));
}

function reply(node, item) {
  node.dataset.live = String(Boolean(item.live) && !item.cut);
  node.classList.toggle("cut", Boolean(item.cut));
  drawText(node.firstElementChild, item.text);
  tail(node.firstElementChild, item);
}

/** What ends a reply: a caret while it grows, a bar where it was cut, what was left unheard. */
function tail(text, item) {
  text.querySelector(":scope .end-of-text")?.remove();
  text.querySelector(":scope .unheard")?.remove();
  if (!item.live && !item.cut) return;
  let last = text;
  while (last.lastElementChild && /^(P|UL|OL|LI|BLOCKQUOTE|PRE|CODE)$/.test(last.lastElementChild.tagName)) last = last.lastElementChild;
  const bar = item.cut ? h("span", { class: "end-of-text bar", role: "img", "aria-label": t("cutHere"), title: t("cutHere") }) : h("span", { class: "end-of-text caret", "aria-hidden": "true" });
  last.append(bar);
  if (item.cut && item.unheard) last.append(h("span", { class: "unheard" }, item.unheard));
  if (text.blocks?.length) text.blocks[text.blocks.length - 1] = "";
}

function callNode(props) {
  const summary = h("summary", {}, h("span", { class: "call-state", "aria-hidden": "true" }), h("span", { class: "call-name" }), h("span", { class: "call-doing" }), h("span", { class: "call-time" }));
  return h("details", props, summary, h("div", { class: "call-inside" }));
}

function call(node, item) {
  node.dataset.state = item.error ? "failed" : item.state;
  const [, name, doing, time] = node.firstElementChild.children;
  fill(name, item.name);
  fill(doing, callDoing(item));
  fill(time, item.tookMs === undefined ? "" : t("tookSeconds", { seconds: Math.round(item.tookMs / 100) / 10 }));
  const inside = node.lastElementChild;
  const drawn = JSON.stringify([item.args, item.content, item.error]);
  if (inside.drawn === drawn) return;
  inside.drawn = drawn;
  fill(inside, item.args ? [h("h4", {}, t("arguments")), table(item.args)] : null, item.content !== undefined ? [h("h4", {}, t("result")), h("pre", {}, pretty(item.content))] : null);
}

function callDoing(item) {
  if (item.error === "OUTCOME_UNKNOWN") return t("callUnknown");
  if (item.error === "DECLINED" || item.error === "DENIED") return t("callDeclined");
  if (item.error) return t("callNotDone", { code: item.error });
  if (item.state === "stopped") return t("callStopped");
  if (item.state === "returned") return "";
  if (item.state === "asked") return t("callWaits");
  return item.progress ?? t("callWorks");
}

function note(node, item) {
  fill(node, item.text);
}

function end(node, item, actions) {
  const retry = item.retry && !actions.busy() ? button(node, "retry", () => actions.retry()) : null;
  fill(node, h("span", { class: "end-words" }, endText(item)), retry, item.advice ? h("span", { class: "advice" }, item.advice) : null);
  node.classList.toggle("failed", Boolean(item.error));
}
