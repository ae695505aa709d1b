/// <reference types="aws-cloudfront-function" />
import cf from "cloudfront";

// CloudFront calls `handler` by its name. The runtime has only built-in modules and lacks modern JavaScript, such as
// destructuring, for-of and optional chaining; see "JavaScript runtime 2.0 features for CloudFront Functions", CloudFront
// developer guide.

/** The host of the base URL, inserted by the bundler. Empty if `BASE_DOMAIN` is empty. */
declare const BASE_HOST: string;
/** Parent domain of owners' hosts, inserted by the bundler. Empty on stacks where owners have paths `/@<namespace>/` instead of hosts. */
declare const BASE_DOMAIN: string;
/** The id of the ingest origin, inserted by the bundler. Empty on stacks without an ingest origin. */
declare const INGEST_ORIGIN_ID: string;
/** The id of the API's origin, inserted by the bundler. */
declare const API_ORIGIN_ID: string;

/**
 * Maximum body size for the API, in bytes. API Gateway accepts 10 MB, and Lambda 6 MB in base64. Larger bodies are sent to the ingest
 * server.
 */
const apiBodyBytesMax = 3145728;

/** Maximum body size for the ingest server: ten times the largest allowed body, because the server reads refused bodies to their end. */
const ingestBodyBytesMax = 268435456;

/** Maximum size of a request's headers, in bytes. API Gateway accepts 10,240, but CloudFront and this function add headers. */
const headBytesMax = 9216;

/**
 * Maximum length of the path that is also sent in a header, except for folders' files. Longer paths, which match no operation, are
 * truncated in the header.
 */
const pathLengthMax = 256;

/**
 * Maximum number of headers that a request may have, and of cookies that are read. Each takes time, and a CloudFront function must finish
 * within a millisecond.
 */
const fieldsMax = 200;

/** Maximum number of query parameters of a raw page, including two that the viewer adds; see functions/viewer/page-query.ts. */
const parametersMax = 20;

/** Prefix of this service's cookies. `__Host-` prevents pages of other hosts from setting them (RFC 6265bis, section 4.1.3.2). */
const ownCookies = "__Host-dl_";
/** Matches cookies for the whole service. Other cookies unlock one drop, or identify a browser that tries passcodes. */
const generalCookie = /^__Host-dl_(?!(tries_)?[A-Za-z0-9]{7}$)[\w-]+$/;

/** Maximum number of cookies that a response clears, which CloudFront and all browsers support. The next response clears the rest. */
const clearedCookiesMax = 50;

/** Matches paths of drops. */
const dropPath = /^\/[pd]\//;

/**
 * Matches paths below a drop's path, if they also match `dropPath`. Also matches a slug with punctuation from a copied sentence. The Lambda
 * function redirects such a path to the correct path, or suggests the correct path.
 */
const partOfDrop = /^...(%3C)?\w{7}\W/;

/** Matches the path of a raw page or of a file in its folder. The group contains the file's path; see docs/adr/0103-folders.md. */
const rawPath = /^\/p\/[A-Za-z0-9]{7}\/raw(\/.*)?$/;
const folderFile = /^\/p\/[A-Za-z0-9]{7}\/raw\//;

/** Matches a folder's page in the viewer. Other paths of a drop match too, so they must be tested first. */
const viewerPage = /^\/[dp]\/[A-Za-z0-9]{7}\/[!-~]+$/;

/**
 * Matches path segments that an origin could decode or remove, so that the origin would handle another path. In this runtime, `$` also
 * matches before a line feed at the end.
 */
const otherSpelling = /\/((\.|%2e){1,2}(\/|$)|\/)|%2f|%5c|\\|\s/i;

/**
 * Matches signed paths of restricted files and folders' files. Amazon S3 checks the signature in the query; see
 * functions/blobs/public-files.ts and functions/viewer/folder-file-response.ts.
 */
const signedPath =
  /^\/_(restricted\/[a-z0-9-]{1,63}\/[A-Za-z0-9]{7}\/[A-Za-z0-9]{16}|files\/[A-Za-z0-9]{7}\/[A-Za-z0-9]{16}\.[\w.]+)$/;

/** Path of an owner's feed. */
const feedPath = "/feed";

/** Matches the path to which a page's forms send answers. */
const answersPath = /^\/p\/[A-Za-z0-9]{7}\/answers$/;

/** Matches the path that every open viewer of a drop polls; see docs/adr/0058-viewer-polling.md. */
const statePath = /^\/p\/[A-Za-z0-9]{7}\/state$/;

/** Origin path for requests that match no operation. With the prefix `/p`, the 404 is an HTML page regardless of Accept. */
const notFoundPath = "/not-found";

