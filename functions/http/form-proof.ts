import { cookieKeys } from "../table/cookie-keys.ts";
import { isSignature, sign } from "./cookies.ts";

/** The field in which each form of a signed-in page carries its proof. */
export const proofField = "proof";

/**
 * Makes the proofs of a page's forms: each says that this service has shown this form, which is sent to this path, to this
 * session. No page of another host can read one, and whose proof holds has had the thing that the path names.
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
