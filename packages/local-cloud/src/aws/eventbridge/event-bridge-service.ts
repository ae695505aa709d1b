import { AwsError } from "../aws-error.ts";
import type { Access, AwsService } from "../aws-service.ts";
import { createJsonService, type JsonInput, parseJsonObject } from "../json-protocol.ts";
import type { EventBus } from "./event-bus.ts";

const busArn = "arn:aws:events:us-east-1:000000000000:event-bus/default";

/** Maximum number of entries in a request, and their maximum total size in bytes; see "PutEvents", Amazon EventBridge API reference. */
const entriesMax = 10;
const entriesBytesMax = 256 * 1024;

type EntryResult =
  | { readonly EventId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

/** Serves PutEvents of Amazon EventBridge, on the account's default bus. */
export function createEventBridgeService(bus: EventBus): AwsService {
  return createJsonService({
    signingName: "events",
    targetPrefix: "AWSEvents",
    bodyBytesMax: 2 * 1024 * 1024,
    operations: {
      PutEvents(input) {
        const results = readEntries(input).map((entry) => put(bus, entry));
        const FailedEntryCount = results.filter((result) => "ErrorCode" in result).length;
        return { FailedEntryCount, Entries: results };
      },
    },
    accessesOf: (_, input) => readEntries(input).map(accessOf),
  });
}

function readEntries({ Entries: entries }: JsonInput): readonly JsonInput[] {
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > entriesMax) {
    const count = Array.isArray(entries) ? entries.length : 0;
    throw invalid(`The value at 'entries' has ${count} members, but must have 1 to ${entriesMax}.`);
  }
  const bytes = entries.reduce((sum: number, entry: JsonInput) => sum + bytesOf(entry), 0);
  if (bytes > entriesBytesMax) throw invalid(`Total size of the entries in the request is over the limit.`);
  const other = entries.find(({ EventBusName: name }) => name !== undefined && name !== "default");
  if (other)
    throw invalid(`The local cloud has only the event bus default, not ${String(other.EventBusName)}.`);
  return entries;
}

/** Returns the size of an entry; see "Calculating PutEvents event entry size", Amazon EventBridge user guide. */
function bytesOf({ Time, Source, DetailType, Detail, Resources = [] }: JsonInput): number {
  const texts = [Source, DetailType, Detail, ...[Resources].flat()].filter((text) => text !== undefined);
  const timeBytes = Time === undefined ? 0 : 14;
  return texts.reduce((sum: number, text) => sum + Buffer.byteLength(String(text)), timeBytes);
}

/** Returns the access that an entry needs, with the entry's source and type as condition keys; see the service authorization reference. */
function accessOf({ Source, DetailType }: JsonInput): Access {
  return {
    action: "events:PutEvents",
    resourceArn: busArn,
    conditionKeys: {
      ...(Source === undefined ? {} : { "events:source": [String(Source)] }),
      ...(DetailType === undefined ? {} : { "events:detail-type": [String(DetailType)] }),
    },
  };
}

/** Puts an entry on the bus. An invalid entry does not affect the other entries; see "PutEventsResultEntry", API reference. */
function put(bus: EventBus, { Time, Source, DetailType, Detail, Resources = [] }: JsonInput): EntryResult {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (typeof value !== "string" || value === "") {
      return failure(
        "InvalidArgument",
        `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      );
    }
  }
  if (/^aws\./i.test(String(Source))) {
    return failure("NotAuthorizedForSourceException", `Not authorized for the source ${Source}.`);
  }
  const detail = parseJsonObject(String(Detail));
  if (detail === undefined) return failure("MalformedDetail", "Detail is malformed.");
  try {
    const EventId = bus.put({
      "detail-type": String(DetailType),
      source: String(Source),
      // The protocol sends times as Unix seconds.
      time: `${new Date(typeof Time === "number" ? Time * 1000 : Date.now()).toISOString().slice(0, 19)}Z`,
      resources: [Resources].flat().map(String),
      detail,
    });
    return { EventId };
  } catch (error) {
    if (error instanceof AwsError) return failure(error.code, error.message);
    throw error;
  }
}

function failure(ErrorCode: string, ErrorMessage: string): EntryResult {
  return { ErrorCode, ErrorMessage };
}

function invalid(message: string): AwsError {
  return new AwsError("ValidationException", 400, message);
}
