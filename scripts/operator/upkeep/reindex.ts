import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { defineCommand } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { correctLibraryEntries, findDifference, readIndexedDrops } from "./library-index.ts";

/** `reindex` */
export const reindexCommand = defineCommand({
  name: "reindex",
  summary: "compares the library's index with the drops",
  details: `
The service updates the index seconds after each change. It lacks drops that were published before the index existed. A missing entry
hides a drop from the library of its readers; a surplus entry is never shown. Reads the whole table. Run it at any time.`,
  options: { ...serviceOptions, fix: { type: "boolean", help: "corrects the index" } },
  async run({ options }, terminal) {
    const service = await openService(options);
    const { fix = false } = options;
    if (fix) await appendToAudit(await operatorAct(service, "reindex"), {});
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
