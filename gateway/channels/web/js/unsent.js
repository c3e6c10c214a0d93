// What was typed and the server hasn't confirmed: it is kept over a reload.
import { local, recall, remember } from "./storage.js";

const KEPT = "bargein:unsent:";

export function keep(id, entry) {
  remember(KEPT + id, entry);
}

export function unkeep(id) {
  local.remove(KEPT + id);
}

/** What this person has typed that is not confirmed, oldest first: [id, entry]. */
export function kept(principal) {
  const found = [];
  for (const key of local.keys(KEPT)) {
    const entry = recall(local.get(key));
    if (!entry?.frame) local.remove(key);
    else if (entry.principal === principal) found.push([key.slice(KEPT.length), entry]);
  }
  return found.sort((a, b) => a[1].at - b[1].at);
}
