import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderMeasuredRows } from "../../scripts/bench/section.ts";

const root = join(import.meta.dirname, "../..");
/** The corpus has another format, with rates and artefacts. */
const files = globSync("docs/measured/*.json", { cwd: root }).filter((file) => !file.endsWith("corpus.json"));

test("a row of measurements is one line", () => {
  const text = renderMeasuredRows([{ operation: "a", sizes: [1, 2] }, { operation: "b" }]);

  expect(text).toBe('[\n{"operation":"a","sizes":[1,2]},\n{"operation":"b"}\n]\n');
});

test("all three files of measurements exist", () => {
  expect(files.length).toBe(3);
});

test.each(files)("%s has a row on each line", (file) => {
  const text = readFileSync(join(root, file), "utf8");

  expect(text).toBe(renderMeasuredRows(JSON.parse(text)));
});
