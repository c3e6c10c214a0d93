// A thread's items from a snapshot: the log, what became of inputs and questions, what is going on.
import { outcomeOf, returned, sentAgain } from "./outcomes.js";

const IN_LOG = new Set(["answered", "steered", "merged", "interrupted", "failed"]);

/** What was said and is in no model input: not taken, or a word to the gateway itself ("stop"). */
const UNLOGGED = new Set(["returned", "refused", "dropped", "failed", "handled"]);

/** The items in order, the messages by their input's number, and whose messages need no more words: over, or in the queue. */
export function fromSnapshot(snapshot, me) {
  const build = new Builder(snapshot, me);
  for (const entry of snapshot.entries) build.take(entry);
  build.rest();
  const taken = build.inputs.filter((row) => row.outcome || row.state === "waiting");
  return { items: build.items, bySeq: build.bySeq, taken: new Set(taken.map(idOf)) };
}

class Builder {
  constructor(snapshot, me) {
    this.snapshot = snapshot;
    this.me = me;
    this.items = [];
    this.bySeq = new Map();
    this.calls = new Map();
    this.cards = new Map();
    this.ends = new Map();
    this.inputs = [...(snapshot.past ?? []), ...snapshot.inputs].sort((a, b) => a.seq - b.seq);
    this.used = new Set();
    this.logged = new Set(snapshot.entries.filter((entry) => entry.kind === "user").map((entry) => entry.run));
    this.last = 0;
    this.decided = new Map((snapshot.decided ?? []).map((question) => [question.id, question]));
    this.open = new Map(snapshot.questions.map((question) => [question.id, question]));
    this.answers = new Map(this.inputs.filter((row) => row.outcome === "decided" && row.kind === "text").map((row) => [row.detail, row.text]));
  }

  take(entry) {
    const take = this[`on_${entry.kind}`];
    if (take) take.call(this, entry, entry.body);
  }

  on_user(entry, body) {
    const row = this.inputOf(entry, body.text);
    if (row) this.unlogged(row.seq);
    const sender = body.sender ?? row?.sender ?? this.snapshot.owner;
    const item = {
      kind: "said",
      key: row ? idOf(row) : `entry:${entry.seq}`,
      id: row ? idOf(row) : "",
      text: body.text,
      attachments: body.attachments ?? [],
      run: entry.run,
      sender,
      mine: row ? row.principal === this.me : sender === this.me,
      ...(row ? outcomeOf(row) : { state: "answered", label: body.metadata?.queued === "steer" ? { key: "joined" } : null }),
    };
    if (row) this.bySeq.set(row.seq, item);
    this.items.push(item);
  }

  /** The input behind a message of the log: of the same run, with the same words if there is one. */
  inputOf(entry, text) {
    const free = this.inputs.filter((row) => row.run === entry.run && row.kind === "text" && !this.used.has(row.seq) && (!row.outcome || IN_LOG.has(row.outcome)));
    const row = free.find((one) => one.text === text) ?? free[0];
    if (row) this.used.add(row.seq);
    return row;
  }

  /** Messages before this number that never came into the log: not sent, refused. */
  unlogged(before) {
    for (const row of this.inputs) {
      if (row.seq >= before) break;
      if (row.seq <= this.last || this.used.has(row.seq) || (IN_LOG.has(row.outcome) && this.logged.has(row.run))) continue;
      this.pushUnlogged(row);
    }
    this.last = Math.max(this.last, before === Infinity ? this.last : before);
  }

  pushUnlogged(row) {
    const dropped = row.detail === "DROPPED_BY_PERSON" || row.detail === "INTERRUPT_ANSWER_INVALID";
    if (row.kind !== "text" || !UNLOGGED.has(row.outcome) || dropped || row.text.startsWith("/")) return;
    if (this.inputs.some((other) => other.principal === row.principal && sentAgain(row, other))) return;
    const item = { kind: "said", key: idOf(row), id: idOf(row), text: row.text, attachments: row.attachments ?? [], sender: row.sender, mine: row.principal === this.me, ...outcomeOf(row) };
    this.used.add(row.seq);
    this.bySeq.set(row.seq, item);
    this.items.push(item);
  }

