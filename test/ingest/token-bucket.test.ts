import { expect, test } from "vitest";
import { createTokenBucket, type TokenBucket } from "../../functions/ingest/admission.ts";

const taken = (bucket: TokenBucket, nowMs: number, requests: number) =>
  Array.from({ length: requests }, () => bucket.take(nowMs)).filter(Boolean).length;

test("a full bucket allows its burst immediately, and then the refill rate", () => {
  const bucket = createTokenBucket({ ratePerSecond: 10, burst: 5 });

  expect(taken(bucket, 0, 20)).toBe(5);
  expect(taken(bucket, 100, 20)).toBe(1);
  expect(taken(bucket, 150, 20)).toBe(0);
  expect(taken(bucket, 200, 20)).toBe(1);
});

test("a bucket holds at most its burst, even after a long idle time", () => {
  const bucket = createTokenBucket({ ratePerSecond: 10, burst: 5 });
  taken(bucket, 0, 5);

  expect(taken(bucket, 3_600_000, 20)).toBe(5);
});

test("a clock that goes backwards does not refill the bucket twice", () => {
  const bucket = createTokenBucket({ ratePerSecond: 10, burst: 5 });
  taken(bucket, 1_000, 5);

  expect(taken(bucket, 0, 5)).toBe(0);
  expect(taken(bucket, 1_000, 5)).toBe(0);
});
