// Wires the page: the line to the server, the thread, the conversation, the message field.
import { $, fill, h, newId } from "./dom.js";
import { currentLanguage, drawStatic, onLanguage, setLanguage, span, t } from "./i18n.js";
import { Link, READ_MS, deliverOthers } from "./link.js";
import { Thread } from "./thread.js";
import { Flow } from "./flow.js";
import { Composer } from "./composer.js";
import { Queue } from "./queue.js";
import { Threads } from "./threads.js";
import { setLimit } from "./attach.js";
import { tick } from "./card.js";
import { drawTip, emptyThread } from "./empty.js";
import { listen, showKeys } from "./keys.js";
import { announceQuestion, skip } from "./say.js";
import { callActions, fieldActions, itemActions, keyActions, queueActions, threadActions } from "./actions.js";
import { Banner } from "./banner.js";
import { offerShare, joinShared } from "./share.js";
import { session } from "./storage.js";

const HOLDS = new Set(["join", "wait", "later", "collect", "waitQuestion", "next"]);

const BY_BUTTON = new Set(["MODE_SET", "QUEUE_DROPPED", "QUEUE_EDITED", "QUEUE_SENT"]);
const BY_ITS_LINE = new Set(["QUEUE_FULL", "THREAD_BUSY", "INTERRUPT_EXPIRED", "INTERRUPT_ALREADY_DECIDED"]);

class App {
  constructor() {
    this.facts = { demo: false, model: null, sharing: false, voice: false, principal: "" };
    this.call = null;
    this.tip = null;
    this.thread = new Thread(this.view());
    this.link = new Link({ frame: (frame) => this.frame(frame), state: (open) => this.lineState(open), refused: (data) => this.refused(data) });
    this.flow = new Flow(itemActions(this));
    this.composer = new Composer(fieldActions(this));
    this.queue = new Queue(queueActions(this));
    this.threads = new Threads(threadActions(this));
    this.banner = new Banner(this.link, () => this.start());
    listen(keyActions(this));
  }

  // -- start

  async start() {
    drawStatic();
    const facts = await this.banner.facts();
    if (!facts) return;
    this.facts = facts;
    this.link.principal = this.thread.me = facts.principal;
    setLimit(facts.uploadLimitBytes);
    await joinShared(this);
    this.look();
    await this.backFromCall();
  }

  /** This page was left in the middle of a call here. */
  async backFromCall() {
    const left = session.take("bargein.call");
    if (left !== this.current || !this.facts.voice) return;
    await (await this.newCall())?.left();
    this.status();
  }

  get home() {
    return `local:${this.facts.principal}`;
  }

  get current() {
    return decodeURIComponent(location.hash.slice(1)) || this.home;
  }

  /** Look at the thread that the address names. */
  look() {
    this.thread.clear();
    this.flow.reset([]);
    if (this.call && this.call.thread !== this.current) this.call.hangUp();
    this.tip = null;
    this.link.look(this.current, currentLanguage());
    this.composer.opened();
    this.status();
  }

  // -- the line

  frame(frame) {
    this.thread.take(frame);
    if (frame.type === "welcome") this.welcomed(frame.data);
    if (frame.type === "decided") this.putTip(null);
    if (frame.type === "threads") this.threads.soon();
  }

  welcomed(data) {
    if (!data.resumed) skip([...this.thread.items.values()]);
    for (const { frame } of this.link.unsent()) {
      if (!this.thread.knows(frame.id) && !frame.text.startsWith("/queue ")) this.thread.said(frame.id, frame.text, { attachments: frame.attachments });
    }
    this.banner.back(this.facts.build);
    this.threads.refresh();
    offerShare(this);
    deliverOthers(this.link);
    this.status();
    if (!document.activeElement || document.activeElement === document.body) this.focusAtStart();
  }

  focusAtStart() {
    if (matchMedia("(hover: hover)").matches) this.composer.focus();
  }

  lineState(open) {
    this.banner.state(open);
    this.flow.redraw();
    this.composer.draw();
  }

  refused(data) {
    this.banner.refused(data, this.current !== this.home);
  }

  // -- what the thread tells

  view() {
    return {
      reset: (items) => this.flow.reset(items),
      added: (item) => {
        $("empty")?.remove();
        this.flow.added(item);
      },
      began: (item) => this.flow.began(item),
      changed: (item) => this.flow.changed(item),
      removed: (item) => this.flow.removed(item),
      status: () => this.status(),
      superseded: () => this.refreshSoon(),
      quietly: (data) => this.seenAlready(data),
    };
  }

  /** What a button here has done, or a message's own line says, needs no more words. */
  seenAlready({ code, input }) {
    const item = input ? this.thread.bySeq.get(input) : null;
    return item ? BY_ITS_LINE.has(code) : BY_BUTTON.has(code);
  }

