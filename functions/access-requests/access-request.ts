import { type ReaderRights, type ReaderRule, readerNamesOf, toReaderRule } from "../policies/access.ts";
import { hashSecret } from "../table/identifiers.ts";

/** A person's open request for access to a drop. */
export interface AccessRequest {
  readonly slug: string;
  /** Id that all requests of this person for this drop share. */
  readonly id: string;
  /** User name at the identity provider. */
  readonly name: string;
  /** The person's verified address, otherwise the user name, in the form of `presentReader`. */
  readonly reader: string;
  /** Message of the person. @default - none */
  readonly text: string | undefined;
  readonly requestedAtMs: number;
}

/** Length of an id in hexadecimal digits: 96 bits of a hash. */
const idLength = 24;

/** Derives the id of a person's request for a drop. The hash includes the slug, so that one person has different ids at different drops. */
export function accessRequestId(slug: string, person: string): string {
  return hashSecret(`access ${slug} ${person}`).slice(0, idLength);
}

/**
 * Returns the reader rule that gives a person access: the verified address, otherwise the user name. Undefined if no
 * rule can match the person.
 */
export function accessRuleOf(person: Pick<ReaderRights, "identity">): ReaderRule | undefined {
  const rules = [...readerNamesOf(person)].map(toReaderRule);
  return rules.find(({ kind }) => kind === "email") ?? rules.find(({ kind }) => kind === "username");
}
