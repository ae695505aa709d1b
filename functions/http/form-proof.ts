import { ApiError } from "../core/errors.ts";
import { cookieKeys, isSignature, sign } from "../table/cookie-keys.ts";

/** Name of the form field with the CSRF token on signed-in pages. */
export const proofField = "proof";

/**
 * Creates the CSRF tokens for a page's forms. A token proves that the service rendered the form for this path in this session. Pages of
 * other hosts cannot read the token.
 *
 * @param session hash of the session's id, from `sessionReference`
 */
export async function formProofs(session: string): Promise<(path: string) => string> {
  const key = await cookieKeys.signing();
  return (path) => sign(key, signedParts(session, path));
}

/** Verifies a form's CSRF token for this session and path. */
export async function isFormProof(session: string, path: string, proof: string): Promise<boolean> {
  return cookieKeys.holds((key) => isSignature(key, signedParts(session, path), proof));
}

function signedParts(session: string, path: string): readonly string[] {
  return ["form", session, path];
}

/**
 * Checks the CSRF token of a form for this session and subject, such as the form's path.
 *
 * @throws ApiError `forbidden` if the token does not match, for example because the person has signed in again
 */
export async function requireFormProof(
  session: string,
  subject: string,
  fields: { get(name: string): string | null },
): Promise<void> {
  if (await isFormProof(session, subject, fields.get(proofField) ?? "")) return;
  throw new ApiError("forbidden", {
    message:
      "You have signed in again or switched accounts since this form was shown. Check the form and send it again.",
  });
}
