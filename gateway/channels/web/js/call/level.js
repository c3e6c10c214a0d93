// One line for both voices: the caller's level above it, the agent's below.
import { h } from "../dom.js";
import { t } from "../i18n.js";

const STEP_MS = 50;
const BAR = 3;
const GAP = 2;
const LOUD = 0.5;

export class Level {
  /** `levels()`: { caller, agent }, each 0…1. */
  constructor(levels) {
    this.levels = levels;
    this.node = h("canvas", { class: "voice-level", role: "img" });
    this.bars = [];
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.timer = setInterval(() => this.step(), STEP_MS);
    this.redraw();
  }

  redraw() {
    this.node.setAttribute("aria-label", t("callLevel"));
  }

  close() {
    clearInterval(this.timer);
  }

  step() {
    if (document.hidden || !this.node.isConnected) return;
    const { caller, agent } = this.levels();
    const width = this.node.clientWidth;
    this.bars.push([height(caller), height(agent)]);
    this.bars = this.bars.slice(-Math.max(1, Math.floor(width / (BAR + GAP))));
    this.draw(width, this.node.clientHeight);
  }

  draw(width, tall) {
    const scale = devicePixelRatio || 1;
    const { node } = this;
    if (node.width !== Math.round(width * scale) || node.height !== Math.round(tall * scale)) {
      node.width = Math.round(width * scale);
      node.height = Math.round(tall * scale);
    }
    const style = getComputedStyle(node);
    const pen = node.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, tall);
    const middle = tall / 2;
    pen.fillStyle = style.getPropertyValue("--line");
    pen.fillRect(0, middle - 0.5, width, 1);
    const [mine, agents] = [style.getPropertyValue("--caller"), style.getPropertyValue("--agent")];
    if (this.still.matches) return this.flat(pen, middle, width, mine, agents);
    this.bars.forEach(([caller, agent], index) => {
      const left = width - (this.bars.length - index) * (BAR + GAP);
      bar(pen, mine, left, middle - 1 - caller * (middle - 1), caller * (middle - 1));
      bar(pen, agents, left, middle + 1, agent * (middle - 1));
    });
  }

  /** Nothing moves along: two bars that grow. */
  flat(pen, middle, width, mine, agents) {
    const [caller, agent] = this.bars.at(-1);
    pen.fillStyle = mine;
    pen.fillRect(0, middle - 7, caller * width, 5);
    pen.fillStyle = agents;
    pen.fillRect(0, middle + 2, agent * width, 5);
  }
}

function bar(pen, colour, left, top, tall) {
  if (tall < 0.5) return;
  pen.fillStyle = colour;
  pen.fillRect(left, top, BAR, tall);
}

const height = (level) => Math.min(1, Math.sqrt(level / LOUD));
