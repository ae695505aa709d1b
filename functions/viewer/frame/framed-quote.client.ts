/** Script of a framed page for feedback: it reports the selection and shows a quote. */
import { normalizeText } from "../../core/normalize-text.ts";

const selectionMax = 4_000;
const highlightName = "dropleaf-quote";
let isStyled = false;

/** The selected text, cut to the length of a quote. */
export function selectedText(): string {
  return String(getSelection() ?? "").slice(0, selectionMax);
}

/**
 * Finds a passage in the same normalized form as the service, marks it and scrolls to it, without changing the page.
 * The service searches the text of the same elements (`functions/feedback/quote-locator.ts`).
 */
export function showQuote(quote: string): boolean {
  const sought = normalizeText(quote);
  const nodes: (readonly [node: Text, words: string])[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest("noscript,script,style,template,title")) continue;
    nodes.push([node, normalizeText(node.data)]);
  }
  const start = nodes
    .map(([, words]) => words)
    .join("")
    .indexOf(sought);
  if (!sought || start < 0) return false;
  const range = new Range();
  const end = start + sought.length;
  let at = 0;
  for (const [node, words] of nodes) {
    const next = at + words.length;
    if (at <= start && start < next) range.setStart(node, offsetOf(node.data, start - at)[0]);
    if (at < end && end <= next) range.setEnd(node, offsetOf(node.data, end - at - 1)[1]);
    at = next;
  }
  mark(range);
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return true;
}

/** The original character's start and end for a character of a normalized text. */
function offsetOf(text: string, normalizedOffset: number): readonly [start: number, end: number] {
  let [offset, left] = [0, normalizedOffset];
  for (const character of text) {
    const length = normalizeText(character).length;
    if (left < length) return [offset, offset + character.length];
    left -= length;
    offset += character.length;
  }
  return [offset, offset];
}

/** Marks a range by the CSS Custom Highlight API, or by the selection in browsers without it. */
function mark(range: Range): void {
  if (typeof Highlight === "undefined") {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return;
  }
  if (!isStyled) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`::highlight(${highlightName}){background:#ffe27a;color:#1a1a00}`);
    document.adoptedStyleSheets.push(sheet);
    isStyled = true;
  }
  CSS.highlights.set(highlightName, new Highlight(range));
}
