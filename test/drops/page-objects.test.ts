import { Readable } from "node:stream";
import { HttpResponse } from "@smithy/core/protocols";
import { afterEach, expect, test, vi } from "vitest";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { pages, s3 } from "../../functions/drops/page-objects.ts";

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function givenEnvironment(): void {
  const environment = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  for (const [name, value] of Object.entries({ ...environment, PAGES_BUCKET: "pages" }))
    vi.stubEnv(name, value);
}

function whatIsSent(): SentRequest[] {
  givenEnvironment();
  const sent: SentRequest[] = [];
  vi.spyOn(s3.config.requestHandler, "handle").mockImplementation(async (request) => {
    sent.push(request as unknown as SentRequest);
    return { response: { statusCode: 200, headers: {}, body: Readable.from([]) } } as never;
  });
  return sent;
}

test("a stored page is signed with its own digest, and its context with another", async () => {
  const sent = whatIsSent();
  const page = toStoredPage("ZfCzC4a", "object", { html: "<p>Ünïcode “as planned” 🍃</p>", context: "Why" });

  await pages.put({ ...page, sha256: "ab".repeat(32) });

  const [own, context] = sent.map(({ headers }) => headers["x-amz-content-sha256"]);
  expect(own).toBe("ab".repeat(32));
  expect(context).toMatch(/^[0-9a-f]{64}$/);
  expect(Buffer.from(sent[0]?.body ?? []).toString()).toBe("<p>Ünïcode “as planned” 🍃</p>");
});

/** Responds to each read with the next of these bodies. */
function givenBodies(...bodies: (() => AsyncIterable<Uint8Array>)[]): void {
  givenEnvironment();
  const headers = { "x-amz-meta-style-offset": "3" };
  vi.spyOn(s3.config.requestHandler, "handle").mockImplementation(async () => {
    const body = Readable.from(bodies.shift()?.() ?? []);
    return { response: new HttpResponse({ statusCode: 200, headers, body }) } as never;
  });
}

async function* whole() {
  yield Buffer.from("<p>Ünï");
  yield Buffer.from("cöde</p>");
}

async function* brokenOff() {
  yield Buffer.from("<p>Ünï");
  throw new Error("The connection was lost.");
}

test("a page whose body breaks off is read once more, whole or in chunks", async () => {
  givenBodies(brokenOff, whole, brokenOff, whole);

  const page = await pages.get("ZfCzC4a/object.html");
  const inChunks = await pages.getChunks("ZfCzC4a/object.html");

  expect({ ...page, bytes: page?.bytes.toString() }).toEqual({ bytes: "<p>Ünïcöde</p>", styleOffset: 3 });
  expect(inChunks?.chunks.map(String)).toEqual(["<p>Ünï", "cöde</p>"]);
});

test("a page whose body breaks off twice fails to be read, and no part of it is returned", async () => {
  givenBodies(brokenOff, brokenOff);

  await expect(pages.get("ZfCzC4a/object.html")).rejects.toThrow("The connection was lost.");
});
