import fc from "fast-check";
import { routeOf } from "../../../functions/routes.ts";
import { type Call, isStepBetween } from "../call.ts";
import type { StoredResponseState } from "../state.ts";
import { asToolCall } from "../tool-call.ts";
import { type Intent, tokenFor } from "./intent.ts";

/** Adds new Idempotency-Keys to some intents whose operations accept one. */
export function keyed(intents: fc.Arbitrary<Intent>): fc.Arbitrary<Intent> {
  return fc.tuple(intents, fc.nat({ max: 2 })).map(([intent, dice]) => {
    if (dice > 0) return intent;
    return {
      words: `${intent.words}, with a new key if it takes one`,
      toCall(state, other, accounts) {
        const call = intent.toCall(state, other, accounts);
        if (call.refusal !== undefined || !takesKey(call)) return call;
        return { ...call, headers: { ...call.headers, "idempotency-key": `key-${state.stored.length}` } };
      },
    };
  });
}

/** Makes some of the intents with MCP tools. */
export function someByTool(intents: fc.Arbitrary<Intent>): fc.Arbitrary<Intent> {
  return fc.tuple(intents, fc.nat({ max: 5 })).map(([intent, dice]) => {
    if (dice > 0) return intent;
    return {
      words: `${intent.words}, by its tool if it has one`,
      toCall: (state, other, accounts) => asToolCall(intent.toCall(state, other, accounts)),
    };
  });
}

/** Repeats a call with an Idempotency-Key, unchanged or as a different request. */
export const repeatCall: fc.Arbitrary<Intent> = fc
  .tuple(
    fc.nat({ max: 5 }),
    fc.constantFrom("as it was", "as it was", "with another body", "with another body", "for a file"),
  )
  .map(
    ([fromLatest, how]): Intent => ({
      words: `call ${fromLatest} before the latest with a key again, ${how}`,
      toCall(state) {
        const stored = state.stored.at(-1 - (fromLatest % Math.max(1, state.stored.length)));
        const token = tokenFor(state, "good");
        if (stored === undefined) return { operation: "get-me", ...token };
        return { ...changed(stored, how), ...token };
      },
    }),
  );

function changed({ call, key }: StoredResponseState, how: string): Call {
  if (how === "as it was") return call;
  const { headers, text, body } = call;
  if (how === "with another body" && text !== undefined) return { ...call, text: `${text}!` };
  if (how === "with another body" && body !== undefined) return { ...call, body: otherBody(body) };
  // The upload accepts no If-Match.
  const { "if-match": _, ...unconditional } = headers ?? {};
  return {
    operation: "upload-blob",
    query: { filename: "another-request.txt" },
    text: "x",
    headers: { "content-type": "text/plain", ...unconditional, "idempotency-key": key },
  };
}

function otherBody(body: unknown): object {
  const isUpload = "size_bytes" in (body as object);
  if ("namespace" in (body as object)) return { ...(body as object), namespace: "another-team" };
  return { ...(body as object), ...(isUpload ? { filename: "another.txt" } : { title: "Another request" }) };
}

function takesKey({ operation, address }: Call): boolean {
  if (address !== undefined || isStepBetween(operation)) return false;
  return (routeOf(operation).headers ?? []).includes("Idempotency-Key");
}
