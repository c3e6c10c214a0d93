// The agent's voice as it is played: ordered by generation, flight and position, sample by sample.
// Knows no audio device: `render` fills blocks, `tell` is told what has been played.

const DUCKED = 10 ** (-15 / 20);
const RAMP_SECONDS = 0.02;
const REPORT_SECONDS = 0.04;
const LONGEST_SECONDS = 60;
/** What is left of the last sample, from one to the next, where the sound breaks off: no click. */
const FADING = 0.95;
const SILENT = 1e-4;

export class Playout {
  constructor(rate, tell) {
    this.rate = rate;
    this.tell = tell;
    this.streams = [];
    this.cleared = -1;
    this.newest = -1;
    this.sounds = new Map();
    this.gain = 1;
    this.residue = 0;
    this.latency = 0;
    this.lag = 0;
    this.reset();
  }

  reset() {
    this.reported = -1;
    this.reportedFlight = -1;
  }

  /** How long a rendered sample takes until it sounds. */
  setLatency(seconds) {
    this.latency = Math.max(0, Math.round(seconds * this.rate)) || 0;
    this.lag = Math.min(this.lag, this.latency);
  }

  // -- what comes

  /** Sound to be played. What is late, doubled or of an earlier flight is dropped. */
  take({ generation, flight, position, samples }) {
    if (generation <= this.cleared || generation < this.newest) return;
    const stream = this.streamOf(generation, flight, position);
    if (flight < stream.flight) return;
    if (flight > stream.flight) this.recalled(stream, flight, position);
    const skip = Math.max(0, stream.end - position);
    if (skip >= samples.length || stream.end - stream.position > LONGEST_SECONDS * this.rate) return;
    stream.chunks.push({ position: position + skip, samples: samples.subarray(skip) });
    stream.end = position + samples.length;
  }

  streamOf(generation, flight, position) {
    const known = this.streams.find((stream) => stream.generation === generation);
    if (known) return known;
    const made = { generation, flight, position, end: position, chunks: [] };
    this.newest = generation;
    this.streams.push(made);
    return made;
  }

  /** What was sent before and not played was taken back; it is sent anew. */
  recalled(stream, flight, position) {
    stream.flight = flight;
    stream.chunks.length = 0;
    stream.position = stream.end = Math.max(position, stream.position);
  }

  /** Quieter, held, or in full: from the next sample on. */
  sound(generation, sound) {
    if (generation > this.cleared) this.sounds.set(generation, sound);
  }

  /** Nothing of this generation or an earlier one is played any more. */
  clear(generation) {
    const stream = this.streams.find((one) => one.generation === generation);
    this.cleared = Math.max(this.cleared, generation);
    this.streams = this.streams.filter((one) => one.generation > this.cleared);
    for (const one of this.sounds.keys()) if (one <= this.cleared) this.sounds.delete(one);
    this.lag = 0;
    this.gain = 1;
    this.reset();
    this.tell({ type: "cleared", generation, position: stream?.position ?? 0 });
  }

  // -- what is played

  /** Fill a block; how many of its samples are the agent's voice. */
  render(block) {
    let at = 0;
    while (at < block.length) {
      const voiced = this.voice(block, at);
      if (!voiced) break;
      at += voiced;
    }
    for (let index = at; index < block.length; index += 1) {
      this.residue = Math.abs(this.residue) < SILENT ? 0 : this.residue * FADING;
      block[index] = this.residue;
    }
    this.sounding(at, block.length);
    this.report(at);
    return at;
  }

  /** Play on at the head, from `at` on; how many samples there were. */
  voice(block, at) {
    const stream = this.head();
    const sound = stream && this.sounds.get(stream.generation);
    if (!stream?.chunks.length || sound === "held") {
      if (sound === "held") this.gain = 0;
      return 0;
    }
    const chunk = stream.chunks[0];
    stream.position = Math.max(stream.position, chunk.position);
    const from = stream.position - chunk.position;
    const count = Math.min(block.length - at, chunk.samples.length - from);
    this.mix(block, at, chunk.samples, from, count, sound === "ducked" ? DUCKED : 1);
    stream.position += count;
    if (from + count >= chunk.samples.length) stream.chunks.shift();
    return count;
  }

  mix(block, at, samples, from, count, target) {
    const step = 1 / (RAMP_SECONDS * this.rate);
    for (let index = 0; index < count; index += 1) {
      if (this.gain !== target) this.gain = this.gain < target ? Math.min(target, this.gain + step) : Math.max(target, this.gain - step);
      this.residue = samples[from + index] * this.gain;
      block[at + index] = this.residue;
    }
  }

  /** The oldest generation that is not over: a later one begins when it was played to its end. */
  head() {
    while (this.streams.length > 1 && !this.streams[0].chunks.length) {
      this.lag = 0;
      this.report(0);
      const { generation } = this.streams.shift();
      this.sounds.delete(generation);
      this.gain = this.sounds.get(this.streams[0].generation) === "ducked" ? DUCKED : 1;
      this.reset();
    }
    return this.streams[0];
  }

  /** The rendered samples that don't sound yet. */
  sounding(voiced, length) {
    if (voiced) this.lag = Math.min(this.latency, this.lag + voiced);
    else this.lag = Math.max(0, this.lag - length);
  }

  /** Every 40 ms what has sounded; once more when it stands still. */
  report(voiced) {
    const stream = this.streams[0];
    if (!stream) return;
    const position = stream.position - this.lag;
    const due = position - this.reported >= REPORT_SECONDS * this.rate;
    const still = !voiced && !this.lag && (position > this.reported || stream.flight !== this.reportedFlight);
    if (position <= 0 || (!due && !still)) return;
    this.reported = position;
    this.reportedFlight = stream.flight;
    this.tell({ type: "played", generation: stream.generation, flight: stream.flight, position });
  }
}
