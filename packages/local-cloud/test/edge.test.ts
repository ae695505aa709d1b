import { afterEach, describe, expect, it } from "vitest";
import { headerValue } from "../src/http-message.ts";
import {
  cachePolicy,
  edgeFunction,
  type OriginRequest,
  type OriginResponse,
  origin,
  startEdgeFixture,
} from "./edge-fixture.ts";
import { uncachedBehavior } from "./fixture-stack.ts";

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/** Starts a distribution with the origins `a` and `b`, whose default behavior uses `a`. */
async function start(
  config: Record<string, unknown> = {},
  response: (request: OriginRequest) => OriginResponse = () => ({ body: "ok" }),
  resources = {},
) {
  const whole = {
    DefaultCacheBehavior: uncachedBehavior("a"),
    Origins: [origin("a"), origin("b")],
    ...config,
  };
  const fixture = await startEdgeFixture(whole, response, resources);
  stop = fixture.stop;
  const header = (name: string) => headerValue(fixture.requests.at(-1)?.headers ?? [], name);
  return { ...fixture, header };
}

describe("cache behaviors (CloudFront developer guide, Cache behavior settings)", () => {
  it("are tried in order, with * and ? in patterns, and are case-sensitive", async () => {
    const { send, requests } = await start({
      CacheBehaviors: [
        { PathPattern: "/p/*/raw", ...uncachedBehavior("b") },
        { PathPattern: "/x?.txt", ...uncachedBehavior("b") },
        { PathPattern: "/x*", ...uncachedBehavior("a") },
      ],
    });

    for (const path of ["/p/1/raw", "/p/1", "/x1.txt", "/x12.txt", "/P/1/raw", "/p/2/./raw?x=/p"])
      await send(path);

    expect(requests.map((request) => request.origin)).toEqual(["b", "a", "b", "a", "a", "b"]);
  });

  it("match any normalization of a path, because CloudFront does not document one, and pass it on as sent", async () => {
    const { send, requests } = await start(
      {
        DefaultCacheBehavior: uncachedBehavior("a"),
        CacheBehaviors: [
          { PathPattern: "/api/*", ...uncachedBehavior("a") },
          { PathPattern: "/p/*/raw", ...uncachedBehavior("b"), CachePolicyId: { Ref: "Policy" } },
        ],
      },
      () => ({ body: "ok" }),
      cachePolicy({ default: 60 }),
    );
    const readings = [
      "/%70/1/raw",
      "/p/1/ra%77",
      "/%2570/1/raw",
      "/p%2f1%2Fraw",
      "//p/1/raw",
      "/x/../p/1/raw",
      "/api/%2e%2e/p/1/raw",
      "/p/1/raw/../raw",
    ];

    for (const path of [...readings, "/api/p/1/raws", "/%zz/1/raw"]) await send(path);

    expect(requests.map((request) => request.origin)).toEqual([...readings.map(() => "b"), "a", "a"]);
    expect(requests.map((request) => request.path)).toEqual([...readings, "/api/p/1/raws", "/%zz/1/raw"]);
  });

  it("cache a response under the path as sent, not under its normalization", async () => {
    const { send } = await start(
      {
        DefaultCacheBehavior: uncachedBehavior("a"),
        CacheBehaviors: [
          { PathPattern: "/p/*/raw", ...uncachedBehavior("b"), CachePolicyId: { Ref: "Policy" } },
        ],
      },
      () => ({ body: "ok" }),
      cachePolicy({ default: 60 }),
    );
    const outcome = async (path: string) => String((await send(path)).headers["x-cache"]).split(" ")[0];
    await send("/p/1/raw");

    expect([await outcome("/%70/1/raw"), await outcome("/p/1/raw")]).toEqual(["Miss", "Hit"]);
  });

  it("refuse methods that they do not allow, and a GET with a body", async () => {
    const { send, requests } = await start({
      DefaultCacheBehavior: uncachedBehavior("a", { AllowedMethods: ["GET", "HEAD"] }),
    });

    expect((await send("/", { method: "POST", body: "x" })).status).toBe(403);
    expect((await send("/", { body: "x", headers: { "Content-Length": "1" } })).status).toBe(403);
    expect(requests).toEqual([]);
  });

  it("accept 8,192 bytes of URL, and 20,480 bytes of URL and headers, as in the quotas", async () => {
    const { send } = await start();

    expect((await send(`/${"x".repeat(8191)}`)).status).toBe(200);
    expect((await send(`/${"x".repeat(8192)}`)).status).toBe(413);
    expect((await send("/", { headers: { "X-Large": "x".repeat(20_480) } })).status).toBe(413);
  });
});

