import type { ErrorCode } from "../../functions/core/errors.ts";
import type { OperationId } from "../../functions/routes.ts";
import type { CallOptions } from "../support/client.ts";
import type { ReceivedResponse } from "../support/http.ts";

const stepsBetween = ["send-file", "confirm-sign-in", "pass-time", "keep-versions", "set-hold"] as const;

/**
 * Steps that are not operations of the API: a file is sent to its upload URL, a person signs in, time passes, retention removes
 * versions, an operator sets a hold.
 */
export type StepBetween = (typeof stepsBetween)[number];

/** Distinguishes steps from operations of the API. */
export function isStepBetween(operation: Call["operation"]): operation is StepBetween {
  return (stepsBetween as readonly string[]).includes(operation);
}

/** A request to the service, or a step. */
export interface Call extends CallOptions {
  readonly operation: OperationId | StepBetween;
  /** The plaintext of the token that is sent. @default - none: the call is a visitor's */
  readonly token?: string;
  /** The full URL of a request outside the API. @default - the operation's own */
  readonly address?: string;
  /** Method of a request with an address. @default "GET" */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  /** Makes the call with the operation's MCP tool. @default - at its own URL */
  readonly byTool?: true;
  /** Expected error of invalid input, whatever the state. @default - the input is valid */
  readonly refusal?: ErrorCode;
}

/** A call with its response, and the times between which the service processed it. */
export interface Observation {
  readonly call: Call;
  readonly response: ReceivedResponse;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}
