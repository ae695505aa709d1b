import type { Identity } from "../accounts/identity.ts";
import { foldUsername } from "../members/rules.ts";
import { emailDomainOf } from "../platform/email-address.ts";
import type { ReaderRule } from "../platform/reader-rules.ts";
import { isOpenToAll, type Visibility } from "../platform/visibility.ts";

/** Somebody who has signed in to read, and what is so of them now. */
export interface Reader {
  readonly identity: Identity;
  /** Their account, where they have one. */
  readonly userId: string | undefined;
  /** Of that account. @default - they have none */
  readonly namespace?: string | undefined;
  readonly isMember: boolean;
  /** Whether the operator has shut them out: removed for good, banned or suspended. */
  readonly isBarred: boolean;
}

/** What has an owner and readers: a drop, or a file. */
interface Readable {
  readonly ownerId: string;
  readonly visibility: Visibility;
}

/** Whether somebody may read something; undefined for who has not said who they are. A passcode is another matter. */
export function mayRead(thing: Readable, reader: Reader | undefined): boolean {
  if (isOpenToAll(thing)) return true;
  if (reader === undefined || reader.isBarred) return false;
  if (reader.userId === thing.ownerId) return true;
  const { visibility } = thing;
  if (visibility.kind === "people") return visibility.readers.some((rule) => names(rule, reader.identity));
  return visibility.kind === "members" && reader.isMember;
}

/** Whether a rule names somebody; it is in lower case already, and so are the addresses that a provider has verified. */
function names(rule: ReaderRule, { emails, username }: Identity): boolean {
  switch (rule.kind) {
    case "email":
      return emails.includes(rule.email);
    case "domain":
      return emails.some((email) => emailDomainOf(email) === rule.domain);
    case "username":
      return foldUsername(username) === rule.username;
  }
}
