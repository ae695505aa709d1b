import type { OperationId } from "../../../functions/routes.ts";
import { countInSequence, type RecordedCommand } from "./recorded-command.ts";

/** Cost of one call of an operation at AWS, without the request itself. */
export interface MeasuredCall {
  readonly operation: OperationId;
  /** Variant of the call; empty for the usual one. */
  readonly variant: string;
  /** Round trips to AWS that wait for one another. */
  readonly sequentialRoundTrips: number;
  /** Capacity units of the table. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** S3's two prices: PUT, COPY, POST and LIST; GET and all others. DELETE is free. */
  readonly s3Writes: number;
  readonly s3Reads: number;
  readonly queueMessages: number;
  readonly secretReads: number;
  /** The commands in the order of their ends; `!` marks those whose condition did not hold. */
  readonly commands: readonly string[];
}

/** Commands whose capacity is read capacity. */
const tableReads = new Set(["BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"]);
/** Amazon S3 pricing, "Requests & data retrievals". */
const s3Writes = new Set([
  "CompleteMultipartUpload",
  "CopyObject",
  "CreateMultipartUpload",
  "ListObjectsV2",
  "PutObject",
  "UploadPart",
]);
const s3Reads = new Set(["GetObject", "HeadObject"]);

/** Sums up the commands that one call made. */
export function summarizeCommands(
  operation: OperationId,
  variant: string,
  commands: readonly RecordedCommand[],
): MeasuredCall {
  const units = (isRead: boolean) =>
    commands
      .filter(({ name }) => tableReads.has(name) === isRead)
      .reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);
  const count = (names: ReadonlySet<string>) => commands.filter(({ name }) => names.has(name)).length;
  return {
    operation,
    variant,
    sequentialRoundTrips: countInSequence(commands),
    readUnits: units(true),
    writeUnits: units(false),
    s3Writes: count(s3Writes),
    s3Reads: count(s3Reads),
    queueMessages: count(new Set(["SendMessage"])),
    secretReads: count(new Set(["GetParameter"])),
    commands: commands.map(({ name, succeeded }) => (succeeded ? name : `${name}!`)),
  };
}
