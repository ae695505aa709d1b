import { randomBytes, randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import type { UploadResponse } from "../../functions/blobs/schemas.ts";
import type { OperationId } from "../../functions/routes.ts";
import { type Account, anotherToken, newAccount, pageOf } from "../support/accounts.ts";
import type { ApiClient, CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { race } from "../support/race.ts";
import { sampleCall } from "../support/sample-calls.ts";
import { sendInChunks } from "../support/upload.ts";

const body = { html: pageOf("once"), title: "Once", metadata: { one: "1", two: "2" } };
const upload = { query: { filename: "a.txt" }, text: "These bytes." };

let account: Account;
let api: ApiClient;

beforeAll(async () => {
  account = await newAccount("once");
  api = await anotherToken(account);
});

function withKey(
  id: OperationId,
  key: string | readonly string[],
  options: CallOptions,
): Promise<ReceivedResponse> {
  return api.call(id, { ...options, headers: { ...options.headers, "idempotency-key": key } });
}

const dropCount = async () => (await api.succeed("get-me")).drop_count;
const fileCount = async () => (await api.succeed("get-usage")).blobs.used;

function expectReplay(again: ReceivedResponse, first: ReceivedResponse): void {
  expect({ status: again.status, text: again.text }).toEqual({ status: first.status, text: first.text });
  expect([first, again].map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true"]);
  expect(again.headers.etag).toBe(first.headers.etag);
}

describe("the same key with the same request", () => {
  test("returns the same response, and creates one drop", async () => {
    const key = randomUUID();
    const before = await dropCount();
    const first = await withKey("publish-drop", key, { body });

    const again = await withKey("publish-drop", key, { body });

    expect(first.status).toBe(201);
    expectReplay(again, first);
    expect(await dropCount()).toBe(before + 1);
  });

  test("is recognized with quotation marks, another token, and the fields in another order", async () => {
    const key = randomUUID();
    const first = await withKey("publish-drop", key, { body });
    const { html, title } = body;
    const text = JSON.stringify({ metadata: { two: "2", one: "1" }, title, html }, undefined, 2);

    const headers = { "idempotency-key": `"${key}"`, "content-type": "application/json" };
    const again = await account.api.call("publish-drop", { text, headers });

    expectReplay(again, first);
  });

  test("returns the first response, even if the drop was deleted since", async () => {
    const key = randomUUID();
    const first = await withKey("publish-drop", key, { body });
    const { slug } = JSON.parse(first.text) as { slug: string };
    await api.succeed("delete-drop", { params: { slug } });

    expectReplay(await withKey("publish-drop", key, { body }), first);
    expectError(await api.call("get-drop", { params: { slug } }), "not_found");
  });

  test("creates one drop if sent ten times concurrently, and all responses are equal", async () => {
    const key = randomUUID();
    const before = await dropCount();

    const responses = await race(10, () => withKey("publish-drop", key, { body }));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const made = responses.filter(({ headers }) => headers["idempotency-replayed"] === undefined);
    expect(made).toHaveLength(1);
    expect(await dropCount()).toBe(before + 1);
  });

  test("is recognized only with the same passcode", { tags: "slow" }, async () => {
    const key = randomUUID();
    const locked = { ...body, passcode: "open sesame" };
    const first = await withKey("publish-drop", key, { body: locked });

    expectReplay(await withKey("publish-drop", key, { body: locked }), first);
    for (const other of [body, { ...body, passcode: "open sesami" }, { ...body, passcode: "" }]) {
      expectError(await withKey("publish-drop", key, { body: other }), "idempotency_key_reused");
    }
  });
});

describe("the same key with another request", () => {
  test.each([
    ["another page", { ...body, html: pageOf("another") }],
    ["another title", { ...body, title: "Another" }],
    ["other metadata", { ...body, metadata: { one: "1" } }],
    ["an additional field", { ...body, context: "Why." }],
  ])("is refused for %s, and creates nothing", async (_case, other) => {
    const key = randomUUID();
    await withKey("publish-drop", key, { body });
    const before = await dropCount();

    expectError(await withKey("publish-drop", key, { body: other }), "idempotency_key_reused");

    expect(await dropCount()).toBe(before);
  });

  test("is refused for another operation", async () => {
    const key = randomUUID();
    await withKey("publish-drop", key, { body });

    const { message } = expectError(await withKey("upload-blob", key, upload), "idempotency_key_reused");

    expect(message).toContain("publish-drop");
  });

  test("creates a drop if another person sends it", async () => {
    const key = randomUUID();
    const first = await withKey("publish-drop", key, { body });
    const { api: others } = await newAccount("once-other");

    const answer = await others.call("publish-drop", { body, headers: { "idempotency-key": key } });

    expect(answer.status).toBe(201);
    expect(answer.headers["idempotency-replayed"]).toBeUndefined();
    expect(answer.text).not.toBe(first.text);
  });
});

test("a refused request does not use up its key", async () => {
  const key = randomUUID();
  expectError(await withKey("publish-drop", key, { body: { ...body, title: "" } }), "title_required");

  const answer = await withKey("publish-drop", key, { body });

  expect(answer.status).toBe(201);
  expect(answer.headers["idempotency-replayed"]).toBeUndefined();
});

describe("an idempotency key", () => {
  test.each([
    ["no characters", ""],
    ["an empty quoted string", '""'],
    ["256 characters", "k".repeat(256)],
    ["a space", "two words"],
    ["an unclosed quotation mark", '"half'],
    ["two headers", ["one", "two"]],
  ])("is refused with invalid_arg: %s", async (_case, key) => {
    const { message, details } = expectError(await withKey("publish-drop", key, { body }), "invalid_arg");

    expect(message).toContain("1 to 255");
    expect(details.header).toBe("idempotency-key");
  });

  test("can have 255 characters", async () => {
    const key = randomBytes(128).toString("hex").slice(0, 255);

    expect((await withKey("publish-drop", key, { body })).status).toBe(201);
  });
});

describe("a file sent with an idempotency key", () => {
  test("is stored once, and another name, content or type with the same key is refused", async () => {
    const key = randomUUID();
    const before = await fileCount();
    const first = await withKey("upload-blob", key, upload);

    expectReplay(await withKey("upload-blob", key, upload), first);
    for (const other of [
      { ...upload, query: { filename: "b.txt" } },
      { ...upload, text: "Other bytes." },
      { ...upload, headers: { "content-type": "text/plain" } },
    ]) {
      expectError(await withKey("upload-blob", key, other), "idempotency_key_reused");
    }
    expect(await fileCount()).toBe(before + 1);
  });

  test("is compared after it was received completely, if its length is unknown", async () => {
    const bytes = randomBytes(300_000);
    const headers = { authorization: `Bearer ${api.token}`, "idempotency-key": randomUUID() };
    const send = (sent: Uint8Array) => sendInChunks("/api/blobs?filename=chunks.bin", sent, { headers });
    const before = await fileCount();
    const first = await send(bytes);

    expectReplay(await send(bytes), first);
    expectError(await send(bytes.subarray(1)), "idempotency_key_reused");
    expectError(await send(new Uint8Array()), "empty_blob");
    expect(await fileCount()).toBe(before + 1);
  });

  test("is stored once if sent five times concurrently, with and without a length", {
    tags: "slow",
  }, async () => {
    const bytes = randomBytes(100_000);
    const headers = { authorization: `Bearer ${api.token}`, "idempotency-key": randomUUID() };
    const path = "/api/blobs?filename=race.bin";
    const before = await fileCount();

    const responses = await Promise.all([
      sendInChunks(path, bytes, { headers }),
      sendInChunks(path, bytes, { headers }),
      sendInChunks(path, bytes, { headers }),
      fetchPage(path, { method: "POST", headers, body: bytes }),
      fetchPage(path, { method: "POST", headers, body: bytes }),
    ]);

    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const [{ text } = { text: "{}" }] = responses;
    expect((await fetchPage((JSON.parse(text) as { url: string }).url)).bytes.equals(bytes)).toBe(true);
    expect(await fileCount()).toBe(before + 1);
  });
});

describe("an upload in steps with an idempotency key", () => {
  test("is started once: a repeated start returns the same id and a working URL", {
    tags: "slow",
  }, async () => {
    const key = randomUUID();
    const start = sampleCall("start-upload");
    const first = JSON.parse((await withKey("start-upload", key, start)).text) as UploadResponse;

    const answer = await withKey("start-upload", key, start);

    const again = JSON.parse(answer.text) as UploadResponse;
    expect(answer.headers["idempotency-replayed"]).toBe("true");
    expect(again).toEqual({ ...first, url: again.url });
    expect(await put(again, "123456789")).toBe(200);
    const params = { id: first.id };
    const completed = await withKey("complete-upload", randomUUID(), { params });
    expect(completed.status).toBe(201);
    expect(JSON.parse(completed.text)).toMatchObject({ id: first.id, size_bytes: 9 });
  });

  test("is completed once, and the same key with another upload is refused", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => api.succeed("start-upload", sampleCall("start-upload"))),
    );
    if (one === undefined || two === undefined) throw new Error("Expected two started uploads.");
    await Promise.all([one, two].map((started) => put(started, "123456789")));
    const key = randomUUID();
    const first = await withKey("complete-upload", key, { params: { id: one.id } });

    expectReplay(await withKey("complete-upload", key, { params: { id: one.id } }), first);
    const other = await withKey("complete-upload", key, { params: { id: two.id } });
    expectError(other, "idempotency_key_reused");
  });
});

function put({ url, headers }: UploadResponse, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "PUT", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(text);
  });
}
