// What became of a message, as the small line below it says.

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
