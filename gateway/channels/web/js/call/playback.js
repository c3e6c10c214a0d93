// The worklet that plays the agent's voice; ducks, holds and clears on its own.
import { Playout } from "./playout.js";

const LEVEL_SECONDS = 0.05;

class Playback extends AudioWorkletProcessor {
  constructor() {
    super();
    this.begin();
    this.port.onmessage = ({ data }) => this.take(data);
    this.measured = 0;
    this.loudest = 0;
  }

  begin() {
    this.playout = new Playout(sampleRate, (played) => this.port.postMessage(played));
  }

  take(data) {
    if (data.type === "play") this.playout.take(data);
    else if (data.type === "sound") this.playout.sound(data.generation, data.sound);
    else if (data.type === "clear") this.playout.clear(data.generation);
    else if (data.type === "latency") this.playout.setLatency(data.seconds);
    else if (data.type === "reset") this.begin();
    else if (data.type === "end") this.over = true;
  }

  process(inputs, [[block]]) {
    this.playout.render(block);
    for (const sample of block) this.loudest = Math.max(this.loudest, Math.abs(sample));
    this.measured += block.length;
    if (this.measured >= LEVEL_SECONDS * sampleRate) {
      this.port.postMessage({ type: "level", level: this.loudest });
      this.measured = this.loudest = 0;
    }
    return !this.over;
  }
}

registerProcessor("call-playback", Playback);
