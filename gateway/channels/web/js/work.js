// What runs do on the screen: their texts, their calls, their ends.
import { returned } from "./outcomes.js";

const OVER = "ended";

export class Work {
  constructor(view) {
    this.view = view;
  }

  add(item) {
    this.items.set(item.key, item);
    this.view.added(item);
    return item;
  }

  change(item, changes) {
    Object.assign(item, changes);
    this.view.changed(item);
  }

  remove(item) {
    if (this.items.delete(item.key)) this.view.removed(item);
  }

  on_text(data) {
    const key = `${data.run}:${data.step}`;
    const item = this.items.get(key) ?? this.add({ kind: "reply", key, run: data.run, step: data.step, text: "", live: true });
    const known = item.points ?? Array.from(item.text).length;
    const before = known === data.offset ? item.text : Array.from(item.text).slice(0, data.offset).join("");
    this.change(item, { text: before + data.text, points: data.offset + Array.from(data.text).length, live: !data.final });
  }

  on_closed(data) {
    const key = `${data.run}:${data.step}`;
    const item = this.items.get(key);
    if (!item && !data.text) return;
    const changes = { text: data.text, points: undefined, cut: data.reason ?? null, live: false };
    if (item) this.change(item, changes);
    else this.add({ kind: "reply", key, run: data.run, step: data.step, ...changes });
  }

  on_run(data) {
    if (data.state !== OVER) {
      this.runs.set(data.run, data);
      if (data.state === "asking") this.callsOf(data.run, "started", "asked");
      return this.view.status();
    }
    this.runs.delete(data.run);
    this.lastEnded = { ...data, retry: data.end !== "completed" && data.principals.includes(this.me) };
    this.endMark(data);
    this.view.status();
    if (data.end === "interrupted" && this.mode.mode === "rollback") this.view.superseded();
  }

  /** How a run ended; a snapshot may have told it before its event comes. */
  endMark(data) {
    for (const item of this.items.values()) if (item.kind === "end" && item.retry) this.change(item, { retry: false });
    if (data.end === "completed") return;
    const by = data.principals.includes(this.me) ? "you" : data.principals[0];
    const item = { kind: "end", key: `end:${data.run}`, run: data.run, reason: data.reason, error: data.error, errorId: data.errorId, by, advice: this.failures.get(data.run), retry: this.lastEnded.retry };
    this.callsOf(data.run, "started", "stopped");
    const drawn = this.items.get(item.key);
    if (drawn) this.change(drawn, item);
    else this.add(item);
  }

  /** What became of the calls of a run that were in one state. */
  callsOf(run, from, to) {
    for (const call of this.items.values()) if (call.kind === "call" && call.run === run && call.state === from) this.change(call, { state: to });
  }

  on_entry(data) {
    if (data.kind === "assistant" && data.body.metadata?.unheard) {
      const item = this.items.get(`${data.run}:${data.step}`);
      if (item) this.change(item, { unheard: data.body.metadata.heard_ms === undefined ? "" : data.body.metadata.unheard });
    }
  }

  on_call(data) {
    const key = `call:${data.run}:${data.callId}`;
    const item = this.items.get(key);
    const changes = data.state === "started" ? { state: "started", args: data.arguments } : returned(data);
    if (item) this.change(item, changes);
    else this.add({ kind: "call", key, run: data.run, name: data.name, ...changes });
  }

  on_progress(data) {
    const item = this.items.get(`call:${data.run}:${data.callId}`);
    if (item) this.change(item, { progress: data.text, fraction: data.fraction });
  }
}
