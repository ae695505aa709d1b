import type { Drop } from "../drops/drop.ts";
import { foldUsername } from "../members/rules.ts";
import { memberRules } from "../members/store.ts";
import { emailDomainOf } from "../platform/email-address.ts";
import { presentReader } from "../platform/reader-rules.ts";
import { isSuspended } from "../platform/suspension.ts";
import type { Item } from "../platform/table.ts";
import type { Visibility } from "../platform/visibility.ts";
import { mayRead, type Reader } from "../readers/may-read.ts";

/**
 * Whom a drop is listed for in the library, as the index names them: everybody whom the team lets in for what is public, members,
 * and those whom a reader rule names, by `people#` and the rule.
 */
export type Audience = "public" | "members" | `people#${string}`;

/** The audiences that a drop is indexed for. What is for whoever has its address is listed nowhere. */
export function audiencesOf(visibility: Visibility): Audience[] {
  switch (visibility.kind) {
    case "unlisted":
      return [];
    case "public":
    case "members":
      return [visibility.kind];
    case "people":
      return visibility.readers.map((rule) => toAudience(presentReader(rule)));
  }
}

/**
 * The audiences that a reader belongs to. Where anyone is a member there is no team whose pages the public ones would be: they are
 * on their owners' pages.
 */
export function audiencesFor({ identity, isMember, isBarred }: Reader): Audience[] {
  if (isBarred) return [];
  const { emails } = identity;
  const domains = new Set(emails.map((email) => `@${emailDomainOf(email)}`));
  const username = foldUsername(identity.username);
  const names = [...emails, ...domains, ...(username === "" ? [] : [username])];
  const team: Audience[] = memberRules() === "anyone" ? ["members"] : ["members", "public"];
  return [...(isMember ? team : []), ...names.map(toAudience)];
}

/** Whether a reader finds a drop of an owner's in the library, whatever the index says: all of it as it is now. */
export function isListed(drop: Drop, owner: Item | undefined, reader: Reader): boolean {
  if (owner === undefined || owner.deletingAtMs !== undefined || isSuspended(owner)) return false;
  const own = new Set(audiencesFor(reader));
  return mayRead(drop, reader) && audiencesOf(drop.visibility).some((audience) => own.has(audience));
}

function toAudience(name: string): Audience {
  return `people#${name}`;
}
