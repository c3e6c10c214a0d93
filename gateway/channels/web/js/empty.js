// An empty thread: five things to try with the demo agent, and what comes next in each.
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

const OFFERS = ["interrupt", "correct", "ask", "approve"];

/** What stands in a thread in which nothing was said yet. */
export function emptyThread(facts, start) {
  if (!facts.demo) return h("div", { class: "empty", id: "empty" }, h("h2", {}, t("emptyOwnTitle")), h("p", {}, t("emptyOwn")));
  return h(
    "div",
    { class: "empty", id: "empty" },
    h("h2", {}, t("emptyTitle")),
    h("p", {}, t("emptyText")),
    h(
      "ul",
      { class: "offers" },
      [...OFFERS, facts.voice ? "talk" : "kill"].map((name) => h("li", {}, h("button", { type: "button", class: "offer", data: { offer: name }, on: { click: () => start(name) } }, h("strong", {}, t(`offer_${name}`)), h("span", {}, t(`offer_${name}_what`)), h("q", {}, t(`offer_${name}_say`))))),
    ),
    h("p", { class: "honest" }, facts.model ? t("honestModel", { model: facts.model }) : t("honest")),
  );
}

/** What to do next in an offer that was taken up, until it is done or put away. */
export function drawTip(node, name, put, close) {
  node.hidden = !name;
  if (!name) return fill(node, "");
  const next = t(`offer_${name}_next`);
  return fill(
    node,
    h("span", {}, t(`offer_${name}_tip`)),
    next ? h("button", { type: "button", class: "link next", on: { click: () => put(next) } }, next) : null,
    h("button", { type: "button", class: "link", "aria-label": t("putAway"), on: { click: close } }, "×"),
  );
}
