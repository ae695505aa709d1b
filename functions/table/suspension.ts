import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError, type PageLink } from "../core/errors.ts";

/**
 * Attribute that marks a suspended account. The account's item, namespace, tokens and drop pointers have it, because each of them is read
 * anyway; see docs/adr/0030-suspension-and-legal-hold.md.
 */
export const suspendedAttribute = "suspendedAtMs";

/** Attribute that marks a banned identity. */
export const bannedAttribute = "bannedAtMs";

/** Attribute of an identity: the time at which an administrator ended all of the person's browser sessions. */
export const sessionsEndedAttribute = "sessionsEndedAtMs";

/** Condition that an item is not suspended. */
export const isNotSuspended = `attribute_not_exists(${suspendedAttribute})`;

/** Recognizes a suspended item. */
export function isSuspended(item: Readonly<Record<string, unknown>> | undefined): boolean {
  return item?.[suspendedAttribute] !== undefined;
}

/** Creates the error for every request of a suspended account, with a contact. */
export function accountSuspended(): ApiError {
  return refusal(
    "account_suspended",
    "This account is suspended. Its pages and files can’t be read or changed. Nothing was deleted.",
  );
}

/** Creates the error for a sign-in with a banned identity. */
export function identityBanned(): ApiError {
  return refusal("identity_banned", "This identity is banned from this service.");
}

/** Creates the error for an operator's decision, with a reason for programs, a message for people, and a contact. */
export function refusal(
  reason: string,
  what: string,
  more: {
    readonly details?: object;
    readonly renderPage?: (nonce: string) => string;
    readonly way?: PageLink;
  } = {},
): ApiError {
  const contact = findEnvironment(environmentNames.securityContact);
  const whom = contact === undefined ? "the operator of this service" : contact.replace(/^mailto:/, "");
  return new ApiError("forbidden", {
    message: `${what} Ask ${whom}.`,
    ...more,
    details: { reason, ...(contact === undefined ? {} : { contact }), ...more.details },
  });
}
