import { collectFromChanges, type TableChange, type TableListener } from "../background/table-change.ts";
import { indexSoon } from "./index-soon.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Listens to the table's stream. Queues changed drops. The indexer reads the drops' state later. */
export const searchListener: TableListener = {
  feature: "search",
  onTableChange(changes) {
    const findings = collectFromChanges("search", changes, readChangedDrop);
    const bySlug = Map.groupBy(findings, ({ found }) => found.slug);
    const sources = findings.map(({ change }) => change);
    const places = [...bySlug.values()].flatMap((found) => found.at(-1)?.found ?? []);
    return places.length === 0 ? [] : [{ sources, run: () => indexSoon(places) }];
  },
};

/** Reads the drop from a change that affects search. Each change by the owner increases the drop's revision. */
function readChangedDrop({ subject, before, after }: TableChange): IndexedPlace | undefined {
  if (subject?.kind !== "drop") return undefined;
  const isChanged = before === undefined || after === undefined || before.revision !== after.revision;
  return isChanged ? { ownerId: subject.userId, slug: subject.slug } : undefined;
}
