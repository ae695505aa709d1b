import { ApiError, joinMessages, type Message, wordsFor } from "../core/errors.ts";
import { singular } from "../core/names.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Route } from "../http/route.ts";
import { fieldNamesOf, quote } from "../http/schemas.ts";
import { guideUrl, type Site } from "../http/site.ts";
import { namesOfResource } from "../http/unknown-names.ts";
import { isReviewed } from "../http/warnings.ts";
import { expectedCall, sayExpected } from "./expected-call.ts";
import {
  adviceOnFields,
  adviceOnWords,
  comparedMax,
  hasSynonym,
  isFieldOf,
  wordsOfName,
} from "./nearest-words.ts";
import { acceptedNames, filledParameters, isItemOf } from "./rank-operations.ts";
import { isAt, isChange, isPlainRead, readUnknownCall, type UnknownCall } from "./unknown-call.ts";

/** Selects the operations that an error may suggest to programs. */
export function calledRows(rows: readonly Route[]): readonly Route[] {
  return rows.filter(
    ({ caller, path, resource }) =>
      caller !== "session" &&
      // Excludes the paths of the MCP registry and the sign-in paths, which programs never look for.
      !path.includes("{proxy+}") &&
      !path.startsWith("/api/auth/idp/") &&
      (path.startsWith("/api/") || path === "/oembed" || ["discovery", "mcp", "oauth"].includes(resource)),
  );
}

/**
 * Creates the error for an unknown method or path. The message suggests the operations with the most similar method, words and fields, and
 * names the parameters of the first operation.
 *
 * @param rows the operations that programs call; empty on owners' hosts, which only readers use
 */
export function refuseUnknownCall(
  request: Pick<HttpRequest, "method" | "headers" | "rawQuery" | "bodyBytes">,
  asked: string,
  rows: readonly Route[],
  site: Site,
): ApiError {
  const call = readUnknownCall(request, asked, rows);
  const { allow, nearest } = call;
  const [first] = nearest;
  const guide = guideUrl(site);
  const message = wordsFor(
    "http",
    joinMessages([
      faultOf(call, asked),
      rows.length === 0
        ? "Readers open pages here. Programs call /api/drops/{slug} and the addresses below it."
        : "",
      ...adviceOnPath(call, rows),
      nearest.length === 0
        ? ""
        : `Nearest: ${nearest.map((row) => `${row.method} ${row.path} (${row.summary})`).join("; ")}.`,
      ...adviceOnNearest(call, rows),
      ...(allow ? [unchangeable(call), onlyWritten(call, rows)] : []),
      ...adviceOnBody(call),
      `The guide to all calls is ${guide}.`,
    ]),
  );
  const pathParameters = first ? filledParameters(first, call.asked) : {};
  const expected = first && isReviewed(first) ? expectedCall(first, { pathParameters }) : undefined;
  const details = {
    ...(allow && { allow }),
    nearest: nearest.map((row) => `${row.method} ${row.path}`),
    guide,
    ...(expected && { expected }),
  };
  const said =
    first && expected
      ? sayExpected(message, expected, `${first.method} ${first.path}`, meantParameter(call))
      : message;
  return allow
    ? new ApiError("method_not_allowed", { message: said, details, allow })
    : new ApiError("not_found", { message: said, details });
}

/** Returns the sentence that states the problem. */
function faultOf({ allow, asked, hasAddress, here, method, nearest }: UnknownCall, sentPath: string): string {
  const [first] = nearest;
  if (allow === undefined)
    return `There is nothing at ${quote(sentPath)}.${hasAddress ? ` Call ${method} ${asked}.` : ""}`;
  const isBelow = first?.method === method && here.some(({ path }) => isItemOf(first.path, path));
  const use = isBelow ? `. Use ${first.method} ${first.path}.` : `, only ${allow.join(", ")}.`;
  return `${quote(sentPath)} does not support ${method}${use}`;
}

/** Returns advice on words of the path that mean a field or an absent feature, or match no operation. */
function adviceOnPath(call: UnknownCall, rows: readonly Route[]): readonly Message[] {
  const { method, nearest, path, unknown, words } = call;
  const [first] = nearest;
  const last = words.at(-1) ?? "";
  // In a team's path, words such as `members` mean the team's members, not an absent feature or a drop's readers.
  const isOfTeam =
    /^\/api\/teams(\/|$)/.test(path) && last !== "drops" && !hasSynonym(["drop"], singular(last));
  const isPart = method === "POST" && first?.path.split("/").includes(last);
  const onWords =
    isOfTeam || call.isOfAccount
      ? ""
      : adviceOnWords(wordsOfName(call.asked), first ? acceptedNames(first) : [], last, {
          isChange: isChange(call) && !isPart && path.endsWith(`/${last}`),
          isFieldless: isPlainRead(call) || call.allow !== undefined,
        });
  const isNew = unknown.length > 0 && !call.allow && rows.length > 0 && !path.includes("://");
  const isAbsent = wordsFor("http", onWords) === "";
  return [
    isNew
      ? `No call matches ${unknown.map(quote).join(", ")}${isAbsent ? ": there is no such feature" : ""}.`
      : "",
    onWords,
    isNew ? partsBelow(path, rows) || (nearest.length === 0 ? partsBelow(`/api${path}`, rows) : "") : "",
    method === "OPTIONS" ? "Browsers cannot call the API from other origins: it sends no CORS headers." : "",
  ];
}

