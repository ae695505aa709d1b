import { expect, test, vi } from "vitest";
import type { Blob } from "../../functions/blobs/blob.ts";

const file: Blob = {
  id: "aB3dE5f",
  ownerId: "0123456789abcdef",
  namespace: "a".repeat(63),
  filename: `${"a ".repeat(128)}.png`,
  contentType: "image/png",
  sizeBytes: 1,
  visibility: { kind: "members" },
  objectKey: `_restricted/${"a".repeat(63)}/aB3dE5f/0123456789abcdeF`,
  createdAtMs: 0,
};

test("the URL of a file's bytes is on the service's own host, within CloudFront's maximum length", async () => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ASIA0123456789ABCDEF");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "0".repeat(40));
  // Much longer than any session token observed in a function, and each character takes three in a URL.
  vi.stubEnv("AWS_SESSION_TOKEN", "/".repeat(2_000));
  vi.stubEnv("BLOBS_BUCKET", "b".repeat(63));
  const { fileAddress } = await import("../../functions/blobs/public-files.ts");

  const address = new URL(
    await fileAddress(
      { baseUrl: "https://drops.example.com", baseDomain: "drops.example.com" },
      file,
      Date.now(),
      `/files/${file.namespace}/${file.id}?key=k${"x".repeat(200)}`,
    ),
  );

  expect([address.origin, address.pathname]).toEqual(["https://drops.example.com", `/${file.objectKey}`]);
  // CloudFront developer guide, "Quotas": length of a URL.
  expect(address.href.length).toBeLessThan(8_192);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    "X-Amz-Expires": "8",
    "X-Amz-SignedHeaders": "host",
    "x-from": expect.stringMatching(/^\/files\/.*\?key=k/),
    "response-cache-control": "private, no-store",
    "response-content-disposition": `inline; filename="${file.filename}"`,
  });
  vi.unstubAllEnvs();
});
