import { describe, expect, test } from "vitest";
import { edgeHeaders } from "../../functions/core/environment.ts";
import { jsonHeaders } from "../../functions/http/response.ts";
import { mcpBodyBytesMax } from "../../functions/mcp/rows.ts";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { runEdgeFunction, valuesOf } from "./run-edge-function.ts";

const distributionDomain = "d111111abcdef8.cloudfront.net";
const named = {
  BASE_HOST: "drops.example.com",
  BASE_DOMAIN: "example.page",
  INGEST_ORIGIN_ID: "ingest",
  API_ORIGIN_ID: "api",
};
const unnamed = { ...named, BASE_HOST: "", BASE_DOMAIN: "" };

interface Viewer {
  readonly host: string;
  readonly method?: string;
  readonly uri?: string;
  /** Query without `?`, or undefined if the URL has none. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers in the shape of the event. */
  readonly fields?: object;
  readonly cookies?: object;
}

interface Sent {
  readonly uri: string;
  readonly headers: Record<string, { value: string }>;
  readonly cookies: object;
}

function run<Returned>(viewer: Viewer, values: Record<string, string>) {
  const { host, method = "GET", uri = "/", query, headers = {}, fields = {}, cookies = {} } = viewer;
  const event = {
    version: "1.0",
    context: {
      distributionDomainName: distributionDomain,
      distributionId: "E1",
      eventType: "viewer-request",
      requestId: "1",
    },
    viewer: { ip: "198.51.100.7" },
    request: {
      method,
      uri,
      querystring: {},
      headers: { ...valuesOf({ host, ...headers }), ...fields },
      cookies,
    },
  };
  return runEdgeFunction<Returned>(bundle(values), event, query);
}

const bundles = new Map<Record<string, string>, string>();

function bundle(values: Record<string, string>): string {
  const code = bundles.get(values) ?? bundleEdgeFunction("functions/edge/viewer-request.ts", values);
  bundles.set(values, code);
  return code;
}

function send(viewer: Viewer, values: Record<string, string> = named): Sent {
  return run<Sent>(viewer, values).returned;
}

describe("the origin request", () => {
  test("has the viewer's host in lower case and the viewer's address", () => {
    const { headers } = send({ host: "Ada.Example.Page", uri: "/d/aB3dE5f" });

    expect(headers["x-dropleaf-host"]).toEqual({ value: "ada.example.page" });
    expect(headers["x-dropleaf-address"]).toEqual({ value: "198.51.100.7" });
  });

  test("has the query as sent: order, repetition, encoding and semicolons", () => {
    const query = "metadata.a=1;2&metadata.a=%26&page=1&metadata.a=+";

    const { headers } = send({ host: "drops.example.com", uri: "/api/drops", query });

    expect(headers["x-dropleaf-query"]).toEqual({ value: query });
  });

  test.each([undefined, ""])("has no query if the URL has none (%j)", (query) => {
    const { headers } = send({
      host: "drops.example.com",
      uri: "/api/drops",
      ...(query === undefined ? {} : { query }),
    });

    expect(headers).not.toHaveProperty("x-dropleaf-query");
  });

  test("has the headers that the functions read", () => {
    const { headers } = send({ host: "drops.example.com", uri: "/login", query: "a=1" });

    expect(headers).toHaveProperty(edgeHeaders.host);
    expect(headers).not.toHaveProperty(edgeHeaders.serviceHost);
    expect(headers).toHaveProperty(edgeHeaders.query);
    expect(headers).toHaveProperty(edgeHeaders.address);
    expect(headers).toHaveProperty(edgeHeaders.path);
  });

  test("never contains a viewer's forged values", () => {
    const forged = {
      "x-dropleaf-host": "evil.example",
      "x-dropleaf-query": "page=2",
      "x-dropleaf-address": "203.0.113.9",
      "x-dropleaf-origin": "guess",
      "x-dropleaf-window": "1",
      "x-dropleaf-owner": "ada",
      "x-dropleaf-path": "/p/aB3dE5f/raw",
      "x-dropleaf-anything": "x",
      accept: "text/html",
    };

    const { headers } = send({ host: "drops.example.com", uri: "/login", headers: forged });

    expect(headers).toEqual(
      valuesOf({
        host: "drops.example.com",
        accept: "text/html",
        "x-dropleaf-host": "drops.example.com",
        "x-dropleaf-address": "198.51.100.7",
        "x-dropleaf-path": "/login",
      }),
    );
  });

  test("says that the viewer sent x-api-key, which the edge's own key replaces", () => {
    const { headers } = send({ host: "drops.example.com", uri: "/api/me", headers: { "x-api-key": "hb_1" } });

    expect(headers["x-dropleaf-sent-key"]?.value).toBe("1");
  });
});

describe("a page's query in its cache key", () => {
  test.each([
    ["v=2", "v=2"],
    ["utm_source=mail&v=2&x=1", "v=2"],
    ["v=2&v=3", "v=2"],
    ["v=x&v=3", "v=3"],
    ["v=999999", "v=999999"],
    // The API calls this parameter "version".
    ["version=2", "v=2"],
    ["version=2&v=3", "v=2"],
    ["framed=1&version=2", "framed=1&v=2"],
    ["v=2&framed=1", "framed=1&v=2"],
    ["framed=1&v=2", "framed=1&v=2"],
    ["v=2&download=1", "download=1&v=2"],
    ["v=2&drawn=card", "drawn=card&v=2"],
    ["drawn=thumbnail&v=2&drawn=page", "drawn=thumbnail&v=2"],
    ["v=2&download=2&framed=yes&download", "v=2"],
    ["framed=1&v=2&framed=1&download=1&framed=1", "download=1&framed=1&v=2"],
    // Parameters that the viewer passes to the page in its frame are used only in the browser.
    ["v=2&framed=1&x=1;y&from=d", "framed=1&v=2"],
  ])("%s becomes %s", (query, kept) => {
    const { headers } = send({ host: "ada.example.page", uri: "/p/aB3dE5f/raw", query });

    expect(headers["x-dropleaf-query"]).toEqual({ value: kept });
  });

  test.each(["%76=1", "V=1", "vv=1", "x=v=1"])(
    "%s, which is not exactly the parameter v, is removed",
    (query) => {
      const { headers } = send({ host: "ada.example.page", uri: "/p/aB3dE5f/raw", query });

      expect(headers).not.toHaveProperty("x-dropleaf-query");
    },
  );

  test.each(["v", "v=", "v=0", "v=01", "v=-1", "v=1.0", "v=abc", "v=%32", "v=1000000", "version=x", "v=v=1"])(
    "is empty for %s, which is not a version, so that the latest one is returned",
    (query) => {
      const sentFor = (sent: string | undefined) =>
        send({
          host: "ada.example.page",
          uri: "/p/aB3dE5f/raw",
          ...(sent === undefined ? {} : { query: sent }),
        });

      expect(sentFor(query)).toEqual(sentFor(undefined));
      expect(sentFor(`${query}&framed=1`)).toEqual(sentFor("framed=1"));
    },
  );

  test("is also sent complete, in a header outside the cache key, if a window's query has other parameters", () => {
    const forged = { "x-dropleaf-sent-query": "forged" };
    const sentBy = (destination: string, query: string) =>
      send({
        host: "ada.example.page",
        uri: "/p/aB3dE5f/raw",
        query,
        headers: { ...forged, "sec-fetch-dest": destination },
      }).headers["x-dropleaf-sent-query"];

    expect(sentBy("document", "x=1;2&v=2")).toEqual({ value: "x=1;2&v=2" });
    expect(sentBy("document", "v=2")).toBeUndefined();
    expect(sentBy("iframe", "x=1&framed=1&v=2")).toBeUndefined();
  });
});

