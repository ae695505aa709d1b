import type { Drop } from "../drops/drop.ts";
import { isSignature, sign } from "../http/cookies.ts";
import { isOpenToAll } from "../policies/access.ts";
import { cookieKeys } from "../table/cookie-keys.ts";

/** Edge cache time of a drop's state; see docs/adr/0058-viewer-polling.md. */
export const stateSeconds = 2;

/**
 * Returns the query with which a viewer polls its drop's state. Open drops need no query. Locked drops use a key that
 * all readers share, so that the edge can cache the response. Restricted drops use `reader=1`, so that each request
 * checks the session.
 */
export async function stateQueryOf(drop: Drop): Promise<string> {
  if (!isOpenToAll(drop)) return "?reader=1";
  if (drop.gate.kind === "open") return "";
  return `?key=${sign(await cookieKeys.signing(), keyParts(drop))}`;
}

/** Checks a key against the drop's current passcode. */
export async function hasStateKey(drop: Drop, key: string | undefined): Promise<boolean> {
  if (key === undefined || !isOpenToAll(drop)) return false;
  return cookieKeys.holds((signing) => isSignature(signing, keyParts(drop), key));
}

/** Values that a state key signs. The epoch increases with every change of the passcode. */
function keyParts({ slug, gate }: Drop): readonly (string | number)[] {
  return ["state", slug, gate.epoch];
}
