import type { ErrorCode } from "./errors.ts";

/** Request headers that a row may take: additions to the specification, docs/adr/0013-safe-retries.md. */
export type RequestHeader = "Idempotency-Key" | "If-Match";

/** What a row may refuse because of a header that it takes, beside its own refusals. */
export const requestHeaderErrors: Readonly<Record<RequestHeader, readonly ErrorCode[]>> = {
  "Idempotency-Key": ["invalid_arg", "idempotency_key_reused"],
  "If-Match": ["invalid_arg", "precondition_failed"],
};

/** Headers of answers that go with them. */
export const replayedHeader = "idempotency-replayed";
