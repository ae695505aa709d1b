import { ApiError } from "../core/errors.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { isSignature, sign } from "./cookies.ts";

/** The field with the proof in each form of a signed-in page. */
export const proofField = "proof";

/**
 * Makes the proofs for a page's forms. A proof shows that this service has shown the form with this path to this session. Pages of other
 * hosts cannot read it, and a valid proof shows that the person owned the subject of the path.
 *
 * @param session `sessionReference` of its id
 */
export async function formProofs(session: string): Promise<(path: string) => string> {
  const key = await cookieKeys.signing();
  return (path) => sign(key, signedParts(session, path));
}

/** Verifies the proof of a form for this session and path. */
export async function isFormProof(session: string, path: string, proof: string): Promise<boolean> {
  return cookieKeys.holds((key) => isSignature(key, signedParts(session, path), proof));
}

function signedParts(session: string, path: string): readonly string[] {
  return ["form", session, path];
}

/**
 * Checks that our own page showed a form in this session, for this subject.
 *
 * @throws ApiError `forbidden` for the form of an earlier session
 */
export async function requireFormProof(
  session: string,
  subject: string,
  fields: { get(name: string): string | null },
): Promise<void> {
  if (await isFormProof(session, subject, fields.get(proofField) ?? "")) return;
  throw new ApiError("forbidden", {
    message:
      "You have signed in again or switched accounts since this form was shown. Check it and send it again.",
  });
}
