import { ApiError } from "../core/errors.ts";
import { isSlug, partOfDrop, servicePrefix } from "./drop-address.ts";
import { findSimilarName, isId, isSynonym } from "./hints.ts";
import { exampleOf, fieldsOf } from "./input-hints.ts";
import { explainPath, methodOfVerb, pathSynonyms } from "./path-hints.ts";
import type { Route } from "./route.ts";
import { patterns, quote } from "./schemas.ts";
import { guideUrl, type Site } from "./site.ts";

/** An operation that programs call, as its row has it. */
export interface Address {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Its required fields as JSON. @default - it has none */
  readonly example?: string;
}

/** Methods and paths of the rows. */
export function addressesOf(rows: readonly Route[]): readonly Address[] {
  const called = rows.filter(({ caller, resource, path }) => {
    const isCalled = path.startsWith("/api/") || ["discovery", "mcp", "oauth"].includes(resource);
    return caller !== "session" && isCalled;
  });
  return called.map(({ method, path, summary, body }) => {
    const schema = typeof body === "object" ? body.json : undefined;
    const isRequired = schema !== undefined && fieldsOf(schema).some((field) => field.isRequired);
    return { method, path, summary, ...(isRequired ? { example: exampleOf(schema) } : {}) };
  });
}

/** Refuses a call to an unknown method or path, with the calls that it may mean and the guide to all of them. */
export function explainMissing(
  method: string,
  asked: string,
  addresses: readonly Address[],
  site: Site,
): ApiError {
  const guide = guideUrl(site);
  const bySlug = callBySlug(method, asked);
  if (bySlug !== undefined) {
    const message = `${bySlug.fault} Call ${bySlug.call}. The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details: { nearest: [bySlug.call], guide } });
  }
  const { allow, nearest } = findNearest(method, asked, addresses);
  const ofWords =
    method === "OPTIONS"
      ? noForeignOrigins
      : (explainDropPart(method, asked) ?? explainPath(method, segmentsOf(asked)));
  const own = addresses.filter(
    (one) => allow.includes(one.method) && isAt(one.path, asked) && !isPlaceholder(one),
  );
  // The address is an action's, and the method not the one that carries it out.
  const isAction =
    !/^(DELETE|OPTIONS)$/.test(method) &&
    !nearest.some((one) => one.method === method) &&
    own.some((one) => one.method === "POST") &&
    !own.some((one) => ofWords?.includes(one.path));
  const sentence = isAction ? `${own.map(describeCall).join("; ")}.` : ofWords;
  const ways = nearest.slice(0, shownMax).map(describeCall).join("; ");
  const verb = methodOfVerb[partsOfResource(asked)[0] ?? ""];
  const near = sentence ?? (ways === "" ? usualCalls(verb ?? method) : `Did you mean: ${ways}?`);
  const called = [...callsIn(near), ...nearest.map((one) => `${one.method} ${one.path}`)];
  const details = { nearest: [...new Set(called)], guide };
  const shown = quote(asked);
  // The very method is there: the path is another spelling of a known one.
  if (allow.length === 0 || allow.includes(method)) {
    const message = `There is nothing at ${shown}. ${near} The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details });
  }
  const message = `${shown} does not support ${method}. Use ${allow.join(", ")}. ${near} The guide to all calls is ${guide}.`;
  return new ApiError("method_not_allowed", { message, details: { allow, ...details }, allow });
}

/** Limit of the calls that a message names. */
const shownMax = 5;

function describeCall({ method, path, summary, example }: Address): string {
  return `${method} ${path}${example === undefined ? "" : ` with ${example}`} (${summary})`;
}

/** Recognizes an address whose last segment may be anything, a word of another call too. */
function isPlaceholder({ path }: Address): boolean {
  return path.endsWith("}");
}

const noForeignOrigins =
  "Browsers cannot call the API from other origins: it sends no CORS headers. Call it from a program, a server or an agent.";

