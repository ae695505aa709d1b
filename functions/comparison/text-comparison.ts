import { compareTexts } from "../drops/version-changes.ts";
import { changedWords, isInsidePair, type TextSpan } from "./changed-words.ts";

/** A line of the comparison, or a placeholder for omitted lines. */
export type ComparisonRow =
  | { readonly kind: "same"; readonly before: number; readonly after: number; readonly pieces: Pieces }
  | { readonly kind: "removed"; readonly before: number; readonly pieces: Pieces }
  | { readonly kind: "added"; readonly after: number; readonly pieces: Pieces }
  /** Placeholder for unchanged lines that are omitted. */
  | { readonly kind: "folded"; readonly count: number }
  /** Note that the line above is the last line of its text and has no line ending. */
  | { readonly kind: "no-line-end" };

/** Part of a displayed line: text, or the number of omitted characters. */
export type DisplayedSpan = TextSpan | { readonly omitted: number };
type Pieces = readonly DisplayedSpan[];

/** Differences between two texts. */
export type TextComparison =
  | { readonly kind: "same" }
  /** Result if the texts differ only in their line endings. `before` and `after` are the numbers of CRLF endings. */
  | { readonly kind: "line-ends"; readonly before: number; readonly after: number }
  /** Result if the comparison would take too long. */
  | { readonly kind: "too-different" }
  | {
      readonly kind: "changed";
      readonly rows: readonly ComparisonRow[];
      /** Number of added or removed lines that are not shown. */
      readonly omitted: number;
      /** Number of CRLF endings in each text. Undefined if both texts have the same number. */
      readonly lineEnds: { readonly before: number; readonly after: number } | undefined;
    };

const contextLines = 3;

/** Compares two texts line by line. @param bytesMax maximum size of all lines as HTML, in bytes */
export function compareLines(before: string, after: string, bytesMax: number): TextComparison {
  if (before === after) return { kind: "same" };
  const [was, is] = [withPlainLineEnds(before), withPlainLineEnds(after)];
  if (was.text === is.text) return { kind: "line-ends", before: was.returns, after: is.returns };
  const patch = compareTexts({ before: was.text, after: is.text, contextLines });
  if (patch === undefined) return { kind: "too-different" };
  const rows: ComparisonRow[] = [];
  let bytes = 0;
  let omitted = 0;
  let shownTo = 0;
  const add = (row: ComparisonRow) => {
    bytes += bytesOf(row);
    if (bytes <= bytesMax) rows.push(row);
    else if (row.kind === "added" || row.kind === "removed") omitted += 1;
  };
  const fold = (count: number) => count > 0 && add({ kind: "folded", count });
  for (const { oldStart, oldLines, newStart, lines } of patch.hunks) {
    fold(oldStart - 1 - shownTo);
    for (const row of rowsOf(lines, oldStart, newStart, () => bytes < bytesMax)) add(row);
    shownTo = oldStart - 1 + oldLines;
  }
  fold(countLines(was.text) - shownTo);
  const lineEnds = was.returns === is.returns ? undefined : { before: was.returns, after: is.returns };
  return { kind: "changed", rows, omitted, lineEnds };
}

