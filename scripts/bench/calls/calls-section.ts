import { type OperationId, operationIds, routeOf } from "../../../functions/routes.ts";
import { documentOperationIds, servedOperationIds } from "../../../lib/bundle/function-source.ts";
import type { Findings, Section } from "../section.ts";
import { measureInStack } from "./measure-in-stack.ts";
import { type MeasuredCall, sumUp } from "./measured-call.ts";

/** The data for other pages, such as one about costs. */
const dataFile = "docs/measured/calls.json";

/** Round trips in sequence, warm, at most. */
const roundTripsMax: Partial<Record<OperationId, number>> = {
  "publish-drop": 3,
  "publish-version": 4,
  "read-raw-page": 3,
  // The token, the account, who that is; index and drops, up to three times.
  "list-library": 9,
  // The token and the last number; then the comments, their threads, their drops, and a page to find a passage in.
  "list-feedback": 6,
};
const authenticatedReadRoundTripsMax = 2;

/** How often an operation asks AWS, and what that is billed as. */
export const callsSection: Section = {
  name: "calls",
  title: "Round trips and requests per call",
  minutes: 1,
  async measure(): Promise<Findings> {
    const calls = await measureInStack<MeasuredCall[]>(new URL("./call-process.ts", import.meta.url));
    const measured = new Set(calls.map(({ operation }) => operation));
    const others = [...servedOperationIds, ...documentOperationIds].filter((id) => !measured.has(id));
    // Nothing to count: their rows grant them nothing.
    const silent = others.filter((id) => Object.keys(routeOf(id).grants).length === 0);
    const missing = others.filter((id) => !silent.includes(id));
    const allCalls = [...calls, ...silent.map((id) => sumUp(id, "", []))];
    return {
      table: {
        columns: ":operation | :which | in sequence | target | RCU | WCU | S3 PUT | S3 GET | SQS | :commands",
        rows: calls.toSorted(byOperation).map(toRow),
      },
      notes: [
        "Counted at the SDK, warm: connections open, secrets in memory, the token's minute open. **In sequence** is the longest chain of commands that wait for one another. `!` marks a command that was refused because its condition did not hold. The first write of a token's minute costs one update more, and the first calls of a new execution environment a read of each secret. Sign-in is without the identity provider's own calls.",
        "The drops here have a title, a description and three pairs of metadata, and are smaller than 1 KB: capacity grows with them. Views are counted later, one write of the table for each drop and batch.",
        `Without a row, since they may ask AWS for nothing: ${silent.join(", ")}.`,
        ...(missing.length === 0 ? [] : [`**Not measured:** ${missing.join(", ")}.`]),
      ],
      dataFiles: { [dataFile]: allCalls.toSorted(byOperation) },
    };
  },
};

function byOperation(one: MeasuredCall, other: MeasuredCall): number {
  return operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation);
}

function toRow(call: MeasuredCall): string[] {
  const targetMax = targetOf(call);
  const isOver = targetMax !== undefined && call.sequentialRoundTrips > targetMax;
  return [
    call.operation,
    call.variant,
    `${call.sequentialRoundTrips}${isOver ? " (over)" : ""}`,
    targetMax === undefined ? "" : String(targetMax),
    String(call.readUnits),
    String(call.writeUnits),
    String(call.s3Writes),
    String(call.s3Reads),
    String(call.queueMessages),
    call.commands.join(", "),
  ];
}

function targetOf({ operation, commands }: MeasuredCall): number | undefined {
  // Not warm: a window opens.
  if (commands.some((command) => command.endsWith("!"))) return undefined;
  const { caller, method } = routeOf(operation);
  return (
    roundTripsMax[operation] ??
    (caller === "token" && method === "GET" ? authenticatedReadRoundTripsMax : undefined)
  );
}
