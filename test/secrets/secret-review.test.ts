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

/** Makes the scan of the one text take this many milliseconds of a processor. */
function givenScanOf(ms: number): void {
  let starts = 0;
  vi.spyOn(process, "threadCpuUsage").mockImplementation((before) => {
    if (before === undefined) starts += 1;
    // The first start is that of the review, the second that of the scan.
    return { user: before !== undefined && starts === 2 ? ms * 1000 : 0, system: 0 };
  });
}

const review = () => reviewFile(Buffer.from("An ordinary text."), { isCut: false, act });

test("with secretScan: refuse, 1.9 seconds for a text without secrets cause no refusal", () => {
  givenScanOf(1_900);

  expect(review()).toMatchObject({ secrets: [], warnings: [] });
});

test("with secretScan: refuse, a text that takes longer is refused with what to do, and not as a secret", () => {
  givenScanOf(2_100);

  expect(review).toThrow("Publish less at once");
  expect(review).not.toThrow("Take them out");
});
