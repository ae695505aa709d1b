// @module-tag nightly

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import type { Call } from "../model/call.ts";
import type { Intent } from "../model/intents/intent.ts";
import { observe } from "../model/observe.ts";
import { openStores } from "./given-person.ts";
import { Writer } from "./kill-writer.ts";

const file = { filename: "a.txt", contentType: "text/plain", text: "twelve bytes" };

beforeAll(openStores);

/** Creates a writer with an uploaded file whose response was lost. `toldMs` overrides the call's duration. */
async function givenLostUpload(operation: string, toldMs?: number) {
  const writer = await Writer.begin("writer");
  const token = writer.state.tokens[0]?.plaintext ?? "";
  const call = operation === "upload-blob" ? uploadCall(token) : await startedUpload(writer, token);
  const sentAtMs = Date.now();
  // Simulates a slow request.
  await sleep(20);
  const { response } = await observe(call);
  expect(response.status).toBe(201);
  writer.lose({ call, sentAtMs, endedAtMs: toldMs === undefined ? Date.now() : sentAtMs + toldMs });
  expect(await writer.expectAllThere()).toBe("done");
  return { writer, token };
}

function uploadCall(token: string): Call {
  const { filename, contentType, text } = file;
  return {
    operation: "upload-blob",
    token,
    query: { filename },
    text,
    headers: { "content-type": contentType },
  };
}

async function startedUpload(writer: Writer, token: string): Promise<Call> {
  const { filename, contentType, text } = file;
  const size_bytes = Buffer.byteLength(text);
  await writer.write([
    intent({ operation: "start-upload", token, body: { filename, content_type: contentType, size_bytes } }),
  ]);
  const [{ id, url, headers } = { id: "", url: "", headers: {} }] = writer.state.uploads;
  const sent = { address: url, method: "PUT", headers, text } as const;
  await writer.write([intent({ operation: "send-file", params: { id }, ...sent })]);
  return { operation: "complete-upload", token, params: { id } };
}

function intent(call: Call): Intent {
  return { words: call.operation, toCall: () => call };
}

/** The only call that returns an uploaded file again. */
function completion(writer: Writer, token: string): Intent {
  const id = writer.state.blobs[0]?.id ?? "";
  return intent({ operation: "complete-upload", token, params: { id } });
}

test.each(["upload-blob", "complete-upload"])(
  "the creation time of a file is unknown after a lost response to %s, until a later response states it",
  { tags: "nightly" },
  async (operation) => {
    const { writer, token } = await givenLostUpload(operation);

    await writer.write([completion(writer, token), completion(writer, token)]);

    const [{ createdAtMs } = { createdAtMs: { from: 0, to: 1 } }] = writer.state.blobs;
    expect(createdAtMs.from).toBe(createdAtMs.to);
  },
);

test("a file created after its call ended is detected", async () => {
  const { writer, token } = await givenLostUpload("upload-blob", 0);

  await expect(writer.write([completion(writer, token)])).rejects.toThrow(/complete-upload/);
});

test.each(["publish-version", "edit-drop"] as const)(
  "a change with a lost response and its lost warnings are recognized as done: %s",
  { tags: "nightly" },
  async (operation) => {
    const writer = await Writer.begin("writer");
    const token = writer.state.tokens[0]?.plaintext ?? "";
    const page = { title: "One", html: "<p>One" };
    await writer.write([
      intent({ operation: "publish-drop", token, body: { ...page, metadata: { kept: "no", project: "a" } } }),
    ]);
    const [{ slug } = { slug: "" }] = writer.state.drops;
    // Both warn: the tag `kept` is removed, and members may comment.
    const change = { metadata: { project: "b" }, visibility: "members" };
    const body = operation === "edit-drop" ? change : { ...page, ...change };
    const call: Call = { operation, token, params: { slug }, body };
    const sentAtMs = Date.now();
    const { response } = await observe(call);
    expect(JSON.parse(response.text).warnings).toHaveLength(2);

    writer.lose({ call, sentAtMs, endedAtMs: Date.now() });

    expect(await writer.expectAllThere()).toBe("done");
  },
);

test("an undeletion with a lost response is recognized as done", async () => {
  const writer = await Writer.begin("writer");
  const token = writer.state.tokens[0]?.plaintext ?? "";
  await writer.write([intent({ operation: "publish-drop", token, body: { title: "One", html: "<p>One" } })]);
  const [{ slug } = { slug: "" }] = writer.state.drops;
  await writer.write([intent({ operation: "delete-drop", token, params: { slug } })]);
  const call: Call = { operation: "undelete-drop", token, params: { slug } };
  const sentAtMs = Date.now();
  expect((await observe(call)).response.status).toBe(200);

  writer.lose({ call, sentAtMs, endedAtMs: Date.now() });

  expect(await writer.expectAllThere()).toBe("done");
});
