// Sharing a conversation by a link, where people have names of their own.
import { $, dialog, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { WELCOME } from "./link.js";

const PAUSE = 2000;

/** Show the button to the owner. */
export function offerShare(app) {
  const { meta, me } = app.thread;
  const button = $("share");
  button.hidden = !(app.facts.sharing && meta.owner === me && meta.title);
  button.textContent = t(meta.private ? "share" : "shared");
  button.onclick = () => open(app);
}

async function open(app) {
  const thread = app.current;
  const box = dialog(t("share"), h("h2", {}, t("share")), h("p", {}, t("shareText")));
  const place = h("div", {});
  box.append(place);
  const failed = (error) => fill(place, h("p", { class: "problem" }, error.text || error.code));
  const make = async () => {
    try {
      const { key } = await app.link.call("threads.share", { thread });
      const address = `${location.origin}/?join=${encodeURIComponent(thread)}&key=${key}`;
      const field = h("input", { type: "text", readOnly: true, value: address, "aria-label": t("shareLink") });
      fill(place, h("div", { class: "field" }, field, h("small", {}, t("shareAgain"))));
      field.select();
      app.link.refresh();
    } catch (error) {
      failed(error);
    }
  };
  const end = async () => {
    try {
      await app.link.call("threads.unshare", { thread });
      app.link.refresh();
      box.close();
    } catch (error) {
      failed(error);
    }
  };
  const button = (words, fn) => h("button", { type: "button", class: "option", on: { click: fn } }, words);
  box.append(h("div", { class: "options" }, button(t("shareMake"), make), app.thread.meta.private ? null : button(t("shareEnd"), end), button(t("close"), () => box.close())));
}

/** A link to a shared conversation was opened: become a member, then look at it. */
export async function joinShared(app) {
  const query = new URLSearchParams(location.search);
  const thread = query.get("join");
  if (!thread) return;
  history.replaceState(null, "", `/#${encodeURIComponent(thread)}`);
  while (!(await asked(thread, query.get("key") ?? ""))) {
    if (!app.banner.kind) app.banner.show("noServer");
    await new Promise((go) => setTimeout(go, PAUSE));
  }
  if (app.banner.kind) app.banner.show(null);
}

/** Ask to become a member; whether the server has answered, whatever it said. */
async function asked(thread, key) {
  const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
  const answered = await new Promise((resolve) => {
    const send = (frame) => socket.send(JSON.stringify(frame));
    socket.onopen = () => send({ type: "hello", v: 1, language: "en" });
    socket.onmessage = (event) => {
      const { type } = JSON.parse(event.data);
      if (type === "welcome") send({ type: "call", id: "join", method: "threads.join", params: { thread, key } });
      else if (type === "result" || type === "error") resolve(true);
    };
    socket.onclose = () => resolve(false);
    setTimeout(() => resolve(false), WELCOME);
  });
  socket.close();
  return answered;
}
