import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { untrustedNotice } from "../../functions/feedback/presenter.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { givenComment } from "../support/given-feedback.ts";
import { fetchPage } from "../support/http.ts";
import { race } from "../support/race.ts";

const asPage = (body: string) => ({ method: "POST", headers: { "content-type": "text/html" }, body });

let account: Account;
let stranger: Account;

beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount("replies"), newAccount("replies-stranger")]);
});

/** Publishes a drop on which a reader starts a thread, and returns the thread's parameters. */
async function newThread(): Promise<{ readonly slug: string; readonly thread: number }> {
  const { slug } = await publish(account.api);
  await givenComment(account.userId, slug, { text: "Why?" });
  return { slug, thread: 1 };
}

async function commentsOf(slug: string) {
  return (await account.api.succeed("list-feedback", { query: { slug } })).comments;
}

describe("a reply", () => {
  test("is attributed to the owner, follows the comment, and leaves the thread open", async () => {
    const params = await newThread();

    const reply = await account.api.succeed("reply-to-feedback", { params, body: { text: " Because. " } });

    const comments = await commentsOf(params.slug);
    expect(reply).toMatchObject({
      untrusted: untrustedNotice,
      from: "owner",
      comment: 2,
      text: "Because.",
      version: 1,
    });
    expect(reply.thread).toMatchObject({ id: 1, state: "open", comment_count: 2 });
    expect(comments.map(({ from, text }) => [from, text])).toEqual([
      ["reader", "Why?"],
      ["owner", "Because."],
    ]);
    expect(comments[1]?.number).toBe(reply.number);
  });

  test("is stored once if it is sent concurrently with the same Idempotency-Key", async () => {
    const params = await newThread();
    const headers = { "idempotency-key": randomUUID() };
    const send = (text: string) => account.api.call("reply-to-feedback", { params, headers, body: { text } });

    const responses = await race(8, () => send("Because."));
    const other = await send("Another");

    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expectError(other, "idempotency_key_reused");
    expect(await commentsOf(params.slug)).toHaveLength(2);
  });

  test("is refused if it is empty or too long, or if the thread is full", { tags: "slow" }, async () => {
    const params = await newThread();
    const send = (body: object) => account.api.call("reply-to-feedback", { params, body });
    for (let count = 1; count < 50; count += 1)
      await givenComment(account.userId, params.slug, { thread: 1, text: "More" });

    const full = await send({ text: "The 51st" });

    expectError(await send({ text: " \u200b" }), "invalid_arg");
    expect(expectError(await send({ text: "x".repeat(2_001) }), "invalid_arg").message).toContain("2000");
    expect(expectError(await send({ message: "Because." }), "invalid_arg").message).toContain("text");
    expect(expectError(full, "quota_exceeded").message).toContain("50 comments");
  });
});

describe("a thread", () => {
  test("can be resolved, and is reopened by its owner or by a reader's next comment", async () => {
    const params = await newThread();
    const set = (state: string) => account.api.succeed("resolve-feedback", { params, body: { state } });

    const resolved = await set("resolved");
    const twice = await set("resolved");
    const opened = await set("open");
    await set("resolved");
    await givenComment(account.userId, params.slug, { thread: 1, text: "Still not." });

    expect(resolved).toMatchObject({
      untrusted: untrustedNotice,
      slug: params.slug,
      thread: { id: 1, state: "resolved" },
    });
    expect([twice, opened].map(({ thread }) => thread.state)).toEqual(["resolved", "open"]);
    expect((await commentsOf(params.slug)).at(-1)?.thread.state).toBe("open");
  });

  test("is counted, while open, in the response to each publication of its drop", async () => {
    const { api } = account;
    const body = { html: pageOf("next"), title: "Next" };
    const countIn = async (answer: Promise<{ readonly text: string }>) =>
      (JSON.parse((await answer).text) as { readonly open_feedback: number }).open_feedback;
    const first = await api.call("publish-drop", { body: { ...body, metadata: { project: "counted" } } });
    const { slug } = JSON.parse(first.text) as DropResponse;
    const params = { slug };
    for (const text of ["One", "Two"]) await givenComment(account.userId, slug, { text });
    await api.succeed("resolve-feedback", { params: { slug, thread: 1 }, body: { state: "resolved" } });
    const started = await api.succeed("start-publish", { body: params });

    const told = [
      await countIn(Promise.resolve(first)),
      await countIn(api.call("publish-version", { params, body })),
      await countIn(api.call("upsert-drop", { query: { "metadata.project": "counted" }, body })),
      await countIn(api.call("restore-version", { params, body: { version: 1 } })),
      await countIn(fetchPage(started.url, asPage(body.html))),
    ];

    expect(told).toEqual([0, 1, 1, 1, 1]);
  });

  test("is deleted with all its comments", async () => {
    const params = await newThread();

    await account.api.succeed("delete-feedback", { params });

    expect(await commentsOf(params.slug)).toEqual([]);
    expectError(await account.api.call("delete-feedback", { params }), "not_found");
  });

  test.each<[string, "reply-to-feedback" | "resolve-feedback" | "delete-feedback", object | undefined]>([
    ["can be replied to", "reply-to-feedback", { text: "Hello" }],
    ["can be resolved", "resolve-feedback", { state: "resolved" }],
    ["can be reopened", "resolve-feedback", { state: "open" }],
    ["can be deleted", "delete-feedback", undefined],
  ])("%s only by the owner of its drop", async (_, id, body) => {
    const params = await newThread();
    const call = (api: Account["api"], thread: number | string = 1) =>
      api.call(id, { params: { ...params, thread }, body });

    expectError(await call(stranger.api), "not_found");
    expectError(await call(account.api, 2), "not_found");
    expect(expectError(await call(account.api, "01"), "not_found").message).toContain('"01"');
    expect((await call(account.api)).status).toBeLessThan(300);
  });
});
