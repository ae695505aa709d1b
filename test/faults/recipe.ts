import type { OperationCall, OperationResponse } from "../support/operation-caller.ts";
import type { World } from "./given-world.ts";

/** A valid request of an operation, in a world where it succeeds. */
export interface Prepared {
  readonly call: OperationCall;
  /** Checks that the effects of a successful response are visible: promise 1. @default - nothing was written */
  readonly expectVisible?: (response: OperationResponse) => Promise<void>;
  /** Second attempt after a failure. @default - the same call */
  readonly retry?: () => Promise<OperationResponse>;
}

/** Recipe to call an operation that uses AWS, and its possible outcomes. */
export interface Recipe {
  /** Variant of the recipe. @default - the usual one */
  readonly variant?: string;
  prepare(world: World): Promise<Prepared>;
  /** Number of the person's tokens. @default 1 */
  readonly tokens?: number;
  /** Another attempt may repeat the write, because nothing in the request identifies it. @default false */
  readonly mayRepeat?: boolean;
  /** Another attempt repeats the write: the items are the same as after one write, with an audit entry each. @default false */
  readonly isDoneAnew?: boolean;
  /** The operation changes nothing, so it adds no audit entry. @default false */
  readonly isToldBefore?: boolean;
  /** Status of another attempt if the first was processed but reported as failed. @default - the status of success */
  readonly statusOnceDone?: number;
  /** Labels of calls that the response does not depend on. @default - none */
  readonly bestEffort?: readonly string[];
}
