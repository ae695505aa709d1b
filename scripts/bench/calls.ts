import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { documentOperationIds, servedOperationIds } from "../../lib/bundle/function-source.ts";
import { asksAws } from "../../test/faults/asking.ts";
import { callOperation, callUnmeasured, type Walk } from "../../test/support/operation-caller.ts";
import {
  countInSequence,
  type RecordedCommand,
  recordCommands,
} from "../../test/support/recorded-commands.ts";
import { walkEverything } from "./call-walk.ts";
import { signIn } from "./people-walk.ts";
import type { Section } from "./section.ts";
import { measureInStack } from "./stack.ts";

/** AWS usage of one call of an operation, without the request that makes the call. */
export interface MeasuredCall {
  readonly operation: OperationId;
  /** Variant of the call. Empty for the usual call. */
  readonly variant: string;
  /** Number of sequential round trips to AWS. */
  readonly sequentialRoundTrips: number;
  /** Consumed read capacity units of the table. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Number of PUT, COPY, POST and LIST requests to S3. GET and other requests have a lower price. DELETE is free. */
  readonly s3Writes: number;
  readonly s3Reads: number;
  /** AWS SDK commands in the order in which they ended. `!` marks a command whose condition failed. */
  readonly commands: readonly string[];
}

/** Calls that docs/benchmarks.md shows: the operation, followed by the variant if it is not empty. */
const shown =
  "publish-drop,publish-version,get-drop,list-drops 20 of 500 drops,view-drop,read-raw-page,unlock-drop," +
  "complete-sign-in known account,show-owner-page 500 drops,list-feedback 1 comment";

/** Counts the AWS calls and billed units of each operation in a warm function. */
export const callsSection = {
  name: "calls",
  minutes: 2,
  async measure() {
    const calls = await measureInStack<MeasuredCall[]>(new URL(import.meta.url), "measureCalls");
    const measured = new Set(calls.map(({ operation }) => operation));
    const others = [...servedOperationIds, ...documentOperationIds].filter((id) => !measured.has(id));
    const withoutAws = others.filter((id) => !asksAws(routeOf(id)));
    const rankOf = ({ operation }: MeasuredCall) => operationIds.indexOf(operation);
    const all = [...calls, ...withoutAws.map((id) => summarizeCommands(id, "", []))];
    const data = all.toSorted((one, other) => rankOf(one) - rankOf(other));
    const tableOf = (some: readonly MeasuredCall[]) => ({
      columns: ":operation | :which | round trips | read units | write units | S3 PUT | S3 GET",
      rows: some.map(({ operation, variant, sequentialRoundTrips: trips, ...units }) => {
        const numbers = [trips, units.readUnits, units.writeUnits, units.s3Writes, units.s3Reads];
        return [operation, variant, ...numbers.map(String)];
      }),
    });
    const isShown = (call: MeasuredCall) =>
      shown.split(",").includes(`${call.operation} ${call.variant}`.trim());
    return {
      table: tableOf(data.filter(({ operation }) => measured.has(operation))),
      shown: tableOf(data.filter(isShown)),
      data,
      missing: others.filter((id) => !withoutAws.includes(id)),
    };
  },
} satisfies Section;

/**
 * Calls every operation in this process, and measures each call. Needs the environment of the stack's functions.
 * @public - called by name in a child process
 */
export async function measureCalls(): Promise<MeasuredCall[]> {
  const measured: MeasuredCall[] = [];
  const take = recordCommands();
  const walk: Walk = async (id, variant, call = {}) => {
    take();
    const response = await callOperation(id, call);
    measured.push(summarizeCommands(id, variant, take()));
    return response;
  };
  // Signs in first, so that the secrets are in memory, as in a warm function.
  await signIn(callUnmeasured, "warm");
  await walkEverything(walk);
  return measured;
}

/** Matches commands that consume read capacity. All other commands on the table consume write capacity. */
const tableReads = /^(BatchGetItem|GetItem|Query|Scan|TransactGetItems)$/;
/** Matches commands with the higher price; see "Requests & data retrievals", Amazon S3 pricing. */
const s3Writes = /^(CopyObject|ListObjectsV2|PutObject|UploadPart|(Complete|Create)MultipartUpload)$/;
const s3Reads = /^(GetObject|HeadObject)$/;

/** Adds up the AWS usage of the commands of one call. */
function summarizeCommands(
  operation: OperationId,
  variant: string,
  commands: readonly RecordedCommand[],
): MeasuredCall {
  const units = (isRead: boolean) => {
    const matching = commands.filter(({ name }) => tableReads.test(name) === isRead);
    return matching.reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);
  };
  const count = (names: RegExp) => commands.filter(({ name }) => names.test(name)).length;
  return {
    operation,
    variant,
    sequentialRoundTrips: countInSequence(commands),
    readUnits: units(true),
    writeUnits: units(false),
    s3Writes: count(s3Writes),
    s3Reads: count(s3Reads),
    commands: commands.map(({ name, succeeded }) => (succeeded ? name : `${name}!`)),
  };
}
