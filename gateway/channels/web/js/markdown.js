// Markdown as elements: paragraphs, headings, lists, quotes, code, emphasis, links to http(s).
// Built from text nodes alone; what is no markup stays the text it is.
import { h } from "./dom.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)\s*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*$/;
const ITEM = /^(\s*)(?:([-*•])|(\d{1,9})[.)])\s+(\S.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const INLINE = new RegExp(
  [
    "\\\\([!-/:-@\\[-`{-~])", // escaped
    "(`+)([^`]|[^`][^]*?[^`])\\2(?!`)", // code
    "\\*\\*(?=\\S)([^]*?\\S)\\*\\*", // bold
    "(?<![\\w*])\\*(?=[^\\s*])([^*]*?[^\\s*\\\\])\\*(?![\\w*])", // italic
    "(?<!\\w)_(?=[^\\s_])([^_]*?[^\\s_])_(?!\\w)", // italic
    "\\[([^\\[\\]\\n]{1,300})\\]\\((https?:\\/\\/[^\\s()<>]+(?:\\([^\\s()<>]*\\)[^\\s()<>]*)*)\\)", // link
    "(https?:\\/\\/[^\\s<>\"'`]+[^\\s<>\"'`.,;:!?)\\]}»”])", // bare address
  ].join("|"),
  "g",
);

/** The blocks of a text: { kind, source, … }; equal sources draw equal elements. */
export function blocksOf(text) {
  const blocks = [];
  let open = null;
  const close = () => {
    if (open) blocks.push(open);
    open = null;
  };
  const into = (kind, line, more = {}) => {
    if (open?.kind !== kind || more.fresh) {
      close();
      open = { kind, lines: [], ...more };
    }
    open.lines.push(line);
  };
  for (const line of text.split("\n")) {
    if (open?.kind === "code") {
      if (line.trim() === open.fence) {
        open.closed = true;
        close();
      } else open.lines.push(line);
      continue;
    }
    const fence = FENCE.exec(line);
    if (fence) {
      close();
      open = { kind: "code", lines: [], fence: fence[1], language: fence[2] };
      continue;
    }
    if (!line.trim()) {
      if (open?.kind !== "list") close();
      else open.gap = true;
      continue;
    }
    const item = ITEM.exec(line);
    const heading = HEADING.exec(line);
    const quote = QUOTE.exec(line);
    if (heading) into("heading", heading[2], { fresh: true });
    else if (item) into("list", line, { fresh: open?.kind === "list" && open.ordered !== Boolean(item[3]), ordered: Boolean(item[3]), start: item[3] });
    else if (open?.kind === "list" && !open.gap && /^\s{2,}\S/.test(line)) open.lines.push(line);
    else if (quote && (quote[1] || open?.kind === "quote")) into("quote", quote[1]);
    else into("text", line, { fresh: open?.kind === "list" });
  }
  close();
  for (const block of blocks) block.source = `${block.kind}|${block.ordered ?? ""}|${block.lines.join("\n")}`;
  return blocks;
}

/** Draw a text into an element, keeping the blocks that didn't change. */
export function draw(node, text) {
  const blocks = blocksOf(text);
  const before = node.blocks ?? [];
  let same = 0;
  while (same < blocks.length && same < before.length && before[same] === blocks[same].source) same += 1;
  while (node.childElementCount > same) node.lastElementChild.remove();
  for (const block of blocks.slice(same)) node.append(drawBlock(block));
  node.blocks = blocks.map((block) => block.source);
}

function drawBlock(block) {
  if (block.kind === "code") return h("pre", {}, h("code", { data: { language: block.language } }, block.lines.join("\n")));
  if (block.kind === "list") return drawList(block);
  if (block.kind === "heading") return h("p", { class: "heading" }, inline(block.lines[0]));
  if (block.kind === "quote") return h("blockquote", {}, inline(block.lines.join("\n")));
  return h("p", {}, inline(block.lines.join("\n")));
}

function drawList(block) {
  const list = h(block.ordered ? "ol" : "ul", block.ordered && block.start !== "1" ? { start: Number(block.start) } : {});
  for (const line of block.lines) {
    const item = ITEM.exec(line);
    if (item) list.append(h("li", { class: item[1].length > 1 ? "deeper" : undefined }, inline(item[4])));
    else list.lastElementChild?.append("\n", ...inline(line.trim()));
  }
  return list;
}

function inline(text, depth = 0) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index < at) continue;
    if (found.index > at) nodes.push(document.createTextNode(text.slice(at, found.index)));
    nodes.push(drawInline(found, depth));
    at = found.index + found[0].length;
  }
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

function drawInline([whole, escaped, , code, bold, star, underscore, label, target, bare], depth) {
  if (escaped !== undefined) return document.createTextNode(escaped);
  if (code !== undefined) return h("code", {}, code);
  const inner = (text) => (depth < 3 ? inline(text, depth + 1) : text);
  if (bold !== undefined) return h("strong", {}, inner(bold));
  if (star !== undefined || underscore !== undefined) return h("em", {}, inner(star ?? underscore));
  if (target !== undefined) return anchor(target, label);
  if (bare !== undefined) return anchor(bare, bare);
  return document.createTextNode(whole);
}

function anchor(target, label) {
  const node = h("a", { rel: "noopener noreferrer nofollow", target: "_blank", title: target }, label);
  node.href = target;
  return node;
}
