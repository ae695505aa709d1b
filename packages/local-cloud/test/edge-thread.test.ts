import { expect, test } from "vitest";
import { compileEdgeFunction, type EdgeEvent } from "../src/cloudfront/edge-function.ts";
import { ThreadChannel } from "../src/cloudfront/thread-channel.ts";

const event: EdgeEvent = {
  version: "1.0",
  context: {
    distributionDomainName: "d1.cloudfront.net",
    distributionId: "E1",
    eventType: "viewer-request",
    requestId: "r1",
  },
  viewer: { ip: "192.0.2.1" },
  request: { method: "GET", uri: "/ü\u2028😀", querystring: {}, headers: {}, cookies: {} },
};

const echo = compileEdgeFunction("Echo", "function handler(event) { return event.request.uri; }");

test.each([
  ["loops", "for (;;) {}"],
  ["looks for a match without end", 'return /^(a+)+$/.test("a".repeat(40) + "!");'],
  ["takes all memory", "const all = []; for (;;) all.push(new Array(1000000).fill(all.length));"],
])("a function that %s is ended, and what comes after it runs as before", async (_what, body) => {
  const endless = compileEdgeFunction("Endless", `function handler(event) { ${body} }`, { timeoutMs: 1_000 });
  expect(echo.run(event).returned).toBe(event.request.uri);

  const end = () => expect(() => endless.run(event)).toThrow("Endless: did not end within 1000 ms");

  const durationMs = () => {
    const startedAtMs = performance.now();
    end();
    return performance.now() - startedAtMs;
  };
  await expect.poll(durationMs).toBeLessThan(10_000);
  expect(echo.run(event).returned).toBe(event.request.uri);
  end();
});

test("what is too large for the way to another thread is refused, and nothing is cut off", () => {
  const large = compileEdgeFunction("Large", 'function handler() { return "ü".repeat(600000); }');

  expect(() => large.run(event)).toThrow(/Large: its result of 1200\d+ bytes is larger than 1048576/);
  expect(() => new ThreadChannel().ask("x".repeat(1_048_577), 0)).toThrow(
    "1048577 bytes are more than 1048576",
  );
  expect(echo.run(event).returned).toBe(event.request.uri);
});
