import { Readable } from "node:stream";
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

function whatIsSent(): SentRequest[] {
  const environment = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  for (const [name, value] of Object.entries({ ...environment, PAGES_BUCKET: "pages" }))
    vi.stubEnv(name, value);
  const sent: SentRequest[] = [];
  vi.spyOn(s3.config.requestHandler, "handle").mockImplementation(async (request) => {
    sent.push(request as unknown as SentRequest);
    return { response: { statusCode: 200, headers: {}, body: Readable.from([]) } } as never;
  });
  return sent;
}

test("a page is signed with the digest that was made of it, and a context with its own", async () => {
  const sent = whatIsSent();
  const page = toStoredPage("ZfCzC4a", "object", { html: "<p>Ünïcode “as planned” 🍃</p>", context: "Why" });

  await pages.put({ ...page, sha256: "ab".repeat(32) });

  const [own, context] = sent.map(({ headers }) => headers["x-amz-content-sha256"]);
  expect(own).toBe("ab".repeat(32));
  expect(context).toMatch(/^[0-9a-f]{64}$/);
  expect(Buffer.from(sent[0]?.body ?? []).toString()).toBe("<p>Ünïcode “as planned” 🍃</p>");
});
