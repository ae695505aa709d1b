import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  cachePolicy,
  type OriginRequest,
  type OriginResponse,
  origin,
  startEdgeFixture,
} from "./edge-fixture.ts";
import { uncachedBehavior } from "./fixture-stack.ts";

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await stop?.();
});

/** Starts a distribution with one cache policy. `xCache` requests a path and returns the response's `X-Cache`. */
async function start(
  policy: ReturnType<typeof cachePolicy>,
  response: (request: OriginRequest) => OriginResponse,
  config: Record<string, unknown> = {},
) {
  const behavior = uncachedBehavior("a", { CachePolicyId: { Ref: "Policy" }, ...(config.behavior ?? {}) });
  const fixture = await startEdgeFixture(
    { DefaultCacheBehavior: behavior, Origins: [origin("a")], ...config },
    response,
    policy,
  );
  stop = fixture.stop;
  const xCache = async (path: string, headers: Record<string, string> = {}) =>
    String((await fixture.send(path, { headers })).headers["x-cache"]).replace(" from cloudfront", "");
  return { ...fixture, xCache };
}

/** Advances `Date` without affecting timers and connections. */
function passSeconds(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + seconds * 1000 });
}

const day = 86_400;

describe("the caching time of responses (CloudFront developer guide, Managing how long content stays in the cache)", () => {
  it.each([
    ["max-age", { "Cache-Control": "max-age=60" }, {}, 60],
    ["s-maxage, which has precedence over max-age", { "Cache-Control": "max-age=60, s-maxage=30" }, {}, 30],
    ["max-age, but not above the maximum TTL", { "Cache-Control": "max-age=60" }, { max: 20 }, 20],
    ["max-age, but not below the minimum TTL", { "Cache-Control": "max-age=1" }, { min: 40 }, 40],
    ["the default TTL without a header", {}, { default: 50 }, 50],
    ["the minimum TTL even with no-store", { "Cache-Control": "no-store" }, { min: 10 }, 10],
  ])("is set by %s", async (_, headers, ttl, seconds) => {
    const { xCache } = await start(cachePolicy(ttl), () => ({ headers }));

    expect(await xCache("/")).toBe("Miss");
    passSeconds(seconds - 1);
    expect(await xCache("/")).toBe("Hit");
    passSeconds(2);
    expect(await xCache("/")).toBe("Miss");
  });

  it.each(["no-store", "no-cache", "private", "private, max-age=60", "max-age=0"])(
    "is zero with %s and a minimum TTL of 0",
    async (value) => {
      const { xCache } = await start(cachePolicy({ default: day }), () => ({
        headers: { "Cache-Control": value },
      }));

      expect([await xCache("/"), await xCache("/")]).toEqual(["Miss", "Miss"]);
    },
  );

  it("is zero under CachingDisabled", async () => {
    const { xCache } = await start(cachePolicy({}), () => ({ headers: { "Cache-Control": "max-age=60" } }), {
      DefaultCacheBehavior: uncachedBehavior("a"),
    });

    expect([await xCache("/"), await xCache("/")]).toEqual(["Miss", "Miss"]);
  });

  it("applies to GET and HEAD only; HEAD is served from a cached GET", async () => {
    const { send, requests } = await start(cachePolicy({ default: day }), () => ({ body: "text" }));

    await send("/", { method: "POST" });
    await send("/", { method: "POST" });
    await send("/");
    const head = await send("/", { method: "HEAD" });

    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
    expect(head.headers).toMatchObject({ "x-cache": "Hit from cloudfront", "content-length": "4" });
    expect(head.text).toBe("");
  });

  it("is counted in the Age header", async () => {
    const { send } = await start(cachePolicy({ default: day }), () => ({}));

    await send("/");
    passSeconds(7);

    expect((await send("/")).headers.age).toBe("7");
  });
});

describe("the cache key (CloudFront developer guide, Understand the cache key)", () => {
  it("consists of the path and the policy's headers, cookies and query parameters only", async () => {
    const { xCache } = await start(
      cachePolicy(
        { default: day },
        {
          HeadersConfig: { HeaderBehavior: "whitelist", Headers: ["X-Key"] },
          CookiesConfig: { CookieBehavior: "whitelist", Cookies: ["k"] },
          QueryStringsConfig: { QueryStringBehavior: "whitelist", QueryStrings: ["v"] },
        },
      ),
      () => ({}),
    );

    expect(await xCache("/?v=1", { "x-key": "1", Cookie: "k=1" })).toBe("Miss");
    expect(
      await xCache("/?w=9&v=1", { "X-KEY": "1", Cookie: "z=9; k=1", Host: "other", "X-Other": "1" }),
    ).toBe("Hit");
    expect(await xCache("/?v=2", { "x-key": "1", Cookie: "k=1" })).toBe("Miss");
    expect(await xCache("/?v=1", { "x-key": "2", Cookie: "k=1" })).toBe("Miss");
    expect(await xCache("/?v=1", { "x-key": "1", Cookie: "k=2" })).toBe("Miss");
    expect(await xCache("/x?v=1", { "x-key": "1", Cookie: "k=1" })).toBe("Miss");
  });

  it("is sent to the origin as well", async () => {
    const { send, requests } = await start(
      cachePolicy(
        { default: day },
        { QueryStringsConfig: { QueryStringBehavior: "allExcept", QueryStrings: ["x"] } },
      ),
      () => ({}),
      { behavior: { OriginRequestPolicyId: undefined } },
    );

    await send("/?v=1&x=2");

    expect(requests[0]?.query).toBe("v=1");
  });
});

