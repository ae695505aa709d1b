import type { ChildMessage } from "./child-processes.ts";

/** One invocation, as sent to the execution environment. */
export interface InvokeMessage {
  readonly requestId: string;
  /** The event as JSON text, because AWS also sends the event as JSON. */
  readonly event: string;
  /** Time of the deadline, in Unix milliseconds. */
  readonly deadlineMs: number;
}

/** Message from an execution environment: `ready` once, `done` after each invocation, and messages about child processes at any time. */
export type RuntimeMessage =
  | ChildMessage
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly error: FunctionError }
  | { readonly type: "done"; readonly payload: string; readonly isError: boolean };

/** Payload of a failed invocation; see "Using Lambda function exceptions in Node.js", AWS Lambda developer guide. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}
