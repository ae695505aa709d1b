import { expect, test } from "vitest";
import { visibilityKinds } from "../../functions/policies/access.ts";
import { keys } from "../../functions/table/keys.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { findGuards, protectingMarks } from "./protecting-marks.ts";

const namesOf = (of: string) =>
  [...protectingMarks.keys()]
    .filter((name) => name.startsWith(`${of}.`))
    .map((name) => name.slice(of.length + 1))
    .sort();

test("the data format is that of the newest protecting mark", () => {
  expect(dataFormat).toBe(Math.max(...protectingMarks.values()));
});

// The compiler compares the fields of drops, versions, files, tokens and readers.
test.each([
  ["items", Object.keys(keys)],
  ["visibility", [...visibilityKinds]],
  ["guard", [...findGuards()]],
])(
  "protecting-marks.ts has every mark of the kind %s, with the data format that introduced it",
  (of, stored) => {
    expect(namesOf(of)).toEqual(stored.sort());
  },
);
