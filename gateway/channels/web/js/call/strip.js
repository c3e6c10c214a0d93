// The strip of a call, in place of the message field: a state in a word and a colour, both voices on
// one line, captions, and what the caller can do. Draws; decides nothing.
import { fill, h } from "../dom.js";
import { has, span, t } from "../i18n.js";
import { icon } from "../composer.js";
import { Level } from "./level.js";
import { ALLOW, browserName } from "./browsers.js";

const TAIL = 150;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];
const ICONS = {
  stop: "M6 6h8v8H6z",
  mute: "M10 3a2.2 2.2 0 0 1 2.2 2.2v4.3a2.2 2.2 0 0 1-4.4 0V5.2A2.2 2.2 0 0 1 10 3zM5 9.5a5 5 0 0 0 10 0M10 14.5V17",
  unmute: "M10 3a2.2 2.2 0 0 1 2.2 2.2v4.3a2.2 2.2 0 0 1-4.4 0V5.2A2.2 2.2 0 0 1 10 3zM5 9.5a5 5 0 0 0 10 0M10 14.5V17M3.5 3l13 14",
  push: "M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  keypad: "M5 5h.01M10 5h.01M15 5h.01M5 10h.01M10 10h.01M15 10h.01M5 15h.01M10 15h.01M15 15h.01",
  write: "M4 16h3l8.5-8.5a2 2 0 0 0-3-3L4 13z",
  hangUp: "M3.2 12.6c-.5-1-.2-2.3.8-3.1 3.3-2.4 8.7-2.4 12 0 1 .8 1.3 2.1.8 3.1l-.6.9-3.4-1v-2c-1.8-.6-3.8-.6-5.6 0v2l-3.4 1z",
};

export class Strip {
  constructor(actions) {
    this.actions = actions;
    this.build();
    this.draw();
  }

  build() {
    this.state = h("strong", { class: "voice-state", role: "status" });
    this.level = new Level(() => this.actions.levels());
    this.time = h("span", { class: "voice-time" });
    this.agent = h("p", { class: "voice-agent" });
    this.caller = h("p", { class: "voice-caller" });
    this.understood = h("p", { class: "voice-understood" });
    this.captions = h("div", { class: "voice-captions", "aria-live": "off" }, this.agent, this.caller, this.understood);
    this.trouble = h("div", { class: "voice-trouble", role: "status" });
    this.keypad = h("div", { class: "voice-keypad", role: "group" }, KEYS.map((key) => h("button", { type: "button", data: { key }, on: { click: () => this.actions.key(key) } }, key)));
    this.hold = h("button", { type: "button", class: "voice-hold", on: { pointerdown: (event) => this.held(event), pointerup: () => this.actions.talk(false), pointercancel: () => this.actions.talk(false), contextmenu: (event) => event.preventDefault() } });
    this.buttons = {
      stop: button("stop", () => this.actions.stop()),
      mute: button("mute", () => this.actions.mute()),
      push: button("push", () => this.actions.push()),
      keypad: button("keypad", () => this.actions.keypad()),
      write: button("write", () => this.actions.write()),
      hangUp: button("hangUp", () => this.actions.hangUp()),
    };
    const { hangUp, ...others } = this.buttons;
    this.row = h("div", { class: "voice-buttons" }, Object.values(others), h("span", { class: "grow" }), hangUp);
    this.node = h(
      "section",
      { id: "call" },
      h("div", { class: "voice-head" }, h("span", { class: "voice-dot", "aria-hidden": "true" }), this.state, this.level.node, this.time),
      this.captions,
      this.trouble,
      this.hold,
      this.keypad,
      this.row,
    );
  }

  held(event) {
    event.preventDefault();
    this.hold.setPointerCapture(event.pointerId);
    this.hold.focus();
    this.actions.talk(true);
  }

  close() {
    this.level.close();
    this.node.remove();
  }

  // -- drawing

  draw() {
    const call = this.actions.call();
    this.node.dataset.state = call.state;
    this.node.setAttribute("aria-label", t("call"));
    this.level.redraw();
    fill(this.state, call.muted && call.state === "listening" ? t("callMuted") : t(`call_${call.state}`));
    this.state.title = numbersText(call.numbers);
    this.drawCaptions(call);
    this.drawTrouble(call);
    this.drawButtons(call);
    this.tick();
  }

