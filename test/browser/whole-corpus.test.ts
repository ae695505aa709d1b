// @module-tag nightly
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { reportOf } from "../../scripts/corpus/report.ts";
import { measureHere, regressionsOf } from "../support/corpus.ts";

/** Number of artefacts that a machine can build with only Node. */
const artefactsMin = 60;
const wholeMs = 45 * 60 * 1000;

test(
  "engineers' pages look as on a plain server: at least 92 % in the viewer, 97 % raw",
  async () => {
    const { measured, log } = await measureHere(artefacts);
    const { rates } = reportOf(measured).data;

    expect(measured.length, log).toBeGreaterThanOrEqual(artefactsMin);
    expect(regressionsOf(measured), log).toEqual([]);
    expect(rates.viewer, log).toBeGreaterThanOrEqual(0.92);
    expect(rates.raw, log).toBeGreaterThanOrEqual(0.97);
  },
  wholeMs,
);
