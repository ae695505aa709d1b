import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError, type PageLink } from "../core/errors.ts";

/**
 * Mark of a suspended account, on its item, namespace, tokens and drop pointers: each is read anyway.
 * docs/adr/0030-suspension-and-legal-hold.md.
 */
export const suspendedAttribute = "suspendedAtMs";

/** Mark of a banned identity. */
export const bannedAttribute = "bannedAtMs";

/** Holds of an item that is not suspended. */
export const isNotSuspended = `attribute_not_exists(${suspendedAttribute})`;

/** Recognizes a suspended item. */
export function isSuspended(item: Readonly<Record<string, unknown>> | undefined): boolean {
  return item?.[suspendedAttribute] !== undefined;
}

/** The refusal of everything that a suspended account asks for, with whom to ask in turn. */
export function accountSuspended(): ApiError {
  return refusal(
    "account_suspended",
    "This account is suspended: nothing of it can be read or changed, and nothing is deleted.",
  );
}

/** The refusal of a sign-in with an identity that the operator has banned. */
export function identityBanned(): ApiError {
  return refusal("identity_banned", "Whoever signs in with this identity may not use this service.");
}

/** A refusal of the operator's, by its reason for programs and for people, with whom to ask. */
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
  const whom = contact === undefined ? "whoever runs this service" : contact.replace(/^mailto:/, "");
  return new ApiError("forbidden", {
    message: `${what} Ask ${whom}.`,
    ...more,
    details: { reason, ...(contact === undefined ? {} : { contact }), ...more.details },
  });
}
