import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createInvalidations, type Invalidations } from "../../../local/aws/cloudfront/invalidations.ts";

// Amazon CloudFront developer guide, "Concurrent invalidation request maximum".

const delayMs = 1_000;
const forgotten: (readonly string[])[] = [];
let invalidations: Invalidations;

beforeEach(() => {
  vi.useFakeTimers();
  forgotten.length = 0;
  const edge = { distributionId: "edge", invalidate: (paths: readonly string[]) => forgotten.push(paths) };
  invalidations = createInvalidations(edge, delayMs);
});
afterEach(() => {
  vi.useRealTimers();
});

const numbered = (count: number, ending = "") =>
  Array.from({ length: count }, (_, index) => `/${index}${ending}`);
const create = (callerReference: string, paths: readonly string[]) =>
  invalidations.create({ callerReference, paths });
const tooMany = (what: string) =>
  expect.objectContaining({
    code: "TooManyInvalidationsInProgress",
    status: 400,
    message: expect.stringContaining(what),
  });

test("an invalidation is in progress until the edge has forgotten", () => {
  const taken = create("a", ["/a"]);
  vi.advanceTimersByTime(delayMs - 1);
  const before = [...forgotten];
  vi.advanceTimersByTime(1);

  expect([taken.isInProgress, before, forgotten]).toEqual([true, [], [["/a"]]]);
  expect(create("a", ["/a"])).toMatchObject({ id: taken.id, isInProgress: false });
});

test("15 paths with a wildcard and, independently of them, 3,000 files may be in progress", () => {
  create("ten wildcards", numbered(10, "*"));
  create("two thousand files", numbered(2_000));

  expect(() => create("six wildcards", numbered(6, "*"))).toThrow(tooMany("At most 15 paths with a *"));
  expect(() => create("1,001 files", numbered(1_001))).toThrow(tooMany("At most 3000 files"));
  create("as many as there may be", [...numbered(5, "*"), ...numbered(1_000)]);
  expect(() => create("one file", ["/a"])).toThrow(tooMany("3001"));
  expect(() => create("one wildcard", ["/a*"])).toThrow(tooMany("16"));

  vi.advanceTimersByTime(delayMs);
  create("when those are done", ["/a", "/a*"]);
});

test("what is refused has no effect and leaves its reference free", () => {
  create("all that there may be", numbered(15, "*"));
  expect(() => create("a", ["/a*"])).toThrow(tooMany("16"));
  vi.advanceTimersByTime(delayMs);

  create("a", ["/other*"]);
  vi.advanceTimersByTime(delayMs);

  expect(forgotten.at(-1)).toEqual(["/other*"]);
});
