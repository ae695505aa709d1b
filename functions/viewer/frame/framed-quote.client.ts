/** Reports a framed page's selection, and shows a quote or an element, for comments in the viewer. */
import { normalizeText } from "../../core/normalize-text.ts";
import type { Box } from "./frame-messages.ts";
import { highlight, readPageText } from "./framed-text.client.ts";

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
