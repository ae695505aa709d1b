import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { type Command, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { findDifference, readIndexedDrops, setRight } from "./library-index.ts";

/** `reindex` */
export const reindexCommand: Command = {
  usage: serviceUsage,
  summary: "compares the library's index with whom drops are for",
  help: `
The library lists what somebody may read by an index, which the service keeps by itself: seconds after each change. It has nothing
of what was published before there was an index. This compares it with all drops, and reads the whole table. May be run at any
time, and again: what changes meanwhile is looked at anew. A drop that is missing in it is not listed for those whom it is for; one
that is too much in it is listed for nobody.

  --fix            sets right what differs${serviceHelp}`,
  options: { ...serviceOptions, fix: { type: "boolean" } },
  async run({ words, options }, terminal) {
    if (words.length > 0) throw new UsageError("There is nothing to say but which service.");
    const service = await openService({ words, options });
    const fix = options.fix === true;
    if (fix) await appendToAudit(await operatorAct(service, "reindex"), {});
    const seen = await readIndexedDrops();
    let [missing, stale] = [0, 0];
    for (const drop of seen) {
      const difference = fix ? await setRight(drop) : await findDifference(drop);
      missing += difference.missing.length;
      stale += difference.stale.length;
    }
    const suffix = fix ? ", set right" : "";
    terminal.print(`Entries missing: ${missing}, too many: ${stale}${suffix}.`);
    return fix || missing + stale === 0;
  },
};
