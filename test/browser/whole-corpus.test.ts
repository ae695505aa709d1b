// @module-tag nightly
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { reportOf } from "../../scripts/corpus/report.ts";
import { measureHere, regressionsOf } from "../support/corpus.ts";

/** Artefacts that a machine with Node alone builds. */
const artefactsMin = 60;
const wholeMs = 45 * 60 * 1000;

test(
  "engineers' pages look as on a plain server: 92 of 100 artefacts in the viewer, 97 raw",
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
