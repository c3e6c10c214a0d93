// The message field: always live. It says what Enter will do, keeps every draft, and stops by Esc.
import { $, fill, h, link } from "./dom.js";
import { t } from "./i18n.js";
import { local, recall, remember, session } from "./storage.js";
import { Attachments } from "./attach.js";

const MODES = ["steer", "enqueue", "collect", "interrupt", "rollback", "reject", "parallel"];
const PRIORITIES = ["now", "next", "later"];
const LONGEST = 100_000;
const BY_MODE = { steer: "join", enqueue: "wait", collect: "collect", interrupt: "instead", rollback: "undo", reject: "reject", parallel: "beside" };

export class Composer {
  constructor(actions) {
    this.actions = actions;
    this.choice = null;
    this.reply = null;
    this.waits = "";
    this.placed = false;
    this.build();
    this.attachments = new Attachments(this.files, () => this.uploaded(), () => this.actions.principal());
    this.draw();
  }

  build() {
    this.field = h("textarea", { rows: 1, id: "message", maxLength: LONGEST, enterKeyHint: "send", on: { input: () => this.typed(), keydown: (event) => this.key(event), paste: (event) => this.paste(event) } });
    this.hint = h("span", { class: "hint", id: "hint" });
    this.status = h("span", { class: "status", role: "status" });
    this.chips = h("div", { class: "chips" });
    this.files = h("div", { class: "files drafts" });
    this.field.setAttribute("aria-describedby", "hint");
    this.send = h("button", { type: "submit", class: "send" });
    this.stop = h("button", { type: "button", class: "stop", on: { click: () => this.actions.stop() } });
    this.talk = h("button", { type: "button", class: "talk", id: "talk", on: { click: () => this.actions.talk() } });
    this.picker = h("input", { type: "file", multiple: true, hidden: true, on: { change: () => this.picked() } });
    this.attach = h("button", { type: "button", class: "quiet icon-button attach", on: { click: () => this.picker.click() } }, icon("M13.5 6.5 7.8 12.2a1.8 1.8 0 1 0 2.5 2.5l6-6a3.4 3.4 0 0 0-4.8-4.8L5.2 10.2a5 5 0 0 0 7 7l4.6-4.6"));
    this.priorities = h("div", { class: "switch priorities", role: "group" }, PRIORITIES.map((name) => h("button", { type: "button", data: { priority: name }, on: { click: () => this.choose(name) } })));
    this.modeLabel = h("span", { class: "mode-label", "aria-hidden": "true" });
    this.modes = h("select", { class: "mode", on: { change: () => this.actions.setMode(this.modes.value) } });
    this.form = $("composer");
    fill(
      this.form,
      this.chips,
      this.files,
      h("div", { class: "line" }, this.attach, this.field, this.stop, this.talk, this.send),
      h("div", { class: "line below-field" }, this.hint, this.status, this.priorities, this.modeLabel, this.modes),
      this.picker,
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.form.addEventListener("dragover", (event) => event.preventDefault());
    this.form.addEventListener("drop", (event) => {
      event.preventDefault();
      this.attachments.add(event.dataTransfer.files);
    });
  }

  // -- drafts

  get draftKey() {
    return `bargein:draft:${this.actions.principal()}:${this.actions.thread()}`;
  }

  /** Another thread: its own draft. What was typed before the first one was known stands below it. */
  opened() {
    const early = this.placed ? "" : this.field.value;
    this.placed = true;
    this.reply = null;
    this.choice = null;
    this.waits = "";
    const kept = session.get(this.draftKey) ?? local.get(this.draftKey);
    this.written = kept;
    const { text = "", files = [] } = recall(kept, {});
    this.field.value = [text, early].filter(Boolean).join("\n");
    this.attachments.open(this.draftKey, files);
  }

  changed() {
    if (this.placed) this.keepDraft();
    this.grow();
    this.draw();
  }

  keepDraft() {
    const draft = { text: this.field.value, files: this.attachments.kept };
    if (!draft.text && !draft.files.length) return this.forget();
    this.written = remember(this.draftKey, draft);
    remember(this.draftKey, draft, session);
  }

  /** Nothing is written here now; what another tab wrote last for this thread stays. */
  forget() {
    session.remove(this.draftKey);
    if (local.get(this.draftKey) === this.written) local.remove(this.draftKey);
  }

  /** A file that did not come up holds the message back. */
  get blocked() {
    return this.attachments.busy && !this.attachments.comes;
  }

  grow() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight + 2, innerHeight * 0.4)}px`;
  }

  /** Write this text, to be sent with this priority. */
  put(text, choice = this.choice) {
    this.field.value = text;
    this.choice = choice;
    this.changed();
    this.focus();
  }

  focus() {
    this.field.focus();
  }

  get empty() {
    return !this.field.value.trim() && this.attachments.empty;
  }

  // -- what Enter will do

  /** What happens to what is typed now; the words for it stand under `enter_…`. */
  get will() {
    const { thread } = this.actions;
    const state = this.actions.state();
    if (this.reply?.correct) return thread && state.mine.length ? "correct" : "send";
    if (this.reply) return "answer";
    const asked = state.seen;
    const mine = state.mine;
    if (this.choice === "now") return mine.length ? "now" : "send";
    if (asked.length) return this.choice ? "waitQuestion" : asked.length > 1 ? "answerOne" : "answer";
    const here = [...state.runs.values()];
    if (!here.length) return "send";
    if (!mine.length) return state.mode.mode === "reject" ? "reject" : state.mode.mode === "parallel" ? "beside" : "wait";
    if (mine.some((run) => run.state === "stopping" || run.state === "delivering")) return state.mode.mode === "parallel" ? "beside" : "next";
    if (this.choice === "later") return state.mode.mode === "reject" ? "reject" : "later";
    if (this.choice === "next" && ["interrupt", "rollback"].includes(state.mode.mode)) return "wait";
    return BY_MODE[state.mode.mode];
  }

  choose(name) {
    this.choice = this.choice === name ? null : name;
    this.draw();
    this.focus();
  }

  /** Answer this question with what is typed next. */
  replyTo(card) {
    this.reply = { card };
    this.draw();
    this.focus();
  }

  /** Correct what was understood, with what is typed next. */
  correct(card) {
    this.reply = { card, correct: true };
    this.draw();
    this.focus();
  }

  // -- drawing

  draw() {
    const state = this.actions.state();
    if (this.reply && !this.reply.correct && !state.asked.some((card) => card.key === this.reply.card.key)) this.reply = null;
    const will = this.will;
    const busy = state.runs.size > 0;
    const offline = !this.actions.online();
    this.field.placeholder = t(will === "answer" || will === "answerOne" ? "placeholderAnswer" : "placeholder");
    this.field.setAttribute("aria-label", t("messageField"));
    fill(this.hint, offline ? t("enterOffline") : this.waits ? t("waitsForFile") : t(this.blocked ? "enterBlocked" : `enter_${will}`));
    this.form.dataset.will = offline ? "offline" : will;
    fill(this.status, statusText(state));
    fill(this.send, icon("M10 16V4M5 9l5-5 5 5"));
    this.send.setAttribute("aria-label", t("sendMessage"));
    this.send.title = this.hint.textContent;
    this.send.disabled = this.empty;
    this.stop.hidden = !state.mine.length;
    fill(this.stop, h("span", { class: "square", "aria-hidden": "true" }), h("span", { class: "stop-word" }, t("stop")), h("kbd", { "aria-hidden": "true" }, "Esc"));
    this.talk.hidden = !this.actions.voice();
    this.talk.title = t("talkTitle");
    fill(this.talk, icon("M10 3a2.2 2.2 0 0 1 2.2 2.2v4.3a2.2 2.2 0 0 1-4.4 0V5.2A2.2 2.2 0 0 1 10 3zM5 9.5a5 5 0 0 0 10 0M10 14.5V17"), h("span", {}, t("talk")));
    this.attach.setAttribute("aria-label", t("attach"));
    this.attach.title = t("attach");
    this.priorities.hidden = !busy;
    this.modeLabel.hidden = busy;
    this.modeLabel.textContent = t("whileWorking");
    this.priorities.setAttribute("aria-label", t("thisMessage"));
    for (const button of this.priorities.children) {
      const name = button.dataset.priority;
      button.textContent = t(name);
      button.title = t(`${name}Title`);
      button.setAttribute("aria-pressed", String(this.choice === name));
    }
    this.drawModes(state);
    fill(this.chips, this.reply ? h("span", { class: "chip" }, t(this.reply.correct ? "correcting" : "answeringTo", { message: this.reply.card.message }), link("×", () => this.unreply(), { "aria-label": t("notThat") })) : null);
  }

  drawModes(state) {
    const key = document.documentElement.lang + state.mode.mode;
    if (this.modes.drawn === key) return;
    this.modes.drawn = key;
    this.modes.setAttribute("aria-label", t("modeLabel"));
    this.modes.title = t("modeLabel");
    fill(this.modes, MODES.map((mode) => h("option", { value: mode, selected: mode === state.mode.mode }, t(`mode_${mode}`))));
  }

  unreply() {
    this.reply = null;
    this.draw();
    this.focus();
  }

  // -- keys and sending

  key(event) {
    if (event.isComposing || event.key !== "Enter" || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) this.choice = "now";
    this.submit();
  }

  typed() {
    this.waits = "";
    this.changed();
  }

  /** What Enter is about: it waits for a file only while this stays so. */
  get about() {
    return [this.will, ...this.actions.state().seen.map((card) => card.id)].join(" ");
  }

  /** A file is there, or isn't: what Enter was pressed for goes now, if it still means the same. */
  uploaded() {
    const { waits } = this;
    if (waits && this.attachments.comes) return this.changed();
    this.waits = "";
    this.changed();
    if (waits === this.about && !this.attachments.busy) this.submit();
  }

  submit() {
    const text = this.field.value.trim();
    if (this.empty) return;
    if (this.attachments.busy) {
      this.waits = this.attachments.comes ? this.about : "";
      this.draw();
      return;
    }
    const sent = this.actions.say(text, { will: this.will, override: this.choice, reply: this.reply, attachments: this.attachments.take() });
    if (!sent) return;
    this.field.value = "";
    this.choice = this.reply = null;
    this.changed();
  }

  picked() {
    this.attachments.add(this.picker.files);
    this.picker.value = "";
  }

  paste(event) {
    if (event.clipboardData?.files.length) {
      event.preventDefault();
      this.attachments.add(event.clipboardData.files);
    }
  }
}

/** In a few words: what goes on. */
function statusText(state) {
  if (state.asked.length) return t("waitingForYou");
  const run = state.mine[0] ?? [...state.runs.values()][0];
  if (!run) return "";
  if (run.state === "asking") return t("waitingForAnswer");
  return t(run.state === "stopping" ? "stopping" : "working");
}

export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
