import { normalizeName, singular, wordsIn } from "../core/names.ts";
import type { Route } from "../http/route.ts";
import { describeField, fieldsOf, type NamedField } from "../http/schemas.ts";
import { findMeantName, unknownMax } from "../http/unknown-names.ts";
import { namesInPath } from "./expected-call.ts";
import {
  comparedMax,
  deletionWords,
  hasSynonym,
  isFieldOf,
  isId,
  isKnownWord,
  rankByWords,
  servicePrefix,
  shareKnown,
  wordsOfName,
} from "./nearest-words.ts";

/** Maximum number of operations that an error suggests. */
const nearestMax = 3;

/** A call as it was sent. */
export interface SentCall {
  readonly method: string;
  readonly asked: string;
  /** Names of the query parameters and JSON fields in the call. */
  readonly names: readonly string[];
  /** @default - no body */
  readonly body: "file" | "page" | "text" | "other" | undefined;
}

/** A sent call, with details from its path. */
interface ReadCall extends SentCall {
  readonly segments: number;
  /** The normalized segment after the last id in the path. @default - the path ends with an id */
  readonly part: string | undefined;
  /** The path contains a slug or another id. */
  readonly hasId: boolean;
  /** The path names a collection inside another item, such as a team's drops. */
  readonly isContained: boolean;
  /** Operations at the call's path, with any method. */
  readonly here: readonly Route[];
}

/**
 * Evidence that an operation is, or is not, the intended one. The score is the weight times the measure, negative for evidence against the
 * operation.
 */
interface Signal {
  readonly weight: number;
  readonly measure: (row: Route, call: ReadCall) => number;
}

const signals: Readonly<Record<string, Signal>> = {
  method: { weight: 1, measure: ({ method }, call) => likenessOfMethods(call.method, method) },
  /** Counts the ids that an operation needs but the path lacks. The intended operation probably uses exactly the ids in the path. */
  ids: {
    weight: -0.9,
    measure(row, { asked, hasId, here, isContained }) {
      const filled = Object.keys(filledParameters(row, asked)).length;
      const names = [...here.flatMap(namesInPath), "slug"];
      const isUnused =
        hasId && filled === 0 && !isContained && !acceptedNames(row).some((name) => names.includes(name));
      return namesInPath(row).length - filled + (isUnused ? 3 : 0);
    },
  },
  /**
   * A path that begins with a collection's name probably means that collection. Ignored for `drops`, because most paths begin with `drops`
   * or a similar word.
   */
  collection: {
    weight: 3,
    measure({ path }, { asked, isContained }) {
      const [first = ""] = segmentsOf(asked);
      const [own, ...others] = segmentsOf(path);
      const isPart = collections.includes(singular(first)) && others.includes(first);
      return Number(
        asked.startsWith("/api/") && !isContained && first !== "drops" && (own === first || isPart),
      );
    },
  },
  depth: {
    weight: -0.3,
    measure: ({ path }, call) => Math.min(3, Math.abs(segmentsOf(path).length - call.segments)),
  },
  body: { weight: 4, measure: likenessOfBodies },
  /** The path may name a field, because other services have paths such as `/drops/{slug}/title`. */
  field: {
    weight: 3,
    measure: (row, { hasId, here, isContained, method, part }) =>
      Number(hasId && here.length === 0 && !isContained && hasField(row, method, part)) *
      (isWithoutOthers(row, part) ? 1 : 0.5),
  },
  names: {
    weight: 2,
    // Names in a deletion may identify the item, so they do not suggest an operation with another method, such as an upload.
    measure: (row, { names, method }) =>
      method === "DELETE" && row.method !== method ? 0 : shareKnown(names, acceptedNames(row)),
  },
};

/**
 * Finds the operations that a call may mean, best first, and the words of its path that match no operation.
 *
 * @param here operations at the call's path, with any method
 */
