// The conversation on the screen: items in order, drawn once a frame; what is being read never moves.
import { $, h, onFrame } from "./dom.js";
import { t } from "./i18n.js";
import { drawItem, itemNode } from "./items.js";
import { announceQuestion, hears, sayEnd } from "./say.js";

const FIRST = 60;
const SLICE = 30;
const NEAR = 48;
const MISSED = 20;
const TOP = 16;
const ROOM = 0.42;
/** States of a message that something is still to come of. */
const FRESH = new Set(["sending", "taken", "running"]);
const BUTTONS = new Set(["said", "end"]);

export class Flow {
  constructor(actions) {
    this.actions = actions;
    this.scroller = $("scroll");
    this.node = $("flow");
    this.spacer = $("spacer");
    this.below = $("below");
    this.nodes = new Map();
    this.dirty = new Set();
    this.earlier = [];
    this.hold = 0;
    this.draw = onFrame(() => this.drawNow());
    this.scroller.addEventListener("scroll", onFrame(() => this.look()), { passive: true });
    this.below.addEventListener("click", () => this.toEnd(true));
    this.node.addEventListener("toggle", () => this.look(), true);
    new ResizeObserver(() => this.settle()).observe(this.scroller);
  }

  // -- the thread's view

  reset(items) {
    const before = this.nodes;
    const focused = document.activeElement;
    this.nodes = new Map();
    this.dirty.clear();
    this.earlier = items.slice(0, Math.max(0, items.length - FIRST));
    this.hold = 0;
    this.node.replaceChildren(...items.slice(-FIRST).map((item) => this.make(item, before.get(item.key))));
    if (this.node.contains(focused)) focused.focus({ preventScroll: true });
    for (const item of items) if (item.kind === "card" && item.fresh && item.token) announceQuestion(item);
    this.toEnd(false);
    this.fillEarlier();
  }

  added(item) {
    const pinned = this.atEnd();
    const node = this.make(item);
    this.place(node, item);
    const fresh = item.kind === "said" && FRESH.has(item.state);
    if (fresh && (item.mine || pinned)) this.bringUp(node);
    else if (pinned && this.hidden > 0) this.follow();
    if (item.kind === "end") sayEnd(item);
    if (item.kind === "card" && item.fresh) this.actions.asked(item, node);
    this.look();
  }

  /** At the end; what belongs to a run above what was said after it, and how it ended below the last of it. */
  place(node, item) {
    const nodes = [...this.node.children];
    const at = item.run ? nodes.findLastIndex((other) => other.item.run === item.run) : -1;
    if (at >= 0 && (item.kind === "end" || nodes.slice(at + 1).some(spoken))) nodes[at].after(node);
    else this.node.append(node);
  }

  /** What stood there before its run began stands below what came meanwhile. */
  began(item) {
    const node = this.nodes.get(item.key);
    const last = [...this.node.children].findLast((other) => other.item.run && other !== node);
    if (node && last && node.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING) last.after(node);
  }

  changed(item) {
    this.dirty.add(item);
    if (item.kind === "reply") hears(item);
    this.draw();
  }

  removed(item) {
    this.nodes.get(item.key)?.remove();
    this.nodes.delete(item.key);
    this.settle();
  }

  redraw() {
    for (const [, node] of this.nodes) this.dirty.add(node.item);
    this.draw();
  }

  // -- drawing

  /** The node of an item. An open question keeps the one that it had, with what was filled in; what has a button, its button. */
  make(item, before = null) {
    const kept = before?.item === item || (before?.item.kind === item.kind && BUTTONS.has(item.kind));
    const node = kept ? before : itemNode(item);
    node.item = item;
    this.nodes.set(item.key, node);
    drawItem(node, item, this.actions);
    return node;
  }

  drawNow() {
    const pinned = this.atEnd();
    for (const item of this.dirty) {
      const node = this.nodes.get(item.key);
      if (node) drawItem(node, item, this.actions);
    }
    this.dirty.clear();
    this.settle();
    if (pinned && this.hidden > 0) this.follow();
  }

  /** Draw what came before the first screen, a little at a time, above what is read. */
  fillEarlier() {
    if (!this.earlier.length) return;
    const later = window.requestIdleCallback ?? ((fn) => setTimeout(fn, 16));
    later(() => {
      const items = this.earlier.splice(-SLICE);
      const before = this.scroller.scrollHeight;
      const top = this.scroller.scrollTop;
      const nodes = items.map((item) => this.make(item));
      for (const node of nodes) node.classList.add("far");
      this.node.prepend(...nodes);
      if (this.scroller.scrollTop === top) this.scroller.scrollTop = top + this.scroller.scrollHeight - before;
      this.fillEarlier();
    });
  }

  // -- where the eye is

  get end() {
    return this.node.offsetTop + this.node.offsetHeight;
  }

  /** How much stands below what is to be seen. */
  get hidden() {
    return this.end - this.scroller.scrollTop - this.scroller.clientHeight;
  }

  atEnd() {
    return this.hidden < NEAR;
  }

  /** Where the uppermost line to be read stands: below what is told there. */
  get top() {
    const banner = $("banner");
    return banner.hidden ? TOP : banner.offsetTop + banner.offsetHeight + TOP;
  }

  /** Give a new message room below it for what answers it. */
  bringUp(node) {
    const top = node.offsetTop - this.scroller.scrollTop;
    const enough = top >= this.top - TOP && top < this.scroller.clientHeight * (1 - ROOM);
    this.hold = enough ? this.scroller.scrollTop : node.offsetTop - this.top;
    this.settle();
    this.scroller.scrollTop = this.hold;
  }

  /** Something came at the end: show it, unless that would move a reply that is being read. */
  follow() {
    if ([...this.nodes.values()].some((node) => node.item.kind === "reply" && node.item.live)) return;
    const last = this.node.lastElementChild;
    this.toEnd(false);
    if (last && last.offsetHeight > this.scroller.clientHeight) this.scroller.scrollTop = last.offsetTop - TOP;
  }

  /** Keep the room below the last message, so that nothing jumps while it fills. */
  settle() {
    const room = this.hold + this.scroller.clientHeight - this.end;
    const height = Math.max(0, Math.ceil(room));
    if (this.spacer.offsetHeight !== height) this.spacer.style.height = `${height}px`;
    this.look();
  }

  toEnd(smooth) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.hold = Math.min(this.hold, Math.max(0, this.end - this.scroller.clientHeight));
    this.settle();
    this.scroller.scrollTo({ top: Math.max(0, this.end - this.scroller.clientHeight + TOP), behavior: smooth && !still ? "smooth" : "instant" });
  }

  show(key) {
    this.nodes.get(key)?.scrollIntoView({ block: "nearest" });
  }

  look() {
    const card = [...this.node.querySelectorAll(".card.open")].find((node) => node.offsetTop > this.scroller.scrollTop + this.scroller.clientHeight - 24);
    this.below.hidden = this.hidden < MISSED || !this.nodes.size;
    if (!this.below.hidden) this.below.textContent = card ? t("questionBelow") : t("newBelow");
  }
}

/** Whether somebody said this to the agent. */
const spoken = ({ item }) => item.kind === "said" && !item.text.startsWith("/");
