import { rules as presetRules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleContext, SecretLintSourceCode } from "@secretlint/types";
import { presetStarts, type TokenFormat, tokenFormats } from "./token-formats.ts";

/** A match of a rule, with its offsets in the text. */
export interface SecretMatch {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

interface Finder {
  /** Literals, separated by spaces. Every match contains one of these literals. @default - every text is searched */
  readonly starts?: string | undefined;
  /** @param places offsets of the literals in the text, in ascending order */
  find(text: string, places: readonly number[]): Iterable<SecretMatch>;
}

/** Maximum number of literals inside words that a finder checks. Without a limit, the time would grow with the square of the text's length. */
const placesInWordsMax = 64;

/** Checks if a match after a letter, digit or underscore is a token. In `pnpm_config_…` and `turkey-…`, it is only a part of a word. */
function isTokenInWord(match: string, literal: string): boolean {
  const isWordEnd = /^[a-z]{2,3}-$/.test(literal) || (literal.length < 4 && !/[._-]/.test(match));
  return !isWordEnd && (match.match(/[0-9]+/g)?.length ?? 0) >= 2;
}

function isInWord(text: string, at: number): boolean {
  return wordUnits[text.charCodeAt(at - 1)] === 1;
}

/** Table of ASCII codes, with 1 for letters, digits and the underscore and 0 for all other characters. */
const wordUnits = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));

/** Creates a finder for a token format. The finder tries the format's regular expression wherever one of the literals occurs. */
function finderOf([rule, starts, rest, { before, isReal } = {}]: TokenFormat): Finder {
  const literals = starts.split(" ");
  const { pattern = "", lengths = [0] } = before ?? {};
  const anyLiteral = literals.map((literal) => literal.replaceAll(/[.?]/g, String.raw`\$&`)).join("|");
  const token = new RegExp(`${pattern}(?:${anyLiteral})${rest}(?![A-Za-z0-9])`, "y");
  const isToken = (match: string, followsWord: boolean) =>
    isReal === undefined
      ? !followsWord || isTokenInWord(match, literals.find((one) => match.startsWith(one)) ?? "")
      : isReal(match);
  return {
    starts,
    *find(text, places) {
      let [end, inWords] = [0, 0];
      for (const place of places) {
        for (const length of lengths) {
          const at = place - length;
          if (at < end) continue;
          const followsWord = isInWord(text, at);
          if (followsWord && (before !== undefined || ++inWords > placesInWordsMax)) continue;
          token.lastIndex = at;
          const [match] = token.exec(text) ?? [];
          if (match === undefined || !isToken(match, followsWord)) continue;
          end = at + match.length;
          yield { rule, start: at, end };
        }
      }
    },
  };
}

type PresetRule = (typeof presetRules)[number];

/**
 * Excludes three rules of secretlint's preset. The rule for comments would let a text turn off other rules. The time of the other two rules
 * grows with the square of the text's length, so `token-formats.ts` replaces them.
 */
function isUsed({ meta }: PresetRule): boolean {
  return !/-(filter-comments|github|sendgrid)$/.test(meta.id);
}

/** Creates a finder for a rule of the preset. Rules that apply to certain file names find nothing, because a text has no file name. */
function finderOfPreset(presetRule: PresetRule): Finder {
  const rule = presetRule.meta.id.replace("@secretlint/secretlint-rule-", "");
  let found: SecretMatch[] = [];
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    // The message is empty, because it would repeat the secret.
    createTranslator: () => (messageId) => ({ message: "", messageId: String(messageId), data: undefined }),
    report: ({ range: [start, end] }) => {
      found.push({ rule, start, end });
    },
    ignore: () => {},
  };
  const handler = presetRule.create(context, {});
  const run = (content: string) => {
    found = [];
    // The rules for texts read only these three properties.
    const source = { content, filePath: undefined, ext: "" } as unknown as SecretLintSourceCode;
    void handler.file?.(source);
    return found;
  };
  return {
    starts: presetStarts[rule],
    *find(text, places) {
      const matches = run(text);
      yield* matches;
      // The preset's rules skip tokens that follow a letter, so the text is searched again with spaces before these tokens.
      const inWords = places.filter((at) => isInWord(text, at)).slice(0, placesInWordsMax);
      if (inWords.length === 0) return;
      for (const { start, end } of run(separateAt(text, inWords))) {
        const isKnown = matches.some((one) => one.start <= start && start < one.end);
        if (!isKnown && inWords.includes(start) && isTokenInWord(text.slice(start, end), ""))
          yield { rule, start, end };
      }
    },
  };
}

/** Replaces the character before each given offset with a space. */
function separateAt(text: string, places: readonly number[]): string {
  const starts = [0, ...places];
  return starts.map((from, index) => text.slice(from, (starts[index + 1] ?? text.length + 1) - 1)).join(" ");
}

/** All finders. If several finders match the same text, the rule of the first one is reported. */
export const finders: readonly Finder[] = [
  ...tokenFormats.map(finderOf),
  ...presetRules.filter(isUsed).map(finderOfPreset),
  { find: findNamedValues },
];

/** Number of ASCII codes. The literals contain only ASCII characters. */
const codes = 128;

/** Literals with the same first two characters. */
interface Bucket {
  readonly literals: { readonly literal: string; readonly finder: Finder }[];
  /** Table of ASCII codes, with 1 for each third character of a literal in this bucket and 0 for all other characters. */
  readonly thirds: Uint8Array;
}

/** The buckets, and a table of bucket numbers by pair of characters. The number is 0 if no literal begins with the pair. */
const { buckets, numbers } = fillBuckets();

