/// <reference types="aws-cloudfront-function" />
import cf from "cloudfront";

// CloudFront calls `handler` by its name, in a runtime that has no modules but its own and little of modern JavaScript:
// no destructuring, no for-of, no optional chaining. CloudFront developer guide, "JavaScript runtime 2.0 features for
// CloudFront Functions".

/** The host of the base URL, inserted by the bundler. Empty where `BASE_DOMAIN` is. */
declare const BASE_HOST: string;
/** The domain under which owners live, inserted by the bundler. Empty if they live below `/@<namespace>/` of the base host. */
declare const BASE_DOMAIN: string;
/** The id of the origin for large bodies, inserted by the bundler. Empty without that origin. */
declare const INGEST_ORIGIN_ID: string;
/** The id of the API's origin, inserted by the bundler. */
declare const API_ORIGIN_ID: string;

/** Limit of bodies for the API: API Gateway accepts 10 MB, and Lambda 6 MB as base64. Larger bodies are sent to the ingest origin. */
const apiBodyBytesMax = 3145728;

/** Ten times the largest legal body. The ingest server reads refused bodies to their end, which would take too long for larger ones. */
const ingestBodyBytesMax = 268435456;

/** Limit of a request's head: API Gateway accepts 10,240 bytes. The rest is for headers that CloudFront and this function add. */
const headBytesMax = 9216;

/** Limit of other paths, which is longer than any path of the contract. A longer path is unknown, and would be forwarded twice. */
const pathLengthMax = 256;

/**
 * Limit of headers, and of cookies that are read. Browsers and programs send fewer. Each takes some of the millisecond that CloudFront
 * gives a function.
 */
const fieldsMax = 200;

/** Parameters of a raw page. Those of its viewer leave room for two of ours: functions/http/page-operation.ts. */
const parametersMax = 20;

/** Prefix of this service's cookies. By `__Host-` no page of another host can set them: RFC 6265bis, section 4.1.3.2. */
const ownCookies = "__Host-dl_";
/** Cookies that belong to the whole service. Those of one drop open its gate, or identify the browser there. */
const generalCookie = /^__Host-dl_(?!(tries_)?[A-Za-z0-9]{7}$)[\w-]+$/;

/** Limit of Set-Cookie headers for CloudFront and every browser; the next response clears the remaining cookies. */
const clearedCookiesMax = 50;

/** Addresses of drops. */
const dropPath = /^\/[pd]\//;

/**
 * Addresses below a drop's, also with the punctuation of a sentence behind them, for paths that match `dropPath`: the function redirects to
 * the right ones, or names them.
 */
const partOfDrop = /^...(%3C)?\w{7}\W/;

/** A raw page, or a file of its folder, whose path is the group: docs/adr/0103-folders.md. */
const rawPath = /^\/p\/[A-Za-z0-9]{7}\/raw(\/.*)?$/;
const folderFile = /^\/p\/[A-Za-z0-9]{7}\/raw\//;

/** A page of a folder in its viewer, unless it is another address of the drop. */
const viewerPage = /^\/[dp]\/[A-Za-z0-9]{7}\/[!-~]+$/;

/**
 * Spellings that another server would decode or remove, and so read as another path. In this runtime, `$` also matches before a final line
 * feed.
 */
const otherSpelling = /\/((\.|%2e){1,2}(\/|$)|\/)|%2f|%5c|\\|\s/i;

/**
 * Address of the object of a restricted file, or of a folder, with a query that Amazon S3 checks: functions/blobs/public-files.ts and
 * functions/viewer/folder-file-response.ts.
 */
const signedPath =
  /^\/_(restricted\/[a-z0-9-]{1,63}\/[A-Za-z0-9]{7}\/[A-Za-z0-9]{16}|files\/[A-Za-z0-9]{7}\/[A-Za-z0-9]{16}\.[\w.]+)$/;

/** An owner's feed. */
const feedPath = "/feed";

/** Path to which a page's forms send answers. */
const answersPath = /^\/p\/[A-Za-z0-9]{7}\/answers$/;

/** Path that every open tab of a drop polls: docs/adr/0058-viewer-polling.md. */
const statePath = /^\/p\/[A-Za-z0-9]{7}\/state$/;

