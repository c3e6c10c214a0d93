// The conversations at the left: which there are, which wait for an answer.
import { $, dialog, fill, h, link, newId } from "./dom.js";
import { moment, t } from "./i18n.js";

const SOON_MS = 100;

export class Threads {
  constructor(actions) {
    this.actions = actions;
    this.node = $("threads");
    this.lines = [];
    this.waiting = new Map();
    this.failed = false;
    $("threads-toggle").addEventListener("click", () => this.toggle());
    $("backdrop").addEventListener("click", () => this.toggle(false));
  }

  /** The server said that the list is another; several such words in a row are asked about once. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), SOON_MS);
  }

  async refresh() {
    const asked = (this.asked = {});
    try {
      const [lines, pauses] = await Promise.all([this.actions.call("threads.list"), this.actions.call("pauses.list")]);
      if (asked !== this.asked) return;
      this.lines = lines;
      this.waiting = new Map();
      for (const pause of pauses) this.waiting.set(pause.thread, (this.waiting.get(pause.thread) ?? 0) + 1);
    } catch {
      return;
    }
    const line = this.lines.find((one) => one.thread === this.actions.thread());
    if (line?.title) this.actions.titled(line.title);
    this.draw();
  }

  draw() {
    const here = this.actions.thread();
    const shown = this.lines.filter((line) => line.title || line.thread === here).map((line) => ({ ...line }));
    if (!shown.some((line) => line.thread === here)) shown.unshift({ thread: here, title: "" });
    for (const line of shown) if (line.thread === here) line.title ||= this.actions.title();
    const key = JSON.stringify([shown, [...this.waiting], here, document.documentElement.lang]);
    if (key === this.shown) return;
    this.shown = key;
    fill(
      this.node,
      h("button", { type: "button", class: "new", on: { click: () => this.make() } }, t("newThread")),
      h("ul", {}, shown.map((line) => h("li", {}, this.line(line, line.thread === here)))),
    );
    this.actions.counted();
  }

  line(line, here) {
    const count = this.waiting.get(line.thread);
    const owner = line.owner && line.owner !== this.actions.me() ? h("span", { class: "size" }, line.owner) : null;
    const open = h(
      "a",
      { href: `#${encodeURIComponent(line.thread)}`, class: "thread", "aria-current": here ? "page" : null, title: line.createdAt ? moment(line.createdAt) : "", on: { click: () => this.toggle(false) } },
      h("span", { class: "thread-title" }, line.title || t("emptyThread")),
      owner,
      count ? h("span", { class: "badge", "aria-label": t("waitingCount", { count }) }, count) : null,
    );
    const own = line.owner === this.actions.me() && line.title;
    return [open, own ? link("×", () => this.remove(line), { class: "link remove", "aria-label": t("deleteThread", { title: line.title }) }) : null];
  }

  /** Questions that wait for this person, on all threads. */
  get count() {
    return [...this.waiting.values()].reduce((sum, count) => sum + count, 0);
  }

  get firstElsewhere() {
    return [...this.waiting.keys()].find((thread) => thread !== this.actions.thread());
  }

  make() {
    location.hash = encodeURIComponent(`${this.actions.home()}:${newId().slice(0, 10)}`);
    this.toggle(false);
    this.actions.focusComposer();
  }

  remove(line) {
    const gone = async () => {
      box.close();
      await this.actions.call("threads.delete", { thread: line.thread });
      if (line.thread === this.actions.thread()) this.make();
      this.refresh();
    };
    const box = dialog(
      t("deleteThread", { title: line.title }),
      h("h2", {}, t("deleteThread", { title: line.title })),
      h("p", {}, t("deleteForGood")),
      h("div", { class: "options" }, h("button", { type: "button", class: "option", on: { click: gone } }, t("delete")), h("button", { type: "button", class: "option", autofocus: true, on: { click: () => box.close() } }, t("leaveIt"))),
    );
  }

  toggle(open = !document.body.classList.contains("threads-open")) {
    document.body.classList.toggle("threads-open", open);
    $("threads-toggle").setAttribute("aria-expanded", String(open));
    $("backdrop").hidden = !open;
    if (open) this.node.querySelector("a, button")?.focus();
  }
}