/** Headers of all responses that this function creates. */
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
 * Runs on every request, before the cache. Selects the origin and its path. Passes values that API Gateway would hide or rewrite in headers
 * that clients cannot set.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(
  event: AWSCloudFrontFunction.Event,
): AWSCloudFrontFunction.Request | AWSCloudFrontFunction.Response {
  const request = event.request;
  const host = request.headers.host ? request.headers.host.value.toLowerCase() : "";
  const label = namespaceOf(host);
  const sent = request.rawQueryString() || "";
  // On a folder's own host, every path names a file of the folder; see docs/adr/0119-folder-addresses.md.
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
  // Clients of an MCP registry encode the slash in a server's name; see functions/discovery/mcp-registry.ts.
  const asked = request.uri.replace(/^(\/v0\.1\/[^%]*)%2f/i, "$1/");
  const owner = ownerPath(asked);
  const path = owner.path;
  const signed =
    owner.namespace === "" && (BASE_DOMAIN === "" || host === BASE_HOST) && signedPath.exec(path);
  const destination = request.headers["sec-fetch-dest"];
  const isWindow = destination !== undefined && destination.value === "document";
  // Signed URLs are valid for a few seconds. Later requests, for example when a media player seeks, are redirected to a new access check.
  const checked = signed && checkedPath(sent);
  if (checked) return redirect(302, "Found", checked);
  const isRead = /^(GET|HEAD)$/.test(request.method);
  const known = isRead ? pagePath(path) : path;
  const isKnown = isAddress(known);
  const isViewerPage = isRead && !isKnown && viewerPage.test(path) && !otherSpelling.test(path);
  const bare = isViewerPage ? path : known;
  const seen = owner.namespace === "" ? bare : `/@${owner.namespace}${bare}`;
  // Requests for service workers are refused, because a folder's service worker would outlive the drop.
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
  // The state of an unrestricted drop is the same for all readers.
  const isSharedState = statePath.test(request.uri) && query !== "reader=1";
  // Owners' hosts have no sessions, because published pages run on their origins. Only answers to forms need a cookie, which identifies the
  // browser.
  const isApart = namespace !== "" && !answersPath.test(request.uri);
  request.cookies = isApart || isSharedState ? {} : keptCookies(request);
  const headers = Object.keys(request.headers).length;
  if (headers > fieldsMax) return refuse(tooMany("headers", headers, fieldsMax), event);
  const overriding = removeForged(request.headers);
  const bytes = asked.length + sent.length + fieldBytes(request.headers) + fieldBytes(request.cookies);
  // The bucket and the ingest server accept longer headers than API Gateway.
  if (bytes > headBytesMax && !isForIngest && !signed && !request.uri.startsWith("/b/"))
    return refuse(tooMany("bytes", bytes, headBytesMax), event);
  if (overriding) tell(request, "method", overriding);
  if (request.headers["x-api-key"]) tell(request, "sent-key", "1");
  tell(request, "host", host);
  tell(request, "address", event.viewer.ip);
  if (query) tell(request, "query", query);
  // The complete query is not part of a cache key. Only redirects, passcode pages and sign-ins, which are never cached, use it.
  if (raw && sent !== query && (isFolder || isWindow)) tell(request, "sent-query", sent);
  // If owners have hosts, a page that is opened in a window on the base host redirects to its owner's host. The redirect needs its own
  // cache entry.
  if (BASE_DOMAIN !== "" && host === BASE_HOST && raw && isWindow) tell(request, "window", "1");
  if (BASE_DOMAIN === "") tell(request, "service-host", event.context.distributionDomainName);
  if (owner.namespace) tell(request, "owner", owner.namespace);
  // Half of the requests get sampling level 0, a quarter level 1, an eighth level 2, and so on; see docs/adr/0017-edge-caching.md.
  if (dropPath.test(request.uri) && request.uri.length === "/p/1234567".length)
    tell(request, "level", `${Math.min(9, Math.floor(-Math.log2(Math.random())))}`);
  if (isFolder) {
    // Scripts in a sandbox send preflight requests, because libraries such as jQuery add headers.
    if (request.method === "OPTIONS") return { statusCode: 204, headers: preflight };
    // Sends a folder's path only in this header, because the path may be long, and API Gateway would decode some of its characters.
    tell(request, "path", request.uri);
    request.uri = `${request.uri.slice(0, "/p/1234567/raw/".length)}file`;
    return request;
  }
  request.uri = originPath(request.uri, namespace);
  // For a misspelled path of the API, the Lambda function suggests the correct path.
  if (/not-found$/.test(request.uri)) tell(request, "asked", asked);
  tell(request, "path", isViewerPage ? path : request.uri.slice(0, pathLengthMax));
  return request;
}

