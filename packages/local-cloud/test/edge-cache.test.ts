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

/** A distribution with one cache policy; `hits` says for a path what `X-Cache` was. */
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

/** Moves `Date` on; timers and connections go on as they are. */
function passSeconds(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + seconds * 1000 });
}

const day = 86_400;

describe("how long responses stay (CloudFront developer guide, Managing how long content stays in the cache)", () => {
  it.each([
    ["max-age", { "Cache-Control": "max-age=60" }, {}, 60],
    ["s-maxage before max-age", { "Cache-Control": "max-age=60, s-maxage=30" }, {}, 30],
    ["max-age, but not above the maximum TTL", { "Cache-Control": "max-age=60" }, { max: 20 }, 20],
    ["max-age, but not below the minimum TTL", { "Cache-Control": "max-age=1" }, { min: 40 }, 40],
    ["the default TTL without a header", {}, { default: 50 }, 50],
    ["the minimum TTL even with no-store", { "Cache-Control": "no-store" }, { min: 10 }, 10],
  ])("is given by %s", async (_, headers, ttl, seconds) => {
    const { xCache } = await start(cachePolicy(ttl), () => ({ headers }));

    expect(await xCache("/")).toBe("Miss");
    passSeconds(seconds - 1);
    expect(await xCache("/")).toBe("Hit");
    passSeconds(2);
    expect(await xCache("/")).toBe("Miss");
  });

  it.each(["no-store", "no-cache", "private", "private, max-age=60", "max-age=0"])(
    "is not at all with %s and a minimum TTL of 0",
    async (value) => {
      const { xCache } = await start(cachePolicy({ default: day }), () => ({
        headers: { "Cache-Control": value },
      }));

      expect([await xCache("/"), await xCache("/")]).toEqual(["Miss", "Miss"]);
    },
  );

  it("is not at all under CachingDisabled", async () => {
    const { xCache } = await start(cachePolicy({}), () => ({ headers: { "Cache-Control": "max-age=60" } }), {
      DefaultCacheBehavior: uncachedBehavior("a"),
    });

    expect([await xCache("/"), await xCache("/")]).toEqual(["Miss", "Miss"]);
  });

  it("is for GET and HEAD only; HEAD is answered from what GET left", async () => {
    const { send, requests } = await start(cachePolicy({ default: day }), () => ({ body: "text" }));

    await send("/", { method: "POST" });
    await send("/", { method: "POST" });
    await send("/");
    const head = await send("/", { method: "HEAD" });

    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
    expect(head.headers).toMatchObject({ "x-cache": "Hit from cloudfront", "content-length": "4" });
    expect(head.text).toBe("");
  });

  it("shows in Age", async () => {
    const { send } = await start(cachePolicy({ default: day }), () => ({}));

    await send("/");
    passSeconds(7);

    expect((await send("/")).headers.age).toBe("7");
  });
});

describe("what makes a request another one (CloudFront developer guide, Understand the cache key)", () => {
  it("is only what the policy names: not the host, other headers, cookies or query parameters", async () => {
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

  it("goes to the origin as well", async () => {
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
  it.each([404, 500, 503])("%i is kept for 10 seconds by default", async (status) => {
    const { send, requests } = await start(cachePolicy({}), () => ({ status }));

    await send("/");
    expect((await send("/")).headers["x-cache"]).toBe("Error from cloudfront");
    expect(requests.length).toBe(1);
    passSeconds(11);
    await send("/");

    expect(requests.length).toBe(2);
  });

  it("are not kept with an error caching minimum TTL of 0", async () => {
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
  ])("are not kept: %s", async (_, status, headers) => {
    const { send, requests } = await start(cachePolicy({}), () => ({ status, headers }));

    await send("/");
    await send("/");

    expect(requests.length).toBe(2);
  });

  it("of 5xx leave an expired answer in use", async () => {
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

describe("expired answers", () => {
  it("are asked about with their ETag, and kept when the origin says 304", async () => {
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
  ])("%s is answered with %i", async (range, status, text, contentRange) => {
    const { send } = await start(cachePolicy({}), whole);
    await send("/");

    const response = await send("/", { headers: { Range: range } });

    expect([response.status, response.text, response.headers["content-range"]]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  it("If-None-Match gives 304 for the same ETag, weak or strong, and 200 for another", async () => {
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

  it("a range of another version than If-Range names is the whole", async () => {
    const { send } = await start(cachePolicy({}), whole);
    await send("/");

    const response = await send("/", { headers: { Range: "bytes=0-1", "If-Range": '"0"' } });

    expect([response.status, response.text]).toEqual([200, "0123456789"]);
  });
});

describe("invalidation (CloudFront developer guide, Invalidating content by cache tags)", () => {
  const config = { CacheTagConfig: { HeaderName: "x-amz-meta-cache-tag" } };
  const key = { QueryStringsConfig: { QueryStringBehavior: "all" } };
  /** Gives each path the tags after its first letter: `/a-b,c` has b and c. */
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

  it("removes what has a tag, whatever its path and query, and nothing else", async () => {
    const { edge, xCache } = await startTagged();
    const paths = ["/a-one,two", "/a-one,two?v=1", "/b-one", "/b-two", "/b-one2", "/b"];
    await seeAll(xCache, paths);

    edge.invalidate(["one"]);

    expect(await seeAll(xCache, paths)).toEqual(["Miss", "Miss", "Miss", "Hit", "Hit", "Hit"]);
  });

  it("compares tags without regard to case, and takes * for a character", async () => {
    const { edge, xCache } = await startTagged();
    const paths = ["/a-Drop:A", "/a-drop:b", "/a-drop:*"];
    await seeAll(xCache, paths);

    edge.invalidate(["DROP:a", "drop:*"]);

    expect(await seeAll(xCache, paths)).toEqual(["Miss", "Hit", "Miss"]);
  });

  it("finds the first 50 tags of a response, with white space around them", async () => {
    const { edge, xCache } = await startTagged();
    const path = `/a-${Array.from({ length: 51 }, (_, index) => `t${index}`).join("%20,%20")}`;
    const seen = [await xCache(path)];

    for (const tag of ["t50", "t49"]) {
      edge.invalidate([tag]);
      seen.push(await xCache(path));
    }

    expect(seen).toEqual(["Miss", "Hit", "Miss"]);
  });

  it("finds nothing where the distribution reads no header", async () => {
    const { edge, xCache } = await startTagged({ CacheTagConfig: undefined });
    await xCache("/a-one");

    edge.invalidate(["one"]);

    expect(await xCache("/a-one")).toBe("Hit");
  });

  it("finds what was found to be good still by a response without tags", async () => {
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

  it("is what the viewer accepts and the policy enables, each kind an entry of its own", async () => {
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
  ])("leaves answers %s as they are", async (_, headers, body) => {
    const { send } = await start(policy, () => ({ headers, body }), { behavior: { Compress: true } });

    expect((await send("/", { headers: { "Accept-Encoding": "gzip" } })).text).toBe(body);
  });
});
