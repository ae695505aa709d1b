// @module-tag slow

import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { normalizePasscode } from "../../functions/core/passcode.ts";
import { publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { durationMs } from "../support/patience.ts";
import { sendInChunks } from "../support/upload.ts";
import { type GivenPerson, givenPerson, openStores, setWritesOfMinute } from "./given-person.ts";

/** A character that NFKC expands to 18. */
const growing = "\uFDFA";
const responseMsMax = 1_000;

let person: GivenPerson;
let slug: string;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("large-texts");
  slug = (await publish(person.api, { passcode: "abcd" })).slug;
  // Warms the functions, so that their cold starts are not measured.
  await person.api.succeed("edit-drop", { params: { slug }, body: {} });
  await fetchPage(`/p/${slug}/unlock`, { method: "POST", body: "passcode=wrong" });
  await person.api.succeed("set-passcode", { params: { slug }, body: { passcode: "abcd" } });
});

const expectQuick = (act: () => Promise<unknown>) =>
  expect.poll(() => durationMs(act)).toBeLessThan(responseMsMax);

test("a passcode of megabytes that grows in normalization is refused within a second", async () => {
  const body = { passcode: growing.repeat(900_000) };

  const set = () => person.api.call("set-passcode", { params: { slug }, body });

  expectError(await set(), "invalid_arg");
  await expectQuick(set);
});

test("no passcode that is short enough after NFKC is refused for its original length", () => {
  const half = limits.passcodeBytesMax / 2;

  expect(normalizePasscode("\u{1d7d7}".repeat(2 * half))).toBe("9".repeat(2 * half));
  expect(normalizePasscode("\u{1d42e}\u0308\u0304".repeat(half))).toBe("\u01d6".repeat(half));
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (Buffer.byteLength(character.normalize("NFKC")) * 2 >= character.length) continue;
    throw new Error(`U+${codePoint.toString(16)} shrinks to less than half.`);
  }
});

test("a passcode attempt of megabytes is refused as wrong within a second", async () => {
  const body = `passcode=${growing.repeat(900_000)}`;

  const guess = () => fetchPage(`/p/${slug}/unlock`, { method: "POST", body });

  expect((await guess()).status).toBe(403);
  await expectQuick(guess);
});

test("a metadata key or reader of megabytes is not quoted in the error", async () => {
  const bodies = [
    { metadata: { ["k".repeat(2_900_000)]: "" } },
    { metadata: { ["\u0001".repeat(480_000)]: "" } },
    { readers: [`a b${" ".repeat(2_900_000)}`] },
  ];
  for (const body of bodies) {
    const response = await person.api.call("edit-drop", { params: { slug }, body });

    expectError(response, "invalid_arg");
    expect(response.bytes.byteLength).toBeLessThan(4_096);
  }
});

test("a body nested 100,000 levels deep is refused within a second", async () => {
  const depth = 100_000;
  const text = `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`;

  const edit = () => person.api.call("edit-drop", { params: { slug }, text });

  expectError(await edit(), "invalid_arg");
  await expectQuick(edit);
});

/** Unterminated images, which take six seconds of one of three processors. */
const slowMarkdown = Buffer.from("![".repeat(limits.markdownBytesMax / 2));

test("Markdown that times out counts as a write, and does not slow other publications at the ingest server", async () => {
  const slow = await givenPerson("large-texts-slow");
  await publishInChunks(slow.api, "text/markdown", Buffer.from("# Opens the minute"));
  const small = Buffer.from(JSON.stringify({ title: "x", html: "<p>x" }));
  const large = Buffer.from(`{"title":"x","html":"${"\\u0061".repeat(800_000)}"}`);
  let refusals: readonly ReceivedResponse[] = [];
  const publishBeside = async () => {
    await setWritesOfMinute(slow, limits.writesPerMinutePerToken - 2);
    const sent = [1, 2].map(() => publishInChunks(slow.api, "text/markdown", slowMarkdown));
    await setTimeout(300);
    const lastedMs = await durationMs(async () => {
      for (const body of [small, large]) {
        expect((await publishInChunks(person.api, "application/json", body)).status).toBe(201);
      }
    });
    refusals = await Promise.all(sent);
    return lastedMs;
  };

  // It would take six seconds if Markdown were rendered in the ingest server's own process.
  await expect.poll(publishBeside).toBeLessThan(4_000);

  for (const refusal of refusals) expectError(refusal, "invalid_arg");
  expectError(await slow.api.call("edit-drop", { params: { slug }, body: {} }), "rate_limited");
});

test("Markdown refused for its content does not count as a write", async () => {
  const other = await givenPerson("large-texts-refused");
  await publishInChunks(other.api, "text/markdown", Buffer.from("# Opens the minute"));
  await setWritesOfMinute(other, limits.writesPerMinutePerToken - 1);

  const empty = await publishInChunks(other.api, "text/markdown", Buffer.from(" "));
  const restricted = await other.api.call("publish-drop", {
    text: "# Nobody is named",
    headers: { "content-type": "text/markdown" },
    query: { visibility: "people" },
  });

  expectError(empty, "html_required");
  expectError(restricted, "invalid_arg");
  expect((await publishInChunks(other.api, "text/markdown", Buffer.from("# One"))).status).toBe(201);
});

function publishInChunks({ token }: ApiClient, type: string, body: Uint8Array): Promise<ReceivedResponse> {
  const path = type === "text/markdown" ? "/api/drops?title=x" : "/api/drops";
  return sendInChunks(path, body, { headers: { authorization: `Bearer ${token}`, "content-type": type } });
}