/**
 * Recognizes the canonical spelling of a path, because every other spelling would create another cache entry; see
 * docs/adr/0025-requests-at-the-edge.md.
 */
function isAddress(path: string): boolean {
  if (otherSpelling.test(path)) return false;
  // Matches every route under /p/ and /d/, and the files under /b/.
  if (/^\/[pdb](\/|$)/.test(path))
    return /^\/(p\/[A-Za-z0-9]{7}(\/(raw(\/[!-~]*)?|pdf|context|access|answers|compare|feedback|state|unlock|lock))?|[db]\/[A-Za-z0-9]{7}|b\/[A-Za-z0-9]{7}\/k[A-Za-z0-9_-]{40,200})$/.test(
      path,
    );
  if (path.endsWith("/")) return path === "/";
  // Path parameters of the API may have any form, because its responses are not cached. The operation refuses invalid values.
  return /^\/((api\/[a-z]+|scim)\/|[\w.~/-]+$)/.test(path);
}

/** Parts of a path below `/@<namespace>`, on stacks without owners' hosts. */
interface OwnerPath {
  /** The owner's namespace, from a path below `/@`. Empty for other paths, and on stacks with owners' hosts. */
  readonly namespace: string;
  /** The corresponding path on an owner's host. */
  readonly path: string;
}

/** Parses a path such as `/@<namespace>/…`. */
function ownerPath(uri: string): OwnerPath {
  const match = BASE_DOMAIN === "" ? /^\/(?:@|%40)([A-Za-z0-9-]+)(\/.*)?$/.exec(uri) : null;
  return match && match[1]
    ? { namespace: match[1].toLowerCase(), path: match[2] || "/" }
    : { namespace: "", path: uri };
}

/**
 * Normalizes the path of a page. Removes a trailing slash, which people and other services add, and corrects other spellings of
 * `/p/<slug>/raw`. Paths of the API stay unchanged, so that programs get an error.
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
    // The preflight headers let scripts in a sandbox follow the redirect.
    headers: Object.assign({ location: { value: location } }, preflight, ownHeaders),
  };
}

/**
 * Returns the path that checks access again, if a signed URL has expired, or an empty string if the URL is still valid. Query parameters
 * may be forged, so the path is always on this host. URLs count as expired half a second early, because S3 checks them a moment later.
 */
function checkedPath(query: string): string {
  const date = firstOf(/&X-Amz-Date=(\d{8}T\d{6}Z)/, query).replace(/(....)(..)(..T..)(..)/, "$1-$2-$3:$4:");
  const endsAtMs = Date.parse(date) + Number(firstOf(/&X-Amz-Expires=(\d+)/, query)) * 1000;
  const path = decodeURIComponent(firstOf(/&x-from=((?:[\w.*-]|%[2-7][\dA-F])+)/, query));
  return Date.now() > endsAtMs - 500 && /^\/\w[!-~]*$/.test(path) ? path : "";
}

/**
 * Removes headers with this service's prefix, which a viewer must have forged. Returns the name of a header that overrides the method, so
 * that such a request can be refused. CloudFront removes some of these headers, and Lambda removes all of them; see "HTTP request headers
 * and CloudFront behavior", CloudFront developer guide, and "HTTP requests and responses", AWS Lambda developer guide.
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
 * Selects the cookies that a function reads. Other cookies are dropped, because a published page can set cookies for the whole domain that
 * make requests too large. The selected cookies are part of a page's cache key, so that an unlocked page is not served to other visitors.
 * For a drop's pages, only the drop's own cookies are selected.
 */
function keptCookies(request: AWSCloudFrontFunction.Event["request"]): AWSCloudFrontFunction.ValueObject {
  const cookies = request.cookies;
  const drop = /^\/[pd]\/([A-Za-z0-9]{7})(\/raw)?(\/|$)/.exec(request.uri);
  const names = drop
    ? // A raw page does not depend on the cookie `tries_…`, which must therefore not create cache entries.
      [drop[1], "reader"].concat(drop[2] ? [] : `tries_${drop[1]}`).map((name) => ownCookies + name)
    : Object.keys(cookies)
        .filter((name) => name.startsWith(ownCookies))
        .slice(0, fieldsMax)
        // Uses `search`, because `test` takes ten times as long in njs.
        .filter((name) => name.search(generalCookie) === 0);
  const kept: AWSCloudFrontFunction.ValueObject = {};
  names.forEach((name) => {
    const cookie = cookies[name];
    if (cookie) kept[name] = cookie;
  });
  return kept;
}

/** Adds a header with this service's prefix, which clients cannot set. */
function tell(request: AWSCloudFrontFunction.Request, name: string, value: string): void {
  request.headers[`x-dropleaf-${name}`] = { value: value };
}

