// The worklet at the microphone: 16 kHz PCM16 in numbered frames of 20 ms.
import { Resampler } from "./resampler.js";

const RATE = 16000;
const FRAME = 320;

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.resampler = new Resampler(sampleRate, RATE);
    this.frame = new Int16Array(FRAME);
    this.filled = 0;
    this.first = 0;
    this.loudest = 0;
    this.open = true;
    this.port.onmessage = ({ data }) => {
      if (data.type === "open") this.open = data.open;
      else if (data.type === "end") this.over = true;
    };
  }

  process([input]) {
    const samples = input[0] ?? new Float32Array(128);
    for (const sample of this.resampler.apply(samples)) this.take(this.open ? sample : 0);
    return !this.over;
  }

  take(sample) {
    this.loudest = Math.max(this.loudest, Math.abs(sample));
    this.frame[this.filled] = Math.round(Math.max(-1, Math.min(1, sample)) * 32767);
    this.filled += 1;
    if (this.filled < FRAME) return;
    const { frame, first, loudest } = this;
    this.port.postMessage({ first, pcm: frame.buffer, level: loudest }, [frame.buffer]);
    this.frame = new Int16Array(FRAME);
    this.first += FRAME;
    this.filled = this.loudest = 0;
  }
}

registerProcessor("call-capture", Capture);
