import type { Findings, Section } from "../section.ts";
import { blobLoad, pageLoad } from "./ingest-load.ts";
import { measureIngest } from "./ingest-memory.ts";

/** A quarter of a Web Function's environment, and half of the container: the rest is for twice as many that are refused. */
const targetMebibytes = 512;

/** What the server for large bodies takes under the most that one of it is sent. */
export const ingestSection: Section = {
  name: "ingest",
  title: "Memory of the server for large bodies",
  minutes: 1,
  async measure(): Promise<Findings> {
    const results = await measureIngest([blobLoad(64, true), blobLoad(64, false), pageLoad(64)]);
    return {
      table: {
        columns: ":at once | resident MiB | target | :verdict | seconds",
        rows: results.map(({ load, residentMebibytesMax, seconds }) => [
          load.name,
          residentMebibytesMax.toFixed(0),
          String(targetMebibytes),
          residentMebibytesMax < targetMebibytes ? "within" : "over",
          seconds.toFixed(1),
        ]),
      },
      notes: [
        "The peak of the process's resident memory, each row with a process of its own, in the local cloud.",
      ],
    };
  },
};
