import { addressWarnings, findAddresses } from "../../functions/folders/address-warnings.ts";
import { contentTypeOf, isHtml } from "../../functions/folders/content-type.ts";
import { toPackedFile } from "../../functions/folders/pack-folder.ts";
import { Mistakes } from "../../functions/folders/page-check.ts";
import { type BuiltArtefact, filesOf } from "./build.ts";
import { realMistakes } from "./real-mistakes.ts";

/** A page of an artefact, with the warnings that publishing the page would return. */
type CheckedPage = ReturnType<typeof checkPages>[number];

/** Checks each page of an artefact, as the service does on publication. An artefact with only one file is checked as a single page. */
export function checkPages(artefact: Pick<BuiltArtefact, "name" | "directory">) {
  const files = filesOf(artefact).map(toPackedFile);
  const named = files.map(({ bytes: _bytes, ...file }) => file);
  return files
    .filter(({ path }) => isHtml(contentTypeOf(path)))
    .map((page) => {
      const checked = named.map((file) => (file.path === page.path ? page : file));
      const warnings =
        files.length === 1
          ? warningsOfSingle(Buffer.from(page.bytes ?? []).toString("latin1"))
          : addressWarnings(findAddresses(checked, false, isOwnHost), false);
      return { artefact: artefact.name, path: page.path, warnings };
    });
}

const isOwnHost = () => false;

function warningsOfSingle(text: string): readonly string[] {
  const mistakes = new Mistakes();
  mistakes.check({ text, isOwnHost });
  return mistakes.warnings();
}

/** Finds warnings without an entry in `realMistakes`, and entries for built artefacts that match no warning. */
export function judgeWarnings(pages: readonly CheckedPage[]) {
  const unused = new Set(
    realMistakes.filter((real) => pages.some(({ artefact }) => artefact === real.artefact)),
  );
  const falseWarnings = pages.flatMap(({ artefact, path, warnings }) =>
    warnings.flatMap((warning) => {
      const line = `${path}: ${warning}`;
      const real = realMistakes.find((one) => one.artefact === artefact && one.pattern.test(line));
      if (real === undefined) return `${artefact}: ${line}`;
      unused.delete(real);
      return [];
    }),
  );
  return { falseWarnings, unusedJudgements: [...unused].map((one) => `${one.artefact}: ${one.pattern}`) };
}

/** Counts pages with warnings and pages with false warnings. Returns the counts as text for people, and as data for docs/measured/corpus.json. */
export function reportPages(pages: readonly CheckedPage[]) {
  const checked = pages.length;
  const warned = pages.filter(({ warnings }) => warnings.length > 0).length;
  const { falseWarnings } = judgeWarnings(pages);
  const falselyWarned = pages.filter((page) => judgeWarnings([page]).falseWarnings.length > 0).length;
  const share = ((100 * falselyWarned) / Math.max(1, checked)).toFixed(2);
  const counts = `${warned} of ${checked} pages have warnings, ${falselyWarned} have false warnings (${share} %)`;
  const summary = [...falseWarnings, counts].join("\n");
  return { summary, data: { pages: { checked, warned, falselyWarned } } };
}
