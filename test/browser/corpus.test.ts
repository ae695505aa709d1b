// @module-tag slow
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { measureHere, regressionsOf } from "../support/corpus.ts";
import { longMs } from "../support/patience.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";

const light = artefacts.filter(({ isLight }) => isLight);

// Every second artefact before a change lands, the others at night.
for (const { cases, options } of slowAndNightly(light, (one) => light.indexOf(one) % 2 === 0))
  test(`pages of ${cases.length} engineers' tools look no worse on a phone than docs/measured/corpus.json says`, {
    ...options,
    timeout: longMs,
  }, async () => {
    const { measured, log } = await measureHere(cases, { measuredWidths: [390] });

    expect(measured.map(({ name }) => name).sort(), log).toEqual(cases.map(({ name }) => name).sort());
    expect(regressionsOf(measured), log).toEqual([]);
  });