export function findNearest(
  call: SentCall,
  rows: readonly Route[],
  here: readonly Route[],
): {
  readonly nearest: readonly Route[];
  /** The path's words. */
  readonly words: readonly string[];
  readonly unknown: readonly string[];
} {
  const { asked } = call;
  const parts = segmentsOf(asked);
  const verb = parts.length > 1 ? (parts.at(-1) ?? "") : "";
  const isDeletion = deletionWords.includes(verb);
  const isRead = /^(get|list|read|fetch)$/.test(verb);
  const named = withoutCaller(wordsOfName(asked));
  const all = isRead ? named.filter((word) => word !== verb) : named;
  const ofPart = parts.slice(parts.findLastIndex((one) => isId(one) || /^\d+$/.test(one)) + 1);
  const [word = "", ...others] = wordsOfName(ofPart.join("/"));
  const read = {
    ...call,
    part: ofPart[0] && normalizeName(ofPart[0]),
    method: isDeletion ? "DELETE" : isRead ? "GET" : call.method,
    segments: parts.length,
    hasId: parts.some(isId),
    isContained: collections.includes(singular(ofPart[0] ?? "")),
    here,
  };
  const isOfTeams = [...all, ...call.names.flatMap(wordsIn)].some((word) => isLike("team", singular(word)));
  const offered = rows.filter(
    (row) =>
      (!row.path.startsWith("/api/teams") || isOfTeams) &&
      isSafe(row, call, all, isDeletion) &&
      hasIdsOf(row, read, rows) &&
      isFound(row, asked),
  );
  const items = offered.map((row) => ({
    item: row,
    words: wordsOfRow(row),
    summary: row.summary,
    points: Object.values(signals).reduce((sum, { weight, measure }) => sum + weight * measure(row, read), 0),
  }));
  const first = rankByWords(all, items);
  const isUnknownIn = (list: readonly string[]) => first.unknown.includes(list.at(-1) ?? "");
  // An unknown word below a known part of a drop is the name of an item.
  const isItem = read.hasId && isUnknownIn(others) && !isUnknownIn([word]);
  const words = isItem ? all.slice(0, -others.length) : all;
  const { ranked, matching, unknown } = isItem ? rankByWords(words, items) : first;
  const isField = offered.some((row) => usesIds(row, read) && hasField(row, call.method, read.part));
  // Checks only the last word, because the last word is the most specific one.
  const isUnknown = !isItem && !isField && isUnknownIn(words);
  const nearest = ranked.filter(
    (row) =>
      // Does not suggest changes of a single item to a caller who reads without an id.
      (call.method !== "GET" || row.method === "GET" || read.hasId || namesInPath(row).length === 0) &&
      (words.length === 0 ||
        isForBody(row, read) ||
        (isUnknown ? isForWhole(row, read, matching) : matching.has(row) || usesIds(row, read))),
  );
  const isNone = nearest.length === 0 && !read.hasId;
  return { nearest: nearest.slice(0, nearestMax), words, unknown: isUnknown ? unknown : isNone ? words : [] };
}

/** Removes words for the caller before a collection, such as `me` in `/me/drops`. */
function withoutCaller(words: readonly string[]): readonly string[] {
  const last = singular(words.at(-1) ?? "");
  const isCollection = collections.some((one) => isLike(one, last));
  return isCollection ? words.filter((word) => !/^(me|my|users?|accounts?)$/.test(word)) : words;
}

/**
 * Excludes deletions that would be unsafe to suggest: in place of a read, of a whole item in place of its part, or of a kind of part that
 * the caller did not name.
 */
function isSafe(
  row: Route,
  { method, asked }: SentCall,
  words: readonly string[],
  isDeletion: boolean,
): boolean {
  if (row.method !== "DELETE") return true;
  if (method !== "DELETE" && !words.some((word) => deletionWords.includes(word))) return false;
  const last = segmentsOf(row.path).at(-1) ?? "";
  if (!last.endsWith("}") && !words.some((word) => singular(word) === singular(last))) return false;
  const parts = segmentsOf(asked).slice(0, isDeletion ? -1 : undefined);
  const isPart = parts.some(isId) && !isId(parts.at(-1) ?? "");
  if (isPart && namesInPath(row).length > 1 && !namesItem(row, words)) return false;
  return !(isPart && row.path.endsWith("}") && segmentsOf(row.path).length < parts.length);
}

