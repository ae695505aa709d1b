import type { ChildMessage } from "./child-processes.ts";

/** One invocation, as sent to the execution environment. */
export interface InvokeMessage {
  readonly requestId: string;
  /** The event as JSON text, as it crosses the network in AWS. */
  readonly event: string;
  /** Unix milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Message of an execution environment: once `ready`, then one `done` for each invocation. Messages about child processes can arrive at any
 * time.
 */
export type RuntimeMessage =
  | ChildMessage
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly error: FunctionError }
  | { readonly type: "done"; readonly payload: string; readonly isError: boolean };

/** The payload of a failed invocation: Lambda developer guide, "Using Lambda function exceptions in Node.js". */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}
