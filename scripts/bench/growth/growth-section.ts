import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Findings, Section } from "../section.ts";
import { connections } from "../throughput/load.ts";
import type { GrowthRow } from "./growth-process.ts";

/** How much slower the largest may be than the smallest. */
const slowerMax = 1.25;

/** What becomes slower as an account, a drop or the service grows. */
export const growthSection: Section = {
  name: "growth",
  title: "Requests per second as the data grows",
  minutes: 2,
  async measure(): Promise<Findings> {
    const program = new URL("./growth-process.ts", import.meta.url);
    const rows = await measureInStack<GrowthRow[]>(program);
    return {
      table: {
        columns: `:request | :of how many | first | second | third | slower (≤ ${slowerMax})`,
        rows: rows.map(toRow),
      },
      notes: [
        `Through the local cloud, ${connections} connections, as in the table of requests per second.`,
        `Target: at most ${slowerMax} times slower at the most that there may be than with one. A list of drops reads every drop of the account, 500 at most, and answers with as many as are asked for: docs/adr/0037-a-list-without-an-index.md. A list of versions answers with all of them, and the viewer has all of them to pick from.`,
      ],
    };
  },
};

function toRow({ request, of, sizes, perSecond }: GrowthRow): string[] {
  const slower = (perSecond[0] ?? Number.NaN) / (perSecond.at(-1) ?? Number.NaN);
  return [
    request,
    `${sizes.map((size) => size.toLocaleString("en")).join(", ")} ${of}`,
    ...perSecond.map((value) => value.toFixed(0)),
    `${slower.toFixed(2)}${slower > slowerMax ? " (over)" : ""}`,
  ];
}
