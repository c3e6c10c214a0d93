// Microphone and loudspeaker of a call. What goes wrong with the microphone has a name.

const ASKED = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
const LOOK_MS = 1000;

/** The microphone is let go. */
function release(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Why there is no microphone: `insecure`, `refused`, `missing`, `taken`, `broken`. */
export class NoMicrophone extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

const WHY = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing", OverconstrainedError: "missing", NotReadableError: "taken", AbortError: "taken" };

export class Sound {
  /** `on`: { frame, report, unplugged, plays } */
  constructor(on) {
    this.on = on;
    this.parts = [];
    this.callerLevel = this.agentLevel = this.asked = 0;
  }

  /** Ask for the microphone and listen to it. Asked again, the last one counts. */
  async listen() {
    if (!navigator.mediaDevices?.getUserMedia) throw new NoMicrophone("insecure");
    this.asked += 1;
    const turn = this.asked;
    const late = () => this.closed || turn !== this.asked;
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: ASKED });
    } catch (error) {
      throw new NoMicrophone(WHY[error.name] ?? "broken");
    }
    if (late()) return release(stream);
    this.endCapture();
    release(this.stream);
    this.stream = stream;
    stream.getAudioTracks()[0].addEventListener("ended", () => late() || this.on.unplugged());
    const context = await this.context("capture", {});
    if (late()) return;
    this.capture = new AudioWorkletNode(context, "call-capture", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    this.capture.port.onmessage = ({ data }) => {
      this.callerLevel = Math.max(this.callerLevel * 0.7, data.level);
      this.on.frame(data.first, data.pcm);
    };
    context.createMediaStreamSource(stream).connect(this.capture);
  }

  /** Get ready to play sound of `rate`. */
  async play(rate) {
    if (this.rate === rate) return;
    this.rate = rate;
    this.stopPlaying();
    const context = await this.context("playback", { sampleRate: rate, latencyHint: "interactive" });
    if (this.closed) return;
    this.playback = new AudioWorkletNode(context, "call-playback", { numberOfInputs: 0, outputChannelCount: [1] });
    this.playback.port.onmessage = ({ data }) => {
      if (data.type === "level") this.agentLevel = data.level;
      else this.on.report(data);
    };
    this.playback.connect(context.destination);
    const latency = () => this.playback.port.postMessage({ type: "latency", seconds: (context.outputLatency || 0) + (context.baseLatency || 0) });
    latency();
    this.timer = setInterval(() => {
      latency();
      this.on.plays(context.state === "running");
    }, LOOK_MS);
    for (const message of this.early ?? []) this.send(message);
    this.early = null;
  }

  /** Let everything run: the person has pressed something, as browsers want it before sound. */
  async resume() {
    for (const { context } of this.parts) await context.resume();
  }

  endCapture() {
    if (!this.capture) return;
    this.capture.port.onmessage = null;
    this.capture.port.postMessage({ type: "end" });
    this.capture = null;
  }

  stopPlaying() {
    clearInterval(this.timer);
    this.playback?.port.postMessage({ type: "end" });
    this.playback?.disconnect();
    this.playback = null;
  }

  async context(name, options) {
    const context = new AudioContext(options);
    const loaded = context.audioWorklet.addModule(`/js/call/${name}.js`);
    this.parts.push({ context, loaded });
    context.onstatechange = () => ["suspended", "interrupted"].includes(context.state) && context.resume();
    await loaded;
    if (context.state === "suspended") context.resume();
    return context;
  }

  /** A message to the player; sound goes over without a copy. */
  send(message) {
    if (!this.playback) return (this.early ??= []).push(message);
    this.playback.port.postMessage(message, message.samples ? [message.samples.buffer] : []);
  }

  /** Whether the microphone's sound leaves; closed it is silence. */
  open(open) {
    this.capture?.port.postMessage({ type: "open", open });
    if (!open) this.callerLevel = 0;
  }

  close() {
    this.closed = true;
    this.stopPlaying();
    release(this.stream);
    this.endCapture();
    for (const { context, loaded } of this.parts.splice(0)) loaded.finally(() => context.close());
  }
}