describe("a query with more than twenty parameters", () => {
  const query = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join("&");
  const sendTo = (uri: string, count: number, headers = {}) =>
    run<{
      statusCode?: number;
      headers: Record<string, { value: string }>;
      cookies: object;
      body: { data: string };
    }>({ host: "ada.example.page", uri, query: query(count), headers, cookies: { a: { value: "1" } } }, named)
      .returned;

  test("is refused for a raw page in the contract's error shape, and deletes no cookie", () => {
    const { statusCode, headers, cookies, body } = sendTo("/p/aB3dE5f/raw", 21);

    expect([statusCode, cookies]).toEqual([400, {}]);
    expect(headers).toMatchObject(valuesOf({ ...jsonHeaders, "x-request-id": "1" }));
    expect(JSON.parse(body.data)).toEqual({
      error: {
        code: "invalid_arg",
        message: expect.stringContaining("at most 20"),
        details: { parameters_max: 20 },
      },
    });
  });

  test("is refused with an error page for a browser", () => {
    const { statusCode, body } = sendTo("/p/aB3dE5f/raw", 21, { accept: "text/html" });

    expect([statusCode, body.data]).toEqual([400, expect.stringContaining("<h1>Bad Request</h1>")]);
  });

  test.each([
    "/p/aB3dE5f/raw/",
    "/p/aB3dE5f/raw/x.html",
    "/p/aB3dE5f/state",
    "/p/aB3dE5f",
    "/login",
    "/api/drops",
  ])("is not refused at %s", (uri) => {
    expect(sendTo(uri, 21)).not.toHaveProperty("statusCode");
  });

  test("is accepted if it has exactly twenty", () => {
    expect(sendTo("/p/aB3dE5f/raw", 20)).not.toHaveProperty("statusCode");
  });
});

describe("the sampling level of a viewer's request", () => {
  const levelAt = (uri: string, host = "ada.example.page", values = named) =>
    send({ host, uri, headers: { "x-dropleaf-level": "forged" } }, values).headers["x-dropleaf-level"]?.value;

  test("is n with a probability of one in 2^(n+1)", () => {
    const levels = Array.from({ length: 2_000 }, () => levelAt("/d/aB3dE5f"));

    for (const level of [0, 1, 2]) {
      const share = levels.filter((one) => one === String(level)).length / levels.length;
      expect(Math.abs(share - 1 / 2 ** (level + 1))).toBeLessThan(0.06);
    }
    for (const level of levels) expect(level).toMatch(/^[0-9]$/);
  });

  test("is set for every URL of the viewer", () => {
    for (const uri of ["/p/aB3dE5f", "/d/aB3dE5f", "/d/aB3dE5f/guide/about.html"]) {
      expect(levelAt(uri)).toMatch(/^[0-9]$/);
      expect(levelAt(uri, named.BASE_HOST)).toMatch(/^[0-9]$/);
      expect(levelAt(`/@ada${uri}`, distributionDomain, unnamed)).toMatch(/^[0-9]$/);
    }
  });

  test.each([
    "/",
    "/p/aB3dE5f/raw",
    "/p/aB3dE5f/state",
    "/p/aB3dE5f/context",
    "/p/aB3dE5",
    "/login",
    "/api/drops",
  ])("is absent at %s, which has one cache entry", (uri) => {
    expect(levelAt(uri)).toBeUndefined();
  });
});

describe("a drop's state, which all its open tabs request,", () => {
  const key = "k".repeat(43);
  const cookies = { "__Host-dl_aB3dE5f": { value: "x" }, "__Host-dl_reader": { value: "y" } };
  const ask = (query: string, host = named.BASE_HOST) => {
    const sent = send({ host, uri: "/p/aB3dE5f/state", query, cookies });
    return { query: sent.headers["x-dropleaf-query"]?.value, cookies: Object.keys(sent.cookies) };
  };
  const hosts = [named.BASE_HOST, "ada.example.page"];

  test.each([
    "",
    "x=1",
    "v=2&framed=1",
    "key=x",
    `%6bey=${key}`,
    "xreader=1",
    "reader=",
    "reader",
    "reader=2",
    "reader=11",
    "%72eader=1",
    "READER=1",
  ])("has one cache entry, whatever else is in the query: ?%s", (query) => {
    for (const host of hosts) expect(ask(query, host)).toEqual({ query: undefined, cookies: [] });
  });

  test.each([
    `key=${key}`,
    `utm=1&key=${key}&x=2`,
    `key=${key}&key=${"o".repeat(43)}`,
    `key=${key}&reader=1`,
  ])("has another cache entry for a reader with the key of a locked drop: ?%s", (query) => {
    for (const host of hosts) expect(ask(query, host)).toEqual({ query: `key=${key}`, cookies: [] });
  });

  test("is requested with the reader's cookies for reader=1, but never on an owner's host", () => {
    for (const query of ["reader=1", `reader=1&key=${key}`, "x=1&reader=1"]) {
      expect(ask(query)).toEqual({ query: "reader=1", cookies: Object.keys(cookies) });
      expect(ask(query, "ada.example.page")).toEqual({ query: "reader=1", cookies: [] });
    }
  });

  test("is requested without cookies below an owner's path", () => {
    for (const query of [`key=${key}`, "reader=1"]) {
      const uri = "/@ada/p/aB3dE5f/state";

      const sent = send({ host: distributionDomain, uri, query: `x=1&${query}`, cookies }, unnamed);

      expect([sent.uri, sent.headers["x-dropleaf-query"], sent.cookies]).toEqual([
        "/p/aB3dE5f/state",
        { value: query },
        {},
      ]);
    }
  });
});

