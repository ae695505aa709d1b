import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cardSize } from "../../functions/renders/report.ts";

test("the neutral card has the size that the viewer's head states, and fits into the function that serves it", async () => {
  const card = await readFile("functions/renders/neutral-card.png");

  // Portable Network Graphics (PNG) Specification, third edition, section 11.2.1.
  expect([card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([cardSize.widthPx, cardSize.heightPx]);
  expect(card.byteLength).toBeLessThan(30_000);
});