/** Calls of a service that has no address near the one that was asked for. */
function usualCalls(method: string): string {
  const reads =
    "GET /api/drops lists your drops, GET /api/drops/{slug} describes one, and GET /api/drops/{slug}/html is its page. Readers open a drop at /d/{slug}.";
  const publishes =
    'POST /api/drops with {"title": …, "html": …} publishes a page, PUT /api/drops/{slug} a new version of it, and POST /api/blobs?filename=chart.png uploads a file.';
  const deletes =
    "DELETE /api/drops/{slug} deletes a drop, DELETE /api/blobs/{id} a file, and DELETE /api/tokens/{id} revokes a token.";
  const edits =
    "PATCH /api/drops/{slug} changes title, tags and readers of a drop, and PUT /api/drops/{slug} publishes a new version.";
  if (method === "DELETE") return deletes;
  if (method === "PATCH") return edits;
  return /^(GET|HEAD)$/.test(method)
    ? `${reads} POST /api/drops with {"title": …, "html": …} publishes a page.`
    : `${publishes} GET /api/drops lists yours.`;
}

/** Method and path of each call in a sentence. */
export function callsIn(sentence: string): readonly string[] {
  return sentence.match(/\b(GET|POST|PUT|PATCH|DELETE) \/[\w./{}-]*[\w}]/g) ?? [];
}

const addressInPath =
  /^\/api\/(drops|blobs)\/(?:https?:\/+[^/]+\/|\/)?(?:@[^/]+\/)?[bdp]\/([A-Za-z0-9]{7})(?:\/raw)?(\/.*)?$/;

/** The address of a drop, or its slug alone. */
const dropAddress = /^(?:\/@[^/]+)?(\/[dp])?\/([A-Za-z0-9]{7})(?:\/raw)?$/;

/**
 * Finds the call with the slug or id where a path has the address of a drop or file instead, encoded or not, or is one, which readers open and nobody
 * writes to. API Gateway may find no operation for such a path, and then calls the one for unknown addresses.
 */
function callBySlug(
  method: string,
  asked: string,
): { readonly fault: string; readonly call: string } | undefined {
  const decoded = asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
  const [, resource, id, rest = ""] = addressInPath.exec(decoded) ?? [];
  if (id !== undefined)
    return {
      fault: "An address does not fit into a path: send the slug of a drop, or the id of a file.",
      call: `${method} /api/${resource}/${id}${rest}`,
    };
  const isRead = /^(GET|HEAD|OPTIONS)$/.test(method);
  const [, name = ""] = (isRead ? null : /^(?:\/@[^/]+)?\/[dp]\/([^/]+)$/.exec(asked)) ?? [];
  if (name !== "" && !patterns.slug.test(name))
    return {
      fault:
        "A drop is written to by its slug, of 7 letters or digits, which the service chooses. To have a name of your own, use a tag.",
      call: method === "DELETE" ? "DELETE /api/drops/{slug}" : `PUT /api/drops?metadata.name=${name}`,
    };
  const [, kind, slug = ""] = (isRead ? null : dropAddress.exec(asked)) ?? [];
  if (slug === "" || (kind === undefined && !isSlug(slug))) return undefined;
  return {
    fault: "Readers open this address, and a drop is written to by its slug.",
    call: `${method === "POST" ? "PUT" : method} /api/drops/${slug}`,
  };
}

/** Explains an address below that of a drop, as if it were below the drop of the API. */
function explainDropPart(method: string, asked: string): string | undefined {
  const part = partOfDrop(asked);
  if (part === undefined) return undefined;
  const { slug, rest } = part;
  return explainPath(method, ["drops", slug, ...partsIn(rest)])?.replaceAll("{slug}", slug);
}

/** Existing methods and paths near an unknown one. */
interface FoundAddresses {
  /** The methods of the very path that was asked for; empty where there is no such path. */
  readonly allow: readonly string[];
  /** Best first. */
  readonly nearest: readonly Address[];
}

const nearestMax = 3;

/** More than this is another address. */
const distanceMax = 1.75;