describe("the query of an owner's page, with one cache entry per page number", () => {
  const queryAt = (viewer: Viewer, values?: Record<string, string>) =>
    send(viewer, values).headers["x-dropleaf-query"]?.value;

  test.each([
    ["page=2", "page=2"],
    ["utm_source=mail&page=478&x=1", "page=478"],
    ["page=2&page=3&page=4", "page=2"],
    ["page=1", undefined],
    ["x=1&y=2", undefined],
    ["%70age=2", undefined],
    ["page", "page=0"],
    ["page=", "page=0"],
    ["page=02", "page=0"],
    ["page=%32", "page=0"],
    ["page=12345", "page=0"],
    ["page=2;3", "page=0"],
  ])("%s becomes %s", (query, kept) => {
    expect(queryAt({ host: "ada.example.page", query })).toBe(kept);
    expect(queryAt({ host: "d111111abcdef8.cloudfront.net", uri: "/@ada/", query }, unnamed)).toBe(kept);
  });

  test("is removed for the feed, which is the same for everyone", () => {
    const cookies = { "__Host-dl_reader": { value: "a session" } };
    const feed = { host: "ada.example.page", uri: "/feed", query: "page=2&x", cookies };

    expect(queryAt(feed)).toBeUndefined();
    expect(send(feed)).toMatchObject({ uri: "/feed", cookies: {} });
  });

  test("stays unchanged for the start page", () => {
    expect(queryAt({ host: named.BASE_HOST, query: "x=1" })).toBe("x=1");
  });
});

describe("the path", () => {
  test.each(["ada.example.page", "ADA.example.page", "a-1.example.page"])(
    "/ on %s is the owner's page",
    (host) => {
      expect(send({ host }).uri).toBe("/owner");
    },
  );

  test.each([
    "drops.example.com",
    "example.page",
    "a.b.example.page",
    "ada.example.page.evil.example",
    "adaexample.page",
    "",
  ])("/ on %s stays unchanged", (host) => {
    expect(send({ host }).uri).toBe("/");
  });

  test("/ stays unchanged on the service's own host, even if that is one label below the base domain", () => {
    const values = { ...named, BASE_HOST: "drops.example.com", BASE_DOMAIN: "example.com" };

    expect(send({ host: "drops.example.com" }, values).uri).toBe("/");
    expect(send({ host: "ada.example.com" }, values).uri).toBe("/owner");
  });

  test("other paths than / stay unchanged on an owner's host", () => {
    expect(send({ host: "ada.example.page", uri: "/d/aB3dE5f" }).uri).toBe("/d/aB3dE5f");
  });

  test("/ is the owner's page on a host with a port too", () => {
    const values = { ...named, BASE_HOST: "localhost:8787", BASE_DOMAIN: "localhost:8787" };

    expect(send({ host: "localhost:8787" }, values).uri).toBe("/");
    expect(send({ host: "ada.localhost:8787" }, values).uri).toBe("/owner");
  });
});

describe("without a domain, an owner's path", () => {
  const host = distributionDomain;
  const below = (uri: string, more: Partial<Viewer> = {}) => send({ host, uri, ...more }, unnamed);

  test.each([
    ["/@ada/", "/owner"],
    ["/@ada/d/aB3dE5f", "/d/aB3dE5f"],
    ["/@ada/p/aB3dE5f/raw", "/p/aB3dE5f/raw"],
    ["/@ada/b/aB3dE5f", "/ada/aB3dE5f"],
    ["/@ada/b/grace/aB3dE5f", "/not-found"],
    ["/@ada/@grace/d/aB3dE5f", "/not-found"],
    ["/@ada//d/aB3dE5f", "/not-found"],
    ["/@ada/%6fwner", "/not-found"],
    ["/@ada/p/aB3dE5f/ra%77", "/p/aB3dE5f"],
  ])("%s is sent to the origin as %s, with the owner's name", (uri, path) => {
    const { headers, ...request } = below(uri);

    expect(request.uri).toBe(path);
    expect(headers["x-dropleaf-owner"]).toEqual({ value: "ada" });
    expect(headers["x-dropleaf-host"]).toEqual({ value: host });
  });

  test.each([
    ["/", "/"],
    ["/d/aB3dE5f", "/d/aB3dE5f"],
    ["/@", "/not-found"],
    ["/@/", "/not-found"],
    ["/@ada_b/", "/not-found"],
    ["/@a.b/d/aB3dE5f", "/not-found"],
    ["/x/@ada/", "/not-found"],
    ["/%2540ada/", "/not-found"],
    ["//@ada/", "/not-found"],
    ["/@ad%61/", "/not-found"],
  ])("%s has no owner, and is sent to the origin as %s", (uri, path) => {
    const { headers, ...request } = below(uri);

    expect(request.uri).toBe(path);
    expect(headers).not.toHaveProperty("x-dropleaf-owner");
  });

  test.each([
    ["/@ada", undefined, "/@ada/"],
    ["/@ada", "page=2", "/@ada/?page=2"],
    ["/@Ada/d/aB3dE5f", "v=1", "/@ada/d/aB3dE5f?v=1"],
    ["/%40ada/", undefined, "/@ada/"],
    ["/%40ada/p/aB3dE5f/state/", undefined, "/@ada/p/aB3dE5f/state"],
    ["/%40Ada/p/aB3dE5f/raw/docs/", "x=1", "/@ada/p/aB3dE5f/raw/docs/?x=1"],
  ])("%s?%s redirects to its only spelling", (uri, query, location) => {
    const { returned } = run<{ statusCode: number; headers: Record<string, { value: string }> }>(
      { host, uri, ...(query === undefined ? {} : { query }) },
      unnamed,
    );

    expect([returned.statusCode, returned.headers.location?.value]).toEqual([308, location]);
  });

  test.each([
    "/@ADA//elsewhere.example",
    "/%40ada/p/aB3dE5f/raw//",
    "/@Ada/%70/aB3dE5f",
    "/@ADA/../d/aB3dE5f",
  ])("%s does not redirect, because the rest is not a valid path", (uri) => {
    const { headers, ...request } = below(uri);

    expect(request.uri).toMatch(/^(\/p)?\/not-found$/);
    expect(headers["x-dropleaf-owner"]).toEqual({ value: "ada" });
  });

  test("is sent without cookies, and with the version in a header; a path without an owner keeps its unlock cookie", () => {
    const cookies = { "__Host-dl_aB3dE5f": { value: "1.1900000000.1.x" } };

    const { headers, ...sent } = below("/@ada/p/aB3dE5f/raw", { cookies, query: "x=1&v=2" });

    expect(sent.cookies).toEqual({});
    expect(headers["x-dropleaf-query"]).toEqual({ value: "v=2" });
    expect(below("/p/aB3dE5f/raw", { cookies }).cookies).toEqual(cookies);
  });

  test("is sent with the service's own host name, whatever host name the viewer used", () => {
    const headers = { "x-dropleaf-service-host": "evil.example" };

    const sent = send({ host: "Evil.example:8443", uri: "/@ada/", headers }, unnamed);

    expect(sent.headers[edgeHeaders.serviceHost]).toEqual({ value: distributionDomain });
    expect(sent.headers[edgeHeaders.host]).toEqual({ value: "evil.example:8443" });
  });

  test("sends no large body to the ingest server, because the API is not below it", () => {
    const large = { method: "POST", headers: { "content-length": "3145729" } };

    expect(run<Sent>({ host, uri: "/@ada/api/drops", ...large }, unnamed).originId).toBeUndefined();
  });

  test("does not exist on another host", () => {
    expect(send({ host: `ada.${distributionDomain}` }, unnamed).uri).toBe("/");
    expect(send({ host: `ada.${distributionDomain}`, uri: "/b/aB3dE5f" }, unnamed).uri).toBe("/not-found");
  });

  test("does not exist if owners have hosts", () => {
    const { headers, uri } = send({ host: "drops.example.com", uri: "/@ada/d/aB3dE5f" });

    expect(uri).toBe("/not-found");
    expect(headers).not.toHaveProperty("x-dropleaf-owner");
  });
});