/** Returns advice on the first of the nearest operations. */
function adviceOnNearest(call: UnknownCall, rows: readonly Route[]): readonly string[] {
  const { allow, method, nearest, words } = call;
  const [first] = nearest;
  const parameter = meantParameter(call);
  return [
    listOf(first, call.asked, rows),
    isPlainRead(call) ? shownIn(first, words.at(-1)) : "",
    parameter === undefined ? "" : `Send ${quote(parameter)} with ${first?.method} ${first?.path}.`,
    allow && first?.resource !== "account" ? "" : readOnly(nearest, method, rows),
  ];
}

/** Returns advice on the body, if the nearest operation accepts a body. */
function adviceOnBody({ body, fields, nearest }: UnknownCall): readonly Message[] {
  const [first] = nearest;
  if (first === undefined || typeof first.body !== "object") return [];
  return [
    body === "page" && first.body.page !== undefined
      ? "Send the page itself as the body, with its Content-Type, and the other fields as query parameters."
      : "",
    isReviewed(first)
      ? adviceOnFields("field", fields, acceptedNames(first), namesOfResource[first.resource]?.intents)
      : "",
  ];
}

/** Finds the parameter or field of the nearest operation that the path contains, such as `title` in `/api/drops/{slug}/title`. */
function meantParameter(call: UnknownCall): string | undefined {
  const { nearest, words } = call;
  const [first] = nearest;
  if (isPlainRead(call)) return fieldNamesOf(first?.query).find((name) => words.includes(name));
  const ofBody = isChange(call) && typeof first?.body === "object" ? fieldNamesOf(first.body.json) : [];
  return ofBody.find((name) => name === words.at(-1));
}

/** Returns a hint that the resource at a path can only be written, with the field of the parent resource that shows its state. */
function onlyWritten({ method, path }: UnknownCall, rows: readonly Route[]): string {
  const [, parent = "", part = ""] = /^(.+)\/([a-z]+)$/.exec(path) ?? [];
  const whole = rows.find((row) => row.method === "GET" && isAt(row.path, parent));
  if (method !== "GET" || whole === undefined || !("json" in whole.response)) return "";
  const field = fieldNamesOf(whole.response.json).find((name) => name !== part && isFieldOf(name, part));
  return field === undefined
    ? ""
    : `The ${part} can be set, but is never returned. ${quote(field)} in ${whole.method} ${whole.path} shows its state.`;
}

const ofAccounts =
  "No call changes or deletes an account: its name comes from the sign-in, it has no password, and only the service's operator deletes it.";

/** Returns a sentence that the resource at the nearest path is read-only, if the call would change it. */
function readOnly(nearest: readonly Route[], method: string, rows: readonly Route[]): string {
  const [first] = nearest;
  const isRead = method === "GET" || method === "HEAD";
  const isChanged = [
    ...nearest,
    ...rows.filter(({ path }) => path === first?.path || isItemOf(path, `${first?.path}`)),
  ].some((row) => row.method !== "GET");
  if (first === undefined || isRead || isChanged) return "";
  return `${first.path} can only be read.${first.resource === "account" ? ` ${ofAccounts}` : ""}`;
}

const ofTeams =
  "POST /api/teams creates a team. No call renames or deletes a team. Only the service's operator deletes it.";

/** Returns a sentence that no call changes or deletes the item, if the call would do so. */
function unchangeable({ here, method }: UnknownCall): string {
  const [{ path = "", resource } = {}] = here;
  if (!path.endsWith("}")) return "";
  if (path.endsWith("{namespace}") && resource === "teams") return ofTeams;
  if (method === "DELETE") return "No call deletes this item.";
  const isChanged = here.some((row) => row.method === "PATCH" || row.method === "PUT");
  return isChanged || !["PATCH", "PUT"].includes(method)
    ? ""
    : "This item can't be changed after it is created.";
}

/** Returns a sentence about the response field that the last word of a path means, such as `readers` for `/shares`. */
function shownIn(first: Route | undefined, word = ""): string {
  if (first?.method !== "GET" || !("json" in first.response) || !first.path.endsWith("}")) return "";
  const field = fieldNamesOf(first.response.json).find((name) => name === word || isFieldOf(word, name));
  return field === undefined ? "" : `GET ${first.path} responds with ${quote(field)}.`;
}

/** Returns a sentence about the call that lists valid ids, if the nearest call needs an id and the path contains no id. */
function listOf(first: Route | undefined, asked: string, rows: readonly Route[]): string {
  const list = rows.find(({ method, path }) => method === "GET" && isItemOf(first?.path ?? "", path));
  const isNamed = first !== undefined && Object.keys(filledParameters(first, asked)).length > 0;
  return list === undefined || isNamed ? "" : `GET ${list.path} lists them.`;
}

/** Lists the path segments that can follow the longest known prefix of a path. */
function partsBelow(asked: string, rows: readonly Route[]): string {
  const segments = asked.split("/").slice(0, comparedMax);
  const paths = rows.map(({ path }) => path.split("/"));
  for (let length = segments.length - 1; length > 1; length -= 1) {
    const start = segments.slice(0, length).join("/");
    const below = paths.filter((own) => own.length > length && isAt(own.slice(0, length).join("/"), start));
    const words = below.flatMap((own) => own[length] ?? []).filter((word) => !word.startsWith("{"));
    const known = below[0]?.slice(0, length).join("/");
    if (words.length > 0) return `Paths below ${known}: ${[...new Set(words)].toSorted().join(", ")}.`;
    if (known !== undefined) return "";
  }
  return "";
}
