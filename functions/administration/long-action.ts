import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import type { Act } from "../table/audit.ts";
import type { Target } from "./targets.ts";

/** An action that takes too long for a request, because it invalidates the edge's cache and may change all objects of an account. */
export type LongAction =
  | { readonly kind: "ban" | "suspend" | "unsuspend"; readonly userId: string }
  | { readonly kind: "takedown"; readonly target: Target };

/** Event of the worker `administer`. */
export interface LongActionEvent {
  readonly asked: LongAction;
  /** The administrator's action, for the audit entry. */
  readonly act: Act;
}

/** Starts an action in the worker `administer`, which Lambda retries twice. @throws Error if Lambda may not have received the event */
export function startLongAction(asked: LongAction, act: Act): Promise<void> {
  const event: LongActionEvent = { asked, act };
  return invokeWorker(`${readEnvironment(environmentNames.operationFunctionPrefix)}administer`, event);
}
