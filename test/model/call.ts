import type { ErrorCode } from "../../functions/core/errors.ts";
import type { OperationId } from "../../functions/routes.ts";
import type { CallOptions } from "../support/client.ts";
import type { ReceivedResponse } from "../support/http.ts";

const stepsBetween = ["send-file", "confirm-sign-in", "pass-time", "keep-versions", "set-hold"] as const;

/**
 * Steps that are no operations of the API: a file is sent to where it was told to, a human has signed in, time passes, retention removes
 * versions, an operator sets a hold.
 */
export type StepBetween = (typeof stepsBetween)[number];

/** Tells a step from an operation of the API. */
export function isStepBetween(operation: Call["operation"]): operation is StepBetween {
  return (stepsBetween as readonly string[]).includes(operation);
}

/** A request, with what is known of it by itself. */
export interface Call extends CallOptions {
  readonly operation: OperationId | StepBetween;
  /** The plaintext of the token that is sent; with none, the call is a visitor's. */
  readonly token?: string;
  /** The whole address, where it is none of the API. @default - the operation's own */
  readonly address?: string;
  /** @default "GET", where there is an address */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  /** Made through the operation's tool of the MCP server. @default - at its own address */
  readonly byTool?: true;
  /** What the input itself is to be refused with, whatever there is. @default - it is valid */
  readonly refusal?: ErrorCode;
}

/** A call with its response, and the moments between which the service worked on it. */
export interface Observation {
  readonly call: Call;
  readonly response: ReceivedResponse;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}