/** Finds the calls that an unknown method and path may mean. */
function findNearest(method: string, asked: string, addresses: readonly Address[]): FoundAddresses {
  const path = tidied(asked);
  const here = addresses.filter((one) => isAt(one.path, asked));
  const [pattern] = here;
  // Whoever wants a part of something gone must not be led to delete all of it.
  const isSafe = (one: Address) => method !== "DELETE" || one.path.length > (pattern?.path.length ?? 0);
  // Other services take a page at its own address.
  const publishes = /^(POST|PUT)$/.test(method) && !asked.startsWith("/api");
  const related = addresses.filter((one) => {
    return one.method === method && pattern !== undefined && isSafe(one) && isRelated(one.path, pattern.path);
  });
  const near = pattern === undefined ? byDistance(method, path, addresses).slice(0, nearestMax) : [];
  const publication = addresses.filter(
    (one) => publishes && (near.length === 0 || path === "/api/") && isPublication(one),
  );
  return {
    allow: [...new Set(here.map((one) => one.method))].toSorted(),
    nearest: [...new Set([...publication, ...here, ...related, ...near])],
  };
}

function isPublication({ method, path }: Address): boolean {
  return method === "POST" && path === "/api/drops";
}

/** In lower case, without the beginning of other services' paths, doubled slashes or one at its end, below `/api`. */
function tidied(asked: string): string {
  return `/api/${partsOfResource(asked).join("/")}`;
}

function partsIn(asked: string): readonly string[] {
  return asked
    .split(/[/:]/)
    .map((part) => (isId(part.replace(/\.json$/, "")) ? part.slice(0, 7) : toWords(part)))
    .filter((part) => part !== "");
}

function partsOfResource(asked: string): readonly string[] {
  const parts = partsIn(asked);
  const start = parts.findIndex((part) => !servicePrefix.test(part));
  return start < 0 ? [] : parts.slice(start);
}

function toWords(part: string): string {
  return part.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

/** The same with `drops` and `blobs` for other services' words for pages and files. */
function segmentsOf(asked: string): readonly string[] {
  const [first = "", ...rest] = partsOfResource(asked);
  const name = ["drops", "blobs"].find((one) => rest.length > 0 && isSynonym(pathSynonyms, one, first));
  return [name ?? first, ...rest];
}

/** The text in place of a drop's slug in an unknown path; a right slug where there is none. */
export function slugIn(asked: string): string {
  const [first, second = ""] = segmentsOf(asked);
  return first === "drops" && second !== "" ? second : "aaaaaaa";
}

/** Recognizes the path of a call. A word is no slug, id or number of its: `/api/trash/empty` is no drop in the trash. */
function isAt(path: string, asked: string): boolean {
  const expected = path.split("/");
  const sent = asked.split("/");
  const isSame = (part: string, at: number) => {
    const one = sent[at] ?? "";
    return part.startsWith("{") ? one !== "" && !isWord(one) : part === one;
  };
  return sent.length === expected.length && expected.every(isSame);
}

/** Numbers of characters of slugs and ids, which may have small letters alone. */
const idLengths = [7, 12, 16];

function isWord(segment: string): boolean {
  return /^[a-z]+(?:[-_][a-z]+)*$/.test(segment) && !idLengths.includes(segment.length);
}

/** Recognizes a path directly above or below another. */
function isRelated(one: string, other: string): boolean {
  const [short = "", long = ""] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(`${short}/`);
}

function byDistance(method: string, path: string, addresses: readonly Address[]): readonly Address[] {
  return addresses
    .map((one) => ({ one, distance: distance(one.path, path) + (one.method === method ? 0 : 0.4) }))
    .filter((found) => found.distance <= distanceMax)
    .sort((first, second) => first.distance - second.distance)
    .map(({ one }) => one);
}

/** Distance between a path and a row's: 1 for each segment that differs, is missing or is extra. */
function distance(pattern: string, path: string): number {
  const expected = partsOf(pattern);
  const parts = partsOf(path);
  const length = Math.max(expected.length, parts.length);
  const each = Array.from({ length }, (_, at) => partDistance(expected[at] ?? "", parts[at] ?? ""));
  return each.reduce((sum, one) => sum + one, 0);
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== "api");
}

function partDistance(expected: string, part: string): number {
  if (expected === part) return 0;
  if (expected === "" || part === "") return 1;
  // Anything may stand there, and is less sure than a word that is the same.
  if (expected.startsWith("{")) return 0.3;
  if (isSynonym(pathSynonyms, expected, part)) return 0.1;
  return findSimilarName(part, [expected]) === undefined ? 2 : 0.5;
}
