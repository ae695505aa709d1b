import { setTimeout as sleep } from "node:timers/promises";
import { type CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const distribution = (id: string) => `arn:aws:cloudfront::000000000000:distribution/${id}`;

const delayMs = 300;
let running: RunningEndpoint;
let client: CloudFrontClient;
let invalidated: (readonly string[])[] = [];

beforeAll(async () => {
  running = await runEndpoint(
    stackOf([allow("cloudfront:CreateInvalidation", distribution("edge"))]),
    undefined,
    { invalidationDelayMs: delayMs },
  );
  for (const distributionId of ["edge", "other"]) {
    running.endpoint.connectEdge({ distributionId, invalidate: (paths) => invalidated.push(paths) });
  }
  client = running.cloudFront(running.endpoint.credentialsFor(ROLE_ARN));
});

beforeEach(() => {
  invalidated = [];
});

afterAll(() => running.remove());

function invalidate(paths: string[], reference: string, distributionId = "edge", quantity = paths.length) {
  return client.send(
    new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: { CallerReference: reference, Paths: { Quantity: quantity, Items: paths } },
    }),
  );
}

function numbered(count: number, ending = ""): string[] {
  return Array.from({ length: count }, (_, index) => `/${index}${ending}`);
}

describe("CreateInvalidation", () => {
  test("is in progress when it is answered, and reaches the edge later", async () => {
    const { $metadata, Invalidation, Location } = await invalidate(["/p/a&b", "/p/*"], "first");
    const invalidatedAtOnce = [...invalidated];

    expect(invalidatedAtOnce).toEqual([]);
    await expect.poll(() => invalidated).toEqual([["/p/a&b", "/p/*"]]);
    expect($metadata.httpStatusCode).toBe(201);
    expect(Invalidation).toMatchObject({
      Status: "InProgress",
      InvalidationBatch: { CallerReference: "first", Paths: { Quantity: 2, Items: ["/p/a&b", "/p/*"] } },
    });
    expect(Location).toContain(`/distribution/edge/invalidation/${Invalidation?.Id}`);
  });

  test("of the same reference and paths again creates nothing, with other paths it is refused", async () => {
    const first = await invalidate(["/a"], "repeated");

    const second = await invalidate(["/a"], "repeated");

    expect(second.Invalidation?.Id).toBe(first.Invalidation?.Id);
    await expect.poll(() => invalidated).toEqual([["/a"]]);
    expect((await invalidate(["/a"], "repeated")).Invalidation?.Status).toBe("Completed");
    await sleep(2 * delayMs);
    expect(invalidated).toEqual([["/a"]]);
    await expect(invalidate(["/b"], "repeated")).rejects.toMatchObject({
      name: "InvalidationBatchAlreadyExists",
    });
  });

  test.each([
    ["a path without a slash", ["a"], "InvalidArgument"],
    ["a * in the middle", ["/a*/b"], "InvalidArgument"],
    ["a path that is not percent-encoded", ["/ä"], "InvalidArgument"],
    ["no path", [], "InvalidArgument"],
    ["a path of more than 4,000 characters", [`/${"a".repeat(4_000)}`], "InvalidArgument"],
    ["16 wildcards", numbered(16, "*"), "TooManyInvalidationsInProgress"],
    ["3,001 files", numbered(3_001), "TooManyInvalidationsInProgress"],
  ])("refuses %s", async (_, paths, name) => {
    await expect(invalidate(paths, "refused")).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: 400 },
    });
    expect(invalidated).toEqual([]);
  });

  test("refuses a quantity that is not that of the paths", async () => {
    await expect(invalidate(["/a"], "wrong", "edge", 2)).rejects.toMatchObject({
      name: "InconsistentQuantities",
    });
  });

  test("is refused without the grant for the distribution, and for one that is not there", async () => {
    await expect(invalidate(["/a"], "denied", "other")).rejects.toMatchObject({
      name: "AccessDenied",
      $metadata: { httpStatusCode: 403 },
    });
    const missing = running.cloudFront().send(
      new CreateInvalidationCommand({
        DistributionId: "nowhere",
        InvalidationBatch: { CallerReference: "x", Paths: { Quantity: 1, Items: ["/a"] } },
      }),
    );
    await expect(missing).rejects.toMatchObject({ name: "NoSuchDistribution" });
    expect(invalidated).toEqual([]);
  });
});
