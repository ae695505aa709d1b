import { type ChangeObject, diffWordsWithSpace } from "diff";

/** Part of a line, which is marked as changed if only one version contains it. */
export interface TextSpan {
  readonly text: string;
  readonly isChanged: boolean;
}

/**
 * Maximum number of differing characters in a line. Above this limit, the line counts as one change, because comparing
 * its words would take too long.
 */
const comparedCharactersMax = 2_000;
const compareMsMax = 20;
/** Maximum length of a word. Longer runs, such as a base64 image, do not count as words. */
const wordCharactersMax = 60;

/** Finds the words that differ between a line and its replacement. */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly TextSpan[]; readonly after: readonly TextSpan[] } {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const middleOf = (line: string) => line.slice(start, line.length - end);
  const around = (line: string, middle: readonly Change[]) =>
    [
      { text: line.slice(0, start), isChanged: false },
      ...middle.map(({ value, added, removed }) => ({ text: value, isChanged: added || removed })),
      { text: line.slice(line.length - end), isChanged: false },
    ].filter(({ text }) => text !== "");
  const [was, is] = [middleOf(before), middleOf(after)];
  const isCompared = was.length + is.length <= comparedCharactersMax;
  const found = isCompared ? diffWordsWithSpace(was, is, { timeout: compareMsMax }) : undefined;
  const changes: readonly Change[] = found ?? [
    { value: was, removed: true, added: false },
    { value: is, removed: false, added: true },
  ];
  const ofBefore = changes.filter(({ added }) => !added);
  const ofAfter = changes.filter(({ removed }) => !removed);
  return { before: around(before, ofBefore), after: around(after, ofAfter) };
}

type Change = Pick<ChangeObject<string>, "value" | "added" | "removed">;

/** Returns the length of the common beginning of two lines, up to a word boundary. */
function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  if (length === most && one.length === other.length) return length;
  for (let back = 0; back < wordCharactersMax && length - back >= 0; back += 1)
    if (!isInsideWord(one, length - back) && !isInsideWord(other, length - back)) return length - back;
  return isInsidePair(one, length) || isInsidePair(other, length) ? length - 1 : length;
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  const isWord = (length: number) =>
    isInsideWord(one, one.length - length) || isInsideWord(other, other.length - length);
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  for (let back = 0; back < wordCharactersMax && length - back >= 0; back += 1)
    if (!isWord(length - back)) return length - back;
  return isInsidePair(one, one.length - length) || isInsidePair(other, other.length - length)
    ? length - 1
    : length;
}

/** Checks that an offset is inside a word or a grapheme: before a combining mark, next to a joiner, or inside a surrogate pair. */
function isInsideWord(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    (/^[\p{L}\p{N}_]{2}$/u.test(text.slice(at - 1, at + 1)) ||
      isInsidePair(text, at) ||
      /^[\p{M}\u200d]/u.test(text.slice(at, at + 2)) ||
      text[at - 1] === "\u200d")
  );
}

/** Checks that an offset is inside a surrogate pair. */
export function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const codeBefore = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && codeBefore >= 0xd800 && codeBefore <= 0xdbff;
}
