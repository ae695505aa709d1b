import { ApiError } from "../contract/api-error.ts";
import { replayedHeader } from "../contract/request-headers.ts";
import { matchesPasscode } from "../domain/passcode.ts";
import { hashSecret } from "../domain/token.ts";
import { AnswerKeptError, type KeptAnswer, keptAnswers } from "../store/kept-answers.ts";
import type { Caller } from "../store/tokens.ts";
import { type HttpAnswer, jsonHeaders } from "./answer.ts";

/** A request that may come twice. */
export interface RepeatableRequest {
  readonly operation: string;
  readonly caller: Caller;
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
  /** What tells it from others with the same key; called when the request has been read, and only where there is a key. */
  readonly digest: () => string;
  /** Reads what of the request has not been read. @default - all of it has been */
  readonly readRest?: () => Promise<void>;
  /** Compared by the hash that the drop keeps: a digest of a short text would give it away. @default - none */
  readonly passcode?: string | undefined;
  /** Makes the body of a repeated answer from what was kept of the first. @default - the same */
  readonly presentAgain?: (kept: string) => Promise<string>;
}

/** What of an answer goes into the transaction that makes what it tells of; undefined where the request has no key. */
export type Keep = (answer: HttpAnswer, passcodeHash?: string) => KeptAnswer | undefined;

/**
 * Answers a request with an Idempotency-Key once: `make` gives the answer and has it kept in its own transaction, and
 * for a day the same request gets the same answer again. A refused request keeps nothing. Without a key every request
 * is made.
 *
 * Source: IETF draft "The Idempotency-Key HTTP Header Field", section 2.6.
 *
 * @throws ApiError `idempotency_key_reused` where the key came with another request before
 */
export async function answerOnce(
  request: RepeatableRequest,
  make: (keep: Keep) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const { idempotencyKey: key, caller, nowMs } = request;
  if (key === undefined) return make(() => undefined);
  const keyHash = hashSecret(key);
  const kept = await keptAnswers.find(caller.userId, keyHash, nowMs);
  if (kept !== undefined) return answerAgain(kept, request);
  try {
    return await make((answer, passcodeHash) => toKept(answer, passcodeHash, request, keyHash));
  } catch (error) {
    // Another request with the key was faster.
    if (error instanceof AnswerKeptError) return answerAgain(error.kept, request);
    throw error;
  }
}

function toKept(
  { status, headers, body }: HttpAnswer,
  passcodeHash: string | undefined,
  { operation, caller, nowMs, digest }: RepeatableRequest,
  keyHash: string,
): KeptAnswer {
  return {
    ownerId: caller.userId,
    keyHash,
    operation,
    requestDigest: digest(),
    passcodeHash,
    status,
    body: body.toString(),
    entityTag: headers.etag,
    createdAtMs: nowMs,
  };
}

async function answerAgain(kept: KeptAnswer, request: RepeatableRequest): Promise<HttpAnswer> {
  if (kept.operation !== request.operation) throw reused(kept);
  await request.readRest?.();
  if (kept.requestDigest !== request.digest() || !(await isSamePasscode(kept, request))) throw reused(kept);
  const { status, body, entityTag } = kept;
  const headers = {
    ...jsonHeaders,
    ...(entityTag === undefined ? {} : { etag: entityTag }),
    [replayedHeader]: "true",
  };
  return { status, headers, body: (await request.presentAgain?.(body)) ?? body };
}

async function isSamePasscode(
  { passcodeHash }: KeptAnswer,
  { passcode = "" }: RepeatableRequest,
): Promise<boolean> {
  if (passcodeHash === undefined || passcode === "") return passcodeHash === undefined && passcode === "";
  return matchesPasscode(passcode, passcodeHash);
}

function reused({ operation }: KeptAnswer): ApiError {
  return new ApiError("idempotency_key_reused", {
    message: `This Idempotency-Key came with another request before (${operation}). Send that one again exactly as it was, or take a new key.`,
    details: { header: "idempotency-key" },
  });
}
