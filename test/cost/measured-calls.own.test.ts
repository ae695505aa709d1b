// @module-tag nightly

import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { MeasuredCall } from "../../scripts/bench/calls.ts";
import { callsSection } from "../../scripts/bench/calls.ts";
import { longMs } from "../support/patience.ts";

const file = "docs/measured/calls.json";

/** Detects a call that wrote a token's last use, which depends on the clock. */
const isOfNewMinute = ({ commands }: MeasuredCall) => commands.some((command) => command.endsWith("!"));

let counted: readonly MeasuredCall[];
let missing: readonly string[];
beforeAll(async () => {
  ({ data: counted, missing } = await callsSection.measure());
}, longMs);

test("a library list with words reads at most 30 units at 300 drops", () => {
  const searches = counted.filter(({ variant }) => variant.endsWith("drops with words"));

  expect(searches).toHaveLength(2);
  for (const { readUnits } of searches) expect(readUnits).toBeLessThanOrEqual(30);
});

test("calls cost as much as docs/measured/calls.json says: npm run bench -- --write calls", () => {
  const said = JSON.parse(readFileSync(file, "utf8")) as readonly MeasuredCall[];
  const nameOf = ({ operation, variant }: MeasuredCall) => `${operation} ${variant}`;
  const atMinute = new Set([...counted, ...said].filter(isOfNewMinute).map(nameOf));
  // The order of concurrent commands is not fixed.
  const comparable = (calls: readonly MeasuredCall[]) =>
    calls
      .filter((call) => !atMinute.has(nameOf(call)))
      .map((call) => ({ ...call, commands: call.commands.toSorted() }));

  // A number that ends in zeros needs fewer bytes, so the units of hundreds of items can differ by one.
  const isNear = (units: number) => expect.toSatisfy((one) => Math.abs(one - units) <= units / 40);

  expect(missing).toEqual([]);
  expect(comparable(counted)).toEqual(
    comparable(said).map((call) => ({ ...call, readUnits: isNear(call.readUnits) })),
  );
  expect(comparable(counted).length).toBeGreaterThan(counted.length / 2);
});
