import { ApiError, joinMessages, wordsFor } from "../core/errors.ts";
import { isId } from "./drop-address.ts";
import { expectedCall, namesInPath, sayExpected } from "./expected-call.ts";
import { comparedMax, hasSynonym, rankByWords, singular, wordsOfName } from "./nearest-words.ts";
import { type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { Route } from "./route.ts";
import { describeField, fieldsOf, isObject, quote } from "./schemas.ts";
import { guideUrl, type Site } from "./site.ts";
import { adviceOnWords, findMeantName, unknownMax } from "./unknown-names.ts";
import { isReviewed } from "./warnings.ts";

/** Words of a path by which a caller means to delete or to end something. */
const deletionWords = [
  "delete",
  "remove",
  "destroy",
  "purge",
  "empty",
  "clear",
  "revoke",
  "logout",
  "rotate",
];

/** Number of calls that a refusal names. */
const nearestMax = 3;

/** The rows of the operations that programs call. */
export function calledRows(rows: readonly Route[]): readonly Route[] {
  return rows.filter(
    ({ caller, path, resource }) =>
      caller !== "session" &&
      // Clients of a registry know its paths, and browsers those of the identity provider.
      !path.includes("{proxy+}") &&
      !path.startsWith("/api/auth/idp/") &&
      (path.startsWith("/api/") || ["discovery", "mcp", "oauth"].includes(resource)),
  );
}

/** A call, as the caller sent it. */
interface SentCall {
  readonly method: string;
  readonly asked: string;
  /** Names of the query parameters and of the JSON body's fields. */
  readonly names: readonly string[];
  readonly hasBody: boolean;
  /** The body is a file: neither JSON nor a page. */
  readonly isFile: boolean;
}

/**
 * Refuses a call to an unknown method or path. The message names the nearest operations by method, words and fields, and the parameters of
 * the first one.
 *
 * @param rows of the operations that programs call; empty if they are unknown
 */
export function refuseUnknownCall(
  request: Pick<HttpRequest, "method" | "headers" | "rawQuery" | "bodyBytes">,
  asked: string,
  rows: readonly Route[],
  site: Site,
): ApiError {
  const { method } = request;
  const guide = guideUrl(site);
  const here = rows.filter(({ path }) => isAt(path, asked));
  const allow = [...new Set(here.map((row) => row.method))].toSorted();
  const isOtherMethod = allow.length > 0 && !(allow as readonly string[]).includes(method);
  const decoded = decodeSlashes(asked);
  const named = decoded.replace(dropAddressInPath, "/api/drops/$1");
  const isNamed = named !== decoded && rows.some((row) => row.method === method && isAt(row.path, named));
  const call = {
    method,
    asked: isNamed ? named : decoded,
    names: namesIn(request),
    isFile: isFile(request),
    hasBody: (request.bodyBytes?.byteLength ?? 0) > 0,
  };
  const { nearest, unknown } = findNearest(call, rows, here);
  const [first] = nearest;
  const isBelow = first?.method === method && here.some(({ path }) => isItemOf(first.path, path));
  const fault = isOtherMethod
    ? `${quote(asked)} does not support ${method}${isBelow ? `. Use ${first.method} ${first.path}.` : `, only ${allow.join(", ")}.`}`
    : `There is nothing at ${quote(asked)}.${isNamed ? ` Call ${method} ${named}.` : ""}`;
  const below =
    rows.length === 0
      ? "Readers open pages here. Programs call /api/drops/{slug} and the addresses below it."
      : "";
  const isAddress = decoded.includes("://");
  const noWords =
    unknown.length > 0 && !isOtherMethod && below === "" && !isAddress
      ? `No call matches ${unknown.map(quote).join(", ")}.`
      : "";
  const origins =
    method === "OPTIONS" ? "Browsers cannot call the API from other origins: it sends no CORS headers." : "";
  const onWord = adviceOnWords(wordsOfName(call.asked), first ? acceptedNames(first) : []);
  const near = nearest.length === 0 ? "" : `Nearest: ${nearest.map(describeRow).join("; ")}.`;
  const sentences = [fault, below, noWords, origins, near, onWord, `The guide to all calls is ${guide}.`];
  const message = wordsFor("http", joinMessages(sentences));
  const pathParameters = first ? filledParameters(first, call.asked) : {};
  const expected = first && isReviewed(first) ? expectedCall(first, { pathParameters }) : undefined;
  const details = {
    ...(isOtherMethod ? { allow } : {}),
    nearest: nearest.map((row) => `${row.method} ${row.path}`),
    guide,
    ...(expected && { expected }),
  };
  const said = first && expected ? sayExpected(message, expected, `${first.method} ${first.path}`) : message;
  return isOtherMethod
    ? new ApiError("method_not_allowed", { message: said, details, allow })
    : new ApiError("not_found", { message: said, details });
}

function describeRow({ method, path, summary }: Route): string {
  return `${method} ${path} (${summary})`;
}

/** The names of the query parameters, and of the fields of a JSON body in memory. */
function namesIn({ rawQuery, bodyBytes }: Pick<HttpRequest, "rawQuery" | "bodyBytes">): readonly string[] {
  return [...Object.keys(parseQuery(rawQuery)), ...fieldsIn(bodyBytes)];
}

function fieldsIn(body: Uint8Array | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** Names that a call accepts in its path, query and body. */
function acceptedNames(row: Route): readonly string[] {
  const fields = [...fieldsOf(row.query), ...(typeof row.body === "object" ? fieldsOf(row.body.json) : [])];
  const accepted = fields.filter((field) => describeField(field) !== undefined);
  return [...namesInPath(row), ...accepted.map(({ name }) => name)];
}

/** Recognizes a media type that only files have. */
function isFile(request: Pick<HttpRequest, "headers">): boolean {
  return /^(image|video|audio|font|multipart)\/|\/pdf$|octet-stream$/.test(mediaTypeOf(request));
}

function findNearest(
  { method, asked, names, hasBody, isFile }: SentCall,
  rows: readonly Route[],
  here: readonly Route[],
) {
  const words = wordsOfName(asked);
  const parts = segmentsOf(asked);
  const hasId = parts.some(isId);
  const isDeletion = /^(delete|remove|destroy)$/.test(parts.at(-1) ?? "");
  // A caller who reads must not be advised to delete.
  const deletes = method === "DELETE" || words.some((word) => deletionWords.includes(word));
  // Other services accept a page at its own address.
  const isNew = /^(POST|PUT)$/.test(method) && !hasId && !isFile;
  const isPart = hasId && !isId(parts.at(-1) ?? "") && !isDeletion;
  // A caller who wants to delete a part must not be advised to delete the whole.
  const safe = rows.filter(
    (row) =>
      (row.method !== "DELETE" || deletes) &&
      !(
        method === "DELETE" &&
        row.method === "DELETE" &&
        isPart &&
        row.path.endsWith("}") &&
        segmentsOf(row.path).length < parts.length
      ),
  );
  const items = safe.map((row) => {
    const filled = Object.keys(filledParameters(row, asked)).length;
    const missing = namesInPath(row).length - filled;
    return {
      item: row,
      words: [
        ...new Set(
          [
            ...row.id.replace(/^(read|get)-/, "").split("-"),
            ...wordsOfName(row.path.replace(/\{\w+\}/g, "")),
          ].map(singular),
        ),
      ],
      summary: row.summary,
      points:
        pointsForMethod(isDeletion ? "DELETE" : method, row.method) +
        (missing === 0 && filled > 0 === hasId ? 0.5 : 0) -
        missing * (hasId ? 1 : 0.3) +
        (isFile && row.body === "bytes" ? 4 : 0) +
        (here.includes(row) ? 2 : 0) +
        // The call for one item has the collection's path and the item's id.
        (row.method === method && here.some(({ path }) => isItemOf(row.path, path)) ? 3 : 0) +
        (here.length === 0 ? shareKnown(names, row) * 3 : 0) -
        // A caller who sends a body does not want to read.
        (hasBody && method !== "GET" && row.method === "GET" ? 4 : 0) -
        Math.abs(segmentsOf(row.path).length - parts.length) * 0.3 +
        (row.id === "publish-drop" && isNew ? 0.5 : 0) +
        (row.resource === "drops" ? 0.1 : 0) -
        (hasId && !row.path.startsWith("/api/") ? 2 : 0) -
        (row.resource === "oauth" && asked.startsWith("/api/") ? 3 : 0),
    };
  });
  const { ranked, unknown } = rankByWords(words, items);
  const isUnlike = words.length > 0 && unknown.length === words.length && here.length === 0 && !hasId;
  return {
    nearest: isUnlike && !isNew ? [] : ranked.slice(0, nearestMax),
    // The last word is the most specific.
    unknown: unknown.includes(words.at(-1) ?? "") ? unknown : [],
  };
}

function isItemOf(path: string, collection: string): boolean {
  return (
    path.startsWith(`${collection}/{`) &&
    path.endsWith("}") &&
    !path.slice(collection.length + 1).includes("/")
  );
}

/** The share of the sent names that a row accepts, by their own or another service's names. */
function shareKnown(names: readonly string[], row: Route): number {
  if (names.length === 0) return 0;
  const known = acceptedNames(row);
  return (
    names.slice(0, unknownMax).filter((name) => findMeantName(name, known) !== undefined).length /
    names.length
  );
}

/** The parameters in a row's path that an unknown path contains, such as the slug of `/pages/aB3dE5f`. */
function filledParameters({ path }: Route, asked: string): Record<string, string> {
  const parts = segmentsOf(asked);
  const own = segmentsOf(path);
  return Object.fromEntries(
    own.flatMap((part, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      const collection = singular(own[at - 1] ?? "");
      const found = parts.findIndex((one, place) => {
        const before = singular(parts[place - 1]?.toLowerCase() ?? "drop");
        const isSame =
          before === collection || hasSynonym([collection], before) || hasSynonym([before], collection);
        return isSame && (isId(one) || /^v?\d{1,6}$/.test(one));
      });
      return name === undefined || found < 0 ? [] : [[name, parts[found]?.replace(/^v(?=\d)/, "") ?? ""]];
    }),
  );
}

function pointsForMethod(method: string, own: string): number {
  if (method === own) return 1.2;
  const changes = ["POST", "PUT", "PATCH"];
  if (changes.includes(method) && changes.includes(own)) return 0.8;
  if (method === "DELETE") return -1.5;
  return method === "GET" || method === "HEAD" ? -0.5 : 0;
}

/** Version prefixes of other interfaces. */
const prefix = /^\/(?:(?:api|rest|v\d+)(?:\/|$))+/;

/** The first segments of a path, without prefixes. */
function segmentsOf(path: string): readonly string[] {
  return path
    .replace(prefix, "")
    .split("/")
    .filter((part) => part !== "")
    .slice(0, comparedMax);
}

function decodeSlashes(asked: string): string {
  return asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
}

/** The address or path of a drop in place of the slug. */
const dropAddressInPath = /^\/api\/drops\/(?:https?:\/\/?[^/]+)?\/*[dp]\/([A-Za-z0-9]{7})(?:\/raw)?(?=\/|$)/;

/** Lengths of slugs and ids, which may consist of lower-case letters alone. */
const idLengths = [7, 12, 16];

/** Recognizes the path of a call. Words do not count as slugs, ids or numbers: `/api/trash/empty` does not name a drop in the trash. */
function isAt(path: string, asked: string): boolean {
  const expected = path.split("/");
  const sent = asked.split("/");
  const isSame = (part: string, at: number) => {
    const one = sent[at] ?? "";
    const isWord = /^[a-z]+(?:[-_][a-z]+)*$/.test(one) && !idLengths.includes(one.length);
    return part.startsWith("{") ? one !== "" && !isWord && !one.includes(".") : part === one;
  };
  return sent.length === expected.length && expected.every(isSame);
}
