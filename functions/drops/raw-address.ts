import type { VersionFolder } from "../folders/folder.ts";
import { folderHostId } from "../http/folder-host.ts";
import { folderUrl, rawUrl, type Site } from "../http/site.ts";
import { isGuarded, type PresentedDrop } from "./drop.ts";

/** Fields of a drop that determine the address of its page. */
type AddressedDrop = Pick<PresentedDrop, "slug" | "namespace" | "visibility" | "gate" | "latest">;

/** A version of a drop, read from the version's row or the drop's row. */
interface AddressedVersion {
  /** Folder of the version. @default - the version is a single page */
  readonly folder?: Pick<VersionFolder, "hasHost"> | undefined;
}

/**
 * Returns the address of a drop's latest version without the viewer: the folder's own host, or `/p/<slug>/raw` on the
 * owner's host.
 */
export function rawAddress(site: Site, drop: AddressedDrop): string {
  return folderHostUrl(site, drop, drop.latest) ?? rawUrl(site, drop.namespace, drop.slug);
}

/**
 * Returns the URL of a folder's own host, with a slash at the end. Returns undefined for a single page, for a restricted drop,
 * and if the service has no domain. A folder that an earlier release stored gets its host with the next publication.
 *
 * @param form selects the version and the framed host. @default - the latest version, not framed
 */
export function folderHostUrl(
  site: Site,
  drop: AddressedDrop,
  { folder }: AddressedVersion,
  form: { readonly version?: number | undefined; readonly isFramed?: boolean } = {},
): string | undefined {
  const hasHost = folder?.hasHost === true || drop.latest.folder?.hasHost === true;
  if (folder === undefined || !hasHost || isGuarded(drop)) return undefined;
  return folderUrl(site, { id: folderHostId(drop.slug), ...form });
}
