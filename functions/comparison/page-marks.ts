import { type ChangeObject, diffArrays, diffLines } from "diff";
import { normalizeText } from "../core/normalize-text.ts";
import type { PassageMark } from "../viewer/frame/frame-messages.ts";

/** Differences between the visible texts of two pages. */
export type PageMarks =
  | { readonly kind: "same" }
  /** Result if the pages are too large, or the comparison would take too long. */
  | { readonly kind: "unmarked" }
  | {
      readonly kind: "marked";
      /** Number of changes. Only the first `marksMax` changes are marked. */
      readonly count: number;
      /**
       * Marks in the old page, one for each change, in the same order as in `after`. A mark is empty if the changed words exist only in the
       * new page.
       */
      readonly before: readonly PassageMark[];
      readonly after: readonly PassageMark[];
    };

/** Maximum number of marks on each page. A mark takes up to 150 bytes in HTML. */
export const marksMax = 300;
const linesMsMax = 1_500;
/** Time limit for comparing words, in milliseconds. After that, each remaining line counts as one change. */
const wordsMsMax = 1_000;
const blockMsMax = 100;

/** Compares the visible texts of two pages, and finds the passages to mark. */
export function markChanges(before: string, after: string): PageMarks {
  const lines = diffLines(`${before}\n`, `${after}\n`, { timeout: linesMsMax });
  if (lines === undefined) return { kind: "unmarked" };
  const { passages, ...texts } = findPassages(withWords(lines));
  if (passages.length === 0) return { kind: "same" };
  const marked = passages.slice(0, marksMax);
  return {
    kind: "marked",
    count: passages.length,
    before: marksOf(
      texts.before,
      marked.map(({ before }) => before),
    ),
    after: marksOf(
      texts.after,
      marked.map(({ after }) => after),
    ),
  };
}

/** Section of the compared texts: in both texts, only in the old text (`removed`), or only in the new text (`added`). */
type TextChange = Pick<ChangeObject<string>, "value" | "added" | "removed">;

/** Splits replaced lines into words. Does not split lines that have less than a third in common, because almost every word would be marked. */
function* withWords(lines: readonly TextChange[]): Generator<TextChange> {
  const endMs = performance.now() + wordsMsMax;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (line.removed && next?.added) {
      const words = performance.now() < endMs ? wordChanges(line.value, next.value) : [];
      const unchangedLength = words.reduce(
        (sum, { value, added, removed }) => sum + (added || removed ? 0 : value.length),
        0,
      );
      yield* unchangedLength * 3 >= Math.min(line.value.length, next.value.length) ? words : [line, next];
    } else if (!line.added || !lines[index - 1]?.removed) yield line;
  }
}

/** Matches characters of writing systems without spaces between words. Such text is compared by character. */
const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
/** Matches words with their punctuation, so that a number or a sentence is marked to its end. */
const everyWord = new RegExp(`[${unspaced}]|[^\\s${unspaced}]+`, "gu");

function wordChanges(before: string, after: string): readonly TextChange[] {
  const options = { timeout: blockMsMax };
  const changes = diffArrays(before.match(everyWord) ?? [], after.match(everyWord) ?? [], options) ?? [];
  return changes.map(({ value, added, removed }) => ({ value: value.join(""), added, removed }));
}

/** Start and end offsets in a normalized text. */
interface TextRange {
  readonly start: number;
  end: number;
}

/** Normalizes both texts and finds their changed passages. Joins changes that are separated only by white space. */
function findPassages(changes: Iterable<TextChange>) {
  let [before, after] = ["", ""];
  const passages: { readonly before: TextRange; readonly after: TextRange }[] = [];
  for (const { value, added, removed } of changes) {
    const words = normalizeText(value);
    if (words === "") continue;
    if (added || removed) {
      const last = passages.at(-1);
      const isNext = last?.before.end === before.length && last.after.end === after.length;
      const passage = isNext
        ? last
        : {
            before: { start: before.length, end: before.length },
            after: { start: after.length, end: after.length },
          };
      if (!isNext) passages.push(passage);
      passage[removed ? "before" : "after"].end += words.length;
    }
    if (!added) before += words;
    if (!removed) after += words;
  }
  return { before, after, passages };
}

/** Number of characters before and after a mark's start that identify its position in the text. */
const aroundLength = 16;

function marksOf(text: string, ranges: readonly TextRange[]): readonly PassageMark[] {
  let at = 0;
  return ranges.map(({ start, end }) => {
    const lead = Math.min(aroundLength, start);
    const gap = start - at;
    at = end;
    return [gap, text.slice(start - lead, start + aroundLength), lead, end - start];
  });
}
