import type { Drop } from "../drops/drop.ts";
import { isExpired } from "../drops/items.ts";
import { foldUsername, memberRules } from "../identity/members.ts";
import { mayRead, type Reader } from "../identity/readers.ts";
import {
  emailDomainOf,
  presentReader,
  type ReaderRule,
  toVisibility,
  type Visibility,
} from "../identity/visibility.ts";
import { type Key, keys, type LibraryPosition, parseLibraryPosition, ranges } from "../table/keys.ts";
import { isSuspended } from "../table/suspension.ts";
import { type Item, querySortKeysBefore } from "../table/table.ts";

/**
 * Whom a drop is listed for in the library, as the index names them: everybody whom the team lets in for what is public, members,
 * and those whom a reader rule names, by `people#` and the rule.
 */
export type Audience = "public" | "members" | `people#${string}`;

/** Audiences that a drop is indexed for. Unlisted drops are not indexed. */
export function audiencesOf(visibility: Visibility): Audience[] {
  switch (visibility.kind) {
    case "unlisted":
      return [];
    case "public":
    case "members":
      return [visibility.kind];
    case "people":
      return visibility.readers.map(toAudience);
  }
}

/**
 * The audiences that a reader belongs to. Where anyone is a member there is no team whose pages the public ones would be: they are
 * on their owners' pages.
 */
export function audiencesFor({ identity, isMember, isBarred }: Reader): Audience[] {
  if (isBarred) return [];
  const { emails, groups } = identity;
  const domains = new Set(emails.map(emailDomainOf));
  const username = foldUsername(identity.username);
  const rules: ReaderRule[] = [
    ...emails.map((email) => ({ kind: "email", email }) as const),
    ...[...domains].map((domain) => ({ kind: "domain", domain }) as const),
    ...(username === "" ? [] : [{ kind: "username", username } as const]),
    ...groups.map((group) => ({ kind: "group", group }) as const),
  ];
  const team: Audience[] = memberRules() === "anyone" ? ["members"] : ["members", "public"];
  return [...(isMember ? team : []), ...rules.map(toAudience)];
}

/** Decides whether a reader finds a drop in the library, by its present state and not by the index. */
export function isListed(drop: Drop, owner: Item | undefined, reader: Reader, nowMs: number): boolean {
  if (isExpired(drop, nowMs)) return false;
  if (owner === undefined || owner.deletingAtMs !== undefined || isSuspended(owner)) return false;
  const own = new Set(audiencesFor(reader));
  return mayRead(drop, reader) && audiencesOf(drop.visibility).some((audience) => own.has(audience));
}

function toAudience(rule: ReaderRule): Audience {
  return `people#${presentReader(rule)}`;
}

/** The part of a drop that its entries in the index are made of. */
export type IndexedDrop = Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">;

/** The keys of a drop's entries: they are all that there is of an entry. */
export function entriesOf(drop: IndexedDrop): Key[] {
  return audiencesOf(drop.visibility).map((audience) => keys.libraryEntry(audience, drop));
}

/**
 * The index entries of a drop's row; none without a row. Reads only these fields, so that a faulty drop does not block others.
 *
 * @throws TypeError if the service did not write the row
 */
export function entriesOfRow(row: Item, drop: Pick<Drop, "slug" | "ownerId">): Key[] {
  if (row.slug === undefined) return [];
  const { createdAtMs } = row;
  if (!Number.isSafeInteger(createdAtMs)) throw new TypeError("The row has no createdAtMs.");
  return entriesOf({ ...drop, createdAtMs: createdAtMs as number, visibility: toVisibility(row) });
}

/** Index of drops by audience. It is a hint: each drop is read before it is shown. */
export const libraryIndex = {
  /** The drops of an audience that were made before another, or all of them, newest first: at most so many. */
  async list(
    audience: Audience,
    before: string | undefined,
    limit: number,
  ): Promise<readonly LibraryPosition[]> {
    const found = await querySortKeysBefore(ranges.library(audience).pk, before, limit);
    return found.flatMap((text) => parseLibraryPosition(text) ?? []);
  },
};
