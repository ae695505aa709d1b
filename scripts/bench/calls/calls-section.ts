import { operationIds, routeOf } from "../../../functions/routes.ts";
import { documentOperationIds, servedOperationIds } from "../../../lib/bundle/function-source.ts";
import { asksAws } from "../../../test/faults/asking.ts";
import type { Section } from "../section.ts";
import { measureInStack } from "./measure-in-stack.ts";
import { type MeasuredCall, summarizeCommands } from "./measured-call.ts";
import { measurePublicationWakes, type PublicationWake } from "./publication-wakes.ts";

/**
 * Counts the calls to AWS of each operation, warm, and the units that AWS bills for them; and measures publications with all that follows
 * them.
 */
export const callsSection = {
  name: "calls",
  minutes: 4,
  async measure() {
    const wakes = await measurePublicationWakes();
    const module = new URL("./call-walk.ts", import.meta.url);
    const calls = await measureInStack<MeasuredCall[]>(module, "measureCalls");
    const measured = new Set(calls.map(({ operation }) => operation));
    const others = [...servedOperationIds, ...documentOperationIds].filter((id) => !measured.has(id));
    const withoutAws = others.filter((id) => !asksAws(routeOf(id)));
    const data = [...calls, ...withoutAws.map((id) => summarizeCommands(id, "", []))].toSorted(byOperation);
    return {
      table: {
        columns: ":operation | :which | round trips | read units | write units | S3 PUT | S3 GET",
        rows: calls
          .toSorted(byOperation)
          .map((call) => [
            call.operation,
            call.variant,
            ...[call.sequentialRoundTrips, call.readUnits, call.writeUnits, call.s3Writes, call.s3Reads].map(
              String,
            ),
          ]),
      },
      data,
      missing: others.filter((id) => !withoutAws.includes(id)),
      others: { publications: { table: tableOf(wakes), data: wakes } },
    };
  },
} satisfies Section;

function tableOf(wakes: readonly PublicationWake[]) {
  return {
    columns: ":publication | functions ms | goal ms | :of which | local cloud ms",
    rows: wakes.map(({ publication, functionsMs, goalMs, msByFunction, localCloudMs }) => [
      publication,
      String(functionsMs),
      String(goalMs),
      Object.entries(msByFunction)
        .map(([name, ms]) => `${name} ${ms}`)
        .join(", "),
      String(localCloudMs),
    ]),
  };
}

/** Sorts measurements in the order of the routes. */
export function byOperation(
  one: Pick<MeasuredCall, "operation">,
  other: Pick<MeasuredCall, "operation">,
): number {
  return operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation);
}
