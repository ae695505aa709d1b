import type { Drop } from "../drops/drop.ts";
import { ApiError } from "../platform/errors.ts";
import { pageOperation } from "../platform/page-operation.ts";
import { keptOk, ok } from "../platform/response.ts";
import type { DropState } from "./drop-state.ts";
import { hasGatePass } from "./gate.ts";
import { readDropStateRoute } from "./rows.ts";
import { requireDrop } from "./served-version.ts";
import { hasStateKey, stateSeconds } from "./state-address.ts";

/**
 * GET /p/{slug}/state: what an open viewer asks again and again. A drop that is not for whoever asks is as gone as one that never
 * was, and no status tells of it: the edge keeps no errors, and each reader of what is gone would come through to here.
 */
export const readDropState = pageOperation(readDropStateRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const { key, proof } = query;
  const asked = { request, host, slug: path.slug, proof, nowMs };
  const drop = await requireDrop(asked).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });
  const isSeen = drop && ((await hasStateKey(drop, key)) || (await hasGatePass(request, drop, asked)));
  const state = presentState(drop, isSeen === true);
  // With a proof it is one reader's, by their cookies; the edge lets none through without.
  return proof === undefined ? keptOk(state, stateSeconds) : ok(state);
});

function presentState(drop: Drop | undefined, isSeen: boolean): DropState {
  if (drop === undefined) return { state: "gone" };
  return isSeen ? { state: "open", latest_version: drop.latest.version } : { state: "locked" };
}
