import { type ReaderRights, type ReaderRule, readerNamesOf, toReaderRule } from "../policies/access.ts";
import { hashSecret } from "../table/identifiers.ts";

/** A person's open request for access to a drop. */
export interface AccessRequest {
  readonly slug: string;
  /** The same for each request of this person for this drop. */
  readonly id: string;
  /** User name at the identity provider. */
  readonly name: string;
  /** The person's verified address, or else the user name, in the form of `presentReader`. */
  readonly reader: string;
  /** @default - the person wrote nothing */
  readonly text: string | undefined;
  readonly requestedAtMs: number;
}

/** Length of an id: 96 bits of a hash. */
const idLength = 24;

/** Id of a person's request for a drop. It contains the slug, so that one person has different ids at different drops. */
export function accessRequestId(slug: string, person: string): string {
  return hashSecret(`access ${slug} ${person}`).slice(0, idLength);
}

/** The reader rule that gives a person access: a verified address, or else the user name. Undefined if no rule can name them. */
export function accessRuleOf(person: Pick<ReaderRights, "identity">): ReaderRule | undefined {
  const rules = [...readerNamesOf(person)].map(toReaderRule);
  return rules.find(({ kind }) => kind === "email") ?? rules.find(({ kind }) => kind === "username");
}
