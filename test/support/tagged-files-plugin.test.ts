import { resolve } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { isLeftOut } from "./tagged-files-plugin.ts";

const root = resolve(import.meta.dirname, "../..");

const quick = "!slow and !nightly";
const landing = "!nightly";

test.each([
  ["test/abuse/cards.test.ts", quick, true, "is tagged as a whole"],
  ["test/abuse/kill.own.test.ts", quick, true, "is tagged as a whole"],
  ["test/abuse/safe-retries.test.ts", quick, false, "also has quick tests"],
  ["test/abuse/cards.test.ts", landing, false, "has another tag"],
  ["test/abuse/kill.own.test.ts", landing, true, "is tagged as a whole"],
  ["test/abuse/kill.own.test.ts", "nightly", false, "is tagged as a whole"],
  ["test/faults/workers.test.ts", "nightly", false, "imports the options of its tests"],
  ["test/table/sha256.test.ts", "nightly", true, "has no tag"],
])("%s, in a run of %s, is left out: %s, because it %s", (file, filter, expected) => {
  expect(isLeftOut[filter]?.(resolve(root, file))).toBe(expected);
});

test.each([packageJson.scripts.test, packageJson.scripts["test:slow"], packageJson.scripts["test:nightly"]])(
  "%s uses a tag filter that the plugin knows",
  (script) => {
    const [, , filter = ""] = /--tags-filter ('?)([^']+?)\1(?: &&|$)/.exec(script) ?? [];

    expect(Object.keys(isLeftOut)).toContain(filter);
  },
);
