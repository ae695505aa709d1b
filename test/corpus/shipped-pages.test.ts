// @module-tag nightly
import { expect, test } from "vitest";
import { artefacts } from "../../scripts/corpus/artefacts/artefacts.ts";
import { shippedPages } from "../../scripts/corpus/artefacts/shipped-pages.ts";
import { checkPages, judgeWarnings } from "../../scripts/corpus/page-warnings.ts";
import { buildAll } from "../../scripts/corpus/run.ts";

const builtMs = 20 * 60 * 1000;

test(
  "a thousand pages from tools and packages have no false warnings",
  async () => {
    const lines: string[] = [];
    const byNpm = artefacts.filter(({ programs }) => programs === undefined);

    const built = await buildAll([...byNpm, ...shippedPages], (line) => lines.push(line));
    const pages = built.flatMap(checkPages);

    const log = lines.join("\n");
    expect(
      built.map(({ name }) => name),
      log,
    ).toEqual(expect.arrayContaining(shippedPages.map(({ name }) => name)));
    expect(pages.length, log).toBeGreaterThanOrEqual(1_000);
    expect(judgeWarnings(pages), log).toEqual({ falseWarnings: [], unusedJudgements: [] });
  },
  builtMs,
);
