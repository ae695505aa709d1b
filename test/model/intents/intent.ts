import fc from "fast-check";
import type { Call } from "../call.ts";
import type { AccountState } from "../state.ts";

/** What an account is about to do, in words that mean the same in every run: "the first drop", not its slug. */
export interface Intent {
  readonly words: string;
  /**
   * The call, for what the account has by now; `other` is somebody else, whose things are not to be had.
   *
   * @param accounts everyone whose namespaces may be named. @default - the two
   */
  toCall(state: AccountState, other: AccountState, accounts?: readonly AccountState[]): Call;
}

/** Some thing among those of a kind. */
export interface Target {
  readonly whose: "own" | "deleted" | "other" | "unknown";
  readonly index: number;
}

/** With which token a call is made. */
export type Credential = "good" | "revoked" | "mistyped" | "none";

/** Mostly the account's own. */
export const target: fc.Arbitrary<Target> = fc.record({
  whose: fc.oneof(
    { arbitrary: fc.constant("own" as const), weight: 14 },
    { arbitrary: fc.constant("deleted" as const), weight: 1 },
    { arbitrary: fc.constant("other" as const), weight: 1 },
    { arbitrary: fc.constant("unknown" as const), weight: 1 },
  ),
  index: fc.nat({ max: 3 }),
});

/** Mostly good. */
export const credential: fc.Arbitrary<Credential> = fc.oneof(
  { arbitrary: fc.constant("good" as const), weight: 40 },
  fc.constantFrom("revoked" as const, "mistyped" as const, "none" as const),
);

/** Such as `own drop 1`. */
export function nameOf(kind: string, { whose, index }: Target): string {
  return `${whose} ${kind} ${index}`;
}

/** The slug that a target has. */
export function slugOf(one: Target, state: AccountState, other: AccountState): string {
  return choose(one, {
    own: state.drops.map(({ slug }) => slug),
    deleted: state.deletedSlugs,
    other: other.drops.map(({ slug }) => slug),
  });
}

/** The id of a file that a target has. */
export function blobIdOf(one: Target, state: AccountState, other: AccountState): string {
  return choose(one, {
    own: state.blobs.map(({ id }) => id),
    deleted: state.deletedBlobIds,
    other: other.blobs.map(({ id }) => id),
  });
}

/** One of its kind, or what nobody has. */
export function choose(
  { whose, index }: Target,
  things: Readonly<Record<"own" | "deleted" | "other", readonly string[]>>,
): string {
  const candidates = whose === "unknown" ? [] : things[whose];
  return candidates[index % candidates.length] ?? "aaaaaaa";
}

/** The token of a credential: of the good ones, that with the fewest writes. */
export function tokenFor(state: AccountState, wanted: Credential): { readonly token?: string } {
  if (wanted === "none") return {};
  const candidates = state.tokens.filter(({ isRevoked }) => isRevoked === (wanted === "revoked"));
  const [first] = candidates.toSorted((one, other) => (one.minute?.count ?? 0) - (other.minute?.count ?? 0));
  const plaintext = first?.plaintext;
  if (wanted !== "mistyped") return plaintext === undefined ? {} : { token: plaintext };
  const last = plaintext?.endsWith("0") ? "1" : "0";
  return { token: `${(plaintext ?? "hb_").slice(0, -1)}${last}` };
}

/** How a credential is told of; nothing where it is good. */
export function credentialWords(wanted: Credential): string {
  return wanted === "good" ? "" : `, with ${wanted === "none" ? "no" : `a ${wanted}`} token`;
}
