import { ApiError } from "./errors.ts";
import { explainPath } from "./path-words.ts";
import type { Route } from "./route.ts";
import { quote } from "./schemas.ts";
import { findSimilarName } from "./similar-name.ts";
import { guideUrl, type Site } from "./site.ts";

/** An operation that programs call, as its row has it. */
export interface Address {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Methods and paths of the rows. */
export function addressesOf(rows: readonly Route[]): readonly Address[] {
  const called = rows.filter(({ caller, resource, path }) => {
    return caller !== "session" && (path.startsWith("/api/") || ["discovery", "mcp"].includes(resource));
  });
  return called.map(({ method, path, summary }) => ({ method, path, summary }));
}

/** The refusal of an address that there is none of, for a person or a program. */
export function addressNotFound(): ApiError {
  return new ApiError("not_found", { message: "Nothing was found at this address." });
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
    const message = `An address of a drop does not fit into a path: send its slug. Call ${bySlug}. The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details: { nearest: [bySlug], guide } });
  }
  const { allow, nearest } = findNearest(method, asked, addresses);
  const sentence = explainPath(method, segmentsOf(asked));
  const ways = nearest.map((one) => `${one.method} ${one.path} (${one.summary})`).join("; ");
  const near = sentence ?? (ways === "" ? usualCalls : `Did you mean: ${ways}?`);
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

/** Calls of a service that has no address near the one that was asked for. */
const usualCalls =
  "POST /api/drops publishes a page, GET /api/drops lists yours, PUT /api/drops/{slug} publishes a new version, and POST /api/blobs uploads a file.";

/** Method and path of each call in a sentence. */
export function callsIn(sentence: string): readonly string[] {
  return sentence.match(/\b(GET|POST|PUT|PATCH|DELETE) \/[\w./{}-]*[\w}]/g) ?? [];
}

const dropAddressInPath =
  /^\/api\/drops\/(?:https?:\/+[^/]+\/|\/)?(?:@[^/]+\/)?[dp]\/([A-Za-z0-9]{7})(?:\/raw)?(\/.*)?$/;

const dropAddress = /^(?:\/@[^/]+)?\/[dp]\/([A-Za-z0-9]{7})(?:\/raw)?$/;

/**
 * Finds the call with the slug where a path has the address of a drop instead, encoded or not, or is one, which readers open and nobody
 * writes to. API Gateway may find no operation for such a path, and then calls the one for unknown addresses.
 */
function callBySlug(method: string, asked: string): string | undefined {
  const decoded = asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
  const [, slug, rest = ""] = dropAddressInPath.exec(decoded) ?? [];
  if (slug !== undefined) return `${method} /api/drops/${slug}${rest}`;
  const [, written] = (method === "GET" ? null : dropAddress.exec(asked)) ?? [];
  return written && `${method === "POST" ? "PUT" : method} /api/drops/${written}`;
}

/** Existing methods and paths near an unknown one. */
interface FoundAddresses {
  /** The methods of the very path that was asked for; empty where there is no such path. */
  readonly allow: readonly string[];
  /** Best first. */
  readonly nearest: readonly Address[];
}

/** Other names of path segments, by the names of this API. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  drops: [
    "page",
    "pages",
    "publish",
    "document",
    "documents",
    "site",
    "sites",
    "artifact",
    "artifacts",
    ...[
      "share",
      "html",
      "deployments",
      "deployment",
      "deploys",
      "deploy",
      "gists",
      "gist",
      "paste",
      "pastes",
    ],
    ...["reports", "report", "dashboards", "websites", "projects", "presentations", "snippets", "posts"],
    ...["create", "new", "blocks", "block", "articles", "notes", "entries", "stories", "apps", "issues"],
  ],
  blobs: ["file", "files", "upload", "asset", "uploads", "assets", "image", "images", "attachments", "media"],
  uploads: ["presign", "presigned"],
  tokens: ["key", "keys", "api-keys", "apikeys"],
  me: ["whoami", "user", "users", "account", "profile", "self"],
  auth: ["login", "signin", "sign-in", "oauth", "device", "register", "signup", "session", "sessions"],
  library: ["search", "shared"],
  poll: ["token", "status", "verify"],
  start: ["login", "device", "code", "signin", "sign-in", "device_authorization", "device-authorization"],
  mcp: ["sse", "message", "messages", "rpc", "jsonrpc", "mcp-server", "tools"],
  v: ["versions", "version"],
  versions: ["history", "revisions", "v", "version"],
  html: ["raw", "content", "source", "page", "download"],
  passcode: ["password", "lock", "unlock", "gate"],
  restore: ["rollback", "revert"],
  diff: ["compare", "changes"],
  "openapi.json": ["openapi", "openapi.yaml", "swagger", "swagger.json", "spec", "schema"],
  "llms.txt": ["docs", "help", "guide", "documentation"],
};

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
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "");
}

/** Segments with which other services begin their paths. */
const prefix =
  /^(api|v\d+(\.\d+)?(alpha|beta)?\d*|rest|wp-json|wp|wiki|drive|storage|object|repos|_api|services|latest|public|beta|\d+\.\d+)$/;

function partsOfResource(asked: string): readonly string[] {
  const parts = partsIn(asked);
  const start = parts.findIndex((part) => !prefix.test(part));
  return start < 0 ? [] : parts.slice(start);
}

/** The same with `drops` and `blobs` for other services' words for pages and files. */
function segmentsOf(asked: string): readonly string[] {
  const [first = "", ...rest] = partsOfResource(asked);
  const name = ["drops", "blobs"].find((one) => rest.length > 0 && synonyms[one]?.includes(first));
  return [name ?? first, ...rest];
}

function isAt(path: string, asked: string): boolean {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(asked);
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
  if (synonyms[expected]?.includes(part)) return 0.1;
  return findSimilarName(part, [expected]) === undefined ? 2 : 0.5;
}