describe("origin requests (CloudFront developer guide, Control origin requests with a policy)", () => {
  it("with AllViewerExceptHostHeader contain everything but Host and the headers that CloudFront removes", async () => {
    const { send, requests, header } = await start();

    await send("/a%20b?x=%31;y&x=2", {
      method: "POST",
      body: "text",
      headers: {
        Host: "drops.example.com",
        Cookie: "a=1; b=2",
        Authorization: "Bearer t",
        Expect: "100-continue",
        "X-Mine": "1",
        "X-Real-IP": "9",
        "X-Forwarded-Proto": "ftp",
        "X-Edge-Key": "1",
        "User-Agent": "me",
      },
    });

    expect(requests[0]).toMatchObject({ method: "POST", path: "/a%20b", query: "x=%31;y&x=2", text: "text" });
    expect(requests[0]?.peer.address).not.toBe("127.0.0.1");
    expect(header("host")).toBe("a.test");
    expect(header("cookie")).toBe("a=1; b=2");
    expect(header("authorization")).toBe("Bearer t");
    expect(header("expect")).toBe("100-continue");
    expect(header("x-mine")).toBe("1");
    expect(header("user-agent")).toBe("me");
    expect(header("x-forwarded-for")).toBe("127.0.0.1");
    expect(header("via")).toMatch(/cloudfront\.net \(CloudFront\)$/);
    expect(header("x-amz-cf-id")).toMatch(/.{40}/);
    for (const name of ["x-real-ip", "x-forwarded-proto", "x-edge-key"]) expect(header(name)).toBeUndefined();
  });

  it("without a policy contain no query, cookies, Authorization or viewer headers", async () => {
    const { send, requests, header } = await start({
      DefaultCacheBehavior: uncachedBehavior("a", { OriginRequestPolicyId: undefined }),
    });

    await send("/x?y=1", {
      headers: {
        Cookie: "a=1",
        Authorization: "t",
        Expect: "100-continue",
        "X-Mine": "1",
        "User-Agent": "me",
      },
    });

    expect(requests[0]?.query).toBeUndefined();
    expect(header("user-agent")).toBe("Amazon CloudFront");
    for (const name of ["cookie", "authorization", "expect", "x-mine"]) expect(header(name)).toBeUndefined();
  });

  it("contain the viewer headers that a policy names, with CloudFront's values", async () => {
    const resources = {
      Asks: {
        Type: "AWS::CloudFront::OriginRequestPolicy",
        Properties: {
          OriginRequestPolicyConfig: {
            HeadersConfig: {
              HeaderBehavior: "allViewerAndWhitelistCloudFront",
              Headers: ["CloudFront-Viewer-Address"],
            },
            CookiesConfig: { CookieBehavior: "none" },
            QueryStringsConfig: { QueryStringBehavior: "whitelist", QueryStrings: ["v"] },
          },
        },
      },
    };
    const behavior = uncachedBehavior("a", { OriginRequestPolicyId: { Ref: "Asks" } });
    const { send, requests, header } = await start({ DefaultCacheBehavior: behavior }, undefined, resources);

    await send("/?v=1&w=2", {
      headers: {
        Cookie: "a=1",
        "CloudFront-Viewer-Address": "203.0.113.1:1",
        "CloudFront-Viewer-Country": "XX",
      },
    });

    expect(header("cloudfront-viewer-address")).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(header("cloudfront-viewer-country")).toBeUndefined();
    expect(header("cookie")).toBeUndefined();
    expect(requests[0]?.query).toBe("v=1");
  });

  it("have the origin's path prefix, and its headers instead of the viewer's, with secrets resolved", async () => {
    const secret = "{{resolve:secretsmanager:origin:SecretString:::}}";
    const { send, requests, header } = await start({
      Origins: [
        origin("a", {
          OriginPath: "/live",
          OriginCustomHeaders: [{ HeaderName: "X-Origin", HeaderValue: secret }],
        }),
      ],
    });

    await send("/x", { headers: { "x-origin": "forged" } });

    expect(requests[0]?.path).toBe("/live/x");
    expect(header("x-origin")).toBe("secret origin");
  });
});

