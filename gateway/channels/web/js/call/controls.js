// What a caller does by button and key: mute, push-to-talk, the keypad, stop.
import { isTyping } from "../dom.js";
import { local } from "../storage.js";

const PUSH = "bargein:push-to-talk";

export class Controls {
  constructor() {
    this.push = local.get(PUSH) === "yes";
    this.muted = this.keysOpen = this.holding = this.hears = false;
  }

  /** The microphone is open unless it is muted, or waits for a button to be held. */
  opened() {
    this.sound.open(!this.muted && (!this.push || this.holding));
  }

  stop() {
    this.line?.tell("stop");
  }

  mute() {
    this.muted = !this.muted;
    this.line?.tell("mute", { on: this.muted });
    this.opened();
    this.strip.draw();
  }

  /** Switch between an open microphone and push-to-talk. */
  pushToTalk() {
    this.push = !this.push;
    local.set(PUSH, this.push ? "yes" : "no");
    this.holding = false;
    this.line?.tell("talk", { on: !this.push });
    this.opened();
    this.strip.draw();
    if (this.push) this.strip.hold.focus();
  }

  talk(on) {
    if (!this.push || !this.hears || this.holding === on) return;
    this.holding = on;
    this.line?.tell("talk", { on });
    this.opened();
    this.strip.draw();
  }

  press(key) {
    this.line?.tell("key", { key });
  }

  key(event, down) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const free = !event.target.closest?.("button, a, summary") || event.target === this.strip.hold;
    if (event.key === " " && this.push && this.on && free) {
      if (!event.repeat) this.talk(down);
    } else if (down && this.on && this.keysOpen && /^[0-9*#]$/.test(event.key)) this.press(event.key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  openKeypad() {
    this.keysOpen = !this.keysOpen;
    this.strip.draw();
    if (this.keysOpen) this.strip.keypad.firstElementChild.focus();
  }
}
