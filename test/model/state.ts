import type { TeamRole, VisibilityKind } from "../../functions/policies/access.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import type { Call } from "./call.ts";
import type { Range } from "./range.ts";

/** One stored page of a drop. */
export interface VersionState {
  readonly version: number;
  readonly html: string;
  readonly context: string | undefined;
  readonly createdAtMs: number;
}

/** A drop, as known from all responses. */
export interface DropState {
  readonly slug: string;
  /** Namespace of the first owner, whose host serves the drop even after a move. @default - its owner's */
  readonly namespace?: string | undefined;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly passcode: string | undefined;
  readonly visibility: VisibilityKind;
  /** Readers of a drop for named people. */
  readonly readers: readonly string[];
  /** Search engines may list the drop. */
  readonly indexed: boolean;
  /** Feedback as set by the owner. @default - not set */
  readonly feedback?: "off" | "readers" | undefined;
  readonly answers?: "off" | "readers" | undefined;
  readonly showsResults?: boolean | undefined;
  /** Increases whenever the passcode is set or removed, which invalidates earlier cookies. */
  readonly gateEpoch: number;
  /** Versions in ascending order. The last is the latest. */
  readonly versions: readonly VersionState[];
  readonly nextVersion: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: Range;
  /** @default - never */
  readonly expiresAtMs?: Range | undefined;
  /** From the last reported number to the views made so far, which are counted within seconds. */
  readonly views: Range;
  /** Number of wrong passcodes. */
  readonly wrongGuesses: number;
  readonly tags: EntityTags;
}

/** A drop in the trash, with its state when it is undeleted. */
export interface TrashedState {
  readonly drop: DropState;
  readonly reason: "deleted" | "expired";
  readonly deletedAtMs: Range;
  /** The purge was due, but a hold prevented it. @default false */
  readonly isDue?: boolean;
}

/** A drop's entity tags, as known from responses. */
export interface EntityTags {
  /** The current tag, undefined if no response has shown it since the last change. */
  readonly now: string | undefined;
  /** Earlier tags, which are never used again. */
  readonly past: readonly string[];
}

/** An uploaded file. */
export interface BlobState {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: string;
  readonly visibility: VisibilityKind;
  readonly readers: readonly string[];
  /** Time until which an opened file may still be missing at its URL. @default - it has not been opened */
  readonly opensByMs?: number;
  /** Exactly known from the first response that contains it. */
  readonly createdAtMs: Range;
}

