// What the browser keeps over a reload: what was typed and the server hasn't confirmed, drafts.
const KEPT = "bargein:unsent:";

export function keep(id, entry) {
  remember(KEPT + id, entry);
}

export function unkeep(id) {
  localStorage.removeItem(KEPT + id);
}

/** What this person has typed that is not confirmed, oldest first: [id, entry]. */
export function kept(principal) {
  const found = [];
  for (let index = 0; index < localStorage.length; index += 1) {
    const key = localStorage.key(index);
    if (!key.startsWith(KEPT)) continue;
    try {
      const entry = JSON.parse(localStorage.getItem(key));
      if (entry.principal === principal) found.push([key.slice(KEPT.length), entry]);
    } catch {
      localStorage.removeItem(key);
    }
  }
  return found.sort((a, b) => a[1].at - b[1].at);
}

/** Keep a value over a reload; what was written. */
export function remember(key, value, storage = localStorage) {
  const written = JSON.stringify(value);
  try {
    storage.setItem(key, written);
  } catch {
    // The browser's storage is full: it stays in this page's memory.
  }
  return written;
}
