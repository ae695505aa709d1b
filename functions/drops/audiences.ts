import { writeFault } from "../core/log.ts";
import { memberRules } from "../identity/members.ts";
import { mayRead, type Reader } from "../identity/readers.ts";
import {
  emailDomainOf,
  foldUsername,
  isExpired,
  presentReader,
  type ReaderRule,
  type Visibility,
} from "../identity/visibility.ts";
import { isSuspended } from "../table/suspension.ts";
import type { Item } from "../table/table.ts";
import type { Drop } from "./drop.ts";
import { toDrop } from "./items.ts";

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

/** Reads a drop's row. One that cannot be read is left out and logged: all others are still found. */
export function readDrop(item: Item): Drop | undefined {
  try {
    return toDrop(item, undefined);
  } catch (error) {
    writeFault({ level: "error", event: "drop-not-listed", slug: item.slug }, error);
    return undefined;
  }
}

function toAudience(rule: ReaderRule): Audience {
  return `people#${presentReader(rule)}`;
}
