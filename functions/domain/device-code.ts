import { limits } from "../contract/limits.ts";

/** A device code; section "Device code" of the specification. `expired` is a matter of time, not of state. */
export type DeviceCode = DeviceCodeFacts &
  (
    | { readonly state: "pending" }
    | { readonly state: "verified"; readonly userId: string }
    | { readonly state: "claimed"; readonly userId: string; readonly tokenId: string }
  );

interface DeviceCodeFacts {
  readonly code: string;
  /** What the agent calls itself: a claim, shown to the human. */
  readonly label: string | null;
  readonly pollTokenHash: string;
  /** RFC 7636: known to the service only until it exchanges the provider's code. */
  readonly codeVerifier: string;
  /** Of the wait for the human, then of the wait for the agent to claim its token. */
  readonly expiresAtMs: number;
}

/** What a poll reports; section "AuthPoll response". */
export type PollStatus = "pending" | "verified" | "expired" | "claimed";

/** When a code that is issued or verified now stops being good. */
export function deviceCodeExpiry(nowMs: number): number {
  return nowMs + limits.deviceCodeSeconds * 1000;
}

/** The state that a poll at `nowMs` finds. A claimed code stays claimed. */
export function pollStatus(code: DeviceCode, nowMs: number): PollStatus {
  if (code.state === "claimed") return "claimed";
  return code.expiresAtMs <= nowMs ? "expired" : code.state;
}
