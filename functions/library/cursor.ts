import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { IdentityKey } from "../members/rules.ts";
import { cookieKeys } from "../platform/cookie-keys.ts";
import { ApiError } from "../platform/errors.ts";
import { type LibraryPosition, libraryPositionText, parseLibraryPosition } from "../platform/keys.ts";
import { sign } from "../platform/signed-cookie.ts";

// What was looked at last may be nothing of the reader's any more, and where it was is nothing to tell: so a cursor is encrypted, not
// signed alone. AES-256-GCM (NIST SP 800-38D) does both, with who it is for as additional data.

const ivBytes = 12;
const tagBytes = 16;
const charactersMax = 200;

/** Where a reader's listing goes on, in a form that tells nobody anything. */
export async function sealCursor(position: LibraryPosition, reader: IdentityKey): Promise<string> {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(await cookieKeys.signing()), iv).setAAD(
    dataOf(reader),
  );
  const sealed = [iv, cipher.update(libraryPositionText(position)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString("base64url");
}

/**
 * Reads a cursor of this reader's.
 *
 * @throws ApiError `invalid_arg` where it is none, or somebody else's
 */
export async function openCursor(cursor: string, reader: IdentityKey): Promise<LibraryPosition> {
  let position: LibraryPosition | undefined;
  const isOurs = await cookieKeys.holds((key) => {
    position = tryOpen(key, cursor, reader);
    return position !== undefined;
  });
  if (isOurs && position !== undefined) return position;
  throw new ApiError("invalid_arg", {
    message:
      "cursor is none of this list's, or too old: send next_cursor of the response before as it came, or begin without one.",
    details: { parameter: "cursor" },
  });
}

function tryOpen(key: string, cursor: string, reader: IdentityKey): LibraryPosition | undefined {
  const bytes = Buffer.from(cursor.slice(0, charactersMax), "base64url");
  // Each cursor has one spelling.
  if (bytes.toString("base64url") !== cursor || bytes.byteLength <= ivBytes + tagBytes) return undefined;
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv("aes-256-gcm", cipherKey(key), iv, { authTagLength: tagBytes })
    .setAAD(dataOf(reader))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
    return parseLibraryPosition(text.toString());
  } catch {
    return undefined;
  }
}

/** A key for this alone, made of the one that signs. */
function cipherKey(key: string): Buffer {
  return Buffer.from(sign(key, ["library-cursor"]), "base64url");
}

function dataOf({ provider, id }: IdentityKey): Buffer {
  return Buffer.from(JSON.stringify([provider, id]));
}