/** Path of no page. The viewer responds with a page for people, regardless of Accept. */
const notFoundPath = "/not-found";

/** Headers of each response of this function. */
const ownHeaders = {
  "content-security-policy": { value: "default-src 'none'; frame-ancestors 'none'" },
  "x-content-type-options": { value: "nosniff" },
  "cache-control": { value: "no-store" },
};

/** Headers of the response to a preflight request for a file of a folder. */
const preflight = {
  "access-control-allow-origin": { value: "*" },
  "access-control-allow-headers": { value: "*" },
};

/**
 * Runs on every request, before the cache. It passes on what API Gateway would hide or rewrite, in headers that clients cannot set, and
 * chooses the origin and its path.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(
  event: AWSCloudFrontFunction.Event,
): AWSCloudFrontFunction.Request | AWSCloudFrontFunction.Response {
  const request = event.request;
  const host = request.headers.host ? request.headers.host.value.toLowerCase() : "";
  const label = namespaceOf(host);
  const sent = request.rawQueryString() || "";
  // A folder's host: docs/adr/0119-folder-addresses.md. All paths there belong to the folder, even those that lead elsewhere on other hosts.
  if (label.startsWith("f--")) {
    const version = request.uri === "/" && !label.includes("-v") && firstOf(/&v=([1-9]\d{0,5})(?=&)/, sent);
    if (version) {
      const others = sent.replace(/(^|&)v=\d+/, "");
      return redirect(302, "Found", `//${host.replace(".", `-v${version}.`)}/?${others}`);
    }
    cf.selectRequestOriginById(API_ORIGIN_ID);
    request.uri = `/p/1234567/raw${request.uri}`;
  }
  const isForIngest = INGEST_ORIGIN_ID !== "" && mayBeLarge(request);
  const bodyBytesMax = isForIngest ? ingestBodyBytesMax : apiBodyBytesMax;
  if (contentLength(request, 0) > bodyBytesMax) return refuse(bodyTooLarge(request.uri, bodyBytesMax), event);
  if (isForIngest) cf.selectRequestOriginById(INGEST_ORIGIN_ID);
  // Clients of a registry encode the slash in a server's name: functions/discovery/mcp-registry.ts.
  const asked = request.uri.replace(/^(\/v0\.1\/[^%]*)%2f/i, "$1/");
  const owner = ownerPath(asked);
  const path = owner.path;
  const signed =
    owner.namespace === "" && (BASE_DOMAIN === "" || host === BASE_HOST) && signedPath.exec(path);
  const destination = request.headers["sec-fetch-dest"];
  const isWindow = destination !== undefined && destination.value === "document";
  // A signed address is valid for seconds. Requested later, such as by a player that seeks, it redirects to the address that checks access.
  const checked = signed && checkedPath(sent);
  if (checked) return redirect(302, "Found", checked);
  const isRead = /^(GET|HEAD)$/.test(request.method);
  const known = isRead ? pagePath(path) : path;
  const isKnown = isAddress(known);
  const isViewerPage = isRead && !isKnown && viewerPage.test(path) && !otherSpelling.test(path);
  const bare = isViewerPage ? path : known;
  const seen = owner.namespace === "" ? bare : `/@${owner.namespace}${bare}`;
  // A service worker of a folder would outlive the drop.
  if (path.startsWith("/_") ? !signed : !(isKnown || isViewerPage) || request.headers["service-worker"])
    request.uri = dropPath.test(path) && !partOfDrop.test(path) ? "/p/not-found" : notFoundPath;
  else if (seen !== asked) return redirect(308, "Permanent Redirect", sent ? `${seen}?${sent}` : seen);
  else request.uri = isViewerPage ? path.slice(0, "/p/1234567".length) : path;
  const raw = rawPath.exec(request.uri);
  const isFolder = raw && raw[1];
  if (raw && !isFolder && sent.split("&", parametersMax + 1).length > parametersMax)
    return refuse(tooManyParameters, event);
  const namespace = owner.namespace || label;
  const isOwnerListing = (request.uri === "/" || request.uri === feedPath) && namespace !== "";
  const query = isOwnerListing
    ? listingQuery(request.uri, sent)
    : raw
      ? rawPageQuery(isFolder ? "" : sent)
      : originQuery(request.uri, sent);
  // A drop's state is the same for all readers, except for readers of a restricted drop.
  const isSharedState = statePath.test(request.uri) && query !== "reader=1";
  // Readers have no session on an owner's host, where published pages have the origin. Answers to forms count once for each browser.
  const isApart = namespace !== "" && !answersPath.test(request.uri);
  request.cookies = isApart || isSharedState ? {} : keptCookies(request);
  const headers = Object.keys(request.headers).length;
  if (headers > fieldsMax) return refuse(tooMany("headers", headers, fieldsMax), event);
  const overriding = removeForged(request.headers);
  const bytes = asked.length + sent.length + fieldBytes(request.headers) + fieldBytes(request.cookies);
  // The bucket and the ingest server accept more.
  if (bytes > headBytesMax && !isForIngest && !signed && !request.uri.startsWith("/b/"))
    return refuse(tooMany("bytes", bytes, headBytesMax), event);
  if (overriding) tell(request, "method", overriding);
  if (request.headers["x-api-key"]) tell(request, "sent-key", "1");
  tell(request, "host", host);
  tell(request, "address", event.viewer.ip);
  if (query) tell(request, "query", query);
  // Not part of a cache key: only redirects, gates and sign-ins use it, which are never cached.
  if (raw && sent !== query && (isFolder || isWindow)) tell(request, "sent-query", sent);
  // With owners' hosts, a published page in a window on the sign-in's origin redirects to its own host: a separate cache entry.
  if (BASE_DOMAIN !== "" && host === BASE_HOST && raw && isWindow) tell(request, "window", "1");
  if (BASE_DOMAIN === "") tell(request, "service-host", event.context.distributionDomainName);
  if (owner.namespace) tell(request, "owner", owner.namespace);
  // Half of the viewers have the level 0, a quarter 1: docs/adr/0017-edge-caching.md.
  if (dropPath.test(request.uri) && request.uri.length === "/p/1234567".length)
    tell(request, "level", `${Math.min(9, Math.floor(-Math.log2(Math.random())))}`);
  if (isFolder) {
    // A script in a sandbox sends a preflight request, since jQuery and others add a header of their own.
    if (request.method === "OPTIONS") return { statusCode: 204, headers: preflight };
    // The path is only in this header: its name may take a third of API Gateway's limit, and API Gateway decodes some characters in its own
    // way.
    tell(request, "path", request.uri);
    request.uri = `${request.uri.slice(0, "/p/1234567/raw/".length)}file`;
    return request;
  }
  request.uri = originPath(request.uri, namespace);
  // For a misspelled address of the API, the function suggests the right one.
  if (/not-found$/.test(request.uri)) tell(request, "asked", asked);
  tell(request, "path", isViewerPage ? path : request.uri.slice(0, pathLengthMax));
  return request;
}

/**
 * Recognizes the canonical spelling of a path: docs/adr/0025-requests-at-the-edge.md. The edge caches by the path as sent, so each other spelling
 * would be a separate entry.
 */