  on_assistant(entry, body) {
    if (!body.text && !body.metadata?.unheard) return;
    const cut = body.metadata?.interrupted ? (body.metadata.reason ?? "USER_SIGINT") : null;
    const heard = body.metadata?.heard_ms !== undefined;
    this.items.push({ kind: "reply", key: `${entry.run}:${entry.step}`, run: entry.run, step: entry.step, text: body.text, cut, unheard: heard ? (body.metadata.unheard ?? "") : "" });
  }

  on_tool_call(entry, body) {
    const item = { kind: "call", key: `call:${entry.run}:${body.id}`, run: entry.run, name: body.name, args: body.arguments, state: "asked" };
    this.calls.set(item.key, item);
    this.items.push(item);
  }

  on_tool_result(entry, body) {
    const item = this.calls.get(`call:${entry.run}:${body.callId}`);
    if (item) Object.assign(item, returned(body));
  }

  on_interrupt(entry, body) {
    if (body.status === "paused") for (const asked of body.interrupts) this.card(asked.id, entry.run);
    if (body.status === "closed") this.ended(entry.run, body.reason);
  }

  card(id, run) {
    if (this.cards.has(id)) return;
    const question = this.open.get(id) ?? this.decided.get(id);
    if (!question) return;
    const decided = !this.open.has(id);
    const item = { run, ...question, asks: question.kind, kind: "card", key: id, decided, from: this.answers.get(id) ?? null };
    this.cards.set(id, item);
    const call = this.calls.get(`call:${run}:${question.toolCallId}`);
    if (question.kind !== "approval") return this.behind(call, item);
    if (call) this.items.splice(this.items.indexOf(call), 1);
    this.items.push(item);
    if (call && decided) this.items.push(call);
  }

  /** What a call asks stands below it, as it came: the next call of its step ran later. */
  behind(call, item) {
    this.below(item, (one) => call && (one === call || (one.run === item.run && one.toolCallId === item.toolCallId)));
  }

  ended(run, reason) {
    const { lastEnded } = this.snapshot;
    const last = lastEnded?.run === run ? lastEnded : null;
    const known = this.inputs.find((row) => row.run === run && row.outcome === "failed");
    const failed = reason && !/^(USER_SIGINT|NOW_PRIORITY_INPUT|BUDGET_EXCEEDED|PARENT_CANCELLED|TASK_CANCELLED|SYSTEM_SHUTDOWN|LEASE_LOST|SESSION_RELEASED|HOLDER_LOST)$/.test(reason);
    const owner = this.inputs.find((row) => row.run === run)?.principal;
    const by = !owner || owner === this.me ? "you" : owner;
    const retry = Boolean(last?.retry) && !this.snapshot.runs.length;
    this.ends.set(run, { kind: "end", key: `end:${run}`, run, by, reason: failed ? null : reason, error: failed ? reason : null, errorId: last?.errorId ?? (failed ? known?.detail : null), retry });
  }

  /** How a run ended stands below the last of it. */
  withEnd(item, index) {
    const run = item.run;
    if (!this.ends.has(run) || this.items.slice(index + 1).some((later) => later.run === run)) return [item];
    const end = this.ends.get(run);
    this.ends.delete(run);
    return [item, end];
  }

  /** Below the last that it belongs to: others may go on beside it. */
  below(item, belongs) {
    const last = this.items.findLastIndex(belongs);
    this.items.splice(last < 0 ? this.items.length : last + 1, 0, item);
  }

  /** What is not in the log (yet): late messages, open questions of other threads, running texts. */
  rest() {
    const logged = this.items.length > 0;
    if (logged) this.unlogged(Infinity);
    for (const run of this.snapshot.runs) {
      for (const [step, text] of Object.entries(run.texts ?? {})) {
        const key = `${run.run}:${step}`;
        if (!this.items.some((item) => item.key === key)) this.below({ kind: "reply", key, run: run.run, step: Number(step), text, live: true }, (other) => other.run === run.run);
      }
    }
    for (const call of this.calls.values()) {
      const running = this.snapshot.runs.find((run) => run.run === call.run);
      if (call.state === "asked" && !running) call.state = "stopped";
      else if (call.state === "asked" && running.state !== "asking") call.state = "started";
    }
    for (const question of this.open.values()) this.card(question.id, question.run);
    this.items = this.items.flatMap((item, index) => this.withEnd(item, index));
  }
}

function idOf(row) {
  return row.id.slice(row.id.lastIndexOf(":") + 1);
}
