import { randomUUID } from "node:crypto";
import type { Blob } from "../blobs/blob.ts";
import { toBlob } from "../blobs/store.ts";
import { ranges } from "../platform/keys.ts";
import type { Route } from "../platform/route.ts";
import { blobUrl } from "../platform/site.ts";
import { queryAll } from "../platform/table.ts";
import { formProofs } from "../readers/form-proof.ts";
import { renderFilesPage, type SentUpload } from "./files-page.tsx";
import { listPage } from "./list-page.ts";
import type { OwnerInput } from "./owner.ts";
import type { RenderPage } from "./owner-form.ts";
import type { Problem } from "./problem.ts";
import type { Done } from "./queries.ts";

/** What of a file its owner's list shows. */
const attributes = [
  "pk",
  "sk",
  "namespace",
  "filename",
  "contentType",
  "sizeBytes",
  "visibility",
  "createdAtMs",
] as const;

/** What a page of files says beside them. */
interface FilesState {
  /** The number of the page of the list. @default 1 */
  readonly page?: number;
  /** @default - no form was refused */
  readonly problem?: Problem;
  /** What was filled in to upload a file, where that was refused. */
  readonly sent?: SentUpload;
  readonly done?: Done | undefined;
}

/** The page of an owner's files, newest first. */
export async function ownFilesPage(
  { owner, signedIn, site }: Pick<OwnerInput<Route>, "owner" | "signedIn" | "site">,
  { page = 1, ...state }: FilesState,
): Promise<RenderPage> {
  const [files, proofOf] = await Promise.all([
    listOwnFiles(owner.userId),
    formProofs(signedIn.session.reference),
  ]);
  const urlOf = ({ namespace, id }: Pick<Blob, "namespace" | "id">) => blobUrl(site, namespace, id);
  // By it the same form, sent twice, makes one file.
  const once = randomUUID();
  return (nonce) =>
    renderFilesPage({ signedIn, files: listPage(files, page), urlOf, proofOf, once, nonce, ...state });
}

async function listOwnFiles(userId: string): Promise<Blob[]> {
  const files = (await queryAll(ranges.blobs(userId), { attributes })).map(toBlob);
  return files.sort((one, other) => other.createdAtMs - one.createdAtMs);
}