describe("a file's path", () => {
  test("is sent to the origin below its owner's namespace", () => {
    expect(send({ host: "ada.example.page", uri: "/b/aB3dE5f" }).uri).toBe("/ada/aB3dE5f");
    expect(send({ host: "ADA.Example.Page", uri: "/b/aB3dE5f" }).uri).toBe("/ada/aB3dE5f");
  });

  test.each(["drops.example.com", "example.page", "a.b.example.page", "evil.example", ""])(
    "does not exist on %s, which has no owner",
    (host) => {
      expect(send({ host, uri: "/b/aB3dE5f" }).uri).toBe("/not-found");
    },
  );

  test.each([
    "/b/",
    "/b/aB3dE5",
    "/b/aB3dE5fg",
    "/b/aB3dE5f//",
    "/b/aB3dE5%66",
    "/b/../aB3dE5f",
    "/b/grace/aB3dE5f",
  ])("does not exist for an invalid id: %s", (uri) => {
    expect(send({ host: "ada.example.page", uri }).uri).toBe("/not-found");
  });
});

describe("the signed S3 path of a restricted file", () => {
  const uri = "/_restricted/ada/aB3dE5f/0123456789abcdeF";
  const address = `${"x".repeat(9_300)}=1`;

  test.each([
    ["on the service's own host", { host: "drops.example.com" }, named],
    ["where owners have no hosts", { host: "d111111abcdef8.cloudfront.net" }, unnamed],
  ] as const)("stays unchanged %s, however long its query", (_, viewer, values) => {
    expect(send({ ...viewer, uri, query: address }, values).uri).toBe(uri);
  });

  test.each([
    ["an owner's host", { host: "ada.example.page", uri }, named],
    ["another host", { host: "example.page", uri }, named],
    ["an owner's path", { host: "d111111abcdef8.cloudfront.net", uri: `/@ada${uri}` }, unnamed],
    ...[
      `${uri}0`,
      `${uri}/`,
      "/_restricted/",
      "/_restricted/ada/aB3dE5f",
      "/_restricted/a_b/aB3dE5f/0123456789abcdeF",
    ].map((other) => [other, { host: "drops.example.com", uri: other }, named] as const),
    ["another spelling", { host: "drops.example.com", uri: uri.replace("aB3", "a%423") }, named],
  ] as const)("does not exist at %s", (_, viewer, values) => {
    expect(send(viewer, values).uri).toBe("/not-found");
  });

  describe("after its expiry", () => {
    const secondsAgo = (seconds: number) =>
      new Date(Date.now() - seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "");
    const signed = (seconds: number, from: string) =>
      `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=${secondsAgo(seconds)}&X-Amz-Expires=8&x-from=${from}&X-Amz-Signature=1`;
    const host = "drops.example.com";

    test.each([
      ["/files/ada/aB3dE5f?key=k12", "document"],
      ["/p/aB3dE5f/raw/@k12/a%20film.mp4", "video"],
      ["/p/aB3dE5f/raw", "empty"],
    ])("redirects to %s, where access is checked, for the destination %s", (path, destination) => {
      const headers = { "sec-fetch-dest": destination };
      const viewer = { host, uri, query: signed(9, encodeURIComponent(path)), headers };

      const answer = run<{ statusCode: number; headers: Record<string, { value: string }> }>(
        viewer,
        named,
      ).returned;

      expect([answer.statusCode, answer.headers.location?.value]).toEqual([302, path]);
      expect(answer.headers["cache-control"]?.value).toBe("no-store");
      expect(answer.headers["access-control-allow-origin"]?.value).toBe("*");
    });

    test.each([
      ["before its expiry", signed(6, "%2Ffiles%2Fada%2FaB3dE5f")],
      ["without a time", "x-from=%2Ffiles%2Fada%2FaB3dE5f&X-Amz-Signature=1"],
      ["without a path", signed(9, "")],
      ["with another host", signed(9, "%2F%2Fevil.example")],
      ["with a backslash before another host", signed(9, "%2F%5Cevil.example")],
      ["with an absolute URL", signed(9, "https%3A%2F%2Fevil.example")],
      ["with an incomplete escape", signed(9, "%2")],
      ["with a line feed", signed(9, "%2Fp%0aSet-Cookie%3A%20a")],
    ])("is passed to S3 or redirects within this host, %s", (_, query) => {
      const { returned } = run<{ uri?: string; headers: Record<string, { value: string }> }>(
        { host, uri, query },
        named,
      );

      if (returned.uri === undefined) expect(returned.headers.location?.value).toMatch(/^\/\w[!-~]*$/);
      else expect(returned.uri).toBe(uri);
    });
  });
});

