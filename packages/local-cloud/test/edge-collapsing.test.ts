import { afterEach, describe, expect, it } from "vitest";
import { cachePolicy, type OriginResponse, origin, startEdgeFixture } from "./edge-fixture.ts";
import { uncachedBehavior } from "./fixture-stack.ts";

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

const hour = 3600;
const keyWithCookie = { CookiesConfig: { CookieBehavior: "whitelist", Cookies: ["who"] } };

/** Starts an edge whose origin responds to the first request when `release` is called, and to later ones immediately. */
async function start(
  answer: (nth: number) => OriginResponse,
  policy = cachePolicy({ default: hour }, keyWithCookie),
  config: Record<string, unknown> = {},
) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let count = 0;
  const fixture = await startEdgeFixture(
    {
      DefaultCacheBehavior: uncachedBehavior("a", { CachePolicyId: { Ref: "Policy" } }),
      Origins: [origin("a")],
      ...config,
    },
    async () => {
      count += 1;
      const nth = count;
      if (nth === 1) await released;
      return answer(nth);
    },
    policy,
  );
  stop = async () => {
    release();
    await fixture.stop();
  };
  /** Sends requests that wait for the origin's first response. */
  async function sendTogether(paths: readonly string[], headers: Record<string, string> = {}) {
    const responses = paths.map((path) => fixture.send(path, { headers }));
    await expect.poll(() => fixture.requests.length).toBeGreaterThan(0);
    // The other requests need time to reach the edge.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return responses;
  }
  return { ...fixture, release, sendTogether };
}

const texts = async (responses: readonly Promise<{ text: string }>[]) =>
  (await Promise.all(responses)).map(({ text }) => text);

describe("concurrent equal requests (CloudFront developer guide, simultaneous requests)", () => {
  it("cause one origin request, whose response all of them get", async () => {
    const { sendTogether, release, requests } = await start((nth) => ({ body: `answer ${nth}` }));

    const responses = await sendTogether(["/", "/", "/", "/", "/"]);
    release();

    expect(new Set(await texts(responses))).toEqual(new Set(["answer 1"]));
    expect(requests.length).toBe(1);
  });

  it("are not collapsed if their cache keys differ", async () => {
    const { sendTogether, send, release, requests } = await start((nth) => ({ body: `answer ${nth}` }));

    const [first] = await sendTogether(["/"], { Cookie: "who=me" });
    const others = [await send("/", { headers: { Cookie: "who=you" } }), await send("/else")];
    release();

    expect((await first)?.text).toBe("answer 1");
    expect(others.map(({ text }) => text)).toEqual(["answer 2", "answer 3"]);
    expect(requests.length).toBe(3);
  });

  it.each([
    ["no-store", { "Cache-Control": "no-store" }],
    ["private", { "Cache-Control": "private, max-age=60" }],
    ["a cookie", { "Cache-Control": "max-age=60", "Set-Cookie": "who=me" }],
  ])("get separate responses if the first has %s", async (_, headers) => {
    const { sendTogether, release, requests } = await start((nth) => ({ headers, body: `answer ${nth}` }));

    const responses = await sendTogether(["/", "/", "/"]);
    expect(requests.length).toBe(1);
    release();

    expect((await texts(responses)).sort()).toEqual(["answer 1", "answer 2", "answer 3"]);
    expect(requests.length).toBe(3);
  });

  it("cause separate origin requests if the first fails and errors are not cached", async () => {
    const fail = (nth: number) => {
      if (nth === 1) throw new Error("no response");
      return { body: `answer ${nth}` };
    };
    const uncached = { CustomErrorResponses: [{ ErrorCode: 502, ErrorCachingMinTTL: 0 }] };
    const { sendTogether, release, requests } = await start(fail, undefined, uncached);

    const responses = await sendTogether(["/", "/"]);
    release();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);

    expect(statuses.sort()).toEqual([200, 502]);
    expect(requests.length).toBe(2);
  });

  it.each([
    ["other methods than GET", { method: "POST" }, {}],
    ["a behavior that caches nothing", {}, { DefaultCacheBehavior: uncachedBehavior("a") }],
  ])("are not collapsed with %s", async (_, sent, config) => {
    const { send, release, requests } = await start((nth) => ({ body: `answer ${nth}` }), undefined, config);

    const first = send("/", sent);
    await expect.poll(() => requests.length).toBe(1);
    const second = await send("/", sent);
    release();

    expect(second.text).toBe("answer 2");
    expect((await first).text).toBe("answer 1");
  });
});

describe("an invalidation during an origin request", () => {
  const startTagged = () =>
    start((nth) => ({ headers: { "Cache-Tag": "one" }, body: `answer ${nth}` }), undefined, {
      CacheTagConfig: { HeaderName: "Cache-Tag" },
    });

  it("keeps the older response out of the cache, and waiting and later requests get a new one", async () => {
    const { sendTogether, send, edge, release } = await startTagged();
    const [first, waiting] = await sendTogether(["/a", "/a"]);

    edge.invalidate(["one"]);
    const later = await send("/a");
    release();

    expect(later.text).toBe("answer 2");
    expect((await texts([first, waiting].filter((one) => one !== undefined))).sort()).toEqual([
      "answer 1",
      "answer 3",
    ]);
    expect((await send("/a")).text).not.toBe("answer 1");
  });

  it("of another tag leaves the response in the cache", async () => {
    const { sendTogether, send, edge, release } = await startTagged();
    const responses = await sendTogether(["/a"]);

    edge.invalidate(["two"]);
    release();
    await texts(responses);

    expect((await send("/a")).headers["x-cache"]).toBe("Hit from cloudfront");
  });
});
