import { ApiError } from "./errors.ts";
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
    const message = `A call takes the slug of a drop, not its address. Call ${bySlug}. The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details: { nearest: [bySlug], guide } });
  }
  const { allow, nearest } = findNearest(method, asked, addresses);
  const ways = nearest.map((one) => `${one.method} ${one.path} (${one.summary})`).join("; ");
  const near = ways === "" ? "" : ` Did you mean: ${ways}?`;
  const details = { nearest: nearest.map((one) => `${one.method} ${one.path}`), guide };
  const shown = quote(asked);
  // The very method is there: the path is another spelling of a known one.
  if (allow.length === 0 || allow.includes(method)) {
    const message = `There is nothing at ${shown}.${near} The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details });
  }
  const message = `${shown} does not support ${method}. Use ${allow.join(", ")}.${near} The guide to all calls is ${guide}.`;
  return new ApiError("method_not_allowed", { message, details: { allow, ...details }, allow });
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
    ...["create", "new"],
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

/** Calls of other services, with the equivalent call of this one. */
const otherCalls: Readonly<Record<string, string>> = {
  "POST /api/drops/{slug}/versions": "PUT /api/drops/{slug}",
  "POST /api/tokens": "POST /api/auth/start",
  "GET /api/me/tokens": "GET /api/tokens",
  "GET /api/usage": "GET /api/me/usage",
  "GET /api/quota": "GET /api/me/usage",
  "GET /api/limits": "GET /api/me/usage",
  "POST /api/login": "POST /api/auth/start",
  "GET /api/login": "POST /api/auth/start",
  "GET /api/.well-known/mcp": "POST /mcp",
  "GET /api/.well-known/mcp.json": "POST /mcp",
};

/** Calls by the last word of a path below those of drops and files, where other services have an address for each action. */
const callsByWord: Readonly<Record<string, readonly string[]>> = {
  "GET /api/drops": ["search", "find", "list", "all", "by-title", "by-name", "query", "lookup"],
  "POST /api/drops": ["new", "create", "add", "publish", "batch", "bulk"],
  "PUT /api/drops": ["upsert"],
  "GET /api/drops/{slug}": ["stats", "views", "analytics", "info", "details", "status", "url"],
  "PUT /api/drops/{slug}": ["update", "replace", "deploy", "files", "body"],
  "PATCH /api/drops/{slug}": [
    ...["tags", "metadata", "meta", "title", "description", "rename", "edit", "settings", "share", "readers"],
    ...["permissions", "access", "visibility", "private", "public", "members", "collaborators"],
  ],
  "DELETE /api/drops/{slug}": ["delete", "remove", "destroy", "trash"],
  "GET /api/drops/{slug}/render": [
    "screenshot",
    "preview",
    "thumbnail",
    "image",
    "pdf",
    "png",
    "report",
    "check",
  ],
  "POST /api/blobs": ["new", "create", "add"],
  "POST /api/blobs/uploads": ["presign", "presigned", "presigned-url", "signed-url", "upload-url"],
  "GET /api/feedback": ["comments", "comment", "feedback", "threads", "replies", "reviews"],
};

/** Finds the call that the last word of a path means. */
function callByWord(method: string, path: string): string | undefined {
  const [, resource = "", word = ""] = /^\/api\/(drops|blobs)\/(?:.*\/)?([^/]+)$/.exec(path) ?? [];
  const [call] =
    Object.entries(callsByWord).find(
      ([one, words]) => words.includes(word) && one.includes("/api/blobs") === (resource === "blobs"),
    ) ?? [];
  // Whoever reads must not be led to a change.
  return method === "GET" && !call?.startsWith("GET") ? undefined : call;
}

const nearestMax = 3;

/** More than this is another address. */
const distanceMax = 1.75;

/** Finds the calls that an unknown method and path may mean. */
function findNearest(method: string, asked: string, addresses: readonly Address[]): FoundAddresses {
  const path = tidied(asked);
  const here = addresses.filter((one) => isAt(one.path, asked));
  const [pattern] = here;
  const other = callByWord(method, path) ?? otherCalls[`${method} ${pattern?.path ?? path}`];
  const meant = addresses.filter((one) => `${one.method} ${one.path}` === other);
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
    nearest: [...new Set([...meant, ...publication, ...here, ...related, ...near])],
  };
}

function isPublication({ method, path }: Address): boolean {
  return method === "POST" && path === "/api/drops";
}

/** In lower case, without a version, doubled slashes or one at its end, below `/api`. */
function tidied(asked: string): string {
  const parts = asked
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "");
  return `/api/${parts.filter((part, at) => !(at < 2 && /^(api|v\d+)$/.test(part))).join("/")}`;
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
