import { joinMessages, type Message } from "../core/errors.ts";
import { findSimilarName, normalizeName, singular, wordsIn } from "../core/names.ts";
import { absentFeatures, callsByField, fieldIntents, type Intent } from "../http/intents.ts";
import {
  explainNames,
  findAbsent,
  findMeantName,
  type GivenNames,
  isNamed,
  sendWith,
  sentencesOf,
  unknownMax,
} from "../http/unknown-names.ts";

/** An item, such as an operation, that callers may describe by some of its words. */
export interface WordedItem<Item> {
  readonly item: Item;
  /** Words in the item's name. */
  readonly words: readonly string[];
  /** A sentence about the item, whose words count less than the words of the name. */
  readonly summary: string;
  /** Additional points for reasons other than words. @default 0 */
  readonly points?: number;
}

/** Words that are too general to identify a call. */
const emptyWords = "a an and api by from html in json of on php the to with yaml".split(" ");

/** Words for deleting or ending something. */
export const deletionWords =
  "delete remove destroy purge empty clear revoke dismiss logout rotate leave".split(" ");

/** Maximum number of a path's words and segments that are compared with each call, because a path may have thousands. */
export const comparedMax = 12;

/** Lists the last words of a path or a name, without ids, API versions and general words. */
export function wordsOfName(text: string): readonly string[] {
  return text
    .split(/[/:.]/)
    .filter(
      (segment, at) =>
        !isId(segment) &&
        !/^(v?\d[\d.]*|api)$/.test(segment) &&
        !(at < 4 && segment !== "public" && servicePrefix.test(segment)),
    )
    .flatMap(wordsIn)
    .filter(
      (word) =>
        word.length < 24 &&
        !/^(\d+|[a-u]|[0-9a-f]{8,})$/.test(word) &&
        (word === "html" || !emptyWords.includes(word)),
    )
    .slice(-comparedMax);
}

/**
 * Ranks items by their points and by the words that they share with a name. Rare words count more.
 *
 * @returns the items, best first; the items that share a word; and the words that match no item
 */
export function rankByWords<Item>(
  name: readonly string[],
  items: readonly WordedItem<Item>[],
): {
  readonly ranked: readonly Item[];
  readonly matching: ReadonlySet<Item>;
  readonly unknown: readonly string[];
} {
  const fits = name.map((word) => {
    const each = items.map((one) => fitOf(singular(word), one));
    const having = each.filter((fit) => fit > 0).length;
    // The last word is the most specific: the part in a path, or the object in a tool's name.
    const weight = (word === name.at(-1) ? 1.5 : 1) / Math.sqrt(Math.max(1, having));
    return { word, each: each.map((fit) => fit * weight) };
  });
  const scored = items.map(({ item, points = 0 }, at) => {
    const ofWords = fits.reduce((sum, { each }) => sum + (each[at] ?? 0), 0);
    return { item, ofWords, score: points + ofWords };
  });
  return {
    ranked: scored.toSorted((one, other) => other.score - one.score).map(({ item }) => item),
    matching: new Set(scored.filter(({ ofWords }) => ofWords > 0).map(({ item }) => item)),
    unknown: fits.filter(({ each }) => each.every((fit) => fit === 0)).map(({ word }) => word),
  };
}

/** Returns true if the word is another service's synonym for one of the given words. */
export function hasSynonym(words: readonly string[], word: string): boolean {
  return Object.entries(wordSynonyms).some(
    ([key, others]) => others.split(" ").includes(word) && key.split(" ").some((one) => words.includes(one)),
  );
}

/** Recognizes words that occur in the names of this or another service's calls. */
export function isKnownWord(word: string): boolean {
  const known = [...Object.entries(wordSynonyms).flat(), ...Object.keys(absentFeatures)];
  return known.some((words) => words.split(" ").includes(singular(word)));
}

/** Rates how well a word fits an item: the same word, a synonym, a similar word, or a word of the summary. */
function fitOf(word: string, { words, summary }: WordedItem<unknown>): number {
  if (words.includes(word)) return 4;
  if (hasSynonym(words, word)) return 3;
  // Short words that differ in one letter have different meanings, such as "star" and "start".
  const similar =
    word.length > 4
      ? findSimilarName(
          word,
          words.filter((one) => one[0] === word[0]),
        )
      : undefined;
  if (similar !== undefined && similar !== `un${word}` && word !== `un${similar}`) return 2;
  // A word for an absent feature must not match an item whose summary happens to contain the word.
  const isTelling = word.length > 3 && findAbsent(word) === undefined;
  return isTelling && wordsOfSummary(summary).includes(word) ? 1 : 0;
}

/** Lists the words of a summary, except paths, which belong to other calls. */
function wordsOfSummary(summary: string): readonly string[] {
  const words = summary.toLowerCase().split(" ");
  return words.filter((word) => !word.includes("/")).flatMap((word) => word.split(/\W/));
}