function isAddress(path: string): boolean {
  if (otherSpelling.test(path)) return false;
  // Every row of the contract under /p/ and /d/, and the files.
  if (/^\/[pdb](\/|$)/.test(path))
    return /^\/(p\/[A-Za-z0-9]{7}(\/(raw(\/[!-~]*)?|pdf|context|access|answers|compare|feedback|state|unlock|lock))?|[db]\/[A-Za-z0-9]{7}|b\/[A-Za-z0-9]{7}\/k[A-Za-z0-9_-]{40,200})$/.test(
      path,
    );
  if (path.endsWith("/")) return path === "/";
  // Path parameters of the API may have any form: the operation refuses invalid ones, and nothing is cached.
  return /^\/((api\/[a-z]+|scim)\/|[\w.~/-]+$)/.test(path);
}

/** A path below an owner's prefix, for stacks without owners' hosts. */
interface OwnerPath {
  /** Empty for every other path, and on stacks with owners' hosts. */
  readonly namespace: string;
  /** The corresponding path on an owner's host. */
  readonly path: string;
}

/** Reads `/@<namespace>/…`. */
function ownerPath(uri: string): OwnerPath {
  const match = BASE_DOMAIN === "" ? /^\/(?:@|%40)([A-Za-z0-9-]+)(\/.*)?$/.exec(uri) : null;
  return match && match[1]
    ? { namespace: match[1].toLowerCase(), path: match[2] || "/" }
    : { namespace: "", path: uri };
}

