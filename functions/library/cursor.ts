import type { IdentityKey } from "../members/rules.ts";
import { ApiError } from "../platform/errors.ts";
import { type LibraryPosition, libraryPositionText, parseLibraryPosition } from "../platform/keys.ts";
import { createSeal, openSealed, type SealBinding } from "../platform/sealed-value.ts";

// What was looked at last may be nothing of the reader's any more, and where it was is nothing to tell: so a cursor is encrypted, not
// signed alone.

const purpose = "library-cursor";
const charactersMax = 200;

/** Where a reader's listing goes on, in a form that tells nobody anything. */
export async function sealCursor(position: LibraryPosition, reader: IdentityKey): Promise<string> {
  const seal = await createSeal(purpose);
  return seal(libraryPositionText(position), bindingOf(reader));
}

/**
 * Reads a cursor of this reader's.
 *
 * @throws ApiError `invalid_arg` where it is none, or somebody else's
 */
export async function openCursor(cursor: string, reader: IdentityKey): Promise<LibraryPosition> {
  const text =
    cursor.length <= charactersMax ? await openSealed(purpose, cursor, bindingOf(reader)) : undefined;
  const position = text === undefined ? undefined : parseLibraryPosition(text);
  if (position !== undefined) return position;
  throw new ApiError("invalid_arg", {
    message:
      "cursor is none of this list's, or too old: send next_cursor of the response before as it came, or begin without one.",
    details: { parameter: "cursor" },
  });
}

function bindingOf({ provider, id }: IdentityKey): SealBinding {
  return [provider, id];
}
