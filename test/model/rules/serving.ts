import type { Call } from "../call.ts";
import { type AccountState, type DropState, findDrop, latestOf, type VersionState } from "../state.ts";
import { isOpenToAll } from "./visibility-rule.ts";

/** Expected result of a page's URL, for a visitor with the call's cookies. */
export type Served =
  | { readonly kind: "missing" }
  | { readonly kind: "gate"; readonly drop: DropState }
  /** Redirected to the passcode form, which is on the base host. */
  | { readonly kind: "redirected" }
  | { readonly kind: "version"; readonly drop: DropState; readonly version: VersionState };

/** Returns what a URL serves. Drops are on the base host, and unlocked ones on their owner's host, too. A locked drop reveals no versions. */
export function servedAt(state: AccountState, call: Call): Served {
  const drop = dropAt(state, call);
  if (drop === undefined) return { kind: "missing" };
  if (drop.passcode !== undefined && !isOnBaseHost(state, call)) return { kind: "redirected" };
  if (drop.passcode !== undefined && !opensGate(state, drop, call)) return { kind: "gate", drop };
  const version = pinned(drop, addressOf(call).searchParams.getAll("v"));
  return version ? { kind: "version", drop, version } : { kind: "missing" };
}

/** Finds the drop of a URL, if its host serves it. Visitors in the model are not signed in. */
export function dropAt(state: AccountState, call: Call): DropState | undefined {
  const { host, pathname } = addressOf(call);
  const slug = pathname.split("/")[2];
  const drop = findDrop(state, slug);
  const namespace = drop?.namespace ?? state.namespace;
  const isThere = isOnBaseHost(state, call) || host === `${namespace}.${new URL(state.baseUrl).host}`;
  return isThere && drop && isOpenToAll(drop) ? drop : undefined;
}

/** Checks if a call is sent to the base host. */
export function isOnBaseHost(state: AccountState, call: Call): boolean {
  return addressOf(call).host === new URL(state.baseUrl).host;
}

/** Returns the URL of a call. */
export function addressOf({ operation, address }: Call): URL {
  if (address === undefined) throw new Error(`A call of ${operation} needs an address.`);
  return new URL(address);
}

function opensGate({ cookies }: AccountState, { slug, gateEpoch }: DropState, call: Call): boolean {
  const { host } = addressOf(call);
  const sent = call.headers?.cookie;
  const cookie = cookies.find(({ pair }) => pair === sent);
  return cookie?.slug === slug && cookie.host === host && cookie.gateEpoch === gateEpoch;
}

function pinned(drop: DropState, [first, ...others]: readonly string[]): VersionState | undefined {
  if (first === undefined) return latestOf(drop);
  return others.length === 0 ? drop.versions.find(({ version }) => String(version) === first) : undefined;
}