/**
 * The path of a page without its final slash, which people and other services add, and `/p/<slug>/raw` for other spellings of it. Programs
 * that call the API get an error.
 */
function pagePath(path: string): string {
  if (/^\/(api|mcp|scim)\//.test(path) || folderFile.test(path)) return path;
  const bare = /[^/]\/$/.test(path.slice(-2)) ? path.slice(0, -1) : path;
  return bare.replace(/^\/(?:[dp]\/(\w{7})(?:\.html?|\/raw|\/html)|raw\/(\w{7}))$/, "/p/$1$2/raw");
}

function redirect(
  statusCode: number,
  statusDescription: string,
  location: string,
): AWSCloudFrontFunction.Response {
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    // Scripts in a sandbox follow the redirect too.
    headers: Object.assign({ location: { value: location } }, preflight, ownHeaders),
  };
}

/**
 * The path that led to an expired signed address, from its own parameters; empty while it is valid. The parameters are unchecked, so it
 * redirects only within this host. Half a second early, since S3 checks later.
 */
function checkedPath(query: string): string {
  const date = firstOf(/&X-Amz-Date=(\d{8}T\d{6}Z)/, query).replace(/(....)(..)(..T..)(..)/, "$1-$2-$3:$4:");
  const endsAtMs = Date.parse(date) + Number(firstOf(/&X-Amz-Expires=(\d+)/, query)) * 1000;
  const path = decodeURIComponent(firstOf(/&x-from=((?:[\w.*-]|%[2-7][\dA-F])+)/, query));
  return Date.now() > endsAtMs - 500 && /^\/\w[!-~]*$/.test(path) ? path : "";
}

/**
 * Removes headers under our prefix, which are forged. Returns the name of a header that requests another method, which would change the
 * call: CloudFront removes the first of them (its developer guide, "HTTP request headers and CloudFront behavior"), Lambda all on the way to
 * the ingest server ("HTTP requests and responses").
 */
function removeForged(headers: AWSCloudFrontFunction.ValueObject): string {
  let overriding = "";
  Object.keys(headers).forEach((name) => {
    if (name.startsWith("x-dropleaf-")) delete headers[name];
    else if (name.startsWith("x-method") || name.startsWith("x-http-method")) overriding = name;
  });
  return overriding;
}

/**
 * The cookies that a function reads. Pages can set cookies for the whole domain to make every request too large. The remaining cookies are
 * part of a page's cache key, so that a page that one visitor's cookie unlocked is not served to others; each drop gets only its own.
 * Cookies with known names are looked up, and the others are only compared with the prefix.
 */
function keptCookies(request: AWSCloudFrontFunction.Event["request"]): AWSCloudFrontFunction.ValueObject {
  const cookies = request.cookies;
  const drop = /^\/[pd]\/([A-Za-z0-9]{7})(\/raw)?(\/|$)/.exec(request.uri);
  const names = drop
    ? // A raw page is the same for every browser, and has one entry in the cache.
      [drop[1], "reader"].concat(drop[2] ? [] : `tries_${drop[1]}`).map((name) => ownCookies + name)
    : Object.keys(cookies)
        .filter((name) => name.startsWith(ownCookies))
        .slice(0, fieldsMax)
        // njs takes ten times as long for `test`.
        .filter((name) => name.search(generalCookie) === 0);
  const kept: AWSCloudFrontFunction.ValueObject = {};
  names.forEach((name) => {
    const cookie = cookies[name];
    if (cookie) kept[name] = cookie;
  });
  return kept;
}

