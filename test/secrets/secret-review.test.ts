import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reviewFile } from "../../functions/secrets/secret-review.ts";
import type { Act } from "../../functions/table/audit.ts";

const act = { operation: "upload-blob" } as unknown as Act;

beforeEach(() => {
  vi.stubEnv("SECRET_SCAN", "refuse");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Fakes the processor time of the text's scan. */
function givenScanOf(ms: number): void {
  let starts = 0;
  vi.spyOn(process, "threadCpuUsage").mockImplementation((before) => {
    if (before === undefined) starts += 1;
    // The first measurement is that of the review, the second that of the scan.
    return { user: before !== undefined && starts === 2 ? ms * 1000 : 0, system: 0 };
  });
}

const review = () => reviewFile(Buffer.from("An ordinary text."), { isCut: false, act });

test("with secretScan: refuse, a scan of 1.9 seconds without findings does not cause a refusal", () => {
  givenScanOf(1_900);

  expect(review()).toMatchObject({ secrets: [], warnings: [] });
});

test("with secretScan: refuse, a text whose scan takes too long is refused with what to do, and not as a secret", () => {
  givenScanOf(2_100);

  expect(review).toThrow("Publish less at once");
  expect(review).not.toThrow("Take them out");
});
