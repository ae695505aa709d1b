import { distance } from "fastest-levenshtein";
import type { ErrorCode } from "../core/errors.ts";

/**
 * Advice by words: docs/adr/0056-error-hints.md. A key lists words by which callers mean something that the service has under another name,
 * elsewhere or not at all, and before them the methods that it is for, by default all. The first key with the word counts.
 *
 * @example { "tags tag labels": { advice: 'Tags are metadata: send "metadata": {…}.', isHarmless: true } }
 */
export type HintTable = Readonly<Record<string, string | Hint>>;

/** The right call, and what happens to the wrong one. */
export interface Hint {
  readonly advice: string;
  /** @default "invalid_arg" */
  readonly code?: ErrorCode;
  /** Required field that callers leave out who send one of the words. @default - none */
  readonly insteadOf?: string;
  /** The name is ignored with a warning, since nothing is lost. @default - the request is refused */
  readonly isHarmless?: true;
}

/** One table of several; of the same word, the first counts. */
export function joinHints(...tables: readonly HintTable[]): HintTable {
  return Object.assign({}, ...tables, ...tables.toReversed());
}

/** A longer name is not compared: the time grows with its length. */
const charactersMax = 64;

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Finds the hint for a word, which is as the table has it, or a name in any spelling. */
export function findHint(table: HintTable, word: string, method?: string): Hint | undefined {
  const [, found] =
    Object.entries(table).find(([key]) => {
      const words = key.split(" ");
      const isForAll = !words.some((one) => methods.includes(one));
      return words.includes(word) && (isForAll || words.includes(method ?? ""));
    }) ?? [];
  return typeof found === "string" ? { advice: found } : found;
}

/** The words of a name in camel, snake or kebab case, in lower case: `shareWith_emails` has `share`, `with` and `emails`. */
export function wordsIn(name: string): readonly string[] {
  return name
    .slice(0, charactersMax)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Finds the hint for a name that the table has, or else for one of its words that tells enough alone. */
export function findHintForName(
  table: HintTable,
  name: string,
  isTelling: (word: string) => boolean,
): Hint | undefined {
  const whole = findHint(table, normalizeName(name));
  if (whole !== undefined) return whole;
  const word = wordsIn(name).find((one) => isTelling(one) && findHint(table, one) !== undefined);
  return word === undefined ? undefined : findHint(table, word);
}

/** Other words for names of this service, separated by spaces. */
export type SynonymTable = Readonly<Record<string, string>>;

/** Recognizes another word for a name of this service. */
export function isSynonym(table: SynonymTable, name: string, word: string): boolean {
  return Object.hasOwn(table, name) && (table[name]?.split(" ").includes(word) ?? false);
}

/** A name without the characters in which spellings differ: `isPrivate`, `is_private` and `Is-Private` are one. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Finds the known name that takes the fewest edits, of at most a third of the letters. Ignores case. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > charactersMax) return undefined;
  const [best] = known
    .map((one) => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(({ one, edits }) => edits * 3 <= Math.max(one.length, name.length))
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

/** Recognizes a slug or an id: no word of an address has a capital letter or a digit among seven characters. */
export function isId(segment: string): boolean {
  return /^(?=.*[A-Z0-9])[A-Za-z0-9]{7}$/.test(segment);
}

/** Other names of fields and parameters: letters and digits only, in lower case. */
const synonyms: SynonymTable = {
  html: "content contents body page document markup source text markdown md data file htmlcontent rawhtml htmlbody contenthtml bodyhtml pagehtml htmlbase64 base64 pastecode code htmlcode htmlstring",
  slug: "id drop dropid pageid url rawurl link address shortcode",
  title: "name subject heading headline pagetitle pastename",
  description: "summary subtitle abstract desc",
  metadata: "tags tag labels keywords meta project category",
  context: "prompt conversation",
  note: "message changelog comment commitmessage changes",
  passcode: "password passphrase pin pass secret code",
  readers: "viewers emails people",
  visibility: "access privacy",
  id: "blobid fileid uploadid blob file url tokenid",
  label: "name client agent device",
  filename: "name file",
  base64: "data bytes blob filedata filecontent",
  text: "content contents body message comment reply",
  size_bytes: "size bytes length contentlength filesize",
  content_type: "type mime mimetype mediatype",
  version: "v n number to rev revision versionid",
  v: "version n rev revision versionid ref at",
  q: "query search text cql jql keyword keywords term",
  token: "polltoken devicecode code id",
  cursor: "page offset skip after pagenumber pagetoken nextcursor startcursor continuation",
  page: "offset skip cursor after pagenumber pagetoken",
  pageSize: "limit perpage size count take first maxresults",
};

/** Finds the known name that a caller may have meant by another one. */
export function findMeantName(name: string, known: readonly string[]): string | undefined {
  const normalized = normalizeName(name);
  return (
    known.find((one) => normalizeName(one) === normalized) ??
    known.find((one) => isSynonym(synonyms, one, normalized)) ??
    findSimilarName(normalized, known)
  );
}