/** Sets a header that clients cannot set. */
function tell(request: AWSCloudFrontFunction.Request, name: string, value: string): void {
  request.headers[`x-dropleaf-${name}`] = { value: value };
}

/** The query as it was sent; for a drop's state, only the parts that select the response. */
function originQuery(uri: string, sent: string): string {
  if (statePath.test(uri)) return firstOf(/&(key=[A-Za-z0-9_-]{43}|reader=1)(?=&)/, sent);
  // Calls of the API also use `version`. Without this, the reader would see the latest one.
  return dropPath.test(uri) ? sent.replace(/(^|&)version=/, "$1v=") : sent;
}

/**
 * The query of a raw page. It is part of the cache key, so it keeps only the parameters of the version and its form, in one order: a parser
 * reads `%76=1` as `v=1`, and each other parameter would create a cache entry. The first version number counts, and without one the latest
 * version is served: docs/adr/0025-requests-at-the-edge.md.
 */
function rawPageQuery(sent: string): string {
  const version = firstOf(/&v(?:ersion)?(=[1-9]\d{0,5})(?=&)/, sent);
  return ["download=1", "drawn=card", "drawn=thumbnail", "framed=1"]
    .filter((pair) => `&${sent}&`.includes(`&${pair}&`))
    .concat(version ? `v${version}` : [])
    .join("&");
}

/**
 * Normalizes the query of an owner's page, since each number is a cache entry: the first page is the bare address, and invalid
 * numbers become 0, which no page has. The feed has one page.
 */
function listingQuery(uri: string, sent: string): string {
  const page = uri === feedPath ? "" : firstOf(/&(page(?:=[^&]*)?)(?=&)/, sent);
  if (page === "" || page === "page=1") return "";
  return /^page=[1-9][0-9]{0,3}$/.test(page) ? page : "page=0";
}

function firstOf(pattern: RegExp, sent: string): string {
  const match = pattern.exec(`&${sent}&`);
  return (match && match[1]) || "";
}

/**
 * Maps a file to its object below the owner's namespace, so that it exists on that host only: `functions/blobs/blob.ts`. A file with a key
 * has no public object; the bucket's error falls back to the function.
 */
function originPath(uri: string, namespace: string): string {
  if (uri === "/" && namespace !== "") return "/owner";
  if (!uri.startsWith("/b/")) return uri;
  if (namespace === "") return notFoundPath;
  return uri.length > "/b/1234567".length ? uri : `/${namespace}/${uri.slice(3)}`;
}

/** An owner's namespace: the one label before the base domain, unless the host is the service's own. Empty for every other host. */
function namespaceOf(host: string): string {
  const suffix = `.${BASE_DOMAIN}`;
  if (BASE_DOMAIN === "" || host === BASE_HOST || !host.endsWith(suffix)) return "";
  const label = host.slice(0, -suffix.length);
  return /^[a-z0-9-]+$/.test(label) ? label : "";
}

/** Recognizes a body that may exceed the limits of API Gateway and Lambda, on stacks that accept such bodies. */
function mayBeLarge(request: AWSCloudFrontFunction.Request): boolean {
  if (!/^(POST|PUT|PATCH)$/.test(request.method)) return false;
  if (!/^\/api\/(drops|blobs)(\/|$)/.test(request.uri)) return false;
  return contentLength(request, isMarkdown(request) ? 0 : Infinity) > apiBodyBytesMax;
}

/** Recognizes Markdown, which only the API renders, at any allowed length: docs/adr/0050-publication-bodies.md. */
function isMarkdown(request: AWSCloudFrontFunction.Request): boolean {
  const type = request.headers["content-type"];
  const isForDrop = request.uri.startsWith("/api/drops");
  return isForDrop && type !== undefined && /^\s*text\/markdown\s*(;|$)/i.test(type.value);
}

function contentLength(request: AWSCloudFrontFunction.Request, unknown: number): number {
  const length = request.headers["content-length"];
  return length ? Number(length.value) : unknown;
}