describe("a file of a folder", () => {
  const uri = "/p/aB3dE5f/raw/app.js";
  const host = "drops.example.com";

  test("has no query in its cache key, but the function gets the query in another header", () => {
    for (const destination of ["document", "iframe", "script"]) {
      const headers = { "sec-fetch-dest": destination };
      const sent = send({ host, uri, query: "v=1.2.3&framed=1", headers }).headers;

      expect(sent).not.toHaveProperty("x-dropleaf-query");
      expect(sent["x-dropleaf-sent-query"]).toEqual({ value: "v=1.2.3&framed=1" });
    }
  });

  test("has a separate cache entry for a window on the service's own host", () => {
    const headers = { "sec-fetch-dest": "document" };

    expect(send({ host, uri, headers }).headers[edgeHeaders.window]).toEqual({ value: "1" });
    expect(send({ host, uri }).headers[edgeHeaders.window]).toBeUndefined();
    expect(send({ host: "ada.example.page", uri, headers }).headers[edgeHeaders.window]).toBeUndefined();
  });

  test("is sent with the cookies of its drop and reader on the service's own host, and without cookies elsewhere", () => {
    const cookies = {
      "__Host-dl_aB3dE5f": { value: "1.1900000000.1.x" },
      "__Host-dl_other00": { value: "no" },
      "__Host-dl_tries_aB3dE5f": { value: "t" },
      "__Host-dl_reader": { value: "a session" },
    };

    const kept = Object.keys(send({ host, uri, cookies }).cookies);

    expect(kept).toEqual(["__Host-dl_aB3dE5f", "__Host-dl_reader"]);
    expect(send({ host: "ada.example.page", uri, cookies }).cookies).toEqual({});
    expect(send({ host: distributionDomain, uri: `/@ada${uri}`, cookies }, unnamed).cookies).toEqual({});
  });

  test("can be requested with any header by a sandboxed page, but without credentials", () => {
    const headers = {
      origin: "null",
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-requested-with",
    };

    const { returned } = run<{ statusCode: number; headers: Record<string, { value: string }> }>(
      { method: "OPTIONS", host, uri, headers },
      named,
    );

    expect(returned).toMatchObject({
      statusCode: 204,
      headers: {
        "access-control-allow-origin": { value: "*" },
        "access-control-allow-headers": { value: "*" },
      },
    });
    expect(returned.headers).not.toHaveProperty("access-control-allow-credentials");
    expect(send({ method: "OPTIONS", host, uri: "/p/aB3dE5f/raw", headers })).not.toHaveProperty(
      "statusCode",
    );
  });

  test("is never a service worker, which would outlive the drop", () => {
    const headers = { "service-worker": "script", "sec-fetch-dest": "serviceworker" };

    for (const [where, values] of [
      [{ host }, named],
      [{ host: "ada.example.page" }, named],
      [{ host: distributionDomain }, unnamed],
    ] as const)
      expect(send({ ...where, uri, headers }, values).uri).toBe("/not-found");
  });

  test("is sent to API Gateway with its name only once, so that the longest name leaves room for headers", () => {
    const longest = `/p/aB3dE5f/raw/@${"k".repeat(201)}/${"%F0%9F%8D%83".repeat(200)}`;
    const viewer = { host, uri: longest, headers: { accept: "x".repeat(6_500) } };

    const { uri: sent, headers } = send(viewer);

    expect(headers["x-dropleaf-path"]).toEqual({ value: longest });
    const bytes = Object.entries(headers).reduce(
      (sum, [name, { value }]) => sum + name.length + value.length + 4,
      sent.length,
    );
    expect(bytes).toBeLessThan(10_240);
    const more = { ...viewer, headers: { accept: "x".repeat(6_900) } };
    expect(run<{ statusCode: number }>(more, named).returned.statusCode).toBe(431);
  });
});

describe("a folder's host", () => {
  const label = `f--${"0".repeat(25)}v`;
  const host = `${label}.example.page`;

  test.each([
    "/",
    "/assets/app.js",
    "/docs/",
    "/feed",
    "/api/drops",
    "/mcp",
    "/b/aB3dE5f",
    "/d/aB3dE5f",
    "/p/aB3dE5f/raw",
    "/p/aB3dE5f.html",
    "/_files/aB3dE5f/0123456789abcdeF.1.pack",
    "/_restricted/ada/aB3dE5f/0123456789abcdeF",
    "/@1/x",
    "/%C3%A9",
  ])("treats %j as a path of the folder, in a header of the cache key", (uri) => {
    const { returned, originId } = run<Sent>(
      { host, uri, query: "x=1;2", cookies: valuesOf({ "__Host-dl_reader": "1", a: "1" }) },
      named,
    );

    expect([returned.uri, originId]).toEqual(["/p/1234567/raw/file", "api"]);
    expect(returned.headers["x-dropleaf-path"]?.value).toBe(`/p/1234567/raw${uri}`);
    expect(returned.headers["x-dropleaf-host"]?.value).toBe(host);
    expect(returned.headers["x-dropleaf-sent-query"]?.value).toBe("x=1;2");
    for (const name of ["query", "window", "level", "owner"])
      expect(returned.headers).not.toHaveProperty(`x-dropleaf-${name}`);
    expect(returned.cookies).toEqual({});
  });

  test.each(["/a//b", "/../x", "/a/%2e%2e/b", "/a%2fb", "/a\\b", "/a b"])(
    "returns 404 for %j, which other software may read as another path",
    (uri) => {
      expect(send({ host, uri }).uri).toBe("/not-found");
    },
  );

  test("serves no service worker, and sends no large body to the ingest server", () => {
    const worker = send({ host, uri: "/sw.js", headers: { "service-worker": "script" } });
    const large = { method: "POST", uri: "/api/drops", headers: { "content-length": "4000000" } };

    expect(worker.uri).toBe("/not-found");
    expect(run<{ statusCode: number }>({ host, ...large }, named)).toMatchObject({
      returned: { statusCode: 413 },
      originId: "api",
    });
  });

  test("redirects / to the host of the version in its query, like a raw page", () => {
    const at = (uri: string, query: string, name = label) =>
      run<{ headers?: { location?: { value: string } } }>({ host: `${name}.example.page`, uri, query }, named)
        .returned.headers?.location?.value;

    expect(at("/", "v=3")).toBe(`//${label}-v3.example.page/?`);
    expect(at("/", "a=1&v=3&b=%20")).toBe(`//${label}-v3.example.page/?a=1&b=%20`);
    for (const [uri, query, name] of [
      ["/", "v=x"],
      ["/", "v=0"],
      ["/app.js", "v=3"],
      ["/", "v=3", `${label}-v2`],
      ["/", "v=3", `${label}-v2-framed`],
    ] as const)
      expect(at(uri, query, name)).toBeUndefined();
  });
});

