import { ApiError } from "../core/errors.ts";
import { isId } from "./drop-address.ts";
import { expectedCall, sayExpected } from "./expected-call.ts";
import { rankByWords, wordsOfName } from "./nearest-words.ts";
import type { Route } from "./route.ts";
import { quote } from "./schemas.ts";
import { guideUrl, type Site } from "./site.ts";
import { isReviewed } from "./warnings.ts";

/** Number of calls that a refusal names. */
const nearestMax = 3;

/** The rows of the operations that programs call. */
export function calledRows(rows: readonly Route[]): readonly Route[] {
  return rows.filter(
    ({ caller, path, resource }) =>
      caller !== "session" &&
      // Clients of a registry know its paths.
      !path.includes("{proxy+}") &&
      (path.startsWith("/api/") || ["discovery", "mcp", "oauth"].includes(resource)),
  );
}

/**
 * Refuses a call to an unknown method or path. The message names the nearest operations by method and words, and the parameters of the
 * first one.
 *
 * @param rows of the operations that programs call; empty if they are unknown
 */
export function refuseUnknownCall(
  method: string,
  asked: string,
  rows: readonly Route[],
  site: Site,
): ApiError {
  const guide = guideUrl(site);
  const last = `The guide to all calls is ${guide}.`;
  const here = rows.filter(({ path }) => isAt(path, asked));
  const allow = [...new Set(here.map((row) => row.method))].toSorted();
  const isOtherMethod = allow.length > 0 && !(allow as readonly string[]).includes(method);
  const named = decodeSlashes(asked).replace(dropAddressInPath, "/api/drops/$1");
  const isNamed = rows.some((row) => row.method === method && isAt(row.path, named));
  const { nearest, unknown } = findNearest(method, isNamed ? named : asked, rows, here);
  const call = isNamed && named !== asked ? ` Call ${method} ${named}.` : "";
  const fault = isOtherMethod
    ? `${quote(asked)} does not support ${method}. Use ${allow.join(", ")}.`
    : `There is nothing at ${quote(asked)}.${call}`;
  const below =
    rows.length === 0
      ? " Readers open pages here. Programs call /api/drops/{slug} and the addresses below it."
      : "";
  const noWords =
    unknown.length > 0 && !isOtherMethod && below === ""
      ? ` No call matches ${unknown.map(quote).join(", ")}.`
      : "";
  const origins =
    method === "OPTIONS" ? " Browsers cannot call the API from other origins: it sends no CORS headers." : "";
  const [first] = nearest;
  const near = nearest.map((row) => `${row.method} ${row.path} (${row.summary})`).join("; ");
  const message = `${fault}${below}${noWords}${origins} ${near === "" ? "" : `Nearest: ${near}. `}${last}`;
  const pathParameters = { slug: slugIn(asked), id: slugIn(asked) };
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

function findNearest(method: string, asked: string, rows: readonly Route[], here: readonly Route[]) {
  const words = wordsOfName(asked);
  const parts = segmentsOf(asked);
  const hasId = parts.some(isId);
  // Other services accept a page at its own address.
  const isNew = /^(POST|PUT)$/.test(method) && !hasId;
  const isPart = hasId && !isId(parts.at(-1) ?? "") && !/^(delete|remove|destroy)$/.test(parts.at(-1) ?? "");
  // A caller who wants to delete a part must not be advised to delete the whole.
  const safe = rows.filter(
    (row) =>
      !(
        method === "DELETE" &&
        row.method === "DELETE" &&
        isPart &&
        row.path.endsWith("}") &&
        segmentsOf(row.path).length < parts.length
      ),
  );
  const items = safe.map((row) => ({
    item: row,
    words: [
      ...new Set([...row.id.split("-"), ...wordsOfName(row.path.replace(/\{\w+\}/g, ""))].map(singular)),
    ],
    summary: row.summary,
    points:
      pointsForMethod(method, row.method) +
      (row.path.includes("{") === hasId ? 0.5 : 0) +
      (here.includes(row) ? 2 : 0) -
      Math.abs(segmentsOf(row.path).length - parts.length) * 0.3 +
      (row.id === "publish-drop" && isNew ? 0.5 : 0) -
      (hasId && !row.path.startsWith("/api/") ? 2 : 0),
  }));
  const { ranked, unknown } = rankByWords(words.map(singular), items);
  return { nearest: ranked.slice(0, nearestMax), unknown };
}

function pointsForMethod(method: string, own: string): number {
  if (method === own) return 1.2;
  const changes = ["POST", "PUT", "PATCH"];
  if (changes.includes(method) && changes.includes(own)) return 0.8;
  return method === "GET" || method === "HEAD" ? -0.5 : 0;
}

function singular(word: string): string {
  return word.replace(/(?<=[a-z]{2}[^s])s$/, "");
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== "api");
}

/** The slug or id in an unknown path; empty without one. */
function slugIn(asked: string): string {
  return segmentsOf(decodeSlashes(asked)).find(isId) ?? "";
}

function decodeSlashes(asked: string): string {
  return asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
}

/** The address or path of a drop in place of the slug. */
const dropAddressInPath = /^\/api\/drops\/(?:https?:\/\/?[^/]+)?\/*[dp]\/([A-Za-z0-9]{7})(?:\/raw)?(?=\/)/;

/** Lengths of slugs and ids, which may consist of lower-case letters alone. */
const idLengths = [7, 12, 16];

/** Recognizes the path of a call. Words do not count as slugs, ids or numbers: `/api/trash/empty` does not name a drop in the trash. */
function isAt(path: string, asked: string): boolean {
  const expected = path.split("/");
  const sent = asked.split("/");
  const isSame = (part: string, at: number) => {
    const one = sent[at] ?? "";
    const isWord = /^[a-z]+(?:[-_][a-z]+)*$/.test(one) && !idLengths.includes(one.length);
    return part.startsWith("{") ? one !== "" && !isWord : part === one;
  };
  return sent.length === expected.length && expected.every(isSame);
}
