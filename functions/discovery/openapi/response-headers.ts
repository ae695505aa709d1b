import { limits } from "../../core/limits.ts";
import { exampleEntityTag, exampleNamespace, exampleSlug } from "../../core/openapi.ts";
import type { DocumentSite } from "../../core/written-site.ts";
import { dropResponse } from "../../drops/schemas.ts";
import { mediaTypes, type Route } from "../../http/route.ts";
import { type JsonObject, reference } from "./json.ts";

const text = { type: "string" };

/** Builds `components.headers`, with the response headers that matter to clients. */
export function componentHeaders(site: DocumentSite, version: string): Record<string, JsonObject> {
  return {
    "Cache-Control": header("Caching rules for the response.", "no-store"),
    "Content-Disposition": header(
      "`inline` for images, video and audio; `attachment` for every other file, and for downloads of a page.",
      'inline; filename="chart.png"',
    ),
    "Content-Security-Policy": header(
      "What a browser may load and run in the response.",
      "default-src 'none'; frame-ancestors 'none'",
    ),
    ETag: header(
      "The drop's revision. It changes with every change to the drop, but not with views. Send it as `If-Match` with your change, so that you do not overwrite other changes.",
      exampleEntityTag,
    ),
    "Idempotency-Replayed": header(
      "`true` if this is the stored response to an earlier request with the same Idempotency-Key; otherwise absent.",
      "true",
    ),
    Link: header(
      "Links to the descriptions of this API (RFC 8288).",
      `</openapi.json>; rel="service-desc"; type="application/json"`,
    ),
    Location: header("The URL of the redirect.", `${site.ownerUrl(exampleNamespace)}/d/${exampleSlug}`),
    "Permissions-Policy": header(
      "Browser features that the page may not use.",
      "geolocation=(), camera=(), microphone=(), payment=(), usb=(), publickey-credentials-get=()",
    ),
    "Retry-After": {
      description:
        "Seconds to wait before the next attempt; the same as `error.details.retry_after_seconds`, or `retry_after_seconds` with 202.",
      required: true,
      schema: { type: "integer", minimum: 1 },
      example: 17,
    },
    "Set-Cookie": header(
      `Cookie for this browser. The passcode cookie is valid for ${limits.passcodeCookieSeconds / 86_400} days, for this drop only.`,
      `__Host-dl_${exampleSlug}=1.1768469000.3.c2lnbmF0dXJl; Path=/; Max-Age=${limits.passcodeCookieSeconds}; HttpOnly; Secure; SameSite=Lax`,
    ),
    "Strict-Transport-Security": header("Requires https.", "max-age=63072000; includeSubDomains"),
    "WWW-Authenticate": {
      ...header("Authentication challenge (RFC 6750, section 3).", "Bearer"),
      required: true,
    },
    "X-Content-Type-Options": header("Browsers must not guess the media type.", "nosniff"),
    "X-Dropleaf-Version": header(
      "The version of the service that responded; the same as `info.version`.",
      version,
    ),
    "X-Request-Id": header(
      "Identifies this call in the service's log.",
      "9d1f6a34-8f0b-4f65-9a52-0c6f3c1f8a0e",
    ),
    "X-Robots-Tag": header("Search engines must not list the page.", "noindex"),
  };
}

/** Operations that return a stored object, whole or in ranges. */
const rangedOperations = new Set(["read-html", "read-source"]);

/** Describes the headers of an operation's success response. */
export function successHeaders(route: Route): JsonObject {
  const { response, id } = route;
  return references([
    ...(route.servedBy === "bucket" ? ["Content-Disposition"] : ["X-Request-Id"]),
    "Cache-Control",
    ...(response.status === 302 || response.status === 303 ? ["Location"] : ["Content-Security-Policy"]),
    ...(setsCookie.has(id) ? ["Set-Cookie"] : []),
    ...(id === "read-raw-page" ? ["Content-Disposition", "Permissions-Policy", "X-Robots-Tag"] : []),
    ...(linksOn(route) ? ["Link"] : []),
    ...(("json" in response && response.json === dropResponse) || rangedOperations.has(id) ? ["ETag"] : []),
    ...(route.headers?.includes("Idempotency-Key") ? ["Idempotency-Replayed"] : []),
    ...(isOfApi(route) ? ["X-Dropleaf-Version"] : []),
    "X-Content-Type-Options",
    "Strict-Transport-Security",
  ]);
}

/** Describes the headers of an operation's response with status 202. */
export function acceptedHeaders(route: Route): JsonObject {
  return { ...successHeaders(route), ...references(["Retry-After"]) };
}

/** Describes the headers of an error response with this status. */
export function errorHeaders(status: number): JsonObject {
  return references([
    "X-Request-Id",
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
  ]);
}

/** Recognizes the API operations whose responses get headers from `lib/edge/edge.ts`. */
function isOfApi({ path }: Route): boolean {
  return path.startsWith("/api/") || path === "/mcp";
}

const setsCookie = new Set([
  "authorize-sign-in",
  "show-verify-page",
  "start-browser-sign-in",
  "unlock-drop",
  "close-gate",
]);

/** Recognizes the home page and the API catalog, whose responses have a Link header (RFC 9727, sections 2 and 3). */
function linksOn({ id, response }: Route): boolean {
  return (
    id === "show-home-page" || ("content" in response && mediaTypes[response.content] === mediaTypes.linkset)
  );
}

function header(description: string, example: string): JsonObject {
  return { description, schema: text, example };
}

function references(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, reference("headers", name)]));
}
