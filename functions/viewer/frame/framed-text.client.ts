/** Reads the normalized text of a framed page, and highlights passages without changing the page. */
import { normalizeText } from "../../core/normalize-text.ts";

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
export function readPageText(): PageText {
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
export function highlight(ranges: readonly Range[], style: string): boolean {
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