  refreshSoon() {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.link.refresh(), 120);
  }

  status() {
    this.composer.draw();
    this.queue.draw();
    this.drawEmpty();
    this.counted();
    drawTip($("tip"), this.tip, (text) => this.composer.put(text, this.tip === "interrupt" ? "now" : null), () => this.putTip(null));
    $("title").textContent = this.thread.meta.title || "Bargein";
    const working = this.thread.runs.size > 0;
    if (working !== this.worked) {
      this.worked = working;
      this.flow.redraw();
    }
  }

  drawEmpty() {
    const there = $("empty");
    const wanted = this.link.ready && !this.thread.items.size && !this.thread.runs.size;
    if (!wanted) there?.remove();
    else if (!there || there.lang !== currentLanguage()) {
      there?.remove();
      const node = emptyThread(this.facts, (name) => this.offer(name));
      node.lang = currentLanguage();
      $("scroll").prepend(node);
    }
  }

  offer(name) {
    this.putTip(name);
    if (name === "talk") return this.talk();
    this.say(t(`offer_${name}_say`), { will: "send", starts: true });
    this.composer.focus();
  }

  putTip(name) {
    this.tip = name;
    this.status();
  }

  titled(title) {
    this.thread.meta.title = title;
    $("title").textContent = title || "Bargein";
    this.threads.draw();
    offerShare(this);
  }

  counted() {
    const here = this.thread.asked.length;
    const all = Math.max(here, this.threads?.count ?? 0);
    document.title = all ? t("titleWaits", { count: all, title: this.thread.meta.title || "Bargein" }) : `${this.thread.meta.title ? `${this.thread.meta.title} · ` : ""}Bargein`;
    const badge = $("waiting-count");
    badge.hidden = !all;
    const words = t("waitingCount", { count: all });
    badge.setAttribute("aria-label", words);
    fill(badge, h("span", { class: "count" }, all), h("span", { class: "count-words" }, words));
  }

  asked(card, node) {
    announceQuestion(card);
    setTimeout(() => this.composer.draw(), READ_MS + 10);
    const idle = this.composer.empty && !document.querySelector("#queue textarea:focus, .card :is(input, textarea, select):focus");
    if (idle && this.flow.atEnd() && !document.hidden) node.focus({ preventScroll: true });
  }

  // -- what the person does

  /** Send what was typed; what its message will look like follows from what Enter said. */
  say(text, { will = this.composer.will, override = null, reply = null, attachments = [], starts = false } = {}) {
    if (text.trim() === "/new") return this.threads.make() ?? true;
    const command = text.startsWith("/");
    if (!command && !starts) this.tip = null;
    const card = reply?.correct ? null : (reply?.card ?? (will === "answer" && !command ? this.thread.seen[0] : null));
    const options = { override: reply?.correct && will === "correct" ? "now" : override, attachments };
    if (reply?.card && card) options.replyTo = card.key;
    const id = newId();
    if (!command && !this.thread.meta.title) this.titled(text);
    this.thread.said(id, text, { attachments, card, waits: this.link.ready && !command && HOLDS.has(will), override });
    this.link.say(text, { ...options, id });
    if (!this.link.ready) this.flow.redraw();
    return true;
  }

  /** A command that a button stands for: no message, no words. */
  command(text) {
    const id = this.link.say(text);
    this.thread.quiet.add(id);
  }

  /** Begin a call on this thread. */
  async talk() {
    await (await this.newCall())?.start();
  }

  /** Whether there is a call that has not ended. */
  get onCall() {
    return Boolean(this.call) && this.call.state !== "over";
  }

  /** A call on this thread, unless there is one; what it needs is loaded now. */
  async newCall() {
    if (this.onCall || this.calling) return null;
    this.call?.close();
    this.calling = true;
    const { Call } = await import("./call/call.js");
    this.calling = false;
    this.call = new Call(callActions(this));
    this.status();
    return this.call;
  }

  callEnded() {
    this.call = null;
    if (this.tip === "talk") this.tip = null;
    this.status();
    this.focusAtStart();
  }

  sendAgain(item) {
    const override = item.override ?? (item.priority === "LATER" ? "later" : this.thread.asked.length ? "next" : null);
    if (item.kind === "said") this.thread.remove(item);
    this.say(item.text, { will: override ? "later" : this.composer.will, override, attachments: item.attachments ?? [] });
  }

  stop() {
    if (this.thread.mine.length) this.link.stopRuns(this.thread.mine.map(({ run }) => run));
  }

  press(card, option, value) {
    this.thread.change(card, { busy: true, problem: null });
    this.thread.pressed.set(this.link.press(card.token, option, value), card);
  }

  escape() {
    if (document.body.classList.contains("threads-open")) return this.threads.toggle(false), true;
    if (this.composer.reply) return this.composer.unreply(), true;
    if (this.call?.on) return this.call.state !== "listening" && (this.call.stop(), true);
    if (!this.thread.mine.length) return false;
    this.stop();
    return true;
  }

  toQuestion() {
    const card = this.thread.asked[0];
    const elsewhere = this.threads.firstElsewhere;
    if (card) {
      this.flow.show(card.key);
      document.querySelector(`[data-key="${CSS.escape(card.key)}"]`)?.focus();
    } else if (elsewhere) location.hash = encodeURIComponent(elsewhere);
  }
}

const app = new App();
addEventListener("hashchange", () => app.look());
$("keys-button").addEventListener("click", showKeys);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  app.composer.focus();
});
$("waiting-count").addEventListener("click", () => app.toQuestion());
for (const button of document.querySelectorAll("#languages button")) button.addEventListener("click", () => setLanguage(button.dataset.language));
onLanguage((language) => {
  app.link.setLanguage(language);
  app.flow.redraw();
  app.queue.draw();
  app.threads.draw();
  app.banner.draw();
  app.status();
});
setInterval(() => {
  for (const node of document.querySelectorAll(".card.open")) tick(node);
  app.banner.draw();
}, 1000);
await app.start();
document.body.dataset.ready = "true";
performance.mark("ready");