describe("the signed S3 path of a folder's object", () => {
  const uri = "/_files/aB3dE5f/0123456789abcdeF.1.pack";

  test("stays unchanged on the service's own host", () => {
    expect(send({ host: "drops.example.com", uri, query: "X-Amz-Signature=1" }).uri).toBe(uri);
    expect(send({ host: distributionDomain, uri }, unnamed).uri).toBe(uri);
  });

  test.each([
    ["an owner's host", { host: "ada.example.page", uri }, named],
    ["an owner's path", { host: distributionDomain, uri: `/@ada${uri}` }, unnamed],
    ...[
      "/_files/",
      "/_files/aB3dE5f/",
      "/_files/aB3dE5f/0123456789abcdeF",
      "/_files/aB3dE5f/../x.pack",
      "/_files/0123456789abcdeF.pack",
      "/_files/aB3d%455f/0123456789abcdeF.1.pack",
      "/_search/x",
      "/_reports/x",
    ].map((other) => [other, { host: "drops.example.com", uri: other }, named] as const),
  ] as const)("does not exist at %s", (_, viewer, values) => {
    expect(send(viewer, values).uri).toBe("/not-found");
  });

  test("redirects to its folder after its expiry", () => {
    const query = "X-Amz-Date=20260101T000000Z&X-Amz-Expires=8&X-Amz-Signature=1&x-from=%2Fp%2FaB3dE5f%2Fraw";
    const viewer = { host: "drops.example.com", uri, query };

    const { returned } = run<{ statusCode: number; headers: Record<string, { value: string }> }>(
      viewer,
      named,
    );

    expect([returned.statusCode, returned.headers.location?.value]).toEqual([302, "/p/aB3dE5f/raw"]);
  });
});

describe("cookies", () => {
  const gate = { value: "1.1900000000.1.x" };
  const session = { value: "a session" };
  const cookies = {
    "__Host-dl_aB3dE5f": gate,
    "__Host-dl_other00": { value: "no" },
    "__Host-dl_tries_aB3dE5f": { value: "t" },
    "__Host-dl_tries_other00": { value: "no" },
    "__Host-dl_reader": session,
    "__Host-dl_known": { value: "of a version before" },
    "__Host-dl_verify_BBBB-BBBB": { value: "v" },
    "__Host-other": { value: "x" },
    "__host-dl_aB3dE5f": { value: "x" },
    "__Host-dl_": { value: "x" },
    bomb: { value: "x".repeat(4_000) },
    bombs: { value: "x".repeat(4_000), multiValue: [{ value: "x".repeat(4_000) }, { value: "y" }] },
  };
  const keptAt = (uri: string) => send({ host: named.BASE_HOST, uri, cookies }).cookies;

  test.each([
    "/p/aB3dE5f",
    "/p/aB3dE5f/raw",
    "/p/aB3dE5f/pdf",
    "/p/aB3dE5f/context",
    "/p/aB3dE5f/compare",
    "/p/aB3dE5f/feedback",
    "/p/aB3dE5f/unlock",
    "/p/aB3dE5f/lock",
    "/d/aB3dE5f",
  ])(
    "of the drop and of the reader's session are sent to %s, where they are part of a raw page's cache key",
    (uri) => {
      const tries = uri.endsWith("/raw") ? {} : { "__Host-dl_tries_aB3dE5f": { value: "t" } };

      expect(keptAt(uri)).toEqual({ "__Host-dl_aB3dE5f": gate, "__Host-dl_reader": session, ...tries });
      expect(send({ host: distributionDomain, uri, cookies }, unnamed).cookies).toEqual(keptAt(uri));
    },
  );

  test.each([
    "/",
    "/feed",
    "/p/aB3dE5f",
    "/p/aB3dE5f/raw",
    "/p/aB3dE5f/context",
    "/p/aB3dE5f/compare",
    "/p/aB3dE5f/feedback",
    "/p/aB3dE5f/state",
    "/p/aB3dE5f/unlock",
    "/d/aB3dE5f",
    "/b/aB3dE5f",
    "/login",
    "/account",
    "/api/drops",
    "/nothing",
  ])("are not sent to %s on an owner's host, which is the origin of published pages", (uri) => {
    expect(send({ host: "ada.example.page", uri, cookies }).cookies).toEqual({});
    expect(send({ host: "ADA.Example.Page", uri, query: "reader=1", cookies }).cookies).toEqual({});
    expect(send({ host: distributionDomain, uri: `/@ada${uri}`, cookies }, unnamed).cookies).toEqual({});
  });

  test.each(["/", "/login", "/verify", "/account", "/api/drops/aB3dE5f", "/p/aB3dE5f0/raw"])(
    "of the service are sent to %s, without those of drops and other hosts",
    (uri) => {
      expect(keptAt(uri)).toEqual({
        "__Host-dl_known": { value: "of a version before" },
        "__Host-dl_reader": session,
        "__Host-dl_verify_BBBB-BBBB": { value: "v" },
      });
    },
  );

  test("that are sent twice are both passed on", () => {
    const twice = { value: "a", multiValue: [{ value: "a" }, { value: "b" }] };

    const sent = send({
      host: named.BASE_HOST,
      uri: "/p/aB3dE5f/raw",
      cookies: { "__Host-dl_aB3dE5f": twice },
    });

    expect(sent.cookies).toEqual({ "__Host-dl_aB3dE5f": twice });
  });
});

describe("a top-level window", () => {
  const windowAt = (viewer: Viewer, values = named) =>
    send({ uri: "/p/aB3dE5f/raw", ...viewer }, values).headers[edgeHeaders.window];
  const document = { "sec-fetch-dest": "document" };

  test("that requests a raw page on the service's own host has a separate cache entry", () => {
    expect(windowAt({ host: "Drops.example.com", headers: document })).toEqual({ value: "1" });
  });

  test.each(["iframe", "embed", "empty", "script", "Document", "document, iframe", ""])(
    "is not assumed if the browser sends the destination %j",
    (destination) => {
      const headers = { "sec-fetch-dest": destination };

      expect(windowAt({ host: "drops.example.com", headers })).toBeUndefined();
    },
  );

  test("has no separate entry on an owner's host, on another path, without a domain, or by a forged header", () => {
    const host = "drops.example.com";

    expect(windowAt({ host: "ada.example.page", headers: document })).toBeUndefined();
    expect(windowAt({ host, uri: "/p/aB3dE5f", headers: document })).toBeUndefined();
    expect(windowAt({ host })).toBeUndefined();
    expect(windowAt({ host, headers: { [edgeHeaders.window]: "1" } })).toBeUndefined();
    expect(windowAt({ host: distributionDomain, headers: document }, unnamed)).toBeUndefined();
    expect(windowAt({ host: "", headers: document }, unnamed)).toBeUndefined();
  });
});

