// What became of a message, as the small line below it says.

/** Whether a person's later message says the words of an earlier one that was not taken: it was sent
 *  again, and stands once.
 */
export function sentAgain(earlier, later) {
  return earlier.text === later.text && later.seq > earlier.seq && ["returned", "refused", "dropped"].includes(earlier.outcome);
}

/** How a message's line below it reads. */
export function outcomeOf(data) {
  if (!data.outcome) return { state: data.state === "running" ? "running" : "taken", label: null };
  return { state: data.outcome, label: labelOf(data) };
}

function labelOf({ outcome, detail }) {
  if (outcome === "steered") return { key: "joined" };
  if (outcome === "merged") return { key: "merged" };
  if (outcome === "returned") return { key: detail === "DROPPED_BY_PERSON" ? "dropped" : "notSent", again: true };
  if (outcome === "dropped") return { key: "queueFull", again: true };
  if (outcome === "refused") return { key: `refused_${detail}`, otherwise: "notTaken", again: true };
  return null;
}

/** What a call's item is once the call has returned. */
export function returned(data) {
  return { state: "returned", content: data.content, error: data.error, tookMs: data.metadata?.took_ms };
}
