// Above the conversation: the server is gone, who may not enter, a newer page.
import { $, fill, h, link } from "./dom.js";
import { span, t } from "./i18n.js";
import { WELCOME } from "./link.js";
import { say } from "./say.js";

const PATIENCE_MS = 600;
/** How long after a question that got no answer it is asked again. */
const AGAIN_MS = 2000;
/** What a page can't go on from, but by being opened anew. */
const ANEW = new Set(["PROTOCOL_VERSION_UNKNOWN", "PRINCIPAL_CHANGED"]);

const reload = () => link(t("reload"), () => location.reload());

/** What the server says of itself and of who asks: { ok, answer }; null where it says nothing. */
async function me() {
  try {
    const response = await fetch("/me", { cache: "no-store", signal: AbortSignal.timeout(WELCOME) });
    return response.status >= 500 ? null : { ok: response.ok, answer: await response.json() };
  } catch {
    return null;
  }
}

export class Banner {
  constructor(line, start) {
    this.line = line;
    this.start = start;
    this.kind = null;
    this.error = null;
    this.node = $("banner");
  }

  /** Who this is and which agent answers; null where nobody is let in or no server is there. */
  async facts() {
    const facts = await me();
    if (!facts) {
      this.show("noServer");
      setTimeout(() => this.start(), AGAIN_MS);
      return null;
    }
    if (this.kind === "noServer") this.show(null);
    return this.letIn(facts);
  }

  letIn({ ok, answer }) {
    if (ok) return answer;
    this.error = answer;
    this.show("notLetIn");
    return null;
  }

  state(open) {
    clearTimeout(this.timer);
    if (open && this.kind === "gone") this.show(null);
    else if (!open && !this.kind) this.timer = setTimeout(() => !this.line.ready && !this.kind && this.show("gone"), PATIENCE_MS);
  }

  /** The server is back: it may have brought a newer page. */
  async back(build) {
    if (this.boot === this.line.boot) return;
    const first = !this.boot;
    this.boot = this.line.boot;
    if (!first) await this.compare(build);
  }

  /** Ask until the server has said which page it brings. */
  async compare(build) {
    clearTimeout(this.comparing);
    const facts = await me();
    if (!facts) this.comparing = setTimeout(() => this.compare(build), AGAIN_MS);
    else if (this.letIn(facts) && facts.answer.build !== build) this.show("newer");
  }

  refused(data, elsewhere) {
    this.error = { ...data, elsewhere };
    this.show("refused");
  }

  show(kind) {
    this.kind = kind;
    this.shown = "";
    document.body.classList.toggle("shut", kind === "notLetIn");
    this.draw();
    if (kind) say(this.node.textContent);
  }

  draw() {
    const seconds = this.kind === "gone" ? Math.round(this.line.goneSeconds) : 0;
    const key = `${this.kind}${seconds}${document.documentElement.lang}`;
    if (key === this.shown) return;
    this.shown = key;
    this.node.hidden = !this.kind;
    this.node.dataset.kind = this.kind ?? "";
    fill(this.node, ...this.words());
  }

  words() {
    if (this.kind === "gone") return [t("gone", { span: span(this.line.goneSeconds) })];
    if (this.kind === "noServer") return [t("noServer")];
    if (this.kind === "newer") return [t("newer"), " ", reload()];
    if (this.kind === "notLetIn") return [t("notLetIn")];
    if (this.kind !== "refused") return [];
    const { code, text, params, elsewhere } = this.error;
    const id = params?.errorId ? ` (${params.errorId})` : "";
    const words = t(`refused_${code}`) === `refused_${code}` ? `${text || code}${id}` : t(`refused_${code}`);
    if (ANEW.has(code)) return [words, " ", reload()];
    return [words, " ", elsewhere ? h("a", { href: "#", on: { click: () => this.show(null) } }, t("toOwnThread")) : null];
  }
}
