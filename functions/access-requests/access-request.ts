import { type ReaderRights, type ReaderRule, readerNamesOf, toReaderRule } from "../policies/access.ts";
import { hashSecret } from "../table/identifiers.ts";

/** A person's open request for access to a drop. */
export interface AccessRequest {
  readonly slug: string;
  /** Id of the request. A repeated request by the same person for the same drop has the same id. */
  readonly id: string;
  /** User name at the identity provider. */
  readonly name: string;
  /** The person's verified e-mail address, or else the user name, in the format of `presentReader`. */
  readonly reader: string;
  /** The person's message. @default - none */
  readonly text: string | undefined;
  readonly requestedAtMs: number;
}

/** Derives the id of a person's request for a drop: 24 hexadecimal digits of a hash. The person's requests for other drops have other ids. */
export function accessRequestId(slug: string, person: string): string {
  return hashSecret(`access ${slug} ${person}`).slice(0, 24);
}

/**
 * Returns the reader rule that would give a person access: the verified e-mail address, or else the user name. Returns undefined if no rule
 * can match the person.
 */
export function accessRuleOf(person: Pick<ReaderRights, "identity">): ReaderRule | undefined {
  const rules = [...readerNamesOf(person)].map(toReaderRule);
  return rules.find(({ kind }) => kind === "email") ?? rules.find(({ kind }) => kind === "username");
}
