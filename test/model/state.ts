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

/** A drop, as whoever has seen every response knows it. */
export interface DropState {
  readonly slug: string;
  /** Namespace of its first owner, whose host has it after a move too. @default - its owner's */
  readonly namespace?: string | undefined;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly passcode: string | undefined;
  readonly visibility: VisibilityKind;
  /** Whom it is for, where that is people. */
  readonly readers: readonly string[];
  /** Whether search engines may list it. */
  readonly indexed: boolean;
  /** What its owner has said of its readers' words. @default - nothing */
  readonly feedback?: "off" | "readers" | undefined;
  readonly answers?: "off" | "readers" | undefined;
  readonly showsResults?: boolean | undefined;
  /** Rises whenever the passcode is set or removed: cookies of an earlier epoch open nothing. */
  readonly gateEpoch: number;
  /** Rising numbers, of which the last is the latest version. */
  readonly versions: readonly VersionState[];
  readonly nextVersion: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: Range;
  /** @default - never */
  readonly expiresAtMs?: Range | undefined;
  /** From what a response has told to what was shown: views are counted within seconds. */
  readonly views: Range;
  /** Guesses at its gate that were not right. */
  readonly wrongGuesses: number;
  readonly tags: EntityTags;
}

/** A drop in the trash, as it comes back. */
export interface TrashedState {
  readonly drop: DropState;
  readonly reason: "deleted" | "expired";
  readonly deletedAtMs: Range;
  /** Its time there is over, and a hold has kept it. @default false */
  readonly isDue?: boolean;
}

/** What answers have told of a drop's entity tag. */
export interface EntityTags {
  /** Undefined where the drop was changed and no response has told its tag since. */
  readonly now: string | undefined;
  /** Those that it will never have again. */
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
  /** Until then it may not be there yet for everybody. @default - it always was, or is not to be */
  readonly opensByMs?: number;
  /** Known from the first response that tells it. */
  readonly createdAtMs: Range;
}

/** An upload in steps that was started and not completed. */
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
  /** Undefined until a response has told it. */
  readonly id: string | undefined;
  readonly label: string | null;
  readonly createdAtMs: Range;
  readonly lastUsedAtMs: Range;
  /** The writes of its minute, and when the first of them was. */
  readonly minute: { readonly startedAtMs: Range; readonly count: number } | undefined;
  readonly isRevoked: boolean;
  /** @default "all" */
  readonly scope?: TokenScope;
  /** The person who acts for a team with it; null for a service token. @default - the person whose account it is */
  readonly person?: PersonState | null | undefined;
  /** @default - it does not expire */
  readonly expiresAtMs?: number | undefined;
}

/** A person behind a token. */
export interface PersonState {
  readonly userId: string;
  /** User name, by which a team's people name them. */
  readonly name: string;
}

/** The people of a team, and how its page groups its drops. */
export interface TeamState {
  /** Roles by the names of people, domains and groups. */
  readonly people: Readonly<Record<string, TeamRole>>;
  readonly groupBy: string | null;
  readonly createdAtMs: number;
  /** The person who created it. */
  readonly creatorId: string;
}

/** A cookie that opens a gate on one host, as long as the drop's epoch is the same. */
export interface CookieState {
  readonly host: string;
  readonly slug: string;
  readonly gateEpoch: number;
  /** As the header Cookie has it. */
  readonly pair: string;
}

/** What is served no more, and may be seen at the edge for seconds yet. */
export interface Leftover {
  /** A drop's slug or a file's id. */
  readonly name: string;
  readonly text: string;
  readonly untilMs: number;
}

/** How an owner's page showed a drop or a file before it changed, and may show it at the edge for seconds yet. */
export interface ShelfLeftover {
  /** Such as `d/aB3dE5f`. */
  readonly path: string;
  readonly words: ShelfWords;
  readonly untilMs: number;
}

/** Its title or filename; null where it is locked, undefined where it is not there. */
export type ShelfWords = string | null | undefined;

