import type { OperationCall, OperationResponse } from "../support/operation-caller.ts";
import type { World } from "./given-world.ts";

/** A good request of an operation, in a world where it succeeds. */
export interface Prepared {
  readonly call: OperationCall;
  /** Checks that what a good response tells is there for all to see: promise 1. @default - nothing was written */
  readonly expectVisible?: (response: OperationResponse) => Promise<void>;
  /** Second try after a failure. @default - the same call */
  readonly retry?: () => Promise<OperationResponse>;
}

/** Recipe to call an operation that uses AWS, and its possible outcomes. */
export interface Recipe {
  /** Variant of the recipe. @default - the usual one */
  readonly variant?: string;
  prepare(world: World): Promise<Prepared>;
  /** Tokens that the person has. @default 1 */
  readonly tokens?: number;
  /** Another try may repeat the write, since nothing in the request identifies it. @default false */
  readonly mayRepeat?: boolean;
  /** Another try repeats the write: the rows are as after one, with an audit line each. @default false */
  readonly isDoneAnew?: boolean;
  /** Changes nothing: the audit trail tells already of what it repeats. @default false */
  readonly isToldBefore?: boolean;
  /** The status of another try where the first was carried out although it was refused. @default - that of success */
  readonly statusOnceDone?: number;
  /** Labels of calls that the response does not depend on. @default - it depends on all */
  readonly bestEffort?: readonly string[];
}
