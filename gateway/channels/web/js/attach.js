// Pictures and files on their way with a message.
import { fill, h, link } from "./dom.js";
import { bytes, currentLanguage, t } from "./i18n.js";

let limit = 10 * 1024 * 1024;
export const setLimit = (size) => (limit = size);

export class Attachments {
  /** `who` names the person whose page this is. */
  constructor(node, changed, who) {
    this.node = node;
    this.changed = changed;
    this.who = who;
    this.drafts = new Map();
    this.files = [];
    addEventListener("online", () => this.again());
  }

  get empty() {
    return !this.files.length;
  }

  get busy() {
    return this.files.some((file) => !file.kept);
  }

  /** One of them is on its way. */
  get comes() {
    return this.files.some((file) => !file.kept && !file.problem);
  }

  /** What the server has of them. */
  get kept() {
    return this.files.filter((one) => one.kept).map((one) => one.kept);
  }

  /** Another draft: its own files, as this page has them or as they were `kept`. Files that came before the first one was known go there. */
  open(draft, kept) {
    const early = this.draft ? [] : this.files;
    if (!this.drafts.has(draft)) this.drafts.set(draft, kept.map((one) => ({ name: one.name, size: one.sizeBytes, problem: "", kept: one })));
    this.draft = draft;
    this.files = this.drafts.get(draft);
    for (const one of early) this.push(one);
    this.draw();
  }

  put(files) {
    this.files = files;
    this.drafts.set(this.draft, files);
    this.draw();
  }

  add(files) {
    for (const file of files) {
      const one = { file, name: file.name, size: file.size, problem: file.size > limit ? t("tooLarge", { size: bytes(limit) }) : "" };
      this.push(one);
    }
    this.draw();
  }

  push(one) {
    this.files.push(one);
    if (!one.problem && this.draft) this.upload(one);
  }

  again() {
    for (const one of this.files) if (one.retry) this.upload(one);
  }

  async upload(one) {
    one.problem = "";
    one.retry = false;
    try {
      const response = await fetch(`/files?name=${encodeURIComponent(one.name)}&as=${encodeURIComponent(this.who())}`, { method: "POST", body: one.file, headers: { "Content-Type": "application/octet-stream", "Accept-Language": currentLanguage() } });
      const answer = await response.json();
      if (response.ok) one.kept = answer;
      else {
        one.problem = answer.text || answer.code;
        one.retry = true;
      }
    } catch {
      one.problem = t("notUploaded");
      one.retry = true;
    }
    this.draw();
  }

  /** What goes with the message; the list is empty after it. */
  take() {
    const { kept } = this;
    this.put([]);
    return kept;
  }

  draw() {
    fill(
      this.node,
      this.files.map((one) =>
        h(
          "span",
          { class: `chip${one.problem ? " wrong" : ""}` },
          one.name,
          h("span", { class: "size" }, one.problem || (one.kept ? bytes(one.size) : t("uploading"))),
          one.retry ? link(t("again"), () => this.upload(one)) : null,
          link("×", () => this.drop(one), { "aria-label": t("removeFile", { name: one.name }) }),
        ),
      ),
    );
    this.changed();
  }

  drop(one) {
    this.put(this.files.filter((other) => other !== one));
  }
}