function fillBuckets() {
  const buckets: Bucket[] = [{ literals: [], thirds: new Uint8Array() }];
  const numbers = new Uint16Array(codes * codes);
  for (const finder of finders) {
    for (const literal of finder.starts?.split(" ") ?? []) {
      const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) => literal.charCodeAt(at));
      const number = numbers[first * codes + second] || buckets.length;
      numbers[first * codes + second] = number;
      buckets[number] ??= { literals: [], thirds: new Uint8Array(codes) };
      buckets[number].literals.push({ literal, finder });
      // A literal of two characters may be followed by any character.
      buckets[number].thirds.fill(1, third || 0, third ? third + 1 : codes);
    }
  }
  return { buckets, numbers };
}

function findLiterals(text: string): Map<Finder, number[]> {
  const found = new Map<Finder, number[]>();
  let first = text.charCodeAt(0);
  for (let at = 0; at < text.length - 1; at += 1) {
    const second = text.charCodeAt(at + 1);
    const number = (first | second) < codes ? (numbers[first * codes + second] as number) : 0;
    first = second;
    if (number === 0) continue;
    const { literals, thirds } = buckets[number] as Bucket;
    if (thirds[text.charCodeAt(at + 2)] !== 1) continue;
    for (const { literal, finder } of literals) {
      if (!text.startsWith(literal, at)) continue;
      const places = found.get(finder);
      if (places === undefined) found.set(finder, [at]);
      else places.push(at);
    }
  }
  return found;
}

/** Finds secrets in a text. Yields the matches of one finder at a time. */
export function* findSecrets(text: string): Generator<Iterable<SecretMatch>> {
  const literals = findLiterals(text);
  for (const finder of finders) {
    const places = finder.starts === undefined ? [] : literals.get(finder);
    if (places !== undefined) yield finder.find(text, places);
  }
}

const names =
  "(?:access|account|api|app|auth|client|consumer|encryption|license|master|private|secret|service|session|shared|signing|storage|subscription|webhook)[_. -]?key|secret|token|passw(?:or)?d|passwd|pwd|passphrase|credentials?|creds";

/** Matches the text between a name and its value in code, JSON, YAML, shell, markup and headers. */
const connection = String.raw`["'\x60\]\)]{0,3}(?:[ \t]{1,5}(?:string|str|String))?\s{0,5}(?:=>|[:?|+.]{0,3}={1,2}|:{1,2}|,|\s{1,5}(?:value|content)=)\s{0,5}["'\x60\\]{0,3}`;

/** Captures the last word of a name, and its value. The lookahead matches the value only once, which prevents backtracking. */
const namedValue = new RegExp(
  String.raw`((?:${names})[\w.-]{0,20}?)${connection}(?=([\w+/=.~-]{10,200}))\2(?![\w+/=.~(-])`,
  "gi",
);

const authorization =
  /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?(?:basic|bearer|token|apikey)\s{1,5}([\w+/=.~-]{16,1000})/gi;

/** Matches the start of a private key. Markup was removed and character references were decoded before. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^<>-]{0,300}?(?:\\n|\s)[A-Za-z0-9+/\\\s]{0,20}[A-Za-z0-9+/]{32}/g;

/** Matches names whose values look like secrets but may be public. */
const publicName =
  /csrf|xsrf|nonce|public|publish|anon|continuation|cursor|page_?token|next|sync|etag|cache|integrity|captcha|site_?key|design|color|syntax|lexer|parser|selector|token_?(type|uri|url|endpoint|name|count|limit|id|index|kind|max)|secret_?(name|id|arn|ref)|key_?(name|id|code|path|arn)|(arn|path|file|url|uri|hint|regex|pattern|type|format)$/i;

const bitsMin = 3.4;

/** Recognizes placeholders for secrets, and values with too little variety. */
export function isExample(value: string): boolean {
  return (
    /example|sample|placeholder|dummy|change.?me|redacted|your[-_. ]|insert|replace|x{5,}|\*{4}|\.{3}|0{8}|1234567|abcdefg|deadbeef|qwerty/i.test(
      value,
    ) || new Set(value).size < Math.min(8, value.length / 2)
  );
}

/** Finds random values with names such as `api_key`, Authorization headers, and private keys. */
function* findNamedValues(text: string): Generator<SecretMatch> {
  for (const { index, 0: match } of text.matchAll(privateKey))
    yield { rule: "privatekey", start: index, end: index + match.length };
  for (const { index, 0: match, 1: value = "" } of text.matchAll(authorization))
    if (isOpaque(value))
      yield {
        rule: "authorization-header",
        start: index + match.length - value.length,
        end: index + match.length,
      };
  for (const { index, 0: match, 1: name = "", 2: value = "" } of text.matchAll(namedValue)) {
    const [firstWords = ""] = /[\w-]*$/.exec(text.slice(Math.max(0, index - 40), index)) ?? [];
    if (!publicName.test(firstWords + name) && isOpaque(value))
      yield { rule: "named-value", start: index + match.length - value.length, end: index + match.length };
  }
}

/** Recognizes a random mix of letters and digits. Rejects addresses, paths, versions, function calls and words with separators. */
function isOpaque(value: string): boolean {
  const digitRuns = value.match(/[0-9]+/g)?.length ?? 0;
  if (digitRuns < (value.length < 20 ? 2 : 3) || !/[a-z]/i.test(value)) return false;
  const parts = value.split(/[-_./+=~]+/).filter((part) => part !== "");
  const words = parts.filter((part) => /^[A-Za-z]*[0-9]{0,3}$/.test(part));
  return words.join("").length * 2 < value.length && entropyBits(value) >= bitsMin;
}

/** Returns the Shannon entropy of a text, in bits per character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return -[...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum + share * Math.log2(share);
  }, 0);
}
