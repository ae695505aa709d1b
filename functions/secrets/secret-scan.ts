import { rules as presetRules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleContext, SecretLintSourceCode } from "@secretlint/types";
import { decodeHTML } from "entities";
import { findKnownTokens, findNamedValues, isExample, type SecretMatch } from "./secret-patterns.ts";

/** A secret in a text, by its place: the text itself is never repeated. */
export interface FoundSecret {
  readonly rule: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** Secrets of a text. */
export interface SecretScan {
  readonly found: readonly FoundSecret[];
  /** False if time or places ran out before the end. */
  readonly isComplete: boolean;
}

/**
 * Time of a processor after which a scan ends, in milliseconds, by the setting `secretScan`. What has begun takes up to 50 more. A scan that may
 * refuse a text has longer, since a slow processor takes over 200 for an ordinary text of 2 MiB.
 */
export const scanMsMax = { warn: 200, refuse: 2_000 } as const;

/** Places that a scan reports. */
const foundMax = 50;

/** A text is scanned in windows, and the time is looked at between them. */
const windowCharacters = 65_536;

/** Windows overlap by the longest secret, a private key. */
const overlapCharacters = 12_288;

type PresetRule = (typeof presetRules)[number];

type Finder = (text: string) => Iterable<SecretMatch>;

/** Finders in the order in which they name a place. */
const finders: readonly Finder[] = [
  findKnownTokens,
  ...presetRules.filter(isUsed).map(toFinder),
  findNamedValues,
];

/**
 * Excludes the rule for comments, by which a text turns others off, and two whose time grows with the square of a text. `secret-patterns.ts` has
 * formats in place of those.
 */
function isUsed({ meta }: PresetRule): boolean {
  return !/-(filter-comments|github|sendgrid)$/.test(meta.id);
}

/** A rule of the preset as a finder. Rules for files of certain names find nothing in a text. */
function toFinder(rule: PresetRule): Finder {
  const name = rule.meta.id.replace("@secretlint/secretlint-rule-", "");
  let found: SecretMatch[] = [];
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    // A message would repeat the secret.
    createTranslator: () => (messageId) => ({ message: "", messageId: String(messageId), data: undefined }),
    report: ({ range: [start, end] }) => {
      found.push({ rule: name, start, end });
    },
    ignore: () => {},
  };
  const handler = rule.create(context, {});
  return (content) => {
    found = [];
    // The rules of texts read these three.
    const source = { content, filePath: undefined, ext: "" } as unknown as SecretLintSourceCode;
    void handler.file?.(source);
    return found;
  };
}

/**
 * Scans a page, Markdown or another text for secrets. It stops when `msMax` of a processor or `foundMax` places are used up.
 */
export function scanForSecrets(source: string, msMax: number = scanMsMax.warn): SecretScan {
  const startedAt = process.threadCpuUsage();
  const isLate = () => {
    const { user, system } = process.threadCpuUsage(startedAt);
    return (user + system) / 1000 > msMax;
  };
  const { text, toOffset } = separateMarkup(source);
  const rules = new Map<number, string>();
  const isComplete = scanWindows(text, {
    add: ({ rule, start, end }) => {
      if (isExample(text.slice(start, end)) || isInsideData(text, start, end)) return;
      const offset = toOffset(start);
      // A place has one name: that of the first finder.
      if (!rules.has(offset)) rules.set(offset, rule);
    },
    isOver: () => rules.size >= foundMax || isLate(),
  });
  const places = [...rules].sort(([one], [other]) => one - other);
  return { found: locate(source, places), isComplete };
}

interface WindowScan {
  readonly add: (match: SecretMatch) => void;
  readonly isOver: () => boolean;
}

/** Runs every finder over every window, until it is over. Returns true at the end of the text. */
function scanWindows(text: string, { add, isOver }: WindowScan): boolean {
  for (let from = 0; from < text.length; from += windowCharacters) {
    // The character before tells whether a token begins in the middle of a word.
    const start = Math.max(0, from - 1);
    const to = from + windowCharacters;
    const content = text.slice(start, to + overlapCharacters);
    for (const find of finders) {
      for (const { rule, start: at, end } of find(content)) {
        // The next window finds it, too.
        if (start + at >= to || start + at < from) continue;
        add({ rule, start: start + at, end: start + end });
        if (isOver()) return false;
      }
      if (isOver()) return false;
    }
  }
  return true;
}

/** Characters of base64 around a match that make it a part of embedded data. */
const dataCharactersMin = 200;

/** Recognizes matches inside embedded data, such as a font or a picture. */
function isInsideData(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - dataCharactersMin), start);
  const after = text.slice(end, end + dataCharactersMin);
  const run =
    (/[A-Za-z0-9+/]*$/.exec(before)?.[0].length ?? 0) + (/^[A-Za-z0-9+/]*/.exec(after)?.[0].length ?? 0);
  return run >= dataCharactersMin;
}

/** Gives line and column of places, which are sorted by their offset. */
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

/** The text of a page apart from its tags. */
interface SeparatedMarkup {
  readonly text: string;
  /** Gives the offset in the source for one in the text. */
  readonly toOffset: (offset: number) => number;
}

/** Tags and character references. */
const markup = /<\/?([a-z][a-z0-9-]{0,30})\b[^<>]*>|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});?/gi;

/** Elements inside a line. Every other tag ends a line. */
const inline =
  /^(a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var|wbr)$/i;

/**
 * Separates text and tags: the text first, with its character references decoded, then each tag on a line. A key that is split by
 * highlighting, or written in references, is whole again. A source without markup stays as it is.
 */
function separateMarkup(source: string): SeparatedMarkup {
  const builder = new OffsetText();
  const tags: [from: number, to: number][] = [];
  let copied = 0;
  for (const { 0: match, 1: tag, index } of source.matchAll(markup)) {
    builder.add(source.slice(copied, index), copied);
    copied = index + match.length;
    if (tag === undefined) builder.add(decodeHTML(match), index);
    else {
      if (!inline.test(tag)) builder.add("\n", index);
      if (match.length > tag.length + 3) tags.push([index, copied]);
    }
  }
  builder.add(source.slice(copied), copied);
  for (const [from, to] of tags) {
    builder.add("\n", from);
    builder.add(source.slice(from, to), from);
  }
  return { text: builder.parts.join(""), toOffset: (offset) => builder.toOffset(offset) };
}

/** A text of parts of another one. */
class OffsetText {
  readonly parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #offsets: number[] = [];
  #length = 0;

  add(part: string, offset: number): void {
    if (part === "") return;
    this.parts.push(part);
    this.#starts.push(this.#length);
    this.#offsets.push(offset);
    this.#length += part.length;
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
}
