/** Marks words on a framed page that differ from the version beside it. */
import { type FrameMarks, marksPrefix } from "./frame-messages.ts";
import { highlight, readPageText } from "./framed-text.client.ts";

/**
 * Reads the marks from the frame's name before the page's scripts run. Shows the marks after parsing, and again after
 * the load, because the page's scripts may have replaced elements.
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
