import { Readable } from "node:stream";
import { HttpResponse } from "@smithy/core/protocols";
import { afterEach, expect, test, vi } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { removeSegments } from "../../functions/search/index-files.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("a segment that S3 failed to delete is reported as an error", async () => {
  const environment = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  for (const [name, value] of Object.entries({ ...environment, PAGES_BUCKET: "pages" }))
    vi.stubEnv(name, value);
  vi.spyOn(s3.config.requestHandler, "handle").mockImplementation(async () => {
    const body = Readable.from([
      "<DeleteResult><Error><Key>_search/1.sqlite</Key><Code>InternalError</Code></Error></DeleteResult>",
    ]);
    return { response: new HttpResponse({ statusCode: 200, headers: {}, body }) } as never;
  });

  const removing = removeSegments(["_search/1.sqlite", "_search/2.sqlite"]);

  await expect(removing).rejects.toThrow("S3 left 1 of 2 objects: InternalError.");
});