/** Returns the query for the origin. For a drop's state, keeps only the parameters that select the response. */
function originQuery(uri: string, sent: string): string {
  if (statePath.test(uri)) return firstOf(/&(key=[A-Za-z0-9_-]{43}|reader=1)(?=&)/, sent);
  // Treats the parameter `version` like `v`, because callers know this name from the API.
  return dropPath.test(uri) ? sent.replace(/(^|&)version=/, "$1v=") : sent;
}

/**
 * Normalizes the query of a raw page, which is part of the cache key; see docs/adr/0025-requests-at-the-edge.md. Keeps only the parameters
 * that select the version and its format, in a fixed order, because other parameters would create cache entries. Drops encoded names, such
 * as `%76=1` for `v=1`. Uses the first of several version numbers.
 */
function rawPageQuery(sent: string): string {
  const version = firstOf(/&v(?:ersion)?(=[1-9]\d{0,5})(?=&)/, sent);
  return ["download=1", "drawn=card", "drawn=thumbnail", "framed=1"]
    .filter((pair) => `&${sent}&`.includes(`&${pair}&`))
    .concat(version ? `v${version}` : [])
    .join("&");
}

/**
 * Normalizes the query of an owner's listing, to avoid unnecessary cache entries. The first page has no query. Invalid page numbers become
 * 0, which matches no page. The feed has only one page.
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
 * Maps a file's path to its object below the owner's namespace, so that the file exists only on the owner's host; see
 * `functions/blobs/blob.ts`. A path with a file key matches no object, so CloudFront then sends the request to the Lambda function.
 */
function originPath(uri: string, namespace: string): string {
  if (uri === "/" && namespace !== "") return "/owner";
  if (!uri.startsWith("/b/")) return uri;
  if (namespace === "") return notFoundPath;
  return uri.length > "/b/1234567".length ? uri : `/${namespace}/${uri.slice(3)}`;
}

/** Returns the namespace in an owner's host, which is the label before the base domain. Returns an empty string for all other hosts. */
function namespaceOf(host: string): string {
  const suffix = `.${BASE_DOMAIN}`;
  if (BASE_DOMAIN === "" || host === BASE_HOST || !host.endsWith(suffix)) return "";
  const label = host.slice(0, -suffix.length);
  return /^[a-z0-9-]+$/.test(label) ? label : "";
}

/** Recognizes uploads that the ingest server handles, because the body may exceed the limits of API Gateway and Lambda. */
function mayBeLarge(request: AWSCloudFrontFunction.Request): boolean {
  if (!/^(POST|PUT|PATCH)$/.test(request.method)) return false;
  if (!/^\/api\/(drops|blobs)(\/|$)/.test(request.uri)) return false;
  return contentLength(request, isMarkdown(request) ? 0 : Infinity) > apiBodyBytesMax;
}

/** Recognizes Markdown, which only the API renders; see docs/adr/0050-publication-bodies.md. */
function isMarkdown(request: AWSCloudFrontFunction.Request): boolean {
  const type = request.headers["content-type"];
  const isForDrop = request.uri.startsWith("/api/drops");
  return isForDrop && type !== undefined && /^\s*text\/markdown\s*(;|$)/i.test(type.value);
}

function contentLength(request: AWSCloudFrontFunction.Request, unknown: number): number {
  const length = request.headers["content-length"];
  return length ? Number(length.value) : unknown;
}

/** Returns the error code and advice for a body that is too large. */
function tooLarge(uri: string): { code: string; advice: string } {
  // Requests to the MCP server are small, because models write the bodies word by word.
  if (uri === "/mcp") {
    return {
      code: "invalid_arg",
      advice:
        " Send a larger page to /api/drops with the same token, and a larger file with the tool start_upload.",
    };
  }
  // The upload form on an owner's pages sends files to this path.
  if (uri === "/account/files") {
    return {
      code: "blob_too_large",
      advice: " Go back, and let an agent upload the file with POST /api/blobs, which accepts 25 MB.",
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

/** Counts the bytes of headers or cookies in the same way as API Gateway; see "Amazon API Gateway quotas", API Gateway developer guide. */
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
    message: `A page accepts at most ${parametersMax} query parameters. Send fewer.`,
    details: { parameters_max: parametersMax },
  },
};

/**
 * Returns an error (section "Errors" of the specification), as HTML if a page was requested. The HTML has no styles, because the size of an
 * edge function is limited.
 */
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
 * Clears the cookies that made a request too large. `Path` is enough to identify cookies whose prefix binds them to this host. A
 * partitioned cookie with the same name is a separate cookie (CHIPS), and is cleared too.
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
