// The line to the server: connects, connects again, goes on where it was. What was typed is kept
// until the server has it, also over a reload.
import { newId } from "./dom.js";
import { fromJson, toJson } from "./json.js";
import { keep, kept, unkeep } from "./unsent.js";

const VERSION = 1;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;
const PING = 20000;
const ACK_PAUSE = 250;
/** What has stood on the screen for so long could have been seen. */
export const READ_MS = 250;
const SILENCE = 45000;
/** A hello without a welcome for so long: nobody is there. Each such wait lengthens the next, for lines that are slow. */
export const WELCOME = 8000;
const LONGEST_WELCOME = 30000;
/** What was not taken for one of these reasons is sent again by itself. */
export const AGAIN = new Set(["RATE_LIMITED", "SHUTTING_DOWN", "STORE_CLOSED", "STORE_LOCKED", "STORE_FULL"]);

export class Link {
  /** `on`: { frame, state, refused }: what comes, whether the server is there, who may not enter. */
  constructor(on) {
    this.on = on;
    this.socket = null;
    this.open = false;
    this.thread = "";
    this.language = "en";
    this.principal = "";
    this.boot = "";
    this.seq = 0;
    this.seen = 0;
    this.acked = 0;
    this.goneSince = Date.now();
    this.pause = FIRST_PAUSE;
    this.patience = WELCOME;
    this.pending = new Map();
    this.calls = new Map();
    this.timer = 0;
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.saw();
      this.retryNow();
    });
    setInterval(() => this.check(), 5000);
  }

  // -- where it looks

  /** Look at a thread from now on. What was said before the first one was known goes there. */
  look(thread, language) {
    const early = this.thread ? [] : this.unsent();
    this.forget();
    this.thread = thread;
    this.language = language;
    for (const [key, entry] of kept(this.principal)) if (entry.thread === thread) this.pending.set(key, entry);
    for (const { frame } of early) this.keep(frame, true);
    if (this.socket?.readyState === WebSocket.OPEN) this.hello();
    else this.connect();
  }

  /** Ask for the whole thread anew. */
  refresh() {
    this.boot = "";
    if (this.open) this.hello();
  }

  setLanguage(language) {
    this.language = language;
    if (this.open) this.hello();
  }

  forget() {
    this.boot = "";
    this.seq = this.seen = this.acked = 0;
    this.pending.clear();
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
    this.socket = socket;
    this.expect();
    socket.onopen = () => socket === this.socket && this.hello();
    socket.onmessage = (event) => socket === this.socket && this.receive(fromJson(event.data));
    socket.onclose = () => this.lost(socket);
  }

  /** A welcome within our patience, or the line is given up. */
  expect() {
    clearTimeout(this.late);
    this.late = setTimeout(() => {
      this.patience = Math.min(this.patience * 2, LONGEST_WELCOME);
      this.drop();
    }, this.patience);
  }

  /** Give the line up at once: one that carries nothing doesn't end by being closed. */
  drop() {
    const { socket } = this;
    this.lost(socket);
    socket.close();
  }

  hello() {
    const last = this.boot ? { boot: this.boot, seq: this.seq } : null;
    this.ready = false;
    this.expect();
    this.write({ type: "hello", v: VERSION, as: this.principal, thread: this.thread, language: this.language, ...(last && { last }) });
  }

  lost(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.late);
    this.socket = null;
    if (this.open) this.goneSince = Date.now();
    this.open = this.ready = false;
    for (const call of this.calls.values()) call.reject({ code: "LOST" });
    this.calls.clear();
    this.on.state(false);
    if (this.stopped) return;
    this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 1.7, LONGEST_PAUSE);
  }

  retryNow() {
    if (this.open || this.stopped) return;
    this.pause = FIRST_PAUSE;
    if (!this.socket) this.connect();
  }

  /** Hang up for good. */
  stop() {
    this.stopped = true;
    this.socket?.close();
  }

  check() {
    if (!this.open) return;
    if (Date.now() - this.heard > SILENCE) this.drop();
    else if (Date.now() - this.heard > PING) this.write({ type: "ping" });
  }

  get goneSeconds() {
    return (Date.now() - this.goneSince) / 1000;
  }

  // -- receiving

  receive(frame) {
    this.heard = Date.now();
    if (this.foreign(frame)) return;
    if (frame.type === "welcome") this.welcome(frame);
    if (frame.seq) this.seq = Math.max(this.seq, frame.seq);
    if (frame.type === "bye") this.bye(frame.data.reason);
    if (frame.type === "error" && !frame.id && !this.ready) {
      clearTimeout(this.late);
      return this.on.refused(frame.data);
    }
    if (frame.type === "result" || (frame.type === "error" && this.calls.has(frame.id))) this.answered(frame);
    else {
      this.settle(frame);
      this.on.frame(frame);
    }
    if (!document.hidden) this.saw();
  }

  /** A frame of the thread looked at before: its welcome, too. */
  foreign(frame) {
    return Boolean(frame.thread) && frame.thread !== this.thread && (frame.seq !== undefined || frame.type === "welcome");
  }

  welcome(frame) {
    const { data } = frame;
    this.boot = data.boot;
    if (!data.resumed) this.seq = data.seq;
    this.principal = data.principal;
    clearTimeout(this.late);
    this.pause = FIRST_PAUSE;
    this.patience = WELCOME;
    this.open = this.ready = true;
    this.on.state(true);
    if (data.language !== this.language) return this.hello();
    queueMicrotask(() => {
      for (const entry of this.pending.values()) for (const frame of anew(entry)) this.write(frame);
    });
  }

  bye(reason) {
    if (["revoked", "unshared", "deleted"].includes(reason)) this.on.refused({ code: reason.toUpperCase() });
    if (reason === "revoked") this.stopped = true;
  }

  /** What the server has answered is kept no longer. */
  settle(frame) {
    if (frame.type !== "receipt" && frame.type !== "error") return;
    const again = AGAIN.has(frame.data.code);
    const entry = this.pending.get(frame.id);
    if (!entry) return;
    if (again) {
      setTimeout(() => this.pending.has(frame.id) && this.write(entry.frame), 1500);
      return;
    }
    this.pending.delete(frame.id);
    unkeep(frame.id);
  }

  answered(frame) {
    const call = this.calls.get(frame.id);
    this.calls.delete(frame.id);
    if (frame.type === "result") call?.resolve(frame.data.result);
    else call?.reject(frame.data);
  }

  /** The person could see everything that has come so far. */
  saw() {
    const { seq, boot, thread } = this;
    setTimeout(() => {
      if (boot === this.boot && thread === this.thread && !document.hidden) this.seen = Math.max(this.seen, seq);
    }, READ_MS);
    if (!this.acking) this.acking = setTimeout(() => this.ack(), READ_MS + ACK_PAUSE);
  }

  ack() {
    this.acking = 0;
    if (this.seen <= this.acked || !this.ready) return;
    this.acked = this.seen;
    this.write({ type: "ack", seq: this.seen });
  }

  // -- sending

  write(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(toJson(frame));
  }

  /** Send what was typed, now or when the server is back; its id. */
  say(text, { override, replyTo, run, attachments, id = newId() } = {}) {
    const frame = { type: "input", id, text, seen: this.seen };
    if (override) frame.override = override;
    if (replyTo) frame.replyTo = replyTo;
    if (run) frame.run = run;
    if (attachments?.length) frame.attachments = attachments;
    this.keep(frame, true);
    return id;
  }

  /** Press a button, instead of what was pressed there and not taken. */
  press(token, option, value) {
    for (const [id, { frame }] of this.pending) if (frame.token === token) this.pending.delete(id);
    const frame = { type: "press", id: newId(), token, option };
    if (value !== undefined) frame.value = value;
    this.keep(frame, false);
    return frame.id;
  }

  /** Stop what is going on, which is these runs; a stop that gets there late stops no other. */
  stopRuns(runs) {
    this.keep({ type: "stop", id: newId() }, false, this.unsent().length ? [] : runs);
  }

  keep(frame, overReload, runs = []) {
    const entry = { thread: this.thread, principal: this.principal, frame, runs, at: Date.now() };
    this.pending.set(frame.id, entry);
    if (overReload && this.thread) keep(frame.id, entry);
    if (this.ready) this.write(frame);
  }

  /** Ask the server itself; rejects with the error's data. */
  call(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (!this.ready) return reject({ code: "LOST" });
      const id = newId();
      this.calls.set(id, { resolve, reject });
      this.write({ type: "call", id, method, params });
    });
  }

  /** What was typed here and the server hasn't confirmed. */
  unsent() {
    return [...this.pending.values()].filter((entry) => entry.frame.type === "input");
  }
}

/** What is written once the server is back. */
function anew({ frame, runs }) {
  if (!runs?.length) return [frame];
  return runs.map((run, at) => ({ ...frame, id: at ? `${frame.id}-${at}` : frame.id, run }));
}

/** Send what was typed on other threads while the server was gone. */
export function deliverOthers(link) {
  for (const thread of new Set(kept(link.principal).map(([, entry]) => entry.thread))) {
    if (thread === link.thread) continue;
    const other = new Link({
      frame: () => other.pending.size || other.stop(),
      state: () => {},
      refused: () => other.stop(),
    });
    other.principal = link.principal;
    other.look(thread, link.language);
  }
}