describe("a body", () => {
  const originOf = (viewer: Partial<Viewer>, values = named) =>
    run<Sent>({ host: "drops.example.com", ...viewer }, values).originId;
  const large = { "content-length": "3145729" };

  test.each([
    ["POST", "/api/drops"],
    ["PUT", "/api/drops/aB3dE5f"],
    ["PATCH", "/api/drops/aB3dE5f"],
    ["POST", "/api/drops/aB3dE5f/passcode"],
    ["POST", "/api/blobs"],
  ])("of more than 3 MB is sent to the ingest origin: %s %s", (method, uri) => {
    expect(originOf({ method, uri, headers: large })).toBe("ingest");
  });

  test("of unknown length is sent to the ingest origin", () => {
    const headers = { "transfer-encoding": "chunked" };

    expect(originOf({ method: "POST", uri: "/api/blobs", headers })).toBe("ingest");
    expect(originOf({ method: "POST", uri: "/api/blobs" })).toBe("ingest");
  });

  test.each([
    ["/api/drops", "text/markdown", undefined],
    ["/api/drops/aB3dE5f", " Text/Markdown ; charset=utf-8", undefined],
    ["/api/drops", "text/markdown-plus", "ingest"],
    ["/api/drops", "text/html; a=text/markdown", "ingest"],
    ["/api/blobs", "text/markdown", "ingest"],
  ])("of unknown length is sent to the API only if it is Markdown for a drop: %s %s", (uri, type, origin) => {
    expect(originOf({ method: "PUT", uri, headers: { "content-type": type } })).toBe(origin);
  });

  test("of more than 3 MB of Markdown is sent to the ingest origin, which refuses it", () => {
    const headers = { ...large, "content-type": "text/markdown" };

    expect(originOf({ method: "POST", uri: "/api/drops", headers })).toBe("ingest");
  });

  test.each([
    ["POST", "/api/drops", { "content-length": "3145728" }],
    ["POST", "/api/drops", { "content-length": "0" }],
    ["POST", "/api/dropsy", large],
    ["POST", "/api/auth/start", large],
    ["POST", "/mcp", { "content-length": "3145728" }],
    ["POST", "/mcp", { "transfer-encoding": "chunked" }],
    ["POST", "/p/aB3dE5f/unlock", large],
    ["DELETE", "/api/drops/aB3dE5f", {}],
    ["GET", "/api/drops", {}],
  ])("is sent to the API: %s %s %j", (method, uri, headers) => {
    expect(originOf({ method, uri, headers })).toBeUndefined();
  });

  test("reaches the ingest origin with the edge's headers", () => {
    const { headers } = send({
      host: "drops.example.com",
      method: "POST",
      uri: "/api/blobs",
      query: "filename=a",
    });

    expect(headers).toMatchObject(
      valuesOf({
        "x-dropleaf-host": "drops.example.com",
        "x-dropleaf-address": "198.51.100.7",
        "x-dropleaf-query": "filename=a",
      }),
    );
  });
});

test("a body above 256 MiB is refused at the edge, before the ingest server reads it", () => {
  const sent = (contentLength: number) =>
    run<{ uri?: string; statusCode?: number; body?: { data: string } }>(
      {
        host: "drops.example.com",
        method: "POST",
        uri: "/api/blobs",
        headers: { "content-length": String(contentLength) },
      },
      named,
    );

  expect(sent(268_435_456)).toMatchObject({ returned: { uri: "/api/blobs" }, originId: "ingest" });
  const { returned, originId } = sent(268_435_457);
  expect([returned.statusCode, originId]).toEqual([413, undefined]);
  expect(JSON.parse(returned.body?.data ?? "").error).toMatchObject({
    code: "blob_too_large",
    details: { bytes_max: 268_435_456 },
  });
});

describe("a body of more than 3 MB without an ingest origin", () => {
  const none = { ...named, INGEST_ORIGIN_ID: "" };

  test.each([
    ["POST", "/api/drops", "html_too_large", "archive_bytes", none],
    ["PUT", "/api/drops/aB3dE5f", "html_too_large", "archive_bytes", none],
    ["POST", "/api/blobs", "blob_too_large", "POST /api/blobs/uploads", none],
    ["POST", "/mcp", "invalid_arg", "start_upload", none],
    ["POST", "/mcp", "invalid_arg", "start_upload", named],
  ])("is refused in the contract's error shape: %s %s", (method, uri, code, advice, values) => {
    const headers = { "content-length": String(mcpBodyBytesMax + 1) };

    const { returned } = run<{
      statusCode: number;
      headers: object;
      body: { encoding: string; data: string };
    }>({ host: "drops.example.com", method, uri, headers }, values);

    expect(returned).toMatchObject({ statusCode: 413, body: { encoding: "text" } });
    expect(JSON.parse(returned.body.data)).toEqual({
      error: { code, message: expect.stringContaining(advice), details: { bytes_max: 3_145_728 } },
    });
    expect(returned.headers).toEqual(
      valuesOf({
        ...jsonHeaders,
        "x-content-type-options": "nosniff",
        "x-request-id": "1",
      }),
    );
  });

  test("is sent to the API if its length is unknown, because it may be small", () => {
    const { returned, originId } = run<Sent>(
      { host: "drops.example.com", method: "POST", uri: "/api/drops" },
      none,
    );

    expect(originId).toBeUndefined();
    expect(returned.uri).toBe("/api/drops");
  });
});