/** Recognizes a deletion of the kind of part that the caller named, such as a version. */
function namesItem(row: Route, words: readonly string[]): boolean {
  const own = wordsOfRow(row).filter((word) => word !== "drop" && !deletionWords.includes(word));
  return words.some((word) => own.includes(singular(word)) || hasSynonym(own, singular(word)));
}

/** Excludes operations on drops if the path contains the id of another kind of item, such as a file. */
function hasIdsOf(row: Route, { asked, hasId }: ReadCall, rows: readonly Route[]): boolean {
  const [first = ""] = segmentsOf(asked);
  const item = rows.find(({ path }) => isItemOf(path, `/api/${first}`));
  const isOther = hasId && item !== undefined && !item.path.endsWith("{slug}");
  return !isOther || !row.path.includes("{slug}") || Object.keys(filledParameters(row, asked)).length > 0;
}

/** Excludes OAuth calls unless the path names them. MCP clients find these calls in the OAuth metadata. */
function isFound({ path }: Route, asked: string): boolean {
  const [, last] = /^\/(?:oauth|\.well-known)\/.*?([^/]+)$/.exec(path) ?? [];
  return last === undefined || (!asked.startsWith("/api/") && asked.includes(last));
}

/** Recognizes operations on a whole item, which are suggested if the path names an unknown part of the item. */
function isForWhole(row: Route, call: ReadCall, matching: ReadonlySet<Route>): boolean {
  const isSame = row.method === call.method || (row.method === "GET" && !call.hasId);
  const isWhole = segmentsOf(row.path).length < call.segments;
  return isSame && isWhole && (call.hasId ? usesIds(row, call) : matching.has(row));
}

/** Recognizes operations that fit the body: operations that accept the page or file, or whose required fields were all sent. */
function isForBody(row: Route, call: ReadCall): boolean {
  if (call.here.length > 0) return false;
  const accepted = acceptedNames(row);
  const meant = call.names.slice(0, unknownMax).map((name) => findMeantName(name, accepted));
  const required = fieldsOfRow(row).filter(({ isRequired }) => isRequired);
  return (
    likenessOfBodies(row, call) > 0 ||
    (call.method !== "GET" && meant.includes("html")) ||
    (row.body !== "bytes" &&
      (row.method !== "GET" || call.method === "GET") &&
      (call.hasId || namesInPath(row).length === 0) &&
      required.length > 0 &&
      required.every(({ name }) => meant.includes(name)))
  );
}

function usesIds(row: Route, { asked, hasId }: ReadCall): boolean {
  return hasId && Object.keys(filledParameters(row, asked)).length > 0;
}

/** Lists the words of an operation's id and path, in the singular. */
export function wordsOfRow({ id, path }: Route): readonly string[] {
  const ofId = id.replace(/^(read|get)-/, "").split("-");
  return [...new Set([...ofId, ...wordsOfName(path.replace(/\{\w+\}/g, ""))].map(singular))];
}

/** Lists the names of all parameters and fields that an operation accepts. */
export function acceptedNames(row: Route): readonly string[] {
  const accepted = fieldsOfRow(row).filter((field) => describeField(field) !== undefined);
  return [...namesInPath(row), ...accepted.map(({ name }) => name)];
}

/** Recognizes operations that require no other field than the given one. */
function isWithoutOthers(row: Route, part: string | undefined): boolean {
  return fieldsOfRow(row).every(({ name, isRequired }) => !isRequired || normalizeName(name) === part);
}

