import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { confirmSignIn, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { openStores } from "./given-person.ts";

beforeAll(openStores);

/** Waits until the log contains the entries of these requests, and returns it. */
async function logWith(responses: readonly ReceivedResponse[]): Promise<string> {
  const read = () => readFile(join(inject("serviceDirectory"), "log.txt"), "utf8");
  const ids = responses.map(({ headers }) => headers["x-request-id"] ?? "none");
  await expect
    .poll(async () => {
      const log = await read();
      return ids.filter((id) => !log.includes(`"requestId":"${id}"`));
    })
    .toEqual([]);
  return read();
}

/** Returns an operation's log entries that contain a text. */
function linesOf(log: string, operation: string, text: string): Record<string, unknown>[] {
  return log
    .split("\n")
    .filter((line) => line.includes(`"operation":"${operation}"`) && line.includes(text))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))));
}

test("log entries of writes and of the sign-in name the person, the token and the object", {
  tags: "slow",
}, async () => {
  const start = await startSignIn("a label");
  const confirmation = await confirmSignIn(start, unusedUsername("writer"));
  const { api_token: token = "", user_id: ownerId = "" } = await pollSignIn(start.poll_token);
  const api = new ApiClient(token);
  const [{ id: tokenId } = { id: "" }] = (await api.succeed("list-tokens")).tokens;
  const { slug } = await publish(api, { html: "<p>one</p>", title: "A page" });
  const { id: blobId } = await api.succeed("upload-blob", { query: { filename: "a.txt" }, text: "a note" });
  const responses = [
    await api.call("publish-version", { params: { slug }, body: { html: "<p>two</p>" } }),
    await api.call("delete-version", { params: { slug, n: 1 } }),
    await api.call("delete-blob", { params: { id: blobId } }),
    await api.call("get-drop", { params: { slug } }),
    await api.call("delete-drop", { params: { slug } }),
    await api.call("delete-drop", { params: { slug } }),
    await api.call("revoke-token", { params: { id: tokenId } }),
  ];

  const log = await logWith([confirmation.response, ...responses]);
  const who = { ownerId, tokenId };
  const [deleted, missing] = linesOf(log, "delete-drop", slug);
  expect(deleted).toEqual({
    level: "info",
    operation: "delete-drop",
    requestId: expect.any(String),
    status: 204,
    durationMs: expect.any(Number),
    ...who,
    slug,
  });
  expect(missing).toMatchObject({ status: 404, code: "not_found", ...who, slug });
  expect(linesOf(log, "publish-drop", slug)).toMatchObject([{ ...who, slug, version: 1 }]);
  expect(linesOf(log, "publish-version", slug)).toMatchObject([{ ...who, slug, version: 2 }]);
  expect(linesOf(log, "delete-version", slug)).toMatchObject([{ ...who, slug, version: 1 }]);
  expect(linesOf(log, "upload-blob", blobId)).toMatchObject([{ ...who, blobId }]);
  expect(linesOf(log, "delete-blob", blobId)).toMatchObject([{ ...who, blobId }]);
  expect(linesOf(log, "revoke-token", tokenId)).toMatchObject([{ ...who, revokedTokenId: tokenId }]);
  expect(linesOf(log, "poll-sign-in", ownerId)).toMatchObject([{ ...who, status: 200 }]);
  expect(linesOf(log, "complete-sign-in", ownerId)).toMatchObject([{ ownerId, status: 200 }]);
  // Reads are not logged, for privacy.
  expect(linesOf(log, "get-drop", slug)).toEqual([]);
});

test("no log entry contains a token, passcode, poll token, cookie, page or sign-in query", async () => {
  const canary = unusedUsername("canary");
  const named = (what: string) => `${what}-${canary}`;
  const start = await startSignIn(named("label"));
  const visitor = new Visitor();
  const verifyPage = await visitor.request(start.verification_url);
  await confirmSignIn(start, unusedUsername("logged"));
  const { api_token: token = "" } = await pollSignIn(start.poll_token);
  const api = new ApiClient(token);
  const page = { html: `<p>${named("html")}</p>`, title: named("title"), context: named("context") };
  const { slug } = await publish(api, {
    ...page,
    passcode: named("passcode"),
    metadata: { a: named("metadata") },
  });
  const unlock = (passcode: string) =>
    fetchPage(`/p/${slug}/unlock?v=1&x=${named("query")}`, {
      method: "POST",
      body: new URLSearchParams({ passcode }).toString(),
    });
  const unlocked = await unlock(named("passcode"));
  const cookie = unlocked.setCookies[0]?.replace(/;.*$/, "") ?? "";
  const responses = [
    verifyPage.response,
    unlocked,
    await unlock(named("wrong")),
    await fetchPage(`/p/${slug}`, { headers: { cookie } }),
    await fetchPage(`/p/${slug}/raw`, { headers: { cookie, authorization: `Bearer ${token}` } }),
    // Logs of failures often reveal too much.
    await api.call("revoke-token", { params: { id: token } }),
    await api.call("publish-drop", { text: `{"html":"${named("cut-off")}` }),
    await api.call("list-drops", { query: [["page", named("page")]] }),
    await api.call("upload-blob", { query: { filename: named("file/name") }, text: named("blob") }),
    await fetchPage(`/api/auth/idp/callback?code=${named("code")}&state=${start.code}`, {
      headers: { cookie: named("cookie") },
    }),
    await fetchPage("/api/me", { headers: { authorization: `Bearer ${named("bearer")}` } }),
  ];

  const log = await logWith(responses);

  // The slug proves that these are the requests' entries.
  expect(log).toContain(`/p/${slug}/unlock`);
  const cookies = [cookie, ...verifyPage.response.setCookies].map((line) => /=([^;]+)/.exec(line)?.[1] ?? "");
  expect([token, start.poll_token, ...cookies].every((secret) => secret.length > 20)).toBe(true);
  for (const secret of [canary, token, start.poll_token, start.code, ...cookies])
    expect(log.includes(secret)).toBe(false);
});
