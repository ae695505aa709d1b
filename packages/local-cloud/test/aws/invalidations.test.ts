import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CreateInvalidation, createInvalidations } from "../../src/aws/cloudfront/invalidations.ts";

// Amazon CloudFront developer guide, "Concurrent invalidation request maximum".

const delayMs = 1_000;
const forgotten: (readonly string[])[] = [];
let createInvalidation: CreateInvalidation;

beforeEach(() => {
  vi.useFakeTimers();
  forgotten.length = 0;
  const edge = { distributionId: "edge", invalidate: (tags: readonly string[]) => forgotten.push(tags) };
  createInvalidation = createInvalidations(edge, delayMs);
});
afterEach(() => {
  vi.useRealTimers();
});

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag:${index}`);
const create = (callerReference: string, tags: readonly string[]) =>
  createInvalidation({ callerReference, tags });
const tooMany = (count: number) =>
  expect.objectContaining({
    code: "TooManyInvalidationsInProgress",
    status: 400,
    message: expect.stringContaining(String(count)),
  });

test("an invalidation is in progress until the edge has removed its items", () => {
  const taken = create("a", ["a"]);
  vi.advanceTimersByTime(delayMs - 1);
  const before = [...forgotten];
  vi.advanceTimersByTime(1);

  expect([taken.isInProgress, before, forgotten]).toEqual([true, [], [["a"]]]);
  expect(create("a", ["a"])).toMatchObject({ id: taken.id, isInProgress: false });
});

test("at most 3,000 tags may be in progress", () => {
  create("two thousand", numbered(2_000));

  expect(() => create("1,001", numbered(1_001))).toThrow(tooMany(3_001));
  create("as many as there may be", numbered(1_000));
  expect(() => create("one more", ["a"])).toThrow(tooMany(3_001));

  vi.advanceTimersByTime(delayMs);
  create("when those are done", ["a"]);
});

test("a refused invalidation has no effect and does not use up its reference", () => {
  create("all that there may be", numbered(3_000));
  expect(() => create("a", ["a"])).toThrow(tooMany(3_001));
  vi.advanceTimersByTime(delayMs);

  create("a", ["other"]);
  vi.advanceTimersByTime(delayMs);

  expect(forgotten.at(-1)).toEqual(["other"]);
});