describe("errors (CloudFront developer guide, How CloudFront caches HTTP 4xx and 5xx status codes)", () => {
  it.each([404, 500, 503])("%i is cached for 10 seconds by default", async (status) => {
    const { send, requests } = await start(cachePolicy({}), () => ({ status }));

    await send("/");
    expect((await send("/")).headers["x-cache"]).toBe("Error from cloudfront");
    expect(requests.length).toBe(1);
    passSeconds(11);
    await send("/");

    expect(requests.length).toBe(2);
  });

  it("are not cached with an error caching minimum TTL of 0", async () => {
    const { send, requests } = await start(cachePolicy({}), () => ({ status: 404 }), {
      CustomErrorResponses: [{ ErrorCode: 404, ErrorCachingMinTTL: 0 }],
    });

    await send("/");
    await send("/");

    expect(requests.length).toBe(2);
  });

  it.each([
    ["403 without a lifetime", 403, {}],
    ["401 with a lifetime", 401, { "Cache-Control": "max-age=60" }],
    ["404 with no-store", 404, { "Cache-Control": "no-store" }],
  ])("are not cached: %s", async (_, status, headers) => {
    const { send, requests } = await start(cachePolicy({}), () => ({ status, headers }));

    await send("/");
    await send("/");

    expect(requests.length).toBe(2);
  });

  it("of 5xx are replaced with an expired response, if one is cached", async () => {
    let status = 200;
    const { send } = await start(cachePolicy({}), () => ({
      status,
      headers: { "Cache-Control": "max-age=5" },
      body: "old",
    }));

    await send("/");
    status = 500;
    passSeconds(6);
    const response = await send("/");

    expect([response.status, response.text]).toEqual([200, "old"]);
  });
});

describe("expired responses", () => {
  it("are revalidated with their ETag, and kept after a 304 of the origin", async () => {
    const headers = { ETag: '"1"', "Cache-Control": "max-age=5" };
    const { send, requests } = await start(cachePolicy({}), (request) =>
      request.headers.some(([name]) => name === "If-None-Match")
        ? { status: 304, headers }
        : { headers, body: "text" },
    );

    await send("/");
    passSeconds(6);
    const refreshed = await send("/");
    const after = await send("/");

    expect(refreshed.headers["x-cache"]).toBe("RefreshHit from cloudfront");
    expect([refreshed.text, after.text]).toEqual(["text", "text"]);
    expect(requests.length).toBe(2);
  });
});

