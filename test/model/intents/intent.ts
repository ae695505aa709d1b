import fc from "fast-check";
import type { Call } from "../call.ts";
import type { AccountState } from "../state.ts";

/** A planned call, in words that mean the same in every run: "the first drop", not its slug. */
export interface Intent {
  readonly words: string;
  /**
   * Creates the call for the account's current state. `other` is another account, whose objects are inaccessible.
   *
   * @param accounts accounts whose namespaces may be used. @default - both
   */
  toCall(state: AccountState, other: AccountState, accounts?: readonly AccountState[]): Call;
}

/** An object among those of one kind. */
export interface Target {
  readonly whose: "own" | "deleted" | "other" | "unknown";
  readonly index: number;
}

/** The kind of token of a call. */
export type Credential = "good" | "revoked" | "mistyped" | "none";

/** Mostly the account's own objects. */
export const target: fc.Arbitrary<Target> = fc.record({
  whose: fc.oneof(
    { arbitrary: fc.constant("own" as const), weight: 14 },
    { arbitrary: fc.constant("deleted" as const), weight: 1 },
    { arbitrary: fc.constant("other" as const), weight: 1 },
    { arbitrary: fc.constant("unknown" as const), weight: 1 },
  ),
  index: fc.nat({ max: 3 }),
});

/** Mostly a good token. */
export const credential: fc.Arbitrary<Credential> = fc.oneof(
  { arbitrary: fc.constant("good" as const), weight: 40 },
  fc.constantFrom("revoked" as const, "mistyped" as const, "none" as const),
);

/** Describes a target, such as `own drop 1`. */
export function nameOf(kind: string, { whose, index }: Target): string {
  return `${whose} ${kind} ${index}`;
}

/** Returns the slug of a target. */
export function slugOf(one: Target, state: AccountState, other: AccountState): string {
  return choose(one, {
    own: state.drops.map(({ slug }) => slug),
    deleted: state.deletedSlugs,
    other: other.drops.map(({ slug }) => slug),
  });
}

/** Returns the id of a target file. */
export function blobIdOf(one: Target, state: AccountState, other: AccountState): string {
  return choose(one, {
    own: state.blobs.map(({ id }) => id),
    deleted: state.deletedBlobIds,
    other: other.blobs.map(({ id }) => id),
  });
}

/** Chooses an existing object's id, or an unknown one. */
export function choose(
  { whose, index }: Target,
  things: Readonly<Record<"own" | "deleted" | "other", readonly string[]>>,
): string {
  const candidates = whose === "unknown" ? [] : things[whose];
  return candidates[index % candidates.length] ?? "aaaaaaa";
}

/** Returns a token of the wanted kind, with the fewest writes. */
export function tokenFor(state: AccountState, wanted: Credential): { readonly token?: string } {
  if (wanted === "none") return {};
  const candidates = state.tokens.filter(({ isRevoked }) => isRevoked === (wanted === "revoked"));
  const [first] = candidates.toSorted((one, other) => (one.minute?.count ?? 0) - (other.minute?.count ?? 0));
  const plaintext = first?.plaintext;
  if (wanted !== "mistyped") return plaintext === undefined ? {} : { token: plaintext };
  const last = plaintext?.endsWith("0") ? "1" : "0";
  return { token: `${(plaintext ?? "hb_").slice(0, -1)}${last}` };
}

/** Describes a credential that is not good. */
export function credentialWords(wanted: Credential): string {
  return wanted === "good" ? "" : `, with ${wanted === "none" ? "no" : `a ${wanted}`} token`;
}