/** A sign-in that an agent has started. */
export interface SignInState {
  readonly code: string;
  readonly pollToken: string;
  readonly label: string | null;
  /** The person who signed in for a team. @default - the person whose account it is, or nobody yet */
  readonly person?: PersonState | undefined;
  readonly status: "pending" | "verified" | "claimed";
}

/** The response that belongs to an Idempotency-Key. */
export interface StoredResponseState {
  readonly key: string;
  /** The request that it was made for, without its token. */
  readonly call: Call;
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

/** One account, and all that it has. A new value after every step. */
export interface AccountState {
  readonly baseUrl: string;
  readonly namespace: string;
  /** The empty string for a team whose id no response has told. */
  readonly userId: string;
  /** @default - the account is a person's */
  readonly team?: TeamState;
  readonly tokens: readonly TokenState[];
  /** In the order of their publication. */
  readonly drops: readonly DropState[];
  /** Expired drops that are not in the trash yet. */
  readonly expired: readonly DropState[];
  /** Drops on hold by their slugs; the empty string for the whole account. */
  readonly holds: readonly string[];
  /** Expired drops, those in the trash, and purged ones. */
  readonly deletedSlugs: readonly string[];
  /** Deleted drops that can come back. */
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

/** What a new account has. */
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

/** The drop with a slug, or undefined. */
export function findDrop({ drops }: AccountState, slug: unknown): DropState | undefined {
  return drops.find((drop) => drop.slug === slug);
}

/** The drops that have every pair of `metadata.<key>` of a query: two values of one key match nothing. */
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

/** The account with a drop in place of the one with the same slug. */
export function withDrop(state: AccountState, changed: DropState): AccountState {
  return { ...state, drops: state.drops.map((drop) => (drop.slug === changed.slug ? changed : drop)) };
}

/** The account with a token in place of the one with the same plaintext. */
export function withToken(state: AccountState, changed: TokenState): AccountState {
  const tokens = state.tokens.map((token) => (token.plaintext === changed.plaintext ? changed : token));
  return { ...state, tokens };
}

/** The token of a call, if the account has it. */
export function tokenOf({ tokens }: AccountState, { token }: Call): TokenState | undefined {
  return tokens.find(({ plaintext }) => plaintext === token);
}

/** The person behind a token of an account; null for a service token. */
export function personOf({ userId, namespace }: AccountState, { person }: TokenState): PersonState | null {
  return person === undefined ? { userId, name: namespace } : person;
}

/** The drop's latest version. */
export function latestOf({ versions }: DropState): VersionState {
  const latest = versions.at(-1);
  if (latest === undefined) throw new Error("A drop has one version at least.");
  return latest;
}

/** What an owner's page shows, by path. */
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

/** The account after a step, with what its owner's page has shown before it, and may show for so long. */
export function withShelfLeftovers(before: AccountState, after: AccountState, untilMs: number): AccountState {
  if (before.drops === after.drops && before.blobs === after.blobs) return after;
  const [was, is] = [shelfOf(before), shelfOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  );
  if (changed.length === 0) return after;
  const added = changed.map((path) => ({ path, words: was.get(path), untilMs }));
  // In an order of their own: steps that came at once leave the same, whichever was first.
  const shelfLeftovers = [...after.shelfLeftovers, ...added].sort((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  );
  return { ...after, shelfLeftovers };
}

/** Where an owner's pages and files are. */
export function ownerAddress({ baseUrl, namespace }: Pick<AccountState, "baseUrl" | "namespace">): string {
  const { protocol, host } = new URL(baseUrl);
  return `${protocol}//${namespace}.${host}`;
}

/** The account with something that was served before, and may be kept at the edge for so long. */
export function withLeftovers(
  state: AccountState,
  name: string,
  texts: readonly string[],
  untilMs: number,
): AccountState {
  return { ...state, leftovers: [...state.leftovers, ...texts.map((text) => ({ name, text, untilMs }))] };
}
