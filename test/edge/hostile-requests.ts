import { requestOf, type Sample } from "./njs.ts";
import { valuesOf } from "./run-edge-function.ts";

/** CloudFront developer guide, "Quotas": the longest URL, and the largest request line with headers and cookies. No quota limits the number of headers and cookies. */
const urlBytesMax = 8_192;
const requestBytesMax = 20_480;

export type Named = readonly (readonly [what: string, sample: Sample])[];

const baseHost = "drops.example.com";
const ownersHost = "ada.example.page";
const foldersHost = `f--${"a".repeat(26)}.example.page`;
const onlyHost = "d111111abcdef8.cloudfront.net";

const browser = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br",
  "accept-language": "en-US,en;q=0.5",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "upgrade-insecure-requests": "1",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};

const program = {
  authorization: `Bearer hb_${"a".repeat(36)}`,
  "content-length": "2000",
  "content-type": "application/json",
  "user-agent": "curl/8.5.0",
};

/** Five common requests. */
export const ordinaryRequests: Named = [
  ["the front page", requestOf(baseHost, {}, browser)],
  ["a viewer", requestOf(ownersHost, { uri: "/d/aB3dE5f" }, browser)],
  ["its frame", requestOf(ownersHost, { uri: "/p/aB3dE5f/raw", rawQuery: "v=2&framed=1" }, browser)],
  ["its state", requestOf(ownersHost, { uri: "/p/aB3dE5f/state" }, browser)],
  ["a call of the API", requestOf(baseHost, { method: "POST", uri: "/api/drops" }, program)],
];

/** Repeats a text up to a length. */
function fill(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
}

const slug = "aB3dE5f";
const stateKey = `key=${"k".repeat(43)}`;

const queries = [
  ..."v&|v=&|v=1&|v=a&|v=1234567&|version&|version=&|version=1&|framed=1&|drawn=card&|download=1&".split("|"),
  ..."&|=|%|;|a|%76=1&|page&|page=1&|page=a&|pages&|key=&|reader=1x&|reader=1&|X-Amz-Date=2026&".split("|"),
  `${stateKey}x&`,
  "X-Amz-Date=20260101T000000Z&X-Amz-Expires=1234567&",
];

const queried = [
  [baseHost, `/p/${slug}/raw`],
  [ownersHost, `/p/${slug}/raw`],
  [ownersHost, `/p/${slug}/raw/x.js`],
  [foldersHost, "/"],
  [ownersHost, `/p/${slug}/state`],
  [baseHost, `/p/${slug}`],
  [ownersHost, "/"],
  [ownersHost, "/feed"],
  [baseHost, "/login"],
  [baseHost, "/api/drops"],
  [baseHost, `/_files/${slug}/0123456789abcdeF.1.pack`],
  [onlyHost, `/@ada/p/${slug}/raw`],
  [onlyHost, "/@ADA"],
] as const;

const hostileQueries: Named = queried.flatMap(([host, uri]) =>
  queries.flatMap((query) =>
    ["", "v=", "page="].map((start) => {
      const rawQuery = start + fill(query, urlBytesMax - uri.length - 1 - start.length);
      return [`${host}${uri}?${start}, ${query}…`, requestOf(host, { uri, rawQuery }, browser)] as const;
    }),
  ),
);

const prefixes = [
  ...[
    "",
    "/docs",
    `/p/${slug}/raw`,
    `/p/${slug}/raw/`,
    "/p/",
    `/d/${slug}`,
    "/b/",
    `/b/${slug}/k`,
    "/api/drops",
  ],
  ...[
    "/api/",
    "/scim/",
    "/@",
    "/%40",
    "/@ada",
    `/_files/${slug}/0123456789abcdeF.`,
    "/_restricted/",
    "/raw/",
  ],
];

const units = "/a|/|/.|/..|/..a|/.a|/%2e|/%2ea|%2e|%|%2|\\|a|a.|a/|-|_|é|/é|~|.html|@|%40| | a|A|/raw".split(
  "|",
);

const hostilePaths: Named = prefixes.flatMap((prefix) =>
  units.flatMap((unit) =>
    ["GET ", "GET /", "GET !", "POST "].map((methodAndEnd) => {
      const [method, end] = methodAndEnd.split(" ");
      const uri = `${prefix}${fill(unit, urlBytesMax - prefix.length - 1)}${end}`;
      const host = /@|%40/.test(prefix) ? onlyHost : baseHost;
      return [`${method} ${prefix}, ${unit}… ${end}`, requestOf(host, { method, uri }, browser)] as const;
    }),
  ),
);

/** Returns as many fields as fit into a request, with `between` bytes of separators for each. */
function fieldsOf(nameOf: (index: number) => string, between: number): Record<string, { value: string }> {
  const fields: Record<string, { value: string }> = {};
  let bytes = 200;
  for (let index = 0; bytes < requestBytesMax; index++) {
    fields[nameOf(index)] = { value: "" };
    bytes += nameOf(index).length + between;
  }
  return fields;
}

function repeated(value: string, between: number) {
  const count = Math.floor((requestBytesMax - 200) / (value.length + between));
  return { value, multiValue: Array.from({ length: count }, () => ({ value })) };
}

const number = (index: number) => index.toString(36);

