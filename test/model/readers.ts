import { keys } from "../../functions/platform/keys.ts";
import { updateItem } from "../../functions/platform/table-writes.ts";
import { type GivenReader, givenReader } from "../abuse/given-reader.ts";

/** Somebody who signs in to read, by what the provider and the operator say of them; the owner is the account's own. */
export const readerKinds = {
  /** Whom the operator has removed: everybody else is a member here. */
  stranger: { username: "model-stranger" },
  member: {},
  "named by user name": { username: "ADA" },
  "named by address": { emails: ["ada@example.com"] },
  "named by domain": { emails: ["lin@example.org"] },
  owner: {},
} as const;

/** One of them. */
export type ReaderKind = keyof typeof readerKinds;

/** In a drop's list of readers, who is named. */
export const ruleNaming: Partial<Record<ReaderKind, string>> = {
  "named by user name": "ada",
  "named by address": "ada@example.com",
  "named by domain": "@example.org",
};

let removal: Promise<unknown> | undefined;

/** A new session of such a reader, in a browser of their own. */
export async function signInReader(
  kind: ReaderKind,
  owner: { readonly userId: string; readonly namespace: string },
): Promise<GivenReader> {
  removal ??= removeStranger();
  await removal;
  if (kind !== "owner") return givenReader(readerKinds[kind] as Parameters<typeof givenReader>[0]);
  return givenReader({ id: owner.namespace, username: owner.namespace }, owner.userId);
}

function removeStranger(): Promise<unknown> {
  return updateItem({
    key: keys.member("username", readerKinds.stranger.username),
    update: "SET deniedAtMs = :now",
    condition: "attribute_not_exists(deniedAtMs) OR deniedAtMs <= :now",
    values: { ":now": Date.now() },
  });
}
