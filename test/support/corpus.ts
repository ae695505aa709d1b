import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { Artefact } from "../../scripts/corpus/artefact.ts";
import { worseOf } from "../../scripts/corpus/compare.ts";
import { launchCorpusBrowser } from "../../scripts/corpus/corpus-browser.ts";
import type { MeasuredArtefact, MeasureOptions } from "../../scripts/corpus/measure.ts";
import type { CorpusReport } from "../../scripts/corpus/report.ts";
import { buildAll, measureAll } from "../../scripts/corpus/run.ts";
import { newAccount } from "./accounts.ts";
import { baseUrl } from "./http.ts";

/** Builds artefacts and measures them in the viewer and raw, on the service under test. */
export async function measureHere(
  artefacts: readonly Artefact[],
  options: Pick<MeasureOptions, "measuredWidths"> = {},
): Promise<{ readonly measured: readonly MeasuredArtefact[]; readonly log: string }> {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const built = await buildAll(artefacts, log);
  const { api } = await newAccount("corpus");
  const browser = await launchCorpusBrowser();
  try {
    const service = { address: baseUrl(), token: api.token ?? "" };
    const measured = await measureAll(
      built,
      service,
      { ...options, browser, measuredWays: ["viewer", "raw"] },
      log,
    );
    return { measured, log: lines.join("\n") };
  } finally {
    await browser.close();
  }
}

/** Results that are worse than in docs/measured/corpus.json. */
export function regressionsOf(measured: readonly MeasuredArtefact[]): string[] {
  const file = readFileSync(join(projectDirectory, "docs/measured/corpus.json"), "utf8");
  const { artefacts }: CorpusReport["data"] = JSON.parse(file);
  return measured.flatMap(({ name, results }) => {
    const before = artefacts.find((one) => one.name === name)?.results;
    if (before === undefined)
      return [`${name} is not in docs/measured/corpus.json: npm run corpus writes it`];
    return (["viewer", "raw"] as const).flatMap((way) => {
      const [was = "same", is = "same"] = [before[way], results[way]];
      return worseOf(was, is) === was ? [] : [`${name} in ${way} is ${is} and was ${was}`];
    });
  });
}
