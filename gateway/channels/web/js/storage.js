// What the browser keeps: over a reload, or (`session`) in this tab. Where it refuses, since its storage
// is blocked or full, this page keeps it for as long as it is open.
class Kept {
  constructor(opened) {
    this.memory = new Map();
    try {
      this.storage = opened();
    } catch {
      this.storage = null;
    }
  }

  get(key) {
    return this.memory.get(key) ?? this.storage?.getItem(key) ?? null;
  }

  set(key, text) {
    this.remove(key);
    try {
      this.storage.setItem(key, text);
    } catch {
      this.memory.set(key, text);
    }
  }

  remove(key) {
    this.memory.delete(key);
    this.storage?.removeItem(key);
  }

  /** What was kept, which is kept no longer. */
  take(key) {
    const text = this.get(key);
    this.remove(key);
    return text;
  }

  /** Keys that begin so. */
  keys(start) {
    const stored = this.storage ? Object.keys(this.storage) : [];
    return [...this.memory.keys(), ...stored].filter((key) => key.startsWith(start));
  }
}

export const local = new Kept(() => localStorage);
export const session = new Kept(() => sessionStorage);

/** Keep a value; what was written. */
export function remember(key, value, kept = local) {
  const written = JSON.stringify(value);
  kept.set(key, written);
  return written;
}

/** A kept value; `otherwise` where there is none, or what another version wrote. */
export function recall(written, otherwise = null) {
  try {
    return JSON.parse(written) ?? otherwise;
  } catch {
    return otherwise;
  }
}