function withPlainLineEnds(text: string): { readonly text: string; readonly returns: number } {
  const plain = text.replaceAll("\r\n", "\n");
  return { text: plain, returns: text.length - plain.length };
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Generates the table rows of a hunk. The first character of each line is its sign: added, removed or unchanged. */
function* rowsOf(
  lines: readonly string[],
  oldStart: number,
  newStart: number,
  isShown: () => boolean,
): Generator<ComparisonRow> {
  let [before, after] = [oldStart, newStart];
  for (let at = 0; at < lines.length; ) {
    const sign = lines[at]?.[0];
    if (sign === "-" || sign === "+") {
      const removed = runOf(lines, at, "-");
      const added = runOf(lines, at + removed.length, "+");
      yield* changeRows(removed, added, { before, after, hasWords: isShown() });
      before += textsOf(removed).length;
      after += textsOf(added).length;
      at += removed.length + added.length;
      continue;
    }
    if (sign === "\\") yield { kind: "no-line-end" };
    else {
      const text = (lines[at] ?? "").slice(1);
      yield { kind: "same", before, after, pieces: shortened([{ text, isChanged: false }]) };
      before += 1;
      after += 1;
    }
    at += 1;
  }
}

/** Returns the consecutive lines with the given sign, including the note about a missing line ending. */
function runOf(lines: readonly string[], from: number, sign: string): readonly string[] {
  let to = from;
  while (lines[to]?.[0] === sign || (to > from && lines[to]?.[0] === "\\")) to += 1;
  return lines.slice(from, to);
}

/** Returns the texts of consecutive lines, without their signs and without the note about a missing line ending. */
function textsOf(run: readonly string[]): readonly string[] {
  return run.filter((line) => line[0] !== "\\").map((line) => line.slice(1));
}

/** Maximum number of line pairs in a block to compare word by word. */
const pairsMax = 100;

/** Pairs removed lines with added lines at the same position. Similar pairs are compared word by word. */
function* changeRows(
  removed: readonly string[],
  added: readonly string[],
  at: { readonly before: number; readonly after: number; readonly hasWords: boolean },
): Generator<ComparisonRow> {
  const [were, are] = [textsOf(removed), textsOf(added)];
  const pairs = were.slice(0, at.hasWords ? pairsMax : 0).map((line, index) => {
    const words = changedWords(line, are[index] ?? "");
    return isAlike(words.before) && isAlike(words.after) ? words : undefined;
  });
  const piecesOf = (line: string, index: number, side: "before" | "after") =>
    shortened(pairs[index]?.[side] ?? [{ text: line, isChanged: false }]);
  for (const [index, line] of were.entries())
    yield { kind: "removed", before: at.before + index, pieces: piecesOf(line, index, "before") };
  if (removed.length > were.length) yield { kind: "no-line-end" };
  for (const [index, line] of are.entries())
    yield { kind: "added", after: at.after + index, pieces: piecesOf(line, index, "after") };
  if (added.length > are.length) yield { kind: "no-line-end" };
}

/** Checks that at least a third of a line is unchanged. In other lines, almost every word would be marked. */
function isAlike(spans: readonly TextSpan[]): boolean {
  const charactersOf = (some: readonly TextSpan[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  return charactersOf(spans.filter(({ isChanged }) => !isChanged)) * 3 >= charactersOf(spans);
}

/** Maximum number of displayed characters of a line, and of unchanged text next to a change. */
const lineCharactersMax = 2_000;
const sameCharactersMax = 400;

/** Truncates a long line, because a whole page may be a single line. */
function shortened(spans: readonly TextSpan[]): Pieces {
  const isWhole = spans.length === 1;
  let room = lineCharactersMax;
  const pieces = spans.flatMap((span, index): DisplayedSpan[] => {
    const { text, isChanged } = span;
    const most = Math.min(room, isWhole || isChanged ? lineCharactersMax : sameCharactersMax);
    if (text.length <= most) {
      room -= text.length;
      return [span];
    }
    // Omits the start of a long unchanged beginning, and shows its end, which is next to the change.
    const isBeginning = index === 0 && !isWhole && !isChanged;
    const kept = isBeginning ? cutBefore(text, text.length - most) : cutAfter(text, most);
    room -= kept.length;
    const rest = { omitted: text.length - kept.length };
    const shown = kept === "" ? [] : [{ text: kept, isChanged }];
    return isBeginning ? [rest, ...shown] : [...shown, rest];
  });
  return joined(pieces);
}

/** Merges adjacent omissions. */
function joined(pieces: Pieces): Pieces {
  const all: DisplayedSpan[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && "omitted" in last && "omitted" in piece)
      all.splice(-1, 1, { omitted: last.omitted + piece.omitted });
    else all.push(piece);
  }
  return all;
}

/** Cuts text without splitting a surrogate pair. */
function cutAfter(text: string, at: number): string {
  return text.slice(0, isInsidePair(text, at) ? at - 1 : at);
}

function cutBefore(text: string, at: number): string {
  return text.slice(isInsidePair(text, at) ? at + 1 : at);
}

/**
 * Matches invisible characters and direction marks, which are shown as code points. Does not match tabs, or joiners
 * between letters or emoji.
 */
export const invisibleCharacters = /(?![\t\u200c\u200d])[\p{C}\u2028\u2029]/u;
const everyInvisible = new RegExp(invisibleCharacters, "gu");

const rowBytes = 120;
const pieceBytes = 60;
const invisibleBytes = 30;

/** Estimates the size of a table row as HTML in bytes, rounded up. */
function bytesOf(row: ComparisonRow): number {
  if (!("pieces" in row)) return rowBytes;
  return row.pieces.reduce((sum, piece) => {
    if (!("text" in piece)) return sum + pieceBytes;
    const escaped = piece.text.replace(/[&<>"]/g, "&quot;");
    const invisible = piece.text.match(everyInvisible)?.length ?? 0;
    return sum + pieceBytes + Buffer.byteLength(escaped) + invisible * invisibleBytes;
  }, rowBytes);
}
