// What stands in a thread, from the server's frames. Knows no page: `changed` is told each item.
import { newId } from "./dom.js";
import { fromSnapshot } from "./history.js";
import { AGAIN, READ_MS } from "./link.js";
import { outcomeOf, sentAgain } from "./outcomes.js";
import { Work } from "./work.js";

const SETTLE_MS = 150;
const HIDDEN_KINDS = new Set(["stop", "press", "command"]);

export class Thread extends Work {
  /** `view`: { reset, added, began, changed, removed, status, superseded, quietly } */
  constructor(view) {
    super(view);
    this.me = "";
    this.clear();
  }

  clear() {
    this.items = new Map();
    this.runs = new Map();
    this.queue = [];
    this.mode = { mode: "steer", source: "deployment" };
    this.meta = { owner: "", private: true, title: "" };
    this.quiet = new Set();
    this.taken = new Set();
    this.pressed = new Map();
    this.failures = new Map();
    this.bySeq = new Map();
    this.cardBySeq = new Map();
    this.dropped = null;
    this.lastEnded = null;
    this.unheard = new Set();
  }

  // -- who does what

  get mine() {
    return [...this.runs.values()].filter((run) => run.principals.includes(this.me));
  }

  /** Open questions that this person is asked, in the order asked. */
  get asked() {
    return [...this.items.values()].filter((item) => item.kind === "card" && !item.decided && item.token);
  }

  /** Those of them that they have had a moment to see. */
  get seen() {
    return this.asked.filter((card) => performance.now() - (card.since ?? -READ_MS) >= READ_MS);
  }

  // -- what this person does here

  /** Their message, on the screen before the server knows of it. */
  said(id, text, { attachments = [], card = null, waits = false, override = null } = {}) {
    if (card) return this.change(card, { answer: { id, text }, problem: null });
    const item = { kind: "said", key: id, id, text, attachments, sender: this.me, mine: true, state: "sending", override };
    if (waits) {
      this.queue = [...this.queue, { id: `:${id}`, text, sending: true, principal: this.me, attachments }];
      this.view.status();
      return item;
    }
    return this.add(item);
  }

  // -- frames

  take(frame) {
    const { type, data, id } = frame;
    const handler = this[`on_${type}`];
    if (handler) handler.call(this, data, id, frame);
  }

  on_welcome(data) {
    if (data.resumed) return;
    const sending = [...this.items.values()].filter((item) => item.kind === "said" && item.state === "sending");
    const { dropped, failures, quiet, items: before } = this;
    this.clear();
    Object.assign(this, { dropped, failures, quiet });
    const { items, bySeq, taken } = fromSnapshot(data.snapshot, this.me);
    for (const item of items) {
      if (item.kind === "end") item.advice = failures.get(item.run);
      this.items.set(item.key, item.kind === "card" && !item.decided ? stillOpen(item, before.get(item.key)) : item);
    }
    Object.assign(this, { bySeq, taken });
    for (const item of sending) if (!this.knows(item.key)) this.items.set(item.key, item);
    this.queue = data.snapshot.queue;
    this.mode = data.snapshot.mode;
    this.meta = { owner: data.snapshot.owner, private: data.snapshot.private, title: data.snapshot.title, thread: data.snapshot.thread };
    for (const run of data.snapshot.runs) this.runs.set(run.run, run);
    this.lastEnded = data.snapshot.lastEnded;
    this.view.reset([...this.items.values()]);
    this.view.status();
  }

  on_input(data) {
    const id = data.id.slice(data.id.lastIndexOf(":") + 1);
    if (data.kind === "text") this.replaces(data);
    if (data.state !== "waiting") this.unqueue(id);
    let item = this.bySeq.get(data.seq) ?? this.items.get(id);
    if (item) this.bySeq.set(data.seq, item);
    if (data.outcome === "decided") return this.decidedBy(item, data);
    const card = this.cardOf(id);
    if (card) return this.answered(card, data, id);
    if (data.detail === "INTERRUPT_ANSWER_INVALID" && (!item || item.elsewhere)) return this.misheard(item, data);
    if (HIDDEN_KINDS.has(data.kind) && !item) return;
    if (data.state === "waiting") return this.waits(data, item);
    if (!item) item = this.shown(data, id);
    if (!item) return;
    if (data.run && !item.run) this.view.began(item);
    this.change(item, { waiting: false, run: data.run, ...outcomeOf(data), text: data.kind === "text" ? data.text : item.text });
  }

  /** What was put into the queue before the server knew of it waits there no longer. */
  unqueue(id) {
    const left = this.queue.filter((one) => !one.sending || one.id !== `:${id}`);
    if (left.length === this.queue.length) return null;
    const gone = this.queue.find((one) => one.id === `:${id}`);
    this.queue = left;
    this.view.status();
    return gone;
  }

  /** Words that were not taken and are sent again stand once. */
  replaces(data) {
    for (const [seq, item] of this.bySeq) {
      const earlier = { text: item.text, seq, outcome: item.state };
      if (item.sender === (data.sender || data.principal) && sentAgain(earlier, data)) this.remove(item);
    }
  }

  /** It waits: after a moment it stands in the queue alone. Most start at once and never leave. */
  waits(data, item) {
    if (!item) return;
    item.waiting = true;
    setTimeout(() => {
      if (!item.waiting || this.items.get(item.key) !== item) return;
      this.bySeq.delete(data.seq);
      this.remove(item);
    }, SETTLE_MS);
  }