/** Other services' synonyms for the words in our operation and tool names, in the singular. */
const wordSynonyms: Readonly<Record<string, string>> = {
  drop: "p d page document site artifact deployment gist paste report dashboard post article project app",
  publish: "create new add host save deploy push make write release upload html",
  upsert: "sync put save",
  "blob upload file": "presign presigned file asset image attachment media upload object picture zip",
  html: "raw content source body download page read view text export edit",
  read: "open get fetch view show stat analytic visitor activity audit metric",
  edit: "unpublish update patch rename set change title description setting visibility permission share sharing access collaborator reader archive expiry extend private public restriction tag label metadata",
  ...{ move: "transfer", team: "org organization organisation workspace" },
  "member role": "membership invitation invite add user leave join",
  dismiss: "reject deny decline",
  update: "replace overwrite republish append write edit",
  version: "history revision commit v update deploy deployment release",
  restore: "rollback revert undo promote",
  undelete: "untrash trash recover unarchive restore",
  "diff compare": "compare change",
  feedback: "comment review thread annotation discussion note reply issue inbox",
  answer: "form vote survey response submission csv",
  "reply resolve": "close reopen comment respond answer",
  "passcode lock": "password unlock protect gate protection",
  delete: "remove destroy purge trash",
  revoke: "delete logout rotate",
  "render see": "look image screenshot preview thumbnail picture png lint check",
  ...{ search: "find query lookup", list: "all index mine", pdf: "export print", poll: "token verify" },
  library: "public shared other explore discover",
  token: "key apikey session",
  sign: "login signin auth device oauth authorize authorization signup register start token key apikey",
  "me whoami": "me whoami profile account user userinfo introspect",
  usage: "quota limit rate billing plan stat",
  get: "show fetch read view describe info detail open",
  trash: "deleted bin recycle",
  openapi: "swagger spec schema api",
  llm: "doc help guide documentation",
  mcp: "sse message rpc jsonrpc tool",
};

/** Matches the first segments of paths in other services' APIs, such as `api` and `v1`. */
export const servicePrefix =
  /^(api|\d+|v\d+(\.\d+)?(alpha|beta)?\d*|rest|wp-json|wp|wiki|drive|storage|object|repos|_api|services|latest|public|beta|\d+\.\d+)$/;

/**
 * Recognizes path segments that are slugs, ids or parameter names in braces. An id with more than 7 characters must contain digits and
 * letters of both cases.
 */
export function isId(segment: string): boolean {
  return (
    /^(?=.*[A-Z0-9])[A-Za-z0-9]{7}$/.test(segment) ||
    /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{8,40}$|^\{\w+\}$/.test(segment)
  );
}

/** Returns the share of the sent names that a call accepts, including other services' names for its fields. */
export function shareKnown(names: readonly string[], known: readonly string[]): number {
  const found = names.slice(0, unknownMax).filter((name) => findMeantName(name, known) !== undefined);
  return found.length / Math.max(1, names.length);
}

/** Returns advice if words of a path or a tool's name mean a field, such as `private`, or a feature that the service does not have. */
export function adviceOnWords(
  words: readonly string[],
  known: readonly string[],
  last = words.at(-1) ?? "",
  { isChange = false, isFieldless = false } = {},
): Message {
  // Words after `metadata` are keys of metadata.
  if (words.indexOf("metadata") < words.lastIndexOf(last) && words.includes("metadata"))
    return sendWith(callsByField.metadata, "metadata");
  const missing = words.flatMap((word) => (known.includes(word) ? [] : (findAbsent(word) ?? [])))[0] ?? "";
  if (isFieldless || missing !== "") return missing;
  const { advice = "", field = "" } =
    fieldIntents.find(
      (one) => one.field !== undefined && one.advice !== undefined && isNamed(one, last, last),
    ) ?? {};
  const own = field === "" && isChange ? last : field;
  return joinMessages([advice, known.includes(own) ? "" : sendWith(callsByField[own], own)]);
}

/** Returns advice on the fields of a call with an unknown path, if the nearest call would refuse them. */
export function adviceOnFields(
  kind: GivenNames["kind"],
  given: readonly string[],
  known: readonly string[],
  intents: readonly Intent[] = fieldIntents,
): Message {
  if (given.length > unknownMax) return "";
  const explained = explainNames({
    kind,
    given,
    known,
    intents,
    calls: intents === fieldIntents ? callsByField : {},
  });
  return joinMessages(
    sentencesOf(
      kind,
      explained.filter(({ isRefused }) => isRefused === true),
    ),
  );
}

/** Recognizes another name of a field, such as `locked` for `passcode`. */
export function isFieldOf(name: string, field: string): boolean {
  return fieldIntents.some((one) => one.field === field && isNamed(one, name, normalizeName(name)));
}
