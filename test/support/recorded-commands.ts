import { ConditionalCheckFailedException, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** One command that was sent to AWS. */
export interface RecordedCommand {
  /** Such as `UpdateItem`. */
  readonly name: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** False if AWS rejected it, for example because a condition failed. */
  readonly succeeded: boolean;
  /** Read or write units of the table. */
  readonly capacityUnits: number;
}

/** A command of the SDK. A command of the document client sends another one. */
interface Command {
  readonly input: object;
  readonly clientCommand?: object;
}

interface SdkClient {
  send(command: Command, ...rest: unknown[]): Promise<unknown>;
}

/** The base class of all SDK clients. Patching it also records commands of clients that a module does not export. */
const baseClass = Object.getPrototypeOf(DynamoDBClient.prototype) as SdkClient;

/**
 * Write units of a failed condition, which DynamoDB does not report. It charges a unit for each kilobyte of the item;
 * here no item with conditions is larger than one.
 *
 * Source: Amazon DynamoDB developer guide, "Capacity units consumed by conditional writes".
 */
const refusedWriteUnits = 1;

/** Records all further commands of this process. The returned function gives the commands since its last call. */
export function recordCommands(): () => RecordedCommand[] {
  const recorded: RecordedCommand[] = [];
  const { send } = baseClass;
  baseClass.send = async function sendRecorded(command, ...rest) {
    if (this instanceof DynamoDBDocumentClient)
      Object.assign(command.input, { ReturnConsumedCapacity: "TOTAL" });
    const name = (command.clientCommand ?? command).constructor.name.replace(/Command$/, "");
    const startedAtMs = performance.now();
    try {
      const response = await send.call(this, command, ...rest);
      const endedAtMs = performance.now();
      const capacityUnits = unitsOf(response);
      recorded.push({ name, startedAtMs, endedAtMs, succeeded: true, capacityUnits });
      return response;
    } catch (error) {
      const endedAtMs = performance.now();
      const capacityUnits = error instanceof ConditionalCheckFailedException ? refusedWriteUnits : 0;
      recorded.push({ name, startedAtMs, endedAtMs, succeeded: false, capacityUnits });
      throw error;
    }
  };
  return () => recorded.splice(0);
}

/** Largest number of commands that do not overlap: a command that waits for another starts after its end. */
export function countInSequence(commands: readonly RecordedCommand[]): number {
  let count = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const command of commands.toSorted((one, other) => one.endedAtMs - other.endedAtMs)) {
    if (command.startedAtMs < lastEndMs) continue;
    count += 1;
    lastEndMs = command.endedAtMs;
  }
  return count;
}

function unitsOf(response: unknown): number {
  const { ConsumedCapacity: consumed } = (response ?? {}) as { ConsumedCapacity?: unknown };
  const all = (consumed === undefined ? [] : [consumed].flat()) as { readonly CapacityUnits?: number }[];
  return all.reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}
