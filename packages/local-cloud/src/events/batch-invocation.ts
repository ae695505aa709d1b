import { TooManyRequestsError } from "../lambda/concurrency.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import type { Mapping } from "./event-source-mapping.ts";

/** Outcome of an invocation with a batch. */
export type BatchOutcome =
  | { readonly type: "done" }
  /** The records with these identifiers failed. The other records of the batch are done. */
  | { readonly type: "items failed"; readonly identifiers: ReadonlySet<string>; readonly requestId: string }
  /** All records of the batch failed. */
  | {
      readonly type: "failed";
      /** Reason for the failure, in one line. */
      readonly reason: string;
      /** False if the function was not invoked, or if its response names items that are not in the batch. */
      readonly isFunctionError: boolean;
      readonly requestId: string;
    }
  /** The batch did not reach the function, because the concurrency limit was reached. */
  | { readonly type: "throttled" };

/** Maximum size of the records. The limit of an event, 6 MB, includes the JSON around the records; see "Lambda quotas". */
export const batchBytesMax = 6_000_000;

/** Invokes a function with records and their identifiers, in the same order. */
export async function invokeWithBatch(
  records: readonly unknown[],
  identifiers: readonly string[],
  { lambda, mapping }: { readonly lambda: LambdaService; readonly mapping: Mapping },
): Promise<BatchOutcome> {
  const { functionName, reportsItemFailures } = mapping;
  try {
    const event = JSON.stringify({ Records: records });
    const { payload, isFunctionError, requestId } = await lambda.invoke(functionName, event);
    if (isFunctionError) {
      const { errorType, errorMessage } = JSON.parse(payload) as Record<string, string>;
      const reason = oneLine(`${errorType}: ${errorMessage}`);
      return { type: "failed", reason, isFunctionError, requestId };
    }
    return reportsItemFailures ? outcomeOf(payload, identifiers, requestId) : { type: "done" };
  } catch (error) {
    if (error instanceof TooManyRequestsError) return { type: "throttled" };
    return { type: "failed", reason: oneLine(error), isFunctionError: false, requestId: "" };
  }
}

/**
 * Reads the response to a batch; see "Implementing partial batch responses". A missing response or list means success. An identifier that
 * is empty, null, misnamed or not in the batch means that all records failed.
 */
function outcomeOf(payload: string, identifiers: readonly string[], requestId: string): BatchOutcome {
  const { batchItemFailures } = (JSON.parse(payload) ?? {}) as { batchItemFailures?: unknown };
  if (!Array.isArray(batchItemFailures) || batchItemFailures.length === 0) return { type: "done" };
  const failed: unknown[] = batchItemFailures.map((item) => item?.itemIdentifier);
  const unknown = failed.filter((identifier) => !identifiers.includes(identifier as string));
  if (unknown.length === 0) {
    return { type: "items failed", identifiers: new Set(failed as string[]), requestId };
  }
  const reason = `batchItemFailures names records that are not in the batch: ${unknown.map((one) => JSON.stringify(one) ?? "no itemIdentifier").join(", ")}`;
  return { type: "failed", reason, isFunctionError: false, requestId };
}

function oneLine(error: unknown): string {
  return String(error).replace(/\s+/g, " ");
}
