import type { Verdict } from "./compare.ts";
import type { MeasuredArtefact } from "./measure.ts";
import { wayNames } from "./visit.ts";

/** Report of a run: a summary in words, and the data for docs/measured/corpus.json. */
export type CorpusReport = ReturnType<typeof reportOf>;

/** Describes an artefact's results. Lists each reason once, with the ways and widths where it occurred. */
export function progressOf({ name, results, differences, refusal, undone = [] }: MeasuredArtefact): string {
  const places = new Map<string, string[]>();
  for (const { way, width, reasons, notices } of differences)
    for (const reason of [...reasons, ...notices.map((notice) => `notice: ${notice}`)])
      places.set(reason, [...(places.get(reason) ?? []), `${way} ${width}`]);
  const verdicts = Object.entries(results).map((result) => result.join(" "));
  const lines = [...places].map(([reason, seen]) => `  ${reason}  [${seen.join(", ")}]`);
  if (refusal !== undefined) lines.push(`  refused: ${refusal}`);
  const failed = undone.map((one) => `  failed on the plain page too: ${one}`);
  return [`${name}: ${verdicts.join(", ")}`, ...lines, ...failed].join("\n");
}

/** Merges the results of a run into an earlier run's results. New results replace old ones. */
export function mergeRuns(
  before: readonly MeasuredArtefact[],
  now: readonly MeasuredArtefact[],
): MeasuredArtefact[] {
  const merged = new Map(before.map((artefact) => [artefact.name, artefact]));
  for (const artefact of now) {
    const earlier = merged.get(artefact.name);
    const kept = earlier?.differences.filter(({ way }) => !(way in artefact.results)) ?? [];
    merged.set(artefact.name, {
      ...artefact,
      results: { ...earlier?.results, ...artefact.results },
      differences: [...kept, ...artefact.differences],
    });
  }
  return [...merged.values()];
}

/** Counts the artefacts that look the same as on the plain server, for each way in which they were measured. */
export function reportOf(measured: readonly MeasuredArtefact[]) {
  const artefacts = [...measured].sort((one, other) => (one.name < other.name ? -1 : 1));
  const count = (way: (typeof wayNames)[number], verdict: Verdict) =>
    artefacts.filter(({ results }) => results[way] === verdict).length;
  const rates: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const measuredWays = wayNames.filter((way) => artefacts.some(({ results }) => way in results));
  const lines = measuredWays.map((way) => {
    const all = artefacts.filter(({ results }) => way in results).length;
    const share = count(way, "same") / all;
    counts[way] = all;
    rates[way] = Math.round(share * 1000) / 1000;
    const rest = `${count(way, "style")} differ only in style, ${count(way, "different")} differ otherwise`;
    return `${way}: ${(share * 100).toFixed(1)} % of ${all} are the same, ${rest}`;
  });
  return { summary: lines.join("\n"), data: { rates, counts, artefacts } };
}