/** The error code for a body that is too large, and advice. */
function tooLarge(uri: string): { code: string; advice: string } {
  // The MCP server has no ingest origin: models write its bodies word by word.
  if (uri === "/mcp") {
    return {
      code: "invalid_arg",
      advice:
        " Send a larger page to /api/drops with the same token, and a larger file by the tool start_upload.",
    };
  }
  // The form of the owner's pages.
  if (uri === "/account/files") {
    return {
      code: "blob_too_large",
      advice: " Go back, and let an agent upload the file with POST /api/blobs, which takes 25 MB.",
    };
  }
  if (uri.startsWith("/api/blobs")) {
    return { code: "blob_too_large", advice: " Upload it in steps with POST /api/blobs/uploads." };
  }
  if (uri.startsWith("/api/drops"))
    return {
      code: "html_too_large",
      advice: " Send a zip in steps: POST /api/publications with archive_bytes.",
    };
  return { code: "invalid_arg", advice: "" };
}

/** Bytes of headers as API Gateway counts them; its developer guide, "Amazon API Gateway quotas". */
function fieldBytes(fields: AWSCloudFrontFunction.ValueObject): number {
  return Object.entries(fields).reduce(
    (bytes, field) =>
      (field[1].multiValue || [field[1]]).reduce(
        (sum, one) => sum + field[0].length + one.value.length + 4,
        bytes,
      ),
    0,
  );
}

interface Refusal {
  readonly statusCode: number;
  readonly title: string;
  readonly error: { readonly code: string; readonly message: string; readonly details: object };
}

function bodyTooLarge(uri: string, bytesMax: number): Refusal {
  const response = tooLarge(uri);
  return {
    statusCode: 413,
    title: "Content Too Large",
    error: {
      code: response.code,
      message: `This address accepts request bodies of at most ${bytesMax} bytes.${response.advice}`,
      details: { bytes_max: bytesMax },
    },
  };
}

function tooMany(what: "bytes" | "headers", count: number, max: number): Refusal {
  const details: Record<string, number> = {};
  details[what] = count;
  details[`${what}_max`] = max;
  return {
    statusCode: 431,
    title: "Request Header Fields Too Large",
    error: {
      code: "invalid_arg",
      message: `The request has ${count} ${what} before its body; at most ${max} are allowed. Send fewer, or try again: the cookies were cleared.`,
      details,
    },
  };
}

const tooManyParameters: Refusal = {
  statusCode: 400,
  title: "Bad Request",
  error: {
    code: "invalid_arg",
    message: `A page takes at most ${parametersMax} query parameters. Send fewer.`,
    details: { parameters_max: parametersMax },
  },
};

/** The response of section "Errors" of the specification, which no origin sends here. A page's own style would be too long. */
function refuse(refusal: Refusal, event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const request = event.request;
  const accept = request.headers.accept;
  const isPage = !request.uri.startsWith("/api/") && accept && accept.value.includes("text/html");
  const title = refusal.title;
  return {
    statusCode: refusal.statusCode,
    statusDescription: title,
    headers: Object.assign(
      {
        "content-type": { value: `${isPage ? "text/html" : "application/json"}; charset=utf-8` },
        "cross-origin-resource-policy": { value: "same-origin" },
        "x-request-id": { value: event.context.requestId },
      },
      ownHeaders,
    ),
    cookies: refusal.statusCode === 431 ? clearedCookies(request) : {},
    body: {
      encoding: "text",
      data: isPage
        ? `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${refusal.error.message}`
        : JSON.stringify({ error: refusal.error }),
    },
  };
}

/**
 * Expires the cookies that made a request too large. Their prefix binds them to this host, so `Path` identifies them; a
 * partitioned cookie of the same name is a different one (CHIPS).
 */
function clearedCookies(request: AWSCloudFrontFunction.Request): AWSCloudFrontFunction.ResponseCookie {
  const cleared: AWSCloudFrontFunction.ResponseCookie = {};
  const ended = { value: "", attributes: "Path=/; Secure; Max-Age=0" };
  const partitioned = { value: "", attributes: `${ended.attributes}; Partitioned` };
  Object.keys(request.cookies)
    .slice(0, clearedCookiesMax)
    .forEach((name) => {
      cleared[name] = { value: "", attributes: ended.attributes, multiValue: [ended, partitioned] };
    });
  return cleared;
}
