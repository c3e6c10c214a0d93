// Another sample rate, as the sound comes: a windowed sinc in phases.

const ZEROS = 12;
const PHASES = 256;
const PASS = 0.92;

export class Resampler {
  constructor(from, to) {
    this.step = from / to;
    const cutoff = Math.min(1, to / from) * PASS;
    this.half = Math.ceil(ZEROS / cutoff);
    this.taps = 2 * this.half;
    this.kernels = kernels(cutoff, this.half);
    this.held = new Float32Array(this.taps);
    this.at = this.half;
  }

  /** What the samples make together with those before. */
  apply(samples) {
    const all = new Float32Array(this.held.length + samples.length);
    all.set(this.held);
    all.set(samples, this.held.length);
    const made = [];
    while (this.at + this.half < all.length) {
      made.push(this.sample(all));
      this.at += this.step;
    }
    const done = Math.max(0, Math.floor(this.at) - this.half);
    this.held = all.slice(done);
    this.at -= done;
    return Float32Array.from(made);
  }

  sample(all) {
    const whole = Math.floor(this.at);
    const kernel = this.kernels[Math.round((this.at - whole) * PHASES)];
    const first = whole - this.half + 1;
    let sum = 0;
    for (let tap = 0; tap < this.taps; tap += 1) sum += all[first + tap] * kernel[tap];
    return sum;
  }
}

/** For each place between two samples the weights of those around it; together they are one. */
function kernels(cutoff, half) {
  return Array.from({ length: PHASES + 1 }, (_, phase) => {
    const kernel = Float64Array.from({ length: 2 * half }, (__, tap) => weight(tap - half + 1 - phase / PHASES, cutoff, half));
    const sum = kernel.reduce((total, one) => total + one, 0);
    return kernel.map((one) => one / sum);
  });
}

function weight(distance, cutoff, half) {
  if (Math.abs(distance) >= half) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / half);
  const turn = Math.PI * cutoff * distance;
  return window * cutoff * (turn === 0 ? 1 : Math.sin(turn) / turn);
}