/** Recognizes operations that change the field named in a path, or that return the resource with this field. */
function hasField(row: Route, method: string, part: string | undefined): boolean {
  const { response } = row;
  const isRead = method === "GET" && row.method === "GET" && row.path.endsWith("}") && "json" in response;
  const isChange = method !== "GET" && (row.method === "PATCH" || row.method === "PUT");
  const fields = isRead ? fieldsOf(response.json) : isChange ? fieldsOfRow(row) : [];
  const names = fields.map(({ name }) => name);
  if (part === undefined) return false;
  if (isRead && findMeantName(part, names) !== undefined) return true;
  // A word from the names of operations, such as `comments`, does not mean a field.
  const isOther = isRead || !isKnownWord(part);
  return names.some((name) => normalizeName(name) === part || (isOther && isFieldOf(part, name)));
}

function fieldsOfRow({ query, body }: Route): readonly NamedField[] {
  return [...fieldsOf(query), ...(typeof body === "object" ? fieldsOf(body.json) : [])];
}

function likenessOfMethods(method: string, own: string): number {
  if (method === own) return 1.2;
  const changes = ["POST", "PUT", "PATCH"];
  if (changes.includes(method) && changes.includes(own)) return 0.8;
  if (method === "DELETE") return -1.5;
  return method === "GET" || method === "HEAD" ? -1.2 : 0;
}

/** Rates how well an operation fits the call's body. Callers who send a body probably do not want to read. */
function likenessOfBodies(row: Route, { asked, body, method }: SentCall): number {
  if (body === undefined || method === "GET") return 0;
  const takesPage = typeof row.body === "object" && row.body.page !== undefined;
  if (body === "file") return row.body === "bytes" ? 1 : -0.5;
  if (body === "page") return Number(takesPage);
  const isHere = segmentsOf(row.path)[0] === segmentsOf(asked)[0];
  if (body === "text" && row.body === "bytes") return isHere ? 1 : 0.5;
  if (body === "text" && takesPage) return 0.5;
  if (row.body === "bytes") return -0.5;
  return row.method === "GET" ? -0.75 : 0;
}

/** Recognizes the path of a collection's items, such as `/api/drops/{slug}`. */
export function isItemOf(path: string, collection: string): boolean {
  return path.startsWith(collection) && /^\/\{\w+\}$/.test(path.slice(collection.length));
}

/** Names of collections in the paths of operations, in the singular. */
const collections = "drop blob upload token version feedback trash team access-request".split(" ");

/** Finds the values of an operation's path parameters in an unknown path, such as the slug in `/pages/aB3dE5f`. */
export function filledParameters({ path }: Route, asked: string): Record<string, string> {
  const parts = segmentsOf(asked);
  const own = segmentsOf(path);
  return Object.fromEntries(
    own.flatMap((part, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      const collection = singular(own.slice(0, at).findLast((one) => !one.startsWith("{")) ?? "");
      const found = parts.findIndex(
        (one, place) =>
          (isId(one) || (collection !== "drop" && /^v?\d{1,6}$/.test(one))) &&
          isCollection(collection, singular(parts[place - 1]?.toLowerCase() ?? "drop")),
      );
      return name === undefined || found < 0 ? [] : [[name, parts[found]?.replace(/^v(?=\d)/, "") ?? ""]];
    }),
  );
}

/** Returns true if the word before an id means the collection. A word that names no collection means `drops`. */
function isCollection(collection: string, before: string): boolean {
  const isSame = isLike(collection, before) || hasSynonym([before], collection);
  return isSame || (collection === "drop" && !collections.some((other) => isLike(other, before)));
}

function isLike(own: string, word: string): boolean {
  return word === own || hasSynonym([own], word);
}

/** Lists the first segments of a path after prefixes such as `api` and `v1`. */
function segmentsOf(path: string): readonly string[] {
  // Splits at dots too, because other services have paths such as `drops.list` and `report.pdf`.
  const parts = path.split(/[/.]/).filter((part) => part !== "");
  const start = parts.findIndex((part) => !servicePrefix.test(part));
  return start < 0 ? [] : parts.slice(start, start + comparedMax);
}
