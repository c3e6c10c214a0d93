// A call on a thread: wires the line, microphone and loudspeaker, and the strip.
import { $, h } from "../dom.js";
import { addWords, has, onLanguage, t } from "../i18n.js";
import { quiet } from "../say.js";
import { session } from "../storage.js";
import { Controls } from "./controls.js";
import { CallLine } from "./line.js";
import { NoMicrophone, Sound } from "./sound.js";
import { Strip, goneText, microphoneTrouble } from "./strip.js";
import en from "./words.en.js";
import ru from "./words.ru.js";

const LEFT = "bargein.call";
const STATES = new Set(["listening", "thinking", "speaking", "asking"]);
const SOUNDS = new Set(["sound", "clear"]);

addWords({ en, ru });
const styles = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: "/css/call.css", on: { load: done, error: done } })));

export class Call extends Controls {
  /** `actions`: { thread, language, ended } */
  constructor(actions) {
    super();
    this.actions = actions;
    this.thread = actions.thread();
    this.writing = this.closed = false;
    this.state = "connecting";
    this.trouble = this.numbers = this.since = this.deaf = null;
    this.base = this.next = 0;
    this.nothingSaid();
    this.sound = new Sound({ frame: (first, pcm) => this.spoken(first, pcm), report: (data) => this.reported(data), unplugged: () => this.without("unplugged", false), plays: (plays) => this.plays(plays) });
    this.keyDown = (event) => this.key(event, true);
    this.keyUp = (event) => this.key(event, false);
    this.letGo = () => this.talk(false);
    this.leaving = () => this.leave();
    this.back = () => this.line?.retry();
  }

  /** Show the strip and begin. */
  async start() {
    await this.show();
    await this.listen();
  }

  /** The page was closed or loaded anew during a call: say so, beside the message field. */
  async left() {
    this.writing = true;
    await this.show();
    quiet(false);
    this.be("over", { what: "left", text: "callBye_left", offers: [["callAgain", () => this.restart()]] });
  }

  async show() {
    await styles;
    this.strip = new Strip(stripActions(this));
    $("composer").before(this.strip.node);
    document.body.dataset.call = "on";
    quiet(true);
    onLanguage(() => this.closed || this.strip.draw());
    document.addEventListener("keydown", this.keyDown, true);
    document.addEventListener("keyup", this.keyUp, true);
    addEventListener("blur", this.letGo);
    addEventListener("pagehide", this.leaving);
    addEventListener("online", this.back);
    this.timer = setInterval(() => this.strip.tick(), 1000);
    this.showField();
    this.strip.node.tabIndex = -1;
    this.strip.node.focus();
  }

  // -- the microphone

  async listen() {
    const late = setTimeout(() => this.be("asking_leave", { what: "leave", text: "callAskingLeave", offers: [] }), 400);
    try {
      await this.sound.listen();
    } catch (error) {
      if (!(error instanceof NoMicrophone)) throw error;
      return this.closed || this.without(error.why, true);
    } finally {
      clearTimeout(late);
    }
    if (this.closed) return;
    this.hears = true;
    this.deaf = null;
    this.opened();
    if (this.line) this.trouble = null;
    else this.connect();
    this.strip.draw();
  }

  /** No microphone: why, and what can be done. */
  without(why, atStart) {
    this.hears = false;
    const again = ["callTryAgain", () => this.again()];
    const only = ["callListenOnly", () => this.listenOnly()];
    const offers = atStart && why !== "insecure" ? [again, only] : atStart ? [only] : [again];
    const trouble = { ...microphoneTrouble(why), offers };
    if (!atStart) this.deaf = trouble;
    this.be(atStart ? "silent" : this.state, trouble);
  }

  async again() {
    this.trouble = null;
    if (!this.line) this.be("connecting");
    await this.listen();
  }

  listenOnly() {
    this.trouble = null;
    this.connect();
  }

  /** A frame of the microphone. Another microphone begins at 0, and goes on where the last ended. */
  spoken(first, pcm) {
    if (first < this.next) this.base -= this.next;
    this.next = first + pcm.byteLength / 2;
    if (this.began) this.line.speak(first - this.base, pcm);
  }

  /** Whether the browser lets the agent be heard. */
  plays(plays) {
    const blocked = this.trouble?.what === "blocked";
    if (plays === !blocked || (!plays && this.trouble) || this.over) return;
    const offers = [["callPlay", () => this.sound.resume().then(() => this.plays(true))]];
    this.trouble = plays ? null : { what: "blocked", title: "callBlocked", text: "callBlockedWhy", offers };
    this.strip.draw();
  }

  // -- the line

  connect() {
    this.be("connecting");
    this.line = new CallLine(this.thread, this.actions.language(), { frame: (frame) => this.take(frame), sound: (sound) => this.sound.send({ type: "play", ...sound }), lost: () => this.lost(), over: (reason) => this.ended(reason) });
  }

