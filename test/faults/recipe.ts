import type { OperationCall, OperationResponse } from "../../scripts/bench/calls/operation-caller.ts";
import type { World } from "./given-world.ts";

/** A good request of an operation, in a world where it succeeds. */
export interface Prepared {
  readonly call: OperationCall;
  /** Checks that what a good response tells is there for all to see: promise 1. @default - nothing was written */
  readonly expectVisible?: (response: OperationResponse) => Promise<void>;
  /** What the caller does after a failure. @default - the same again */
  readonly retry?: () => Promise<OperationResponse>;
}

/** How to call an operation that asks AWS for anything, and what may become of it. */
export interface Recipe {
  /** What is particular about it. @default - the usual one */
  readonly variant?: string;
  prepare(world: World): Promise<Prepared>;
  /** Tokens that the person has. @default 1 */
  readonly tokens?: number;
  /** Whether another try may do it once more: nothing in the request tells that it is the same. @default false */
  readonly mayRepeat?: boolean;
  /** Whether another try does the same once more: the rows are as after one, and the audit trail tells of each. @default false */
  readonly isDoneAnew?: boolean;
  /** Changes nothing: the audit trail tells already of what it repeats. @default false */
  readonly isToldBefore?: boolean;
  /** The status of another try where the first was carried out although it was refused. @default - that of success */
  readonly statusOnceDone?: number;
  /** Labels of calls that the response does not depend on. @default - it depends on all */
  readonly bestEffort?: readonly string[];
}
