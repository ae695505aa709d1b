import { resolve } from "node:path";
import { expect, test } from "vitest";
import { isLeftOut } from "./tagged-files-plugin.ts";

const root = resolve(import.meta.dirname, "../..");

test.each([
  ["test/abuse/cards.test.ts", "!slow", true, "is tagged as a whole"],
  ["test/abuse/safe-retries.test.ts", "!slow", false, "has quick tests, too"],
  ["test/abuse/safe-retries.test.ts", "slow", false, "has the tag"],
  ["test/faults/cold-start.test.ts", "slow", false, "imports the options of its tests"],
  ["test/table/sha256.test.ts", "slow", true, "has no tag"],
])("%s, in a run of %s, is left out: %s, since it %s", (file, filter, expected) => {
  expect(isLeftOut[filter]?.(resolve(root, file))).toBe(expected);
});
