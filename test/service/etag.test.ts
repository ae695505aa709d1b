import { beforeAll, expect, test } from "vitest";
import type { OperationId } from "../../functions/routes.ts";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import type { ApiClient, CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";

const strongTag = /^"[\x21\x23-\x7e]+"$/;

let api: ApiClient;

beforeAll(async () => {
  ({ api } = await newAccount("tagged"));
});

/** Valid calls of every write that accepts If-Match, with the status of the response. */
const writes: readonly (readonly [OperationId, CallOptions, number])[] = [
  ["publish-version", { body: { html: pageOf("next") } }, 200],
  ["edit-drop", { body: { title: "Edited" } }, 200],
  ["edit-drop", { body: { metadata: { edited: "yes" } } }, 200],
  ["edit-drop", { body: {} }, 200],
  ["set-passcode", { body: { passcode: "abcd" } }, 200],
  ["set-passcode", { body: { passcode: "" } }, 200],
  ["delete-drop", {}, 204],
];

async function given() {
  const { slug } = await publish(api);
  const params = { slug };
  const tag = async () => (await api.call("get-drop", { params })).headers.etag ?? "";
  return { params, tag, old: await tag() };
}

test("every response with a drop has the entity tag that the next GET returns", {
  tags: "slow",
}, async () => {
  const published = await api.call("publish-drop", { body: { html: pageOf("one"), title: "One" } });
  const params = { slug: (JSON.parse(published.text) as { slug: string }).slug };
  const seen = [published.headers.etag];

  expect((await api.call("get-drop", { params })).headers.etag).toBe(published.headers.etag);
  for (const [id, options] of writes.slice(0, -1)) {
    const { headers } = await api.call(id, { ...options, params });
    expect(headers.etag).toMatch(strongTag);
    expect((await api.call("get-drop", { params })).headers.etag).toBe(headers.etag);
    seen.push(headers.etag);
  }

  // The edit without fields changes nothing.
  expect(new Set(seen).size).toBe(seen.length - 1);
});

test("deleting a version changes the entity tag", async () => {
  const { params, tag } = await given();
  const { headers } = await api.call("publish-version", { params, body: { html: pageOf("two") } });

  await api.succeed("delete-version", { params: { ...params, n: 1 } });

  expect(await tag()).not.toBe(headers.etag);
});

test.each(writes)(
  "%s with If-Match %# is refused with an outdated or weak tag, and then changes nothing",
  async (id, options, status) => {
    const { params, tag, old } = await given();
    const call = (ifMatch: string, at = params) =>
      api.call(id, { ...options, params: at, headers: { "if-match": ifMatch } });
    await api.succeed("edit-drop", { params, body: { title: "Somebody else was here" } });
    const before = await api.succeed("get-drop", { params });
    const current = await tag();

    const { details } = expectError(await call(old), "precondition_failed");
    expectError(await call(`W/${current}`), "precondition_failed");

    expect(details.etag).toBe(current);
    expect(await api.succeed("get-drop", { params })).toEqual(before);
    expectError(await call("*", { slug: "aaaaaaa" }), "not_found");
    expectError(await call("3-abc"), "invalid_arg");
    expect((await call(`"other", ${current}`)).status).toBe(status);
  },
);

test("If-Match: * matches any existing drop", async () => {
  const { params } = await given();
  const headers = { "if-match": "*" };

  expect((await api.call("edit-drop", { params, headers, body: { title: "Edited" } })).status).toBe(200);
  expect((await api.call("delete-drop", { params, headers })).status).toBe(204);
});

test("of several agents that change the version they read, only one succeeds", async () => {
  ({ api } = await newAccount("two-agents"));
  const { params, old } = await given();
  const put = (text: string) =>
    api.call("publish-version", { params, body: { html: pageOf(text) }, headers: { "if-match": old } });
  const edit = () =>
    api.call("edit-drop", { params, body: { title: "Edited" }, headers: { "if-match": old } });

  const responses = await Promise.all([put("one"), edit(), put("two"), edit(), put("three")]);

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const refused of responses.filter(({ status }) => status !== 200)) {
    expectError(refused, "precondition_failed");
  }
  expect((await api.succeed("list-versions", { params })).versions.length).toBeLessThanOrEqual(2);
});
