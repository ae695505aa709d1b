import { expect } from "vitest";
import { replayedHeader } from "../../../functions/http/route.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call, Observation } from "../call.ts";
import type { AccountState, StoredResponseState } from "../state.ts";

/**
 * Whether the call's Idempotency-Key was answered before; then nothing happens: the same request gets the same response, and
 * another one none.
 *
 * @throws when the response is another
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

/** The account after a call, with its response where that belongs to a key from now on: what is refused belongs to none. */
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

/** An upload that was completed before is shown again, by whatever key, and nothing is written. */
function isShownAgain({ blobs }: AccountState, { operation, params }: Call): boolean {
  return operation === "complete-upload" && blobs.some(({ id }) => id === params?.id);
}

function keyOf({ headers }: Call): string | undefined {
  const key = headers?.["idempotency-key"];
  return key === undefined ? undefined : String(key);
}

/** What tells a request from another with its key. */
function requestOf({ operation, params, query, body, text, headers }: Call): string {
  const isPath = operation === "complete-upload";
  return JSON.stringify([operation, isPath && params, query, body, text, headers?.["content-type"]]);
}

/** An address to upload to is signed anew, for the same object. */
function bodyOf(text: string): unknown {
  const body = JSON.parse(text) as { readonly url: string; readonly method?: string };
  return body.method === undefined ? body : { ...body, url: new URL(body.url).pathname };
}
