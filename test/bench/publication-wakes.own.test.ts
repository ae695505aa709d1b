// @module-tag nightly
import { expect, test } from "vitest";
import { walkPageText } from "../../functions/drops/page-text.ts";
import { measureProcessorMs } from "../secrets/scan-inputs.ts";
import { median } from "../support/median.ts";
import { largeHtml } from "../support/sample-page.ts";
import { measurePublicationWakes } from "./publication-wakes.ts";

/**
 * Maximum processor time of all functions for a publication, in multiples of a parser's pass through a page of a
 * megabyte, because the time itself depends on the machine. A quarter to a half more than was measured.
 */
const walksMax: Readonly<Record<string, number>> = {
  "10 KB": 2.5,
  "new version of 10 KB": 3,
  "1 MB": 13,
};

function measureWalks(): number[] {
  return Array.from({ length: 20 }, () => measureProcessorMs(() => walkPageText(largeHtml, { text() {} })));
}

test("a publication with all its background work uses no more CPU time than a few passes over the page", async () => {
  const before = measureWalks();
  const wakes = await measurePublicationWakes(40);
  const walkMs = median([...before, ...measureWalks()]);

  const walks = wakes.map(({ publication, functionsMs }) => [publication, functionsMs / walkMs] as const);

  expect(walks.map(([publication]) => publication)).toEqual(Object.keys(walksMax));
  const exceeding = walks.filter(([publication, taken]) => taken > (walksMax[publication] ?? 0));
  expect(exceeding, JSON.stringify({ walkMs, wakes })).toEqual([]);
});
