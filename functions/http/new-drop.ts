import { createDrop, type Drop, type DropChanges, type PageContent, type Version } from "../domain/drop.ts";
import { createObjectId, createSlug, type RandomInt } from "../domain/identifiers.ts";
import { toStoredPage } from "../domain/page-content.ts";
import { hashPasscode } from "../domain/passcode.ts";
import { pages } from "../store/pages.ts";
import type { Caller } from "../store/tokens.ts";

/** A drop that no row points at yet. */
export interface NewDrop {
  readonly drop: Drop;
  readonly version: Version;
  readonly passcodeHash: string | undefined;
}

/** Makes a drop and stores its page. Page first: a row never points at a missing object. */
export async function storeNewDrop(
  { caller, nowMs, randomInt }: { caller: Caller; nowMs: number; randomInt: RandomInt },
  body: PageContent & DropChanges & { readonly title: string; readonly passcode?: string | undefined },
): Promise<NewDrop> {
  const slug = createSlug(randomInt);
  const page = toStoredPage(slug, createObjectId(randomInt), body);
  const passcodeHash = body.passcode ? await hashPasscode(body.passcode) : undefined;
  await pages.put(page);
  return { ...createDrop(caller, body, page, { slug, passcodeHash, nowMs }), passcodeHash };
}