  take(frame) {
    if (SOUNDS.has(frame.type)) this.sound.send(frame);
    const handler = this[`on_${frame.type}`];
    if (!handler) return;
    handler.call(this, frame);
    this.strip.draw();
  }

  on_loading({ parts }) {
    const named = parts?.length ? { text: "callLoading", values: () => ({ parts: [...new Set(parts.map(partName))].join(", ") }) } : { text: "callLoadingPlain" };
    this.be("loading", { what: "loading", offers: [], ...named });
  }

  on_ready({ rate, resumed }) {
    this.sound.play(rate);
    if (!resumed) {
      this.sound.send({ type: "reset" });
      this.base = this.next;
      this.since = Date.now();
      this.nothingSaid();
    }
    this.began = true;
    this.be(this.before ?? "listening", this.deaf);
    this.before = null;
    if (this.push) this.line.tell("talk", { on: this.holding });
    if (this.muted) this.line.tell("mute", { on: true });
  }

  on_state({ state }) {
    if (!STATES.has(state)) return;
    this.state = state;
    if (state === "thinking") this.told = null;
  }

  on_clear() {
    this.agent.cut = Boolean(this.agent.text);
  }

  on_agent({ text }) {
    this.agent = { text, cut: false };
    this.told = null;
  }

  on_caller({ utterance, text, final, outcome }) {
    if (utterance < this.caller.utterance) return;
    const same = utterance === this.caller.utterance;
    if (!same) this.understood = null;
    this.caller = { utterance, text: text || (same ? this.caller.text : ""), final, outcome };
  }

  on_understood(data) {
    this.understood = data;
  }

  on_told({ text }) {
    this.told = text;
  }

  on_numbers({ type, ...numbers }) {
    this.numbers = numbers;
  }

  nothingSaid() {
    this.agent = { text: "", cut: false };
    this.caller = { utterance: -1, text: "", final: false, outcome: null };
    this.understood = this.told = null;
  }

  reported({ type, ...data }) {
    this.line?.tell(type, data);
  }

  lost() {
    this.began = false;
    if (this.state === "lost") return;
    this.before = STATES.has(this.state) ? this.state : null;
    this.be("lost", { what: "lost", text: "callLost", values: () => goneText(this.line.goneSeconds), offers: [] });
  }

  ended(reason) {
    this.until = Date.now();
    this.began = false;
    this.sound.close();
    if (reason === "hungUp") return this.close();
    const again = [reason === "elsewhere" ? "callTakeBack" : "callAgain", () => this.restart()];
    const known = `callBye_${reason}`;
    this.be("over", { what: reason, text: known in en ? known : "callEnded", offers: reason === "denied" || reason === "revoked" ? [] : [again] });
  }

  restart() {
    this.close();
    this.actions.restart();
  }

  be(state, trouble = null) {
    this.state = state;
    this.trouble = trouble;
    if (this.strip) this.strip.draw();
  }

  get over() {
    return this.state === "over" || this.state === "silent";
  }

  /** Whether the caller can do something on the line. */
  get on() {
    return STATES.has(this.state);
  }

  // -- what the caller does

  /** The page goes. Whoever comes back to it is told that the call is over. */
  leave() {
    if (this.on) session.set(LEFT, this.thread);
    this.line?.tell("bye");
  }

  hangUp() {
    if (this.line && !this.line.closed) this.line.hangUp();
    else this.close();
  }

  write(open = !this.writing) {
    this.writing = open;
    this.showField();
    this.strip.draw();
    if (open) $("message").focus();
  }

  /** The message field gives its place to the call, unless something is to be written. */
  showField() {
    $("composer").hidden = !this.closed && !this.writing;
  }

  /** The strip goes, the message field comes back. */
  close() {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.timer);
    this.sound.close();
    this.strip.close();
    document.removeEventListener("keydown", this.keyDown, true);
    document.removeEventListener("keyup", this.keyUp, true);
    removeEventListener("blur", this.letGo);
    removeEventListener("pagehide", this.leaving);
    removeEventListener("online", this.back);
    delete document.body.dataset.call;
    quiet(false);
    this.showField();
    this.actions.ended();
  }
}

/** What a part of the server's voice is for. */
function partName(part) {
  return has(`callPart_${part}`) ? t(`callPart_${part}`) : part;
}

function stripActions(call) {
  return {
    call: () => call,
    levels: () => ({ caller: call.sound.callerLevel, agent: call.sound.agentLevel }),
    key: (key) => call.press(key),
    talk: (on) => call.talk(on),
    stop: () => call.stop(),
    mute: () => call.mute(),
    push: () => call.pushToTalk(),
    keypad: () => call.openKeypad(),
    write: () => call.write(),
    hangUp: () => call.hangUp(),
  };
}