describe("viewer responses (CloudFront developer guide, Response headers policies)", () => {
  it("have no hop-by-hop headers, and no Set-Cookie if cookies are not forwarded", async () => {
    const headers = { "Set-Cookie": "a=1", Via: "1.1 x", "Proxy-Status": "x", "X-Mine": "1" };
    const { send } = await start(
      {
        CacheBehaviors: [
          { PathPattern: "/no", ...uncachedBehavior("a", { OriginRequestPolicyId: undefined }) },
        ],
      },
      () => ({ headers }),
    );

    const withCookies = await send("/yes");
    const without = await send("/no");

    expect(withCookies.headers).toMatchObject({ "set-cookie": ["a=1"], "x-mine": "1" });
    expect(withCookies.headers.via).toMatch(/^1\.1 .*\(CloudFront\)$/);
    expect(withCookies.headers["proxy-status"]).toBeUndefined();
    expect(without.headers["set-cookie"]).toBeUndefined();
  });

  it("have the policy's headers, which replace the origin's only with Override", async () => {
    const resources = {
      Headers: {
        Type: "AWS::CloudFront::ResponseHeadersPolicy",
        Properties: {
          ResponseHeadersPolicyConfig: {
            SecurityHeadersConfig: {
              ContentTypeOptions: { Override: true },
              ReferrerPolicy: { ReferrerPolicy: "no-referrer", Override: false },
              StrictTransportSecurity: { AccessControlMaxAgeSec: 1, Override: true },
            },
            CustomHeadersConfig: { Items: [{ Header: "X-Added", Value: "yes", Override: true }] },
            RemoveHeadersConfig: { Items: [{ Header: "Server" }] },
          },
        },
      },
    };
    const behavior = uncachedBehavior("a", {
      ResponseHeadersPolicyId: { Ref: "Headers" },
      AllowedMethods: ["GET"],
    });
    const headers = { "X-Content-Type-Options": "x", "Referrer-Policy": "same-origin", Server: "s" };
    const { send } = await start({ DefaultCacheBehavior: behavior }, () => ({ headers }), resources);

    const response = await send("/");
    const refusal = await send("/", { method: "DELETE" });

    expect(response.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "x-added": "yes",
    });
    expect(response.headers.server).toBeUndefined();
    expect(response.headers["strict-transport-security"]).toBeUndefined();
    expect(refusal.headers["x-added"]).toBe("yes");
  });
});

describe("errors", () => {
  it("of an unreachable origin return 502 (HTTP 502 status code)", async () => {
    const { send, logged } = await start({ Origins: [{ ...origin("a"), DomainName: "elsewhere.example" }] });

    const response = await send("/");

    expect(response.status).toBe(502);
    expect(response.headers["x-cache"]).toBe("Error from cloudfront");
    expect(logged.join()).toContain("elsewhere.example) is not emulated");
  });

  it("are replaced with the page and status of a custom error response (Generate custom error responses)", async () => {
    const { send } = await start(
      {
        CustomErrorResponses: [
          { ErrorCode: 403, ResponseCode: 404, ResponsePagePath: "/missing", ErrorCachingMinTTL: 0 },
        ],
        CacheBehaviors: [{ PathPattern: "/missing", ...uncachedBehavior("b") }],
      },
      (request) => (request.origin === "b" ? { body: "not here" } : { status: 403, body: "<Error/>" }),
    );

    const response = await send("/blob", { method: "HEAD" });

    expect(response.status).toBe(404);
    expect((await send("/blob")).text).toBe("not here");
  });

  it("make an origin group try its second origin, for GET and HEAD only (Optimize high availability)", async () => {
    const { send, requests } = await start(
      {
        DefaultCacheBehavior: uncachedBehavior("both"),
        OriginGroups: {
          Quantity: 1,
          Items: [
            {
              Id: "both",
              FailoverCriteria: { StatusCodes: { Quantity: 1, Items: [403] } },
              Members: { Quantity: 2, Items: [{ OriginId: "a" }, { OriginId: "b" }] },
            },
          ],
        },
      },
      (request) =>
        request.origin === "a" ? { status: request.path === "/no" ? 404 : 403 } : { body: "second" },
    );

    expect((await send("/yes")).text).toBe("second");
    expect((await send("/no")).status).toBe(404);
    expect((await send("/yes", { method: "POST", body: "x" })).status).toBe(403);
    expect(requests.map((request) => request.origin)).toEqual(["a", "b", "a", "a"]);
  });
});

