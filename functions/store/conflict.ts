import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import pRetry from "p-retry";

/** Reasons of a cancelled transaction that say nothing about its conditions. */
const transientReasons = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Writes, and tries again for two to five seconds while another transaction is at work on the same items: nothing was
 * written then, and the SDK does not try again by itself.
 *
 * Source: Amazon DynamoDB developer guide, "Transaction conflict handling in DynamoDB".
 */
export async function withoutConflict<Result>(write: () => Promise<Result>): Promise<Result> {
  return pRetry(write, {
    retries: 12,
    minTimeout: 10,
    maxTimeout: 300,
    randomize: true,
    shouldRetry: ({ error }) => isConflict(error),
  });
}

function isConflict(error: Error): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  return (error.CancellationReasons ?? []).some(({ Code = "" }) => transientReasons.has(Code));
}
