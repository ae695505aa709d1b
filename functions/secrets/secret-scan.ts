import { decodeHTML } from "entities";
import { findSecrets, isExample, type SecretMatch } from "./secret-patterns.ts";

/** Position of a secret in a text, without the secret itself. */
export interface FoundSecret {
  readonly rule: string;
  readonly line: number;
  /** Column number in UTF-16 code units. Lines and columns start at 1. */
  readonly column: number;
}

interface SecretScan {
  readonly found: readonly FoundSecret[];
  /** False if the scan reached the time limit or the maximum number of found secrets before the end of the text. */
  readonly isComplete: boolean;
}

/** Maximum processor time of a scan in milliseconds, by the value of `secretScan`. On slow processors, 2 MiB take more than 200 ms. */
export const scanMsMax = { warn: 200, refuse: 2_000 } as const;

const foundMax = 50;

/** Size of a window in characters. A text is scanned in windows, and the time limit is checked between them. */
const windowCharacters = 65_536;

/** Overlap of windows in characters: the length of the longest secret, a private key. */
const overlapCharacters = 12_288;

/** Scans a page, Markdown or another text for secrets. Stops after `msMax` of processor time, or after `foundMax` secrets. */
export function scanForSecrets(source: string, msMax: number = scanMsMax.warn): SecretScan {
  const startedAt = process.threadCpuUsage();
  const isLate = () => {
    const { user, system } = process.threadCpuUsage(startedAt);
    return (user + system) / 1000 > msMax;
  };
  const separated = new SeparatedMarkup(source);
  const { text } = separated;
  const rules = new Map<number, string>();
  const isComplete = scanWindows(text, {
    add: ({ rule, start, end }) => {
      if (isExample(text.slice(start, end)) || isInsideData(text, start, end)) return;
      const offset = separated.toOffset(start);
      // Reports each secret once, with the rule of the first finder that matches.
      if (!rules.has(offset)) rules.set(offset, rule);
    },
    isOver: () => rules.size >= foundMax || isLate(),
  });
  const places = [...rules].sort(([one], [other]) => one - other);
  return { found: locate(source, places), isComplete };
}

/** Runs every finder on every window until a limit is reached. Returns true if the whole text was scanned. */
function scanWindows(
  text: string,
  { add, isOver }: { readonly add: (match: SecretMatch) => void; readonly isOver: () => boolean },
): boolean {
  for (let from = 0; from < text.length; from += windowCharacters) {
    // The finders also receive the character before the window, to check if a token begins in the middle of a word.
    const start = Math.max(0, from - 1);
    const to = from + windowCharacters;
    const content = text.slice(start, to + overlapCharacters);
    for (const matches of findSecrets(content)) {
      for (const { rule, start: at, end } of matches) {
        // Skips matches in the overlap, because the next window finds them too.
        if (start + at >= to || start + at < from) continue;
        add({ rule, start: start + at, end: start + end });
        if (isOver()) return false;
      }
      if (isOver()) return false;
    }
  }
  return true;
}

/** Minimum number of base64 characters around a match. With fewer, the match is not taken for embedded data. */
const dataCharactersMin = 200;

/** Recognizes matches inside embedded data, such as a font or a picture. */
function isInsideData(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - dataCharactersMin), start);
  const after = text.slice(end, end + dataCharactersMin);
  const run =
    (/[A-Za-z0-9+/]*$/.exec(before)?.[0].length ?? 0) + (/^[A-Za-z0-9+/]*/.exec(after)?.[0].length ?? 0);
  return run >= dataCharactersMin;
}

/** Converts offsets to lines and columns. The offsets must be in ascending order. */
function locate(text: string, places: readonly (readonly [offset: number, rule: string])[]): FoundSecret[] {
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  return places.map(([offset, rule]) => {
    for (; lineEnd !== -1 && lineEnd < offset; lineEnd = text.indexOf("\n", lineStart)) {
      line += 1;
      lineStart = lineEnd + 1;
    }
    return { rule, line, column: offset - lineStart + 1 };
  });
}

type Range = readonly [from: number, to: number];

/** Matches the names of inline and custom elements. The tags of all other elements end a line of text. */
const inline =
  /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|output|q|s|samp|slot|small|span|strike|strong|sub|sup|time|tspan|tt|u|var|wbr|[a-z][a-z0-9]*-[a-z0-9-]*)$/i;

const tagName = /<\/?([a-z][a-z0-9-]{0,30})\b/iy;
const tagRest = /[^<>]*>/y;
const bogusComment = /<(?:[!?]|\/[^a-z>])[^<>]*>|<\/>/iy;
const reference = /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});?/iy;

/** Matches characters that browsers do not show (Unicode Standard, section 5.21). */
const ignorable = /\p{Default_Ignorable_Code_Point}+/uy;
const ignorables = /\p{Default_Ignorable_Code_Point}+/gu;

