import { AwsError } from "../aws-error.ts";
import type { JsonInput } from "../json-protocol.ts";
import { invalidParameter, notEmulated, simpleQueueServiceError, sqsError } from "./sqs-errors.ts";

const DELAY_SECONDS_MAX = 900;
const BATCH_ENTRIES_MAX = 10;

/** Characters that a message must not contain, because XML 1.0 does not allow them; see "SendMessage". */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Reads the body of a message to send. */
export function readMessageBody(input: JsonInput, bytesMax: number): string {
  const body = input.MessageBody;
  if (typeof body !== "string" || body === "") {
    const message = "The request must contain the parameter MessageBody.";
    throw new AwsError("MissingRequiredParameterException", 400, message);
  }
  for (const name of ["MessageAttributes", "MessageSystemAttributes", "MessageGroupId"]) {
    if (input[name] !== undefined) throw notEmulated(`${name} of a message`);
  }
  if (Buffer.byteLength(body) > bytesMax) {
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${bytesMax} bytes.`,
    );
  }
  if (FORBIDDEN_CHARACTERS.test(body)) {
    throw sqsError("InvalidMessageContents", "The message contains characters outside the allowed set.");
  }
  return body;
}

/** Reads DelaySeconds. Returns undefined if the queue's delay applies. */
export function readDelay(input: JsonInput): number | undefined {
  return readInteger(input, "DelaySeconds", 0, DELAY_SECONDS_MAX);
}

/** Reads a receipt handle and checks its form. Does not check that the handle is the latest. */
export function readReceiptHandle(input: JsonInput): string {
  const handle = input.ReceiptHandle;
  if (typeof handle === "string" && /^[A-Za-z0-9+/]{64}$/.test(handle)) return handle;
  throw sqsError("ReceiptHandleIsInvalid", "The input receipt handle is invalid.");
}

/** Reads an integer within bounds, both included. Returns undefined if the integer is missing. */
export function readInteger(input: JsonInput, name: string, min: number, max: number): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw invalidParameter(
    `Value ${JSON.stringify(value)} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
  );
}

/** Reads the 1 to 10 entries of a batch, whose ids must be different. */
export function readEntries(input: JsonInput): (JsonInput & { readonly Id: string })[] {
  const entries = (input.Entries ?? []) as (JsonInput & { readonly Id: string })[];
  if (entries.length === 0)
    throw simpleQueueServiceError("EmptyBatchRequest", "There should be at least one entry.");
  if (entries.length > BATCH_ENTRIES_MAX) {
    throw simpleQueueServiceError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${BATCH_ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw simpleQueueServiceError("BatchEntryIdsNotDistinct", "Two or more entries have the same Id.");
  }
  return entries;
}