describe("a CloudFront Function", () => {
  const startWith = (
    eventType: "viewer-request" | "viewer-response",
    code: string,
    response?: () => OriginResponse,
  ) => {
    const { resources, association } = edgeFunction(eventType, code);
    const behavior = uncachedBehavior("a", { FunctionAssociations: [association] });
    return start({ DefaultCacheBehavior: behavior }, response, resources);
  };

  it("for viewer requests changes path, query, headers and cookies (event structure)", async () => {
    const { send, requests, header } = await startWith(
      "viewer-request",
      `function handler(event) {
         var request = event.request;
         request.headers["x-host"] = { value: request.headers.host.value };
         request.headers["x-raw"] = { value: request.rawQueryString() };
         request.headers["x-seen"] = { value: JSON.stringify([request.querystring, request.cookies, request.headers["x-twice"]]) };
         request.uri = "/changed";
         delete request.querystring.b;
         request.cookies.c = { value: "3" };
         return request;
       }`,
    );

    await send("/path?a=1&a=2&b=%20", {
      headers: { Host: "h.example", Cookie: "k=v", "X-Twice": ["1", "2"] },
    });

    expect(requests[0]).toMatchObject({ path: "/changed", query: "a=1&a=2" });
    expect(header("cookie")).toBe("k=v; c=3");
    expect(header("x-host")).toBe("h.example");
    expect(header("x-raw")).toBe("a=1&a=2&b=%20");
    expect(JSON.parse(header("x-seen") ?? "")).toEqual([
      { a: { value: "1", multiValue: [{ value: "1" }, { value: "2" }] }, b: { value: "%20" } },
      { k: { value: "v" } },
      { value: "1", multiValue: [{ value: "1" }, { value: "2" }] },
    ]);
  });

  it("can respond itself, without an origin request", async () => {
    const { send, requests } = await startWith(
      "viewer-request",
      `async function handler(event) {
         return { statusCode: 302, headers: { location: { value: "/x" } }, cookies: { a: { value: "1", attributes: "Secure; Path=/" } }, body: { encoding: "base64", data: "aGk=" } };
       }`,
    );

    const response = await send("/");

    expect(response.status).toBe(302);
    expect(response.headers).toMatchObject({
      location: "/x",
      "set-cookie": ["a=1; Secure; Path=/"],
      "x-cache": "FunctionGeneratedResponse from cloudfront",
    });
    expect(response.text).toBe("hi");
    expect(requests).toEqual([]);
  });

  it("chooses the origin (helper methods for origin modification)", async () => {
    const { send, requests } = await startWith(
      "viewer-request",
      `import cf from 'cloudfront';
       function handler(event) {
         if (event.request.uri === "/b") cf.selectRequestOriginById("b");
         if (event.request.uri === "/u") cf.updateRequestOrigin({ domainName: "b.test", originPath: "/base" });
         return event.request;
       }`,
    );

    for (const path of ["/", "/b", "/u"]) await send(path);

    expect(requests.map((request) => request.origin)).toEqual(["a", "b", "a"]);
    expect(requests[2]?.path).toBe("/base/u");
    expect(headerValue(requests[2]?.headers ?? [], "host")).toBe("b.test");
  });

  it("can hash with crypto (JavaScript runtime 2.0 features)", async () => {
    const { send } = await startWith(
      "viewer-request",
      `const crypto = require('crypto');
       function handler() { return { statusCode: 200, body: crypto.createHmac('sha256', 'k').update('d').digest('hex') }; }`,
    );

    expect((await send("/")).text).toBe("e7ea21c3bcb63a4da3ad78503168d36bdca0be622382ea60a108fad4e4966679");
  });

  it.each([
    ["throws", 'function handler() { throw new Error("no"); }'],
    ["does not compile", "function handler( {"],
    ["has an exports line", "exports.handler = handler; function handler(event) { return event.request; }"],
    ["has no handler", "function other() {}"],
    ["never settles", "function handler() { return new Promise(() => {}); }"],
    [
      "uses a name that the runtime does not have",
      "function handler(event) { new URL('http://x'); return event.request; }",
    ],
    ["uses the host's process", "function handler(event) { process.exit(); return event.request; }"],
  ])("that %s returns 503 (HTTP 503 status code)", async (_, code) => {
    const { send, logged } = await startWith("viewer-request", code);

    const response = await send("/");

    expect(response.status).toBe(503);
    expect(response.headers["x-cache"]).toBe("FunctionExecutionError from cloudfront");
    expect(logged.join()).toContain("Fn");
  });

  it.each([
    ["nothing", "function handler() {}"],
    ["a path without a slash", 'function handler(e) { e.request.uri = "x"; return e.request; }'],
    ["another Host", 'function handler(e) { e.request.headers.host = { value: "x" }; return e.request; }'],
    [
      "a disallowed header",
      'function handler(e) { e.request.headers["x-real-ip"] = { value: "x" }; return e.request; }',
    ],
    ["a status that is not a number", 'function handler() { return { statusCode: "200" }; }'],
    [
      "an unknown origin",
      'import cf from "cloudfront"; function handler(e) { cf.selectRequestOriginById("z"); return e.request; }',
    ],
  ])("that returns %s causes 502 (Restrictions on all edge functions)", async (_, code) => {
    const { send } = await startWith("viewer-request", code);

    expect((await send("/")).status).toBe(502);
  });

  it("keeps no state between requests", async () => {
    const { send } = await startWith(
      "viewer-request",
      "let calls = 0; function handler() { calls += 1; return { statusCode: 200, body: String(calls) }; }",
    );

    expect([(await send("/")).text, (await send("/")).text]).toEqual(["1", "1"]);
  });

  it("for viewer responses changes headers and cookies, and keeps the body", async () => {
    const { send } = await startWith(
      "viewer-response",
      `function handler(event) {
         var response = event.response;
         response.headers["x-path"] = { value: event.request.uri };
         response.headers["www-authenticate"] = response.headers["x-amzn-remapped-www-authenticate"];
         delete response.headers["x-amzn-remapped-www-authenticate"];
         response.cookies.a.attributes += "; Secure";
         return response;
       }`,
      () => ({
        headers: { "Set-Cookie": "a=1; Path=/", "x-amzn-Remapped-WWW-Authenticate": "Bearer" },
        body: "text",
      }),
    );

    const response = await send("/p");

    expect(response.text).toBe("text");
    expect(response.headers).toMatchObject({
      "x-path": "/p",
      "www-authenticate": "Bearer",
      "set-cookie": ["a=1; Path=/; Secure"],
    });
    expect(response.headers["x-amzn-remapped-www-authenticate"]).toBeUndefined();
  });

  it("for viewer responses is not run if the origin returns 400 or above", async () => {
    const { send } = await startWith(
      "viewer-response",
      'function handler(event) { event.response.headers["x-ran"] = { value: "1" }; return event.response; }',
      () => ({ status: 401 }),
    );

    expect((await send("/")).headers["x-ran"]).toBeUndefined();
  });

  it("above 10 KB is refused when the distribution is read (Quotas on CloudFront Functions)", async () => {
    const code = `function handler(e) { return e.request; } //${"x".repeat(10_240)}`;

    await expect(startWith("viewer-request", code)).rejects.toThrow("at most 10240 bytes");
  });
});
