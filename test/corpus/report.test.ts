import { expect, test } from "vitest";
import type { MeasuredArtefact } from "../../scripts/corpus/measure.ts";
import { reportOf } from "../../scripts/corpus/report.ts";

const measured = (name: string, results: MeasuredArtefact["results"]): MeasuredArtefact => ({
  name,
  source: "its own files",
  kind: "report",
  results,
  differences: [],
  warnings: [],
});

test("a path's rate covers only the artefacts that were measured in it", () => {
  const { summary, data } = reportOf([
    measured("a", { viewer: "same", locked: "same" }),
    measured("b", { viewer: "different" }),
  ]);

  expect(data.rates).toEqual({ viewer: 0.5, locked: 1 });
  expect(data.counts).toEqual({ viewer: 2, locked: 1 });
  expect(summary).toContain("locked: 100.0 % of 1 are the same");
});
