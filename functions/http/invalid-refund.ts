import { ApiError } from "../contract/api-error.ts";
import { type Caller, tokens } from "../store/tokens.ts";

/** An invalid request spends nothing, also where it shows only after the write was spent. */
export async function refundInvalid(error: unknown, caller: Caller): Promise<never> {
  if (error instanceof ApiError && error.status === 400) await tokens.refundWrite(caller);
  throw error;
}