  /** A message that wasn't on this screen before. */
  shown(data, id) {
    const new_ = data.state === "new";
    const gone = data.outcome === "returned" && data.detail === "DROPPED_BY_PERSON";
    if ((new_ && data.principal === this.me) || gone || this.quiet.has(id)) return null;
    if (new_ && this.seen.length) return null;
    const item = {
      kind: "said",
      key: id,
      id,
      text: data.text,
      attachments: data.attachments ?? [],
      sender: data.sender || data.principal,
      mine: data.principal === this.me,
      state: data.outcome ?? "taken",
      elsewhere: true,
    };
    this.bySeq.set(data.seq, item);
    return this.add(item);
  }

  /** Whether a message stands here, in the queue too, or needs no words any more. */
  knows(id) {
    return this.items.has(id) || this.quiet.has(id) || this.taken.has(id) || Boolean(this.cardOf(id));
  }

  cardOf(id) {
    return [...this.items.values()].find((item) => item.kind === "card" && item.answer?.id === id);
  }

  /** What became of an answer that was typed into a card. */
  answered(card, data, id) {
    if (data.outcome === "refused") return this.change(card, { refused: data.text, answer: null });
    if (data.state === "new" || data.state === "held") return;
    this.change(card, { answer: null });
    if (data.state === "waiting") return;
    const item = this.shown({ ...data, state: "running", outcome: null }, id);
    if (item) this.change(item, outcomeOf(data));
  }

  /** What was said or typed elsewhere as an answer, and was none, stands in the card. */
  misheard(item, data) {
    if (item) this.remove(item);
    if (this.asked.length === 1) this.change(this.asked[0], { refused: data.text });
  }

  /** What was typed stands in the card with what was understood of it. */
  decidedBy(item, data) {
    const card = this.items.get(data.detail);
    if (card && data.kind === "text") this.change(card, { from: data.text });
    if (item?.kind === "said") this.remove(item);
  }

  on_receipt(data, id) {
    const card = this.pressed.get(id) ?? this.cardOf(id);
    const item = this.items.get(id);
    if (data.input) {
      if (item) this.bySeq.set(data.input, item);
      if (card) this.cardBySeq.set(data.input, card);
    }
    if (!data.code) return item && item.state === "sending" && this.change(item, { state: "taken" });
    const gone = item || card ? null : this.unqueue(id);
    if (gone) return this.add({ kind: "said", key: id, id, text: gone.text, attachments: gone.attachments, sender: this.me, mine: true, state: "refused", label: { text: data.text || data.code, again: true } });
    if (card) this.change(card, { problem: data.text || data.code, busy: false, answer: null });
    else if (item) this.change(item, { state: "refused", label: { text: data.text || data.code, again: !AGAIN.has(data.code) } });
    else if (data.text) this.note(data.code, data.text);
  }

  on_error(data, id) {
    this.on_receipt({ code: data.code, text: data.text || data.message }, id);
  }

  on_question(data) {
    const known = this.items.get(data.question.id);
    const { question, token, form, run } = data;
    const item = { ...question, asks: question.kind, kind: "card", key: question.id, token, form, run, busy: false, decided: false };
    if (known) this.change(known, { ...item, problem: data.again || known.problem, expiresAt: known.armedAt ? known.expiresAt : item.expiresAt });
    else this.add({ ...item, problem: data.again || null, fresh: true, since: performance.now() });
    this.view.status();
  }

  on_armed(data) {
    const card = this.items.get(data.id);
    if (card) this.change(card, { armedAt: data.armedAt, expiresAt: data.expiresAt, seconds: data.seconds });
  }

  on_folded(data) {
    const card = this.items.get(data.question.id);
    if (card && !card.decided) this.change(card, { status: data.question.status, decidedAt: data.question.decidedAt, decided: true });
    this.view.status();
  }

  on_decided(data) {
    const card = this.items.get(data.id);
    const changes = { status: data.status, by: data.by, how: data.how, understood: data.understood, value: data.value, decidedAt: data.decidedAt, decided: true, answer: null, problem: null };
    if (card) this.change(card, changes);
    else this.add({ ...data, ...changes, asks: data.kind, kind: "card", key: data.id });
    this.view.status();
  }

  on_queue(data) {
    this.queue = data.items;
    this.view.status();
  }

  on_mode(data) {
    this.mode = data;
    this.view.status();
  }

  on_notice(data) {
    const target = data.input ? this.cardBySeq.get(data.input) : null;
    const named = this.items.get(data.params?.interruptId);
    if (data.code === "INTERRUPT_ANSWER_INVALID" && named) return this.change(named, { problem: data.text, busy: false });
    if (target && data.text) return this.change(target, { problem: data.text, busy: false });
    if (data.code === "RETRYING") this.view.superseded();
    if (data.code === "RUN_FAILED" && data.run) return this.failed(data.run, data.text);
    if (data.code === "RUN_INTERRUPTED") return;
    if (!data.text || this.view.quietly(data)) return;
    this.note(data.code, data.text);
  }

  /** What to do about a failure, which its end may have been drawn before. */
  failed(run, advice) {
    this.failures.set(run, advice);
    const end = this.items.get(`end:${run}`);
    if (end) this.change(end, { advice });
  }

  note(code, text) {
    this.add({ kind: "note", key: newId(), code, text });
  }
}

/** An open question as the snapshot has it: the card that stood here already, or a fresh one. */
function stillOpen(item, before) {
  return before && !before.decided ? Object.assign(before, item, { answer: null, busy: false, fresh: false }) : { ...item, fresh: true };
}
