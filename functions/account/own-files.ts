import { randomUUID } from "node:crypto";
import type { ListedBlob } from "../blobs/blob.ts";
import { blobs, toListedBlob } from "../blobs/store.ts";
import type { Route } from "../http/route.ts";
import { blobUrl } from "../http/site.ts";
import type { PageState } from "./account-layout.tsx";
import { deleteOwnFileRoute } from "./file-rows.ts";
import { renderFilesPage, type SentUpload } from "./files-page.tsx";
import { listPage } from "./list-page.ts";
import { mayUse, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";

/** Reads an owner's files, newest first, and returns the page's renderer. */
export async function ownFilesPage(
  { owner, signedIn, site, nowMs }: Pick<OwnerInput<Route>, "nowMs" | "owner" | "signedIn" | "site">,
  { page = 1, ...state }: PageState & { readonly page?: number; readonly sent?: SentUpload },
): Promise<RenderPage> {
  const [rows, proofOf] = await Promise.all([
    blobs.listRows(owner.userId, nowMs),
    ownerProofs({ signedIn, owner }),
  ]);
  const urlOf = ({ namespace, id }: Pick<ListedBlob, "namespace" | "id">) => blobUrl(site, namespace, id);
  // Idempotency key, so that a form that is sent twice creates only one file.
  const once = randomUUID();
  const list = listPage(rows, page);
  const files = { ...list, shown: list.shown.map(toListedBlob) };
  const mayDelete = mayUse(owner, deleteOwnFileRoute);
  return (nonce) => renderFilesPage({ signedIn, files, urlOf, proofOf, mayDelete, once, nonce, ...state });
}
