import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { type Account, anotherToken, newAccount } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { sampleCall } from "../support/sample-calls.ts";

let account: Account;
let spent: ApiClient;
let slug: string;

/** The operations that count as writes and have their own function. */
const writes = operationIds.filter((id) => {
  const { caller, countsAsWrite, servedBy } = routeOf(id);
  return caller === "token" && countsAsWrite && servedBy === undefined;
});
const readers = operationIds.filter(
  (id) => routeOf(id).caller === "token" && !routeOf(id).countsAsWrite && routeOf(id).servedBy === undefined,
);
/** Operations whose sample refers to an object that does not exist, such as an unknown id or a page without a PDF. */
const notFound = (id: OperationId) =>
  routeOf(id).path.includes("{id}") || ["get-render", "get-pdf", "get-team", "list-files"].includes(id);

beforeAll(async () => {
  account = await newAccount("limits");
  // Markdown, so that the source can be read.
  const headers = { "content-type": "text/markdown" };
  slug = JSON.parse((await account.api.call("publish-drop", { text: "# One", headers })).text).slug;
  spent = await anotherToken(account);
  const edits = Array(limits.writesPerMinutePerToken).keys();
  const responses = await pLimit(4).map(edits, () => editWith(spent));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
});

describe("a token that has made 60 writes in a minute", () => {
  test.each(writes)("is refused by %s, with the seconds to wait", async (id) => {
    const response = await spent.call(id, sampleCall(id, { slug }));

    const { details } = expectError(response, "rate_limited");
    expect(details.retry_after_seconds).toBeGreaterThanOrEqual(1);
    expect(details.retry_after_seconds).toBeLessThanOrEqual(60);
  });

  test("changes nothing with its refused calls", async () => {
    const params = { slug };
    const before = await account.api.succeed("get-drop", { params });

    expectError(await spent.call("edit-drop", { params, body: { title: "Refused" } }), "rate_limited");

    expect(await account.api.succeed("get-drop", { params })).toEqual(before);
  });

  test.each(readers)("can still call %s", async (id) => {
    const response = await spent.call(id, {
      ...sampleCall(id, { slug }),
      params: { slug, n: 1, id: "unknown", namespace: "nobody" },
    });

    expect(response.status).toBe(notFound(id) ? 404 : 200);
  });

  test("gets the error about an invalid request instead of the limit's", async () => {
    expectError(await spent.call("publish-drop", { body: {} }), "html_required");
    expectError(await spent.call("publish-drop", { text: "{" }), "invalid_json");
    expectError(await spent.call("edit-drop", { params: { slug: "short" }, body: {} }), "invalid_slug");
  });

  test("cannot find out if a drop exists", async () => {
    const response = await spent.call("delete-drop", { params: { slug: "aaaaaaa" } });

    expectError(response, "rate_limited");
  });

  test("does not affect the account's other tokens", async () => {
    const response = await editWith(account.api);

    expect(response.status).toBe(200);
  });
});

describe("the write limit of a token", () => {
  test("allows exactly 60 of 80 concurrent writes", { tags: "slow" }, async () => {
    const api = await anotherToken(account);

    const responses = await pLimit(16).map(Array(80).keys(), () => editWith(api));

    const counts = Map.groupBy(responses, ({ status }) => status);
    expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([60, 20]);
    for (const refused of counts.get(429) ?? []) expectError(refused, "rate_limited");
  });
});

/** Sends a write that changes nothing. */
function editWith(api: ApiClient) {
  return api.call("edit-drop" satisfies OperationId, { params: { slug }, body: {} });
}
