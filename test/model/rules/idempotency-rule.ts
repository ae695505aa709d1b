import { expect } from "vitest";
import { replayedHeader } from "../../../functions/http/route.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call, Observation } from "../call.ts";
import type { AccountState, StoredResponseState } from "../state.ts";

/**
 * Checks if the call's Idempotency-Key already has a response. Then nothing happens: the same request gets the same response, and
 * another request is refused.
 *
 * @throws if the response is another
 */
export function isAnsweredBefore(state: AccountState, { call, response }: Observation): boolean {
  const stored = state.stored.find(({ key }) => key === keyOf(call));
  if (stored === undefined) {
    expect(response.headers[replayedHeader]).toBeUndefined();
    return false;
  }
  if (requestOf(stored.call) !== requestOf(call)) {
    expectError(response, "idempotency_key_reused");
    return true;
  }
  expect({
    status: response.status,
    body: bodyOf(response.text),
    etag: response.headers.etag,
    replayed: response.headers[replayedHeader],
  }).toEqual({ status: stored.status, body: bodyOf(stored.text), etag: stored.etag, replayed: "true" });
  return true;
}

/** Stores the response of a call with a key. Refusals are not stored. */
export function withStored(
  before: AccountState,
  after: AccountState,
  { call, response }: Observation,
): AccountState {
  const key = keyOf(call);
  if (key === undefined || response.status >= 300 || isShownAgain(before, call)) return after;
  const { token: _, ...request } = call;
  const { status, text, headers } = response;
  const added: StoredResponseState = { key, call: request, status, text, etag: headers.etag };
  return { ...after, stored: [...after.stored, added] };
}

/** Recognizes the completion of an upload that was completed before, which writes nothing, with any key. */
function isShownAgain({ blobs }: AccountState, { operation, params }: Call): boolean {
  return operation === "complete-upload" && blobs.some(({ id }) => id === params?.id);
}

function keyOf({ headers }: Call): string | undefined {
  const key = headers?.["idempotency-key"];
  return key === undefined ? undefined : String(key);
}

/** Returns the parts of a request that must be the same for its key. */
function requestOf({ operation, params, query, body, text, headers }: Call): string {
  const isPath = operation === "complete-upload";
  return JSON.stringify([operation, isPath && params, query, body, text, headers?.["content-type"]]);
}

/** Parses a body without the signature of its upload URL, which differs each time. */
function bodyOf(text: string): unknown {
  const body = JSON.parse(text) as { readonly url: string; readonly method?: string };
  return body.method === undefined ? body : { ...body, url: new URL(body.url).pathname };
}
