import { type IndexSize, readIndexSize, searchedDropsMax } from "../../../functions/search/index-size.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { defineCommand } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { correctLibraryEntries, findDifference, readIndexedDrops } from "./library-index.ts";
import { findSearchGaps, indexDrops, resetUnreadableIndex } from "./search-index.ts";

/** `reindex` */
export const reindexCommand = defineCommand({
  name: "reindex",
  summary: "compares the library's index, or that of search, with the drops",
  details: `
The service updates the index seconds after each change. It lacks drops that were published before the index existed. A missing entry
hides a drop from the library of its readers; a surplus entry is never shown. Reads the whole table. Run it at any time.

With --search: the index of full-text search. Changes of the last seconds may still wait for it. After an upgrade from a version without search, run it once with --fix.`,
  options: {
    ...serviceOptions,
    fix: { type: "boolean", help: "corrects the index" },
    search: { type: "boolean", help: "the index of full-text search" },
  },
  async run({ options }, terminal) {
    const service = await openService(options);
    const { fix, search } = options;
    if (fix) await appendToAudit(await operatorAct(service, "reindex"), {});
    if (search) return reindexSearch(fix, terminal);
    const seen = await readIndexedDrops();
    let [missing, stale] = [0, 0];
    for (const drop of seen) {
      const difference = fix ? await correctLibraryEntries(drop) : await findDifference(drop);
      missing += difference.missing.length;
      stale += difference.stale.length;
    }
    const suffix = fix ? ", set right" : "";
    terminal.print(`Entries missing: ${missing}, too many: ${stale}${suffix}.`);
    return fix || missing + stale === 0;
  },
});

async function reindexSearch(fix: boolean, terminal: Terminal): Promise<boolean> {
  if (fix && (await resetUnreadableIndex()))
    terminal.print("The index could not be read, and is built anew.");
  for (const line of describeIndexSize(await readIndexSize())) terminal.print(line);
  const { missing, outdated, surplus } = await findSearchGaps(Date.now());
  terminal.print(
    `Drops missing: ${missing.length}, outdated: ${outdated.length}, gone but indexed: ${surplus.length}.`,
  );
  const places = [...missing, ...outdated, ...surplus];
  if (!fix) return places.length === 0;
  await indexDrops(places, (done) => terminal.print(`Indexed ${done} of ${places.length}.`));
  return true;
}

/** Lines about the size of the search index, with a warning before search is slow. */
export function describeIndexSize({ entries, megabytes, isNearBound }: IndexSize): string[] {
  const size = `Search index: ${entries.toLocaleString("en-US")} entries, ${megabytes} MB.`;
  if (!isNearBound) return [size];
  const bound = searchedDropsMax.toLocaleString("en-US");
  return [size, `Search gets slow above ${bound} drops: docs/adr/0101-full-text-search.md.`];
}
