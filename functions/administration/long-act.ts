import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import type { Act } from "../table/audit.ts";
import type { Target } from "./targets.ts";

/** An act that takes longer than a request may: it invalidates the edge's cache, and touches each object of an account. */
export type LongAct =
  | { readonly kind: "ban" | "suspend" | "unsuspend"; readonly userId: string }
  | { readonly kind: "takedown"; readonly target: Target };

/** Event of the worker `administer`. */
export interface LongActEvent {
  readonly asked: LongAct;
  /** Its line in the audit trail names the administrator. */
  readonly act: Act;
}

/**
 * Starts an act. Lambda keeps it until the worker has taken it, and tries twice more if it fails.
 *
 * @throws Error if Lambda may not have received it
 */
export function startAct(asked: LongAct, act: Act): Promise<void> {
  const event: LongActEvent = { asked, act };
  return invokeWorker(`${readEnvironment(environmentNames.operationFunctionPrefix)}administer`, event);
}