/** A stepwise upload that was started but not completed. */
export interface UploadState {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: VisibilityKind;
  readonly readers: readonly string[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly arrived: string | undefined;
}

/** A token of the account. */
export interface TokenState {
  readonly plaintext: string;
  /** Undefined until a response has contained it. */
  readonly id: string | undefined;
  readonly label: string | null;
  readonly createdAtMs: Range;
  readonly lastUsedAtMs: Range;
  /** The number of writes in the token's minute, and the time of the first. */
  readonly minute: { readonly startedAtMs: Range; readonly count: number } | undefined;
  readonly isRevoked: boolean;
  /** @default "all" */
  readonly scope?: TokenScope;
  /** The person who acts for a team with the token, or null for a service token. @default - the account's own person */
  readonly person?: PersonState | null | undefined;
  /** @default - it does not expire */
  readonly expiresAtMs?: number | undefined;
}

/** A person behind a token. */
export interface PersonState {
  readonly userId: string;
  /** User name, as used in a team's roles. */
  readonly name: string;
}

/** A team's people and settings. */
export interface TeamState {
  /** Roles by the names of people, domains and groups. */
  readonly people: Readonly<Record<string, TeamRole>>;
  readonly groupBy: string | null;
  readonly createdAtMs: number;
  /** The person who created it. */
  readonly creatorId: string;
}

/** A cookie that unlocks a drop on one host while the drop's epoch is the same. */
export interface CookieState {
  readonly host: string;
  readonly slug: string;
  readonly gateEpoch: number;
  /** The cookie's name and value, as in the Cookie header. */
  readonly pair: string;
}

/** An outdated text that the edge may still serve for seconds. */
export interface Leftover {
  /** A drop's slug or a file's id. */
  readonly name: string;
  readonly text: string;
  readonly untilMs: number;
}

/** An outdated entry of an owner's page, which the edge may still serve for seconds. */
export interface ShelfLeftover {
  /** Path such as `d/aB3dE5f`. */
  readonly path: string;
  readonly words: ShelfWords;
  readonly untilMs: number;
}

/** Title or filename. Null for a locked drop, undefined for a missing entry. */
export type ShelfWords = string | null | undefined;

/** A sign-in that an agent has started. */
export interface SignInState {
  readonly code: string;
  readonly pollToken: string;
  readonly label: string | null;
  /** The person who signed in for a team. @default - the account's own person, or not signed in yet */
  readonly person?: PersonState | undefined;
  readonly status: "pending" | "verified" | "claimed";
}

/** The stored response of an Idempotency-Key. */
export interface StoredResponseState {
  readonly key: string;
  /** The request without its token. */
  readonly call: Call;
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

/** The state of one account. Immutable: each step returns a new value. */
export interface AccountState {
  readonly baseUrl: string;
  readonly namespace: string;
  /** The empty string for a team whose id is not known yet. */
  readonly userId: string;
  /** @default - the account is a person's */
  readonly team?: TeamState;
  readonly tokens: readonly TokenState[];
  /** Drops in the order of their publication. */
  readonly drops: readonly DropState[];
  /** Expired drops that are not in the trash yet. */
  readonly expired: readonly DropState[];
  /** Slugs of drops on hold. The empty string stands for the whole account. */
  readonly holds: readonly string[];
  /** Slugs of expired, deleted and purged drops. */
  readonly deletedSlugs: readonly string[];
  /** Deleted drops that can be undeleted. */
  readonly trash: readonly TrashedState[];
  readonly blobs: readonly BlobState[];
  readonly deletedBlobIds: readonly string[];
  readonly uploads: readonly UploadState[];
  readonly cookies: readonly CookieState[];
  readonly leftovers: readonly Leftover[];
  readonly shelfLeftovers: readonly ShelfLeftover[];
  readonly signIns: readonly SignInState[];
  readonly stored: readonly StoredResponseState[];
}

/** Contents of a new account. */
export const nothing = {
  drops: [],
  expired: [],
  holds: [],
  deletedSlugs: [],
  trash: [],
  blobs: [],
  deletedBlobIds: [],
  uploads: [],
  cookies: [],
  leftovers: [],
  shelfLeftovers: [],
  signIns: [],
  stored: [],
} as const;

/** Finds a drop by its slug. */
export function findDrop({ drops }: AccountState, slug: unknown): DropState | undefined {
  return drops.find((drop) => drop.slug === slug);
}

/** Finds the drops with all `metadata.<key>` pairs of a query. Two values of one key match nothing. */
export function taggedDrops({ drops }: AccountState, query: Call["query"]): DropState[] {
  const pairs = (query as readonly (readonly [string, string])[] | undefined) ?? [];
  const filters = pairs.filter(([name]) => name.startsWith("metadata."));
  return drops.filter(({ metadata }) =>
    filters.every(([name, value]) => {
      const key = name.slice("metadata.".length);
      return Object.hasOwn(metadata, key) && metadata[key] === value;
    }),
  );
}

/** Replaces the drop with the same slug. */
export function withDrop(state: AccountState, changed: DropState): AccountState {
  return { ...state, drops: state.drops.map((drop) => (drop.slug === changed.slug ? changed : drop)) };
}

/** Replaces the token with the same plaintext. */
export function withToken(state: AccountState, changed: TokenState): AccountState {
  const tokens = state.tokens.map((token) => (token.plaintext === changed.plaintext ? changed : token));
  return { ...state, tokens };
}

/** Finds a call's token in the account. */
export function tokenOf({ tokens }: AccountState, { token }: Call): TokenState | undefined {
  return tokens.find(({ plaintext }) => plaintext === token);
}

/** Returns the person of a token, or null for a service token. */
export function personOf({ userId, namespace }: AccountState, { person }: TokenState): PersonState | null {
  return person === undefined ? { userId, name: namespace } : person;
}

/** Returns the drop's latest version. */
export function latestOf({ versions }: DropState): VersionState {
  const latest = versions.at(-1);
  if (latest === undefined) throw new Error("A drop has one version at least.");
  return latest;
}

/** Returns the entries of an owner's page, by path. */
export function shelfOf({ drops, blobs }: Pick<AccountState, "drops" | "blobs">): Map<string, ShelfWords> {
  return new Map([
    ...drops
      .filter(({ visibility }) => visibility === "public")
      .map(
        ({ slug, title, passcode }) => [`d/${slug}`, passcode === undefined ? title.trim() : null] as const,
      ),
    ...blobs
      .filter(({ visibility }) => visibility === "public")
      .map(({ id, filename }) => [`b/${id}`, filename] as const),
  ]);
}

/** Adds the entries of an owner's page that changed in a step, which the page may still show until `untilMs`. */
export function withShelfLeftovers(before: AccountState, after: AccountState, untilMs: number): AccountState {
  if (before.drops === after.drops && before.blobs === after.blobs) return after;
  const [was, is] = [shelfOf(before), shelfOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  );
  if (changed.length === 0) return after;
  const added = changed.map((path) => ({ path, words: was.get(path), untilMs }));
  // Sorted, so that concurrent steps have the same result in any order.
  const shelfLeftovers = [...after.shelfLeftovers, ...added].sort((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  );
  return { ...after, shelfLeftovers };
}

/** Returns the base URL of an owner's host. */
export function ownerAddress({ baseUrl, namespace }: Pick<AccountState, "baseUrl" | "namespace">): string {
  const { protocol, host } = new URL(baseUrl);
  return `${protocol}//${namespace}.${host}`;
}

/** Adds outdated texts that the edge may still serve until `untilMs`. */
export function withLeftovers(
  state: AccountState,
  name: string,
  texts: readonly string[],
  untilMs: number,
): AccountState {
  return { ...state, leftovers: [...state.leftovers, ...texts.map((text) => ({ name, text, untilMs }))] };
}
