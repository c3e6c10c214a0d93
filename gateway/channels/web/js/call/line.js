// The line of a call: one WebSocket for both voices; connects again and goes on with the same call.

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2000;
/** A line that is gone for so long is over. */
const GIVE_UP = 30000;
/** A line that has said nothing for so long since it was asked for is lost. */
const FIRST_FRAME = 8000;
/** So is an open one, to which the server says something each 1.5 s: soon enough for a reply to be spoken on. */
const SILENCE = 5000;
/** Sound that the network doesn't take is dropped, not played later. */
const BEHIND_BYTES = 64 * 1024;

export class CallLine {
  /** `on`: { frame, sound, lost, over } */
  constructor(thread, language, on) {
    this.thread = thread;
    this.language = language;
    this.on = on;
    this.id = "";
    this.pause = FIRST_PAUSE;
    this.goneSince = 0;
    this.closed = false;
    this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  get goneSeconds() {
    return this.goneSince ? (Date.now() - this.goneSince) / 1000 : 0;
  }

  connect() {
    this.leave();
    const query = new URLSearchParams({ thread: this.thread, language: this.language, ...(this.id && { call: this.id }) });
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/call?${query}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.expect(FIRST_FRAME);
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(data);
    socket.onclose = () => socket === this.socket && this.lost();
  }

  /** Something from the server in time, or the line is lost since now. */
  expect(within) {
    const since = Date.now();
    clearTimeout(this.late);
    this.late = setTimeout(() => this.lost(since), within);
  }

  /** Nothing of the socket that was there counts any more. */
  leave() {
    clearTimeout(this.late);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  receive(data) {
    this.expect(SILENCE);
    if (typeof data !== "string") return this.on.sound(soundOf(data));
    const frame = JSON.parse(data);
    if (frame.type === "ready" || frame.type === "loading") {
      this.pause = FIRST_PAUSE;
      this.goneSince = 0;
    }
    if (frame.type === "ready") this.id = frame.call;
    if (frame.type === "bye") return this.end(frame.reason);
    this.on.frame(frame);
  }

  lost(since = Date.now()) {
    if (this.closed) return;
    this.leave();
    this.goneSince ||= since;
    if (Date.now() - this.goneSince > GIVE_UP) return this.end("lost");
    this.on.lost();
    this.timer = setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(this.pause * 1.6, LONGEST_PAUSE);
  }

  /** Try at once: the network is back. */
  retry() {
    if (this.closed || !this.goneSince || this.open) return;
    clearTimeout(this.timer);
    this.connect();
  }

  end(reason) {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    this.leave();
    this.on.over(reason);
  }

  // -- sending

  tell(type, data = {}) {
    if (this.open) this.socket.send(JSON.stringify({ type, ...data }));
  }

  /** A frame of the microphone; `first` is the number of its first sample. */
  speak(first, pcm) {
    if (!this.open || this.socket.bufferedAmount > BEHIND_BYTES) return;
    const frame = new ArrayBuffer(4 + pcm.byteLength);
    new DataView(frame).setUint32(0, first, true);
    new Uint8Array(frame, 4).set(new Uint8Array(pcm));
    this.socket.send(frame);
  }

  hangUp() {
    this.tell("bye");
    this.end("hungUp");
  }
}

/** The agent's voice as it comes: where it belongs, and its samples. */
function soundOf(data) {
  const view = new DataView(data);
  const pcm = new Int16Array(data, 12);
  const samples = Float32Array.from(pcm, (sample) => sample / 32768);
  return { generation: view.getUint32(0, true), flight: view.getUint32(4, true), position: view.getUint32(8, true), samples };
}