describe("a request above API Gateway's limits", () => {
  const refusalOf = (viewer: Partial<Viewer>) =>
    run<{
      statusCode: number;
      headers: Record<string, { value: string }>;
      cookies: object;
      body: { data: string };
    }>({ host: "drops.example.com", ...viewer }, named).returned;
  const cookie = { value: "x".repeat(3_200) };
  /** Bytes of the smallest request: a path of one byte, and `host: drops.example.com`. */
  const leastBytes = "/".length + "host: ".length + "drops.example.com".length + 2;
  const cookies = { "__Host-dl_a-": cookie, "__Host-dl_b-": { ...cookie, multiValue: [cookie, cookie] } };

  test.each([
    ["a path", (length: number) => ({ uri: `/${"x".repeat(length)}` })],
    ["a query", (length: number) => ({ query: "x".repeat(length) })],
    ["a header", (length: number) => ({ headers: { x: "x".repeat(length - 5) } })],
    [
      "a repeated header",
      (length: number) => {
        const values = [{ value: "x".repeat(length - 11) }, { value: "y" }];
        return { fields: { x: { value: "x", multiValue: values } } };
      },
    ],
    [
      "an unlock cookie",
      (length: number) => ({
        uri: "/p/aB3dE5f/raw",
        cookies: { "__Host-dl_aB3dE5f": { value: "x".repeat(length - 34) } },
      }),
    ],
  ])("is refused from 9,217 bytes on, each of the viewer's bytes counted once: %s", (_, of) => {
    expect(refusalOf(of(9_216 - leastBytes))).not.toHaveProperty("statusCode");
    const { statusCode, body } = refusalOf(of(9_217 - leastBytes));

    expect([statusCode, JSON.parse(body.data).error.details]).toEqual([
      431,
      { bytes: 9_217, bytes_max: 9_216 },
    ]);
  });

  test.each([
    ["/p/aB3dE5f/raw", { "__Host-dl_aB3dE5f": { value: "x".repeat(9_200) } }],
    ["/verify", cookies],
  ])(
    "deletes the service's cookies that made it too large at %s, and no other site's cookies",
    (uri, sent) => {
      const foreign = { session: { value: "the company's" }, "__Host-dl_other00": { value: "x" } };
      const { cookies: ended } = refusalOf({ uri, cookies: { ...sent, ...foreign } });

      const attributes = "Path=/; Secure; Max-Age=0";
      const values = [
        { value: "", attributes },
        { value: "", attributes: `${attributes}; Partitioned` },
      ];
      expect(ended).toEqual(
        Object.fromEntries(
          Object.keys(sent).map((name) => [name, { value: "", attributes, multiValue: values }]),
        ),
      );
    },
  );

  test("deletes at most fifty cookies", () => {
    const many = Array.from({ length: 180 }, (_, n) => [`__Host-dl_x-${n}`, { value: "x".repeat(100) }]);

    expect(Object.keys(refusalOf({ cookies: Object.fromEntries(many) }).cookies)).toHaveLength(50);
  });

  test.each([
    ["a header", { headers: { "x-large": "x".repeat(9_200) } }],
    ["cookies", { cookies }],
    ["a query", { query: "q=".padEnd(9_200, "x") }],
  ])("because of %s is refused in the contract's error shape", (_, viewer) => {
    const { statusCode, headers, body } = refusalOf({ uri: "/api/drops", ...viewer });

    expect(statusCode).toBe(431);
    expect(headers).toMatchObject(valuesOf({ ...jsonHeaders, "x-request-id": "1" }));
    const { error } = JSON.parse(body.data);
    expect(error).toMatchObject({ code: "invalid_arg", details: { bytes_max: 9_216 } });
    expect(error.details.bytes).toBeGreaterThan(9_216);
  });

  test("with more than 200 headers is refused, whatever its origin", () => {
    const headersOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`x-${index}`, "1"]));
    const foreign = { session: { value: "the company's" } };

    for (const uri of ["/api/drops", "/b/aB3dE5f"]) {
      expect(refusalOf({ uri, headers: headersOf(200) })).not.toHaveProperty("statusCode");
      const {
        statusCode,
        cookies: ended,
        body,
      } = refusalOf({ uri, headers: headersOf(201), cookies: foreign });
      expect([statusCode, ended, JSON.parse(body.data).error.details]).toEqual([
        431,
        {},
        { headers: 201, headers_max: 200 },
      ]);
    }
  });

  test("gets an error page if it accepts HTML", () => {
    const headers = { accept: "text/html,*/*;q=0.8", "x-large": "x".repeat(9_200) };

    const page = refusalOf({ uri: "/p/aB3dE5f", headers });
    const json = refusalOf({ uri: "/api/me", headers });

    expect(page).toMatchObject({
      statusCode: 431,
      body: { data: expect.stringMatching(/^<!doctype html>/) },
    });
    expect(page.headers["content-type"]?.value).toBe("text/html; charset=utf-8");
    expect(JSON.parse(json.body.data).error.code).toBe("invalid_arg");
  });

  test.each([
    ["one slightly below the limit", { uri: "/api/drops", headers: { "x-large": "x".repeat(9_000) } }],
    [
      "one with large cookies of other hosts",
      { cookies: { a: { value: "x".repeat(4_000), multiValue: [cookie, cookie, cookie] } } },
    ],
    [
      "one with many unlock cookies",
      {
        cookies: Object.fromEntries(
          Array.from({ length: 100 }, (_, n) => [`__Host-dl_${1e6 + n}`, { value: "x".repeat(90) }]),
        ),
      },
    ],
    [
      "one for a file",
      { host: "ada.example.page", uri: "/b/aB3dE5f", headers: { "x-large": "x".repeat(12_000) } },
    ],
    [
      "one for the ingest server",
      { method: "POST", uri: "/api/blobs", headers: { "x-large": "x".repeat(12_000) } },
    ],
  ])("is not %s", (_, viewer) => {
    expect(refusalOf(viewer)).not.toHaveProperty("statusCode");
  });

  test("with a body above 3 MB is refused outside the ingest server's paths", () => {
    const headers = { "content-length": "3145729" };

    for (const uri of ["/api/auth/start", "/p/aB3dE5f/unlock", "/nothing"]) {
      const { statusCode, body } = refusalOf({ method: "POST", uri, headers });
      expect([statusCode, JSON.parse(body.data).error.code]).toEqual([413, "invalid_arg"]);
    }
  });
});

describe("the bundle", () => {
  const code = bundle(named);

  test("is well below CloudFront's size limit", () => {
    // The limit is 10,240 bytes: CloudFront developer guide, "Quotas on CloudFront Functions".
    expect(Buffer.byteLength(code)).toBeLessThan(9_600);
  });

  test("has short local names, and keeps the name that CloudFront calls", () => {
    expect(code).toMatch(/function handler\(\w\)/);
    expect(code).toContain("cf.selectRequestOriginById(");
  });

  test("imports only CloudFront's own module, in its first line", () => {
    expect(code.split("\n")[0]).toBe('import cf from "cloudfront";');
    expect(code.match(/\bimport\b/g)).toHaveLength(1);
  });
});

describe("the registry of MCP servers", () => {
  const host = "drops.example.com";

  test("accepts the encoded slash in a server's name that clients send", () => {
    const uri = "/v0.1/servers/com.example.drops%2Fdropleaf/versions/latest";

    const { uri: passed, headers } = send({ host, uri });

    expect(passed).toBe("/v0.1/servers/com.example.drops/dropleaf/versions/latest");
    expect(headers[edgeHeaders.path]?.value).toBe(passed);
  });

  test.each(["/v0.1/%2f", "/v0.1/..%2Fapi", "/v0.1/a%2Fb%2Fc"])("accepts no encoded slash in %s", (uri) => {
    expect(send({ host, uri }).uri).toBe("/not-found");
  });
});
