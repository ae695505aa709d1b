/** Who the identity provider says has signed in. The user name can change hands; the id cannot. */
export interface Identity {
  /** The issuer, or the authorization endpoint's origin: ids are unique within it. */
  readonly provider: string;
  readonly id: string;
  readonly username: string;
  /** As `parseEmailAddress` has them; only those that the provider says are verified; at most `emailsMax`. */
  readonly emails: readonly string[];
  /** The values of the claim that the settings name, as they came; at most `groupsMax`. */
  readonly groups: readonly string[];
  /** The organizations at GitHub in lower case, of those that the settings name. */
  readonly organizations: readonly string[];
}

/** More of a person's addresses are not kept. */
export const emailsMax = 10;

/** More of a person's groups are not kept. */
export const groupsMax = 100;

/** No group has a longer name. */
export const groupCharactersMax = 256;

/** What marks an identity that the operator has removed from the members. */
export const removedAttribute = "removedAtMs";

/** What marks an account whose person is a member no more, until they are let in again: it gets no token. */
export const membershipEndedAttribute = "membershipEndedAtMs";