describe("ranges and conditions from the cache (RFC 9110, sections 13 and 14)", () => {
  const whole = () => ({ headers: { ETag: '"1"', "Cache-Control": "max-age=60" }, body: "0123456789" });

  it.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=4-99", 206, "456789", "bytes 4-9/10"],
    ["bytes=-99", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=4-2", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
    ["bytes=0-1,3-4", 200, "0123456789", undefined],
  ])("%s returns %i", async (range, status, text, contentRange) => {
    const { send } = await start(cachePolicy({}), whole);
    await send("/");

    const response = await send("/", { headers: { Range: range } });

    expect([response.status, response.text, response.headers["content-range"]]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  it("If-None-Match returns 304 for the same ETag, weak or strong, and 200 for another", async () => {
    const { send } = await start(cachePolicy({}), whole);
    await send("/");
    const status = async (tag: string) => (await send("/", { headers: { "If-None-Match": tag } })).status;

    expect([
      await status('"1"'),
      await status('W/"1"'),
      await status('"0", "1"'),
      await status('"2"'),
    ]).toEqual([304, 304, 304, 200]);
  });

  it("a range with another ETag in If-Range returns the whole response", async () => {
    const { send } = await start(cachePolicy({}), whole);
    await send("/");

    const response = await send("/", { headers: { Range: "bytes=0-1", "If-Range": '"0"' } });

    expect([response.status, response.text]).toEqual([200, "0123456789"]);
  });
});

describe("invalidation (CloudFront developer guide, Invalidating content by cache tags)", () => {
  const config = { CacheTagConfig: { HeaderName: "x-amz-meta-cache-tag" } };
  const key = { QueryStringsConfig: { QueryStringBehavior: "all" } };
  /** Returns the tags in a path after its hyphen: `/a-b,c` has the tags b and c. */
  const tagged = ({ path }: OriginRequest) => ({
    headers: { "X-Amz-Meta-Cache-Tag": decodeURIComponent(path.split("-")[1] ?? "") },
  });
  const startTagged = (more = {}) =>
    start(cachePolicy({ default: day }, key), tagged, { ...config, ...more });
  const seeAll = async (xCache: (path: string) => Promise<string>, paths: readonly string[]) => {
    const seen: string[] = [];
    for (const path of paths) seen.push(await xCache(path));
    return seen;
  };

  it("removes responses with a tag, whatever their path and query, and no others", async () => {
    const { edge, xCache } = await startTagged();
    const paths = ["/a-one,two", "/a-one,two?v=1", "/b-one", "/b-two", "/b-one2", "/b"];
    await seeAll(xCache, paths);

    edge.invalidate(["one"]);

    expect(await seeAll(xCache, paths)).toEqual(["Miss", "Miss", "Miss", "Hit", "Hit", "Hit"]);
  });

  it("ignores the case of tags, and treats * as an ordinary character", async () => {
    const { edge, xCache } = await startTagged();
    const paths = ["/a-Drop:A", "/a-drop:b", "/a-drop:*"];
    await seeAll(xCache, paths);

    edge.invalidate(["DROP:a", "drop:*"]);

    expect(await seeAll(xCache, paths)).toEqual(["Miss", "Hit", "Miss"]);
  });

  it("uses the first 50 tags of a response, without white space around them", async () => {
    const { edge, xCache } = await startTagged();
    const path = `/a-${Array.from({ length: 51 }, (_, index) => `t${index}`).join("%20,%20")}`;
    const seen = [await xCache(path)];

    for (const tag of ["t50", "t49"]) {
      edge.invalidate([tag]);
      seen.push(await xCache(path));
    }

    expect(seen).toEqual(["Miss", "Hit", "Miss"]);
  });

  it("removes nothing if the distribution has no tag header", async () => {
    const { edge, xCache } = await startTagged({ CacheTagConfig: undefined });
    await xCache("/a-one");

    edge.invalidate(["one"]);

    expect(await xCache("/a-one")).toBe("Hit");
  });

  it("removes a response by its earlier tags after a 304 without tags", async () => {
    const headers = { ETag: '"1"', "Cache-Control": "max-age=5" };
    const { edge, xCache } = await start(
      cachePolicy({}),
      (request) =>
        request.headers.some(([name]) => name === "If-None-Match")
          ? { status: 304, headers }
          : { headers: { ...headers, "x-amz-meta-cache-tag": "one" } },
      config,
    );
    const seen = [await xCache("/")];
    passSeconds(6);
    seen.push(await xCache("/"));

    edge.invalidate(["one"]);
    seen.push(await xCache("/"));

    expect(seen).toEqual(["Miss", "RefreshHit", "Miss"]);
  });
});

describe("compression (CloudFront developer guide, Serve compressed files)", () => {
  const text = "x".repeat(2000);
  const policy = cachePolicy({ default: day }, { EnableAcceptEncodingGzip: true });
  const html = () => ({ headers: { "Content-Type": "text/html; charset=utf-8", ETag: '"1"' }, body: text });

  it("uses an encoding that the viewer accepts and the policy enables, with a cache entry for each encoding", async () => {
    const { send, requests } = await start(policy, html, { behavior: { Compress: true } });
    const get = (encoding: string) => send("/", { headers: { "Accept-Encoding": encoding } });

    const gzip = await get("br, gzip;q=0.5");
    const again = await get("gzip");
    const plain = await get("identity");

    expect(gzip.headers).toMatchObject({
      "content-encoding": "gzip",
      etag: 'W/"1"',
      vary: "Accept-Encoding",
    });
    expect(gunzipSync(again.body).toString()).toBe(text);
    expect(again.headers["x-cache"]).toBe("Hit from cloudfront");
    expect([plain.headers["content-encoding"], plain.text]).toEqual([undefined, text]);
    expect(requests.length).toBe(2);
  });

  it.each([
    ["of other types", { "Content-Type": "image/png" }, text],
    ["below 1,000 bytes", { "Content-Type": "text/html" }, "short"],
    ["already encoded", { "Content-Type": "text/html", "Content-Encoding": "br" }, text],
  ])("leaves responses %s unchanged", async (_, headers, body) => {
    const { send } = await start(policy, () => ({ headers, body }), { behavior: { Compress: true } });

    expect((await send("/", { headers: { "Accept-Encoding": "gzip" } })).text).toBe(body);
  });
});
