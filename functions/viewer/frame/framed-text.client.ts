/**
 * Reads the normalized text of a framed page. Highlights quotes of comments, and the words that differ from the version
 * beside it in a comparison, without changing the page.
 */
import { normalizeText } from "../../core/normalize-text.ts";
import { type Box, type FrameMarks, marksPrefix } from "./frame-messages.ts";

const highlightName = "dropleaf-mark";
let isStyled = false;

/** Normalized text of a page. */
interface PageText {
  readonly words: string;
  /** Returns the page's range between two offsets in the text. `end` is greater than `start`. */
  rangeOf(start: number, end: number): Range;
}

interface TextPart {
  readonly node: Text;
  /** Offsets of the node's text in the page's text. */
  readonly start: number;
  readonly end: number;
  /** Offset in the node for each character of the normalized text. Computed on first use. */
  offsets?: readonly number[];
}

/** Reads and normalizes the text of the same elements as the service (`functions/drops/page-text.ts`). */
function readPageText(): PageText {
  const parts: TextPart[] = [];
  let words = "";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest("noscript,script,style,template,title")) continue;
    const start = words.length;
    words += normalizeText(node.data);
    parts.push({ node, start, end: words.length });
  }
  const find = (at: number): readonly [node: Text, offset: number] => {
    const part = parts.find(({ end }) => end > at) as TextPart;
    part.offsets ??= offsetsOf(part.node.data);
    return [part.node, part.offsets[at - part.start] ?? 0];
  };
  const rangeOf = (start: number, end: number) => {
    const range = new Range();
    const [last, offset] = find(end - 1);
    range.setStart(...find(start));
    range.setEnd(last, offset + ((last.data.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1));
    return range;
  };
  return { words, rangeOf };
}

/** Returns, for each character of the normalized text, the offset of its original character. */
function offsetsOf(text: string): readonly number[] {
  let at = 0;
  return [...text].flatMap((character) => {
    const offset = at;
    at += character.length;
    // Skips ASCII, because normalizing each character of a long text would take seconds.
    return /[!-~]/.test(character) ? offset : Array(normalizeText(character).length).fill(offset);
  });
}

/** Highlights ranges with the CSS Custom Highlight API. Returns false in browsers without this API. */
function highlight(ranges: readonly Range[], style: string): boolean {
  if (typeof Highlight === "undefined") return false;
  if (!isStyled) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`::highlight(${highlightName}){${style}}`);
    document.adoptedStyleSheets.push(sheet);
    isStyled = true;
  }
  CSS.highlights.set(highlightName, new Highlight(...ranges));
  return true;
}

const selectionMax = 4_000;

/** Returns the selected text, truncated. */
export function selectedText(): string {
  return String(getSelection() ?? "").slice(0, selectionMax);
}

/** Highlights a passage and scrolls to it, without changing the page. Returns false if the page's text does not contain it. */
export function showQuote(quote: string): boolean {
  const sought = normalizeText(quote);
  const { words, rangeOf } = readPageText();
  const start = words.indexOf(sought);
  if (!sought || start < 0) return false;
  const range = rangeOf(start, start + sought.length);
  if (!highlight([range], "background:#ffe27a;color:#1a1a00")) {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return true;
}

/** Scrolls to the first element that matches, and returns its position in the frame. */
export function showElement(selector: string): { readonly isFound: boolean; readonly box?: Box } {
  let element: Element | null = null;
  try {
    element = document.querySelector(selector);
  } catch {
    // The selector was sent by a client and may be invalid.
  }
  if (!element) return { isFound: false };
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { isFound: true, box: [x, y, width, height] };
}

/**
 * Marks the words of a page that differ from the version beside it. Reads the marks from the frame's name before the
 * page's scripts run. Shows the marks after parsing, and again after the load, because the page's scripts may have
 * replaced elements.
 */
export function showChanges(): void {
  if (!window.name.startsWith(marksPrefix)) return;
  const { style, marks } = JSON.parse(window.name.slice(marksPrefix.length)) as FrameMarks;
  window.name = "";
  addEventListener("load", mark);
  addEventListener("DOMContentLoaded", () => {
    // `scrollIntoView` would also scroll the page that contains the framed page.
    const { top = 0 } = mark()?.getBoundingClientRect() ?? {};
    if (top > innerHeight / 2) scrollBy(0, top - innerHeight / 3);
  });

  /** Highlights the changes, and returns the range of the first change. */
  function mark(): Range | undefined {
    const { words, rangeOf } = readPageText();
    const ranges: Range[] = [];
    let first: Range | undefined;
    let at = 0;
    for (const [gap, around, lead, length] of marks) {
      const expected = at + gap - lead;
      const next = words.indexOf(around, expected);
      const found = next < 0 ? words.lastIndexOf(around, expected) : next;
      at = (found < 0 ? expected : found) + lead + length;
      if (found < 0 || !words) continue;
      // Words that exist only in the other version are marked at the next word of this version.
      const start = Math.min(at - length, words.length - 1);
      const range = rangeOf(start, Math.min(start + (length || 1), words.length));
      first ??= range;
      if (length) ranges.push(range);
    }
    highlight(ranges, style);
    return first;
  }
}