/** First UTF-16 code units of ignorable characters. A quick test for these rules out most other characters. */
const ignorableUnits: ReadonlySet<number> = new Set(
  "ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 d82f d834 db40-db43 fe00-fe0f feff ffa0 fff0-fff8"
    .split(" ")
    .flatMap((range) => {
      const [from = 0, to = from] = range.split("-").map((unit) => Number.parseInt(unit, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
);

/** Number of code units after a tag's name in which a quoted `>` does not end the tag. The limit prevents quadratic time. */
const quotedUnitsMax = 256;

/** Minimum length of a tag that is scanned. A shorter tag cannot contain a secret. */
const tagUnitsMin = 16;

const commentEnd = /--!?>/g;

const [doubleQuote, ampersand, singleQuote, lessThan, greaterThan] = [0x22, 0x26, 0x27, 0x3c, 0x3e];

/**
 * Separates text and markup. First comes the text that a browser shows, then each comment and each tag on a separate line. Keys are then
 * found even if highlighting, comments or invisible characters split them. A source without markup stays unchanged.
 */
class SeparatedMarkup {
  readonly text: string;
  readonly #source: string;
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #offsets: number[] = [];
  #length = 0;
  readonly #decoded = new Map<string, string>();
  readonly #comments: Range[] = [];
  readonly #tags: Range[] = [];
  /** Range that was searched for the end of a comment. The first end of a comment is at the end of the range. */
  #searched: Range = [0, 0];

  constructor(source: string) {
    this.#source = source;
    this.#addShown(0, source.length);
    // The list grows during the loop if a comment contains other comments.
    for (const [from, to] of this.#comments) {
      this.#add("\n", from);
      this.#addShown(from, to);
    }
    for (const [from, to] of this.#tags) {
      this.#add("\n", from);
      this.#add(source.slice(from, to), from);
    }
    this.text = this.#parts.join("");
  }

  toOffset(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return (this.#offsets[low] ?? 0) + position - (this.#starts[low] ?? 0);
  }

  #add(part: string, offset: number): void {
    if (part === "") return;
    this.#parts.push(part);
    this.#starts.push(this.#length);
    this.#offsets.push(offset);
    this.#length += part.length;
  }

  #addShown(from: number, to: number): void {
    let copied = from;
    for (let at = from; at < to; at += 1) {
      const unit = this.#source.charCodeAt(at);
      if (unit !== lessThan && unit !== ampersand && (unit < 0xad || !ignorableUnits.has(unit))) continue;
      const { end, shown } = this.#readMarkup(unit, at, to);
      if (end === at) continue;
      this.#add(this.#source.slice(copied, at), copied);
      this.#add(shown, at);
      copied = end;
      at = end - 1;
    }
    this.#add(this.#source.slice(copied, to), copied);
  }

  /** Reads markup and returns its displayed text. For text that is not markup, `end` equals the start. */
  #readMarkup(unit: number, at: number, to: number): { readonly end: number; readonly shown: string } {
    if (unit === ampersand) return this.#readReference(at, to);
    if (unit === lessThan) return this.#readTag(at, to) ?? this.#readComment(at, to);
    return { end: endOf(ignorable, this.#source, at) ?? at, shown: "" };
  }

  #readReference(at: number, to: number): { readonly end: number; readonly shown: string } {
    const end = endOf(reference, this.#source, at) ?? at;
    if (end === at || end > to) return { end: at, shown: "" };
    const sent = this.#source.slice(at, end);
    const shown = this.#decoded.get(sent) ?? decodeHTML(sent).replaceAll(ignorables, "");
    this.#decoded.set(sent, shown);
    return { end, shown };
  }

  #readTag(at: number, to: number): { readonly end: number; readonly shown: string } | undefined {
    tagName.lastIndex = at;
    const [, name] = tagName.exec(this.#source) ?? [];
    if (name === undefined) return undefined;
    const end = endOfTag(this.#source, tagName.lastIndex);
    if (end === undefined || end > to) return { end: at, shown: "" };
    if (end - at >= tagUnitsMin) this.#tags.push([at, end]);
    return { end, shown: inline.test(name) ? "" : "\n" };
  }

  /** Reads a comment, a declaration or another tag that browsers parse as a comment (HTML Standard, "Tag open state"). */
  #readComment(at: number, to: number): { readonly end: number; readonly shown: "" } {
    const isComment = this.#source.startsWith("<!--", at);
    const end = isComment ? this.#endOfComment(at) : (endOf(bogusComment, this.#source, at) ?? at);
    if (end === at || end > to) return { end: at, shown: "" };
    if (end - at >= tagUnitsMin) this.#comments.push([at + (isComment ? 4 : 2), end - (isComment ? 3 : 1)]);
    return { end, shown: "" };
  }

  #endOfComment(at: number): number {
    const [from, end] = this.#searched;
    if (at < from || at + 2 > end) {
      commentEnd.lastIndex = at + 2;
      this.#searched = [at, commentEnd.test(this.#source) ? commentEnd.lastIndex : Number.POSITIVE_INFINITY];
    }
    return this.#searched[1];
  }
}

/** Returns the end of a sticky regular expression's match. Returns undefined without a match. */
function endOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** Finds the end of a tag, starting at the end of its name. Returns undefined for an unfinished tag. */
function endOfTag(source: string, from: number): number | undefined {
  let quote = 0;
  const last = Math.min(source.length, from + quotedUnitsMax);
  for (let at = from; at < last; at += 1) {
    const unit = source.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === doubleQuote || unit === singleQuote) quote = unit;
    else if (unit === greaterThan) return at + 1;
    else if (unit === lessThan) break;
  }
  // Ignores quotation marks, because the tag is too long, or they do not belong to it.
  return endOf(tagRest, source, from);
}
