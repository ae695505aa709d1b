import { hashPasscode } from "../http/passcode.ts";
import { createObjectId, createSlug, type RandomInt } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";
import { createDrop, type Drop, type DropChanges, type PageContent, type Version } from "./drop.ts";
import { newAccess } from "./drop-access.ts";
import { toStoredPage } from "./page-content.ts";
import { pages } from "./page-objects.ts";

/** A drop that no row points at yet. */
export interface NewDrop {
  readonly drop: Drop;
  readonly version: Version;
  readonly passcodeHash: string | undefined;
}

/**
 * Makes a drop and stores its page. Page first: a row never points at a missing object.
 *
 * @throws ApiError `invalid_arg` as `newAccess` does
 */
export async function createStoredDrop(
  { caller, nowMs, randomInt }: { caller: Caller; nowMs: number; randomInt: RandomInt },
  body: PageContent & DropChanges & { readonly title: string; readonly passcode?: string | undefined },
): Promise<NewDrop> {
  const reach = newAccess(body, { isLocked: hasPasscode(body), nowMs });
  const slug = createSlug(randomInt);
  const page = toStoredPage(slug, createObjectId(randomInt), body);
  const passcodeHash = body.passcode ? await hashPasscode(body.passcode) : undefined;
  await pages.put(page);
  return { ...createDrop(caller, body, page, { slug, passcodeHash, reach, nowMs }), passcodeHash };
}

/** A new drop is locked when its passcode is not empty. */
export function hasPasscode({ passcode }: { readonly passcode?: string | undefined }): boolean {
  return passcode !== undefined && passcode !== "";
}
