// What waits, above the message field: each can be edited, sent now, dropped; a drop undone.
import { $, fill, h, link } from "./dom.js";
import { t } from "./i18n.js";

const UNDO_MS = 15000;
const SETTLE_MS = 150;

export class Queue {
  constructor(actions) {
    this.actions = actions;
    this.node = $("queue");
    this.editing = null;
    this.dropped = null;
  }

  /** Draw soon: most of what comes into the queue starts at once. */
  draw() {
    const { queue } = this.actions.state();
    clearTimeout(this.soon);
    if (queue.length > (this.length ?? 0) && !queue.some((item) => item.sending)) this.soon = setTimeout(() => this.drawNow(), SETTLE_MS);
    else this.drawNow();
  }

  drawNow() {
    const { queue } = this.actions.state();
    this.length = queue.length;
    if (this.editing && !queue.some((item) => item.seq === this.editing)) this.editing = null;
    if (this.editing && this.node.querySelector("textarea:focus")) return;
    const shown = JSON.stringify([queue.map((item) => [item.seq, item.text, item.priority, item.principal]), this.editing, this.dropped?.text, document.documentElement.lang]);
    if (shown === this.shown) return;
    this.shown = shown;
    const head = queue.length ? h("p", { class: "queue-head" }, t("waits", { count: queue.length })) : null;
    fill(this.node, head, queue.length ? h("ol", {}, queue.map((item) => this.item(item))) : null, this.undo());
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", t("queue"));
    this.node.hidden = !queue.length && !this.dropped;
  }

  item(item) {
    const own = item.principal === this.actions.me();
    if (this.editing === item.seq) return h("li", {}, this.editor(item));
    const buttons = own && item.seq ? [link(t("edit"), () => this.edit(item)), link(t("sendNow"), () => this.actions.queue("now", item)), link(t("drop"), () => this.drop(item))] : null;
    const late = item.priority === "LATER" ? h("span", { class: "size" }, t("later")) : null;
    return h("li", {}, own ? null : h("span", { class: "who" }, item.sender || item.principal), h("span", { class: "queue-text" }, item.text || t("file")), late, buttons ? h("span", { class: "queue-buttons" }, buttons) : null);
  }

  edit(item) {
    this.editing = item.seq;
    this.draw();
    const field = this.node.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  editor(item) {
    const field = h("textarea", { rows: 1, value: item.text, "aria-label": t("edit") });
    const close = () => {
      this.editing = null;
      this.shown = "";
      this.actions.focusComposer();
      this.draw();
    };
    const save = () => {
      const text = field.value.trim();
      if (text && text !== item.text) this.actions.queue("edit", item, text);
      close();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) save();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return h("span", { class: "queue-edit" }, field, link(t("save"), save), link(t("leaveIt"), close));
  }

  drop(item) {
    this.actions.queue("drop", item);
    this.dropped = item;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.dropped = null;
      this.draw();
    }, UNDO_MS);
    this.draw();
  }

  undo() {
    if (!this.dropped) return null;
    const item = this.dropped;
    const back = () => {
      this.dropped = null;
      this.actions.sendAgain(item);
      this.draw();
    };
    return h("p", { class: "undo", role: "status" }, t("droppedItem", { text: item.text }), " ", link(t("undo"), back));
  }
}
