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
    running.endpoint.connectEdge({ distributionId, invalidate: (tags) => invalidated.push(tags) });
  }
  client = running.cloudFront(running.endpoint.credentialsFor(ROLE_ARN));
});

beforeEach(() => {
  invalidated = [];
});

afterAll(() => running.remove());

function invalidate(items: string[], reference: string, distributionId = "edge", quantity = items.length) {
  return client.send(
    new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: { CallerReference: reference, Paths: { Quantity: quantity, Items: items } },
    }),
  );
}

describe("CreateInvalidation", () => {
  test("is in progress when the call returns, and takes effect later", async () => {
    const { $metadata, Invalidation, Location } = await invalidate(["#drop:a&b", "#all"], "first");
    const invalidatedAtOnce = [...invalidated];

    expect(invalidatedAtOnce).toEqual([]);
    await expect.poll(() => invalidated).toEqual([["drop:a&b", "all"]]);
    expect($metadata.httpStatusCode).toBe(201);
    expect(Invalidation).toMatchObject({
      Status: "InProgress",
      InvalidationBatch: { CallerReference: "first", Paths: { Quantity: 2, Items: ["#drop:a&b", "#all"] } },
    });
    expect(Location).toContain(`/distribution/edge/invalidation/${Invalidation?.Id}`);
  });

  test("with a repeated reference creates nothing if the tags are the same, and is refused otherwise", {
    tags: "slow",
  }, async () => {
    const first = await invalidate(["#a"], "repeated");

    const second = await invalidate(["#a"], "repeated");

    expect(second.Invalidation?.Id).toBe(first.Invalidation?.Id);
    await expect.poll(() => invalidated).toEqual([["a"]]);
    expect((await invalidate(["#a"], "repeated")).Invalidation?.Status).toBe("Completed");
    await sleep(2 * delayMs);
    expect(invalidated).toEqual([["a"]]);
    await expect(invalidate(["#b"], "repeated")).rejects.toMatchObject({
      name: "InvalidationBatchAlreadyExists",
    });
  });

  test.each([
    ["an item that is neither tag nor path", ["a"], "InvalidArgument", 400],
    ["an empty tag", ["#"], "InvalidArgument", 400],
    ["a tag with a comma", ["#a,b"], "InvalidArgument", 400],
    ["a tag with a space", ["#a b"], "InvalidArgument", 400],
    ["a tag that is not ASCII", ["#ä"], "InvalidArgument", 400],
    ["a tag of more than 256 characters", [`#${"a".repeat(257)}`], "InvalidArgument", 400],
    ["no item", [], "InvalidArgument", 400],
    ["a path, which is unsupported", ["/*"], "NotImplemented", 501],
    [
      "3,001 tags",
      Array.from({ length: 3_001 }, (_, index) => `#${index}`),
      "TooManyInvalidationsInProgress",
      400,
    ],
  ])("refuses %s", async (_, items, name, httpStatusCode) => {
    await expect(invalidate(items, "refused")).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    expect(invalidated).toEqual([]);
  });

  test("refuses a quantity other than the number of items", async () => {
    await expect(invalidate(["#a"], "wrong", "edge", 2)).rejects.toMatchObject({
      name: "InconsistentQuantities",
    });
  });

  test("is refused without a grant for the distribution, or if the distribution does not exist", async () => {
    await expect(invalidate(["#a"], "denied", "other")).rejects.toMatchObject({
      name: "AccessDenied",
      $metadata: { httpStatusCode: 403 },
    });
    const missing = running.cloudFront().send(
      new CreateInvalidationCommand({
        DistributionId: "nowhere",
        InvalidationBatch: { CallerReference: "x", Paths: { Quantity: 1, Items: ["#a"] } },
      }),
    );
    await expect(missing).rejects.toMatchObject({ name: "NoSuchDistribution" });
    expect(invalidated).toEqual([]);
  });
});
