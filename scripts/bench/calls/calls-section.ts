import { operationIds, routeOf } from "../../../functions/routes.ts";
import { documentOperationIds, servedOperationIds } from "../../../lib/bundle/function-source.ts";
import { asksAws } from "../../../test/faults/asking.ts";
import type { Section } from "../section.ts";
import { measureInStack } from "./measure-in-stack.ts";
import { type MeasuredCall, summarizeCommands } from "./measured-call.ts";

/** Counts the calls to AWS of each operation, warm, and the units that AWS bills for them. */
export const callsSection = {
  name: "calls",
  minutes: 1,
  async measure() {
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
    };
  },
} satisfies Section;

/** Sorts measurements in the order of the routes. */
export function byOperation(
  one: Pick<MeasuredCall, "operation">,
  other: Pick<MeasuredCall, "operation">,
): number {
  return operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation);
}
