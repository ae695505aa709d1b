// @module-tag nightly

import { expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { connectMcp } from "../support/mcp-client.ts";

test("a reader can search 60 times a minute by API, library and tool together, and then gets the time to retry", async () => {
  const { api } = await newAccount("many-searches");
  const mcp = await connectMcp(api.token);
  const search = () => api.call("search-drops", { query: { q: "word" } });
  // Refused searches do not count.
  expectError(await api.call("search-drops", { query: { q: "-word" } }), "invalid_arg");
  const startedAtMs = Date.now();
  const counted = [
    ...(await Promise.all(Array.from({ length: 50 }, search))),
    ...(await Promise.all(
      Array.from({ length: 9 }, () => api.call("list-library", { query: { q: "word" } })),
    )),
  ];
  await mcp.succeed("search_drops", { q: "word" });

  const refused = await search();
  const tool = await mcp.refuse("search_drops", { q: "word" }, "rate_limited");
  const library = await api.call("list-library", { query: { q: "word" } });

  expect(Date.now() - startedAtMs).toBeLessThan(60_000);
  expect(counted.map(({ status }) => status)).toEqual(Array(59).fill(200));
  const { details } = expectError(refused, "rate_limited");
  const seconds = Number(refused.headers["retry-after"]);
  expect(details.retry_after_seconds).toBe(seconds);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(tool.details).toMatchObject({ retry_after_seconds: expect.any(Number) });
  expectError(library, "rate_limited");
  // A list without search words is not limited.
  expect((await api.call("list-library")).status).toBe(200);
});

test("a page has at most 50 results, and a request for more is refused with the limit", async () => {
  const { api } = await newAccount("large-pages");

  const most = await api.call("search-drops", { query: { q: "word", pageSize: 50 } });
  const refused = await api.call("search-drops", { query: { q: "word", pageSize: 51 } });

  expect(most.status).toBe(200);
  expect(expectError(refused, "invalid_arg").details).toMatchObject({ parameter: "pageSize" });
  expect(JSON.parse(refused.text).error.message).toContain("50");
});