  drawCaptions(call) {
    const told = call.told ?? tail(call.agent.text);
    const bar = call.agent.cut && !call.told ? h("span", { class: "bar", role: "img", "aria-label": t("cutHere") }) : null;
    fill(this.agent, call.agent.text || call.told ? [told, bar] : first(call));
    this.agent.classList.toggle("told", Boolean(call.told));
    const { text, final, outcome } = call.caller;
    const key = outcome ? `callOutcome_${outcome.replace(/\W+/g, "_")}` : "";
    this.caller.dataset.final = String(Boolean(final));
    this.caller.dataset.outcome = outcome ?? "";
    fill(this.caller, text || outcome ? [h("span", { class: "who" }, t("callYou")), text ? h("q", {}, text) : null, has(key) ? h("span", { class: "voice-outcome" }, t(key)) : null] : "");
    const { understood } = call;
    fill(this.understood, understood ? t("callHeard", { said: understood.said, value: understood.value }) : "");
  }

  drawTrouble(call) {
    const { trouble } = call;
    this.trouble.hidden = !trouble;
    const key = JSON.stringify([trouble?.what, trouble?.text, document.documentElement.lang]);
    if (key === this.trouble.drawn) return;
    this.trouble.drawn = key;
    if (!trouble) return fill(this.trouble, "");
    const offers = trouble.offers.map(([words, act]) => h("button", { type: "button", class: "option", on: { click: act } }, t(words)));
    fill(this.trouble, trouble.title ? h("strong", {}, t(trouble.title)) : null, h("p", {}, trouble.text ? t(trouble.text, trouble.values?.() ?? {}) : ""), offers.length ? h("div", { class: "options" }, offers) : null);
  }

  drawButtons(call) {
    const on = call.on;
    for (const [name, node] of Object.entries(this.buttons)) node.hidden = !on && name !== "hangUp";
    const { stop, mute, push, keypad, write, hangUp } = this.buttons;
    stop.hidden = !on || !["thinking", "speaking"].includes(call.state);
    mute.hidden = push.hidden = !on || !call.hears;
    name(stop, "callStop");
    name(mute, call.muted ? "callUnmute" : "callMute", call.muted ? "unmute" : "mute", call.muted ? "callUnmuteTitle" : "callMuteTitle");
    name(push, "callPush", null, "callPushTitle");
    name(keypad, "callKeypad");
    name(write, "callWrite");
    name(hangUp, call.over ? "callClose" : "callHangUp");
    mute.setAttribute("aria-pressed", String(call.muted));
    push.setAttribute("aria-pressed", String(call.push));
    for (const [node, open] of [[keypad, call.keysOpen], [write, call.writing]]) node.setAttribute("aria-expanded", String(open));
    this.keypad.hidden = !on || !call.keysOpen;
    this.keypad.setAttribute("aria-label", t("callKeypad"));
    for (const key of this.keypad.children) key.setAttribute("aria-label", t("callKey", { key: key.dataset.key }));
    this.hold.hidden = !on || !call.push || !call.hears;
    this.hold.dataset.on = String(call.holding);
    fill(this.hold, t(call.holding ? "callHolding" : "callHold"), h("kbd", { "aria-hidden": "true" }, "␣"));
  }

  /** What changes by itself. */
  tick() {
    const call = this.actions.call();
    this.time.textContent = call.since ? clock((call.until ?? Date.now()) - call.since) : "";
    if (call.trouble?.values) {
      const text = t(call.trouble.text, call.trouble.values());
      const node = this.trouble.querySelector("p");
      if (node && node.textContent !== text) node.textContent = text;
    }
  }
}

function button(icon_, act) {
  return h("button", { type: "button", class: `voice-button voice-${icon_}`, on: { click: act } }, icon(ICONS[icon_]), h("span", {}));
}

function name(node, words, drawing = null, title = words) {
  const text = t(words);
  if (node.lastElementChild.textContent !== text) node.lastElementChild.textContent = text;
  node.title = t(title);
  if (drawing) node.querySelector("path").setAttribute("d", ICONS[drawing]);
}

/** The end of a text that grows, from a word's beginning. */
function tail(text) {
  if (text.length <= TAIL) return text;
  const cut = text.slice(-TAIL);
  return `…${cut.slice(cut.indexOf(" ") + 1)}`;
}

function first(call) {
  if (call.state !== "listening" || call.caller.text || call.trouble) return "";
  return t(call.push ? "callFirstHeld" : "callFirst");
}

function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function numbersText(numbers) {
  if (!numbers) return "";
  const shown = (value) => (value === null || value === undefined ? "–" : Math.round(value));
  const heard = numbers.heardRatio === null || numbers.heardRatio === undefined ? "–" : `${Math.round(numbers.heardRatio * 100)} %`;
  return t("callNumbers", { turn: shown(numbers.endOfTurnMs), first: shown(numbers.firstSoundMs), stop: shown(numbers.stopMs), heard });
}

/** What to do about a microphone that isn't there. */
export function microphoneTrouble(why) {
  return { what: why, title: `callMicTitle_${why}`, text: why === "refused" ? ALLOW[browserName()] : `callMic_${why}` };
}

export const goneText = (seconds) => ({ span: span(seconds) });
