// Small words: how a run ended, what became of a message, who decided and how.
import { has, moment, t } from "./i18n.js";
import { toJson } from "./json.js";

/** How a run ended, in a few words. */
export function endText(item) {
  if (item.error) return item.errorId ? t("failedId", { id: item.errorId }) : t("failed");
  if (item.reason === "USER_SIGINT") return item.by === "you" ? t("stoppedByYou") : t("stoppedBy", { name: item.by });
  return has(`end_${item.reason}`) ? t(`end_${item.reason}`) : t("ended");
}

/** What became of a message. */
export function labelText(label) {
  if (label.text) return label.text;
  return has(label.key) ? t(label.key) : t(label.otherwise ?? label.key);
}

/** What a decided question says: the answer. */
export function answerText(card) {
  if (card.status === "approved") return t(card.asks === "plan" ? "agreed" : "approved");
  if (card.status === "denied") return card.value?.reason ? t("deniedBecause", { reason: card.value.reason }) : t("denied");
  if (card.status === "expired") return t("nobodyAnswered");
  if (card.status === "cancelled") return t(has(`closed_${card.how}`) ? `closed_${card.how}` : "closed");
  if (card.understood) return card.understood;
  return typeof card.value === "string" ? card.value : toJson(card.value ?? null);
}

/** By whom, how and when it was decided. */
export function decidedBy(card, me) {
  const how = has(`how_${card.how}`) ? t(`how_${card.how}`) : "";
  const who = card.by ? (card.by === me ? t("you") : card.by) : "";
  return [who, how, card.decidedAt ? moment(card.decidedAt) : ""].filter(Boolean).join(" · ");
}
