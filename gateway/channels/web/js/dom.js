// Building the page: elements with properties and children. Text is always text, never markup.

/** An element. `props`: `class`, `data` (dataset), `on` (listeners), else attributes or properties. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  append(node, children);
  return node;
}

function setProp(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "class") node.className = value;
  else if (name === "data") Object.assign(node.dataset, value);
  else if (name === "on") for (const [event, fn] of Object.entries(value)) node.addEventListener(event, fn);
  else if (name in node && !name.startsWith("aria-") && name !== "list" && name !== "form") node[name] = value;
  else node.setAttribute(name, value === true ? "" : String(value));
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Replace what an element holds, only where it differs in text or nodes; a node that stays keeps the focus. */
export function fill(node, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  if (wanted.length === 1 && !(wanted[0] instanceof Node)) {
    if (node.childElementCount || node.textContent !== String(wanted[0])) node.textContent = String(wanted[0]);
    return node;
  }
  for (const child of [...node.childNodes]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, at) => {
    const there = node.childNodes[at] ?? null;
    if (child !== there) node.insertBefore(child instanceof Node ? child : document.createTextNode(String(child)), there);
  });
  return node;
}

export const $ = (id) => document.getElementById(id);

/** A quiet button that looks like a link. */
export function link(text, onclick, props = {}) {
  return h("button", { type: "button", class: "link", ...props, on: { click: onclick } }, text);
}

/** A modal dialog that closes by Esc and gives the focus back. */
export function dialog(label, ...children) {
  const box = h("dialog", { class: "dialog", "aria-label": label }, ...children);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Whether keys typed here are text. */
export function isTyping(node) {
  return Boolean(node?.closest?.("textarea, select, input:not([type=checkbox]):not([type=radio]), [contenteditable]"));
}

/** Run a function at most once a frame. */
export function onFrame(fn) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    const run = () => {
      if (!asked) return;
      asked = false;
      fn();
    };
    if (document.hidden) setTimeout(run, 50);
    else requestAnimationFrame(run);
  };
}

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
