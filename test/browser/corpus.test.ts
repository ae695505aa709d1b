// @module-tag slow
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { measureHere, regressionsOf } from "../support/corpus.ts";
import { longMs } from "../support/patience.ts";

test(
  "what a dozen of engineers' tools make looks no worse on a phone than docs/measured/corpus.json says",
  async () => {
    const light = artefacts.filter(({ isLight }) => isLight);

    const { measured, log } = await measureHere(light, { measuredWidths: [390] });

    expect(measured.map(({ name }) => name).sort(), log).toEqual(light.map(({ name }) => name).sort());
    expect(regressionsOf(measured), log).toEqual([]);
  },
  longMs,
);