const cookies: readonly (readonly [what: string, cookies: object])[] = [
  ["short ones", fieldsOf(number, "=; ".length)],
  ["the service's own", fieldsOf((index) => `__Host-dl_${number(index)}`, "=; ".length)],
  ["unlocked drops", fieldsOf((index) => `__Host-dl_${1_000_000 + index}`, "=; ".length)],
  ["passcode attempts", fieldsOf((index) => `__Host-dl_tries_${1_000_000 + index}`, "=; ".length)],
  ["one cookie many times", { a: repeated("", "a=; ".length) }],
  ["a session many times", { "__Host-dl_reader": repeated("", "__Host-dl_reader=; ".length) }],
  ["an unlocked drop many times", { [`__Host-dl_${slug}`]: repeated("", `__Host-dl_${slug}=; `.length) }],
  ["a long name", { [`__Host-dl_${fill("a", 20_000)}`]: { value: "" } }],
  ["a long session", { "__Host-dl_reader": { value: fill("a", 20_000) } }],
];

const hostileCookies: Named = cookies.flatMap(([what, sent]) =>
  [
    [baseHost, "/login"],
    [baseHost, `/p/${slug}`],
    [baseHost, `/p/${slug}/raw`],
    [baseHost, `/b/${slug}`],
    [ownersHost, `/p/${slug}/raw`],
    [onlyHost, "/@ada/"],
  ].map(
    ([host = "", uri]) =>
      [`cookies, ${what}, at ${host}${uri}`, requestOf(host, { uri, cookies: sent })] as const,
  ),
);

const headers: readonly (readonly [what: string, headers: object])[] = [
  ["short ones", fieldsOf(number, ": \r\n".length)],
  ["forged ones", fieldsOf((index) => `x-dropleaf-${number(index)}`, ": \r\n".length)],
  ["other methods", fieldsOf((index) => `x-http-method${number(index)}`, ": \r\n".length)],
  ["one header many times", { a: repeated("", "a: \r\n".length) }],
  [
    "as many as are accepted",
    Object.fromEntries(
      Object.entries(fieldsOf((index) => `x-method-${number(index)}${"x".repeat(60)}`, 4)).slice(0, 190),
    ),
  ],
  ["a long name", { [`x-dropleaf-${fill("a", 20_000)}`]: { value: "" } }],
  ["a long accept", valuesOf({ accept: fill("text/htm ", 20_000) })],
  ["a long type", valuesOf({ "content-type": fill(" ", 20_000), "content-length": fill("9", 100) })],
  [
    "a type after many spaces",
    valuesOf({ "content-type": `${fill(" ", 10_000)}text/markdown${fill(" ", 9_000)}` }),
  ],
  ["a long length", valuesOf({ "content-length": fill("9", 20_000) })],
  ["a long destination", valuesOf({ "sec-fetch-dest": fill("document", 20_000) })],
  ["a long host", valuesOf({ host: fill("a", 20_000) })],
  ["a host of many labels", valuesOf({ host: `${fill("a.", 20_000)}example.page` })],
  ["a host of dashes", valuesOf({ host: `${fill("-", 20_000)}.example.page` })],
  ["a host of hosts", valuesOf({ host: fill(".example.page", 20_000) })],
  ["a host in capital letters", valuesOf({ host: `${fill("É", 20_000)}.EXAMPLE.PAGE` })],
];

const hostileHeaders: Named = headers.flatMap(([what, sent]) =>
  [
    ["GET", "/login"],
    ["GET", `/p/${slug}/raw`],
    ["GET", `/b/${slug}`],
    ["POST", "/api/drops"],
    ["POST", "/api/blobs"],
  ].map(([method, uri]) => {
    const { request } = requestOf(ownersHost, { method, uri });
    const all = { ...request.headers, ...sent };
    return [`headers, ${what}, at ${method} ${uri}`, { request: { ...request, headers: all } }] as const;
  }),
);

/** Requests that are made to be slow, each as long as CloudFront accepts. */
export const hostileRequests: Named = [
  ...hostileQueries,
  ...hostilePaths,
  ...hostileCookies,
  ...hostileHeaders,
];

/** Responses of the bucket to requests for a file. */
export const ordinaryResponses: Named = [
  "inline",
  "attachment",
  'inline; filename="a.png"',
  "",
  "inline",
].map((disposition, index) => [
  `${disposition} ${index}`,
  {
    ...requestOf(ownersHost, { uri: `/ada/${slug}` }, browser),
    response: {
      statusCode: 200,
      headers: valuesOf({
        ...(disposition === "" ? {} : { "content-disposition": disposition }),
        ...(index === 4 ? { "x-amz-meta-expires-at": "32503680000000", etag: '"1"' } : {}),
        "content-length": "1000",
        "content-type": "image/png",
      }),
    },
  },
]);

/** Responses to hostile requests, and a response that is as long as CloudFront accepts. */
export const hostileResponses: Named = [
  ...[...hostilePaths, ...hostileCookies, ...hostileHeaders].map(
    ([what, { request }]) =>
      [
        what,
        {
          request,
          response: { statusCode: 200, headers: valuesOf({ "content-disposition": "inline" }) },
        },
      ] as const,
  ),
  ...[
    valuesOf({ "content-disposition": fill("inline", 20_000) }),
    valuesOf({ "content-disposition": fill(" ", 20_000) }),
    valuesOf({ "content-disposition": "inline", "x-amz-meta-expires-at": fill("9", 20_000) }),
    { ...valuesOf({ "content-disposition": "inline" }), ...fieldsOf(number, ": \r\n".length) },
  ].map(
    (sent, index) =>
      [
        `a response of ${index}`,
        { ...requestOf(ownersHost, { uri: `/ada/${slug}` }), response: { statusCode: 200, headers: sent } },
      ] as const,
  ),
];
