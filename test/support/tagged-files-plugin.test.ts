import { resolve } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { isLeftOut } from "./tagged-files-plugin.ts";

const root = resolve(import.meta.dirname, "../..");

const quick = "!slow and !nightly";
const slow = "slow and !nightly";

test.each([
  ["test/abuse/cards.test.ts", quick, true, "is tagged as a whole"],
  ["test/abuse/kill.own.test.ts", quick, true, "is tagged as a whole"],
  ["test/abuse/safe-retries.test.ts", quick, false, "has quick tests, too"],
  ["test/abuse/safe-retries.test.ts", slow, false, "has the tag"],
  ["test/faults/workers.test.ts", slow, false, "is tagged as a whole"],
  ["test/faults/workers.test.ts", "nightly", false, "imports the options of its tests"],
  ["test/abuse/kill.own.test.ts", slow, true, "is tagged with another tag as a whole"],
  ["test/table/sha256.test.ts", slow, true, "has no tag"],
  ["test/table/sha256.test.ts", "nightly", true, "has no tag"],
])("%s, in a run of %s, is left out: %s, since it %s", (file, filter, expected) => {
  expect(isLeftOut[filter]?.(resolve(root, file))).toBe(expected);
});

test("the scripts of package.json run with those filters, so that every test is in one of them", () => {
  const scripts = Object.values(packageJson.scripts).join("\n");
  const filters = [
    ...scripts.matchAll(/vitest run(?: --project '!flows')? --tags-filter (?:'([^']+)'|(\w+))$/gm),
  ];

  expect(filters.map(([, quoted, word]) => quoted ?? word).toSorted()).toEqual(
    Object.keys(isLeftOut).toSorted(),
  );
});
