import type { Drop } from "../drops/drop.ts";
import { isSignature, sign } from "../http/cookies.ts";
import { isOpenToAll } from "../policies/access.ts";
import { cookieKeys } from "../table/cookie-keys.ts";

/** Cache time of a drop's state at the edge: docs/adr/0058-viewer-polling.md. */
export const stateSeconds = 2;

/**
 * Query by which a viewer polls its drop's state: none for open drops; the key of a locked drop, shared by all its readers so
 * that the edge can cache the response; `reader=1` for restricted drops, so that the session is checked each time.
 */
export async function stateQueryOf(drop: Drop): Promise<string> {
  if (!isOpenToAll(drop)) return "?reader=1";
  if (drop.gate.kind === "open") return "";
  return `?key=${sign(await cookieKeys.signing(), keyParts(drop))}`;
}

/** Compares a key with that of the drop's present passcode. */
export async function hasStateKey(drop: Drop, key: string | undefined): Promise<boolean> {
  if (key === undefined || !isOpenToAll(drop)) return false;
  return cookieKeys.holds((signing) => isSignature(signing, keyParts(drop), key));
}

/** The epoch rises with every change of the passcode. */
function keyParts({ slug, gate }: Drop): readonly (string | number)[] {
  return ["state", slug, gate.epoch];
}
