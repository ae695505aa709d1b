import type { VersionFolder } from "../folders/folder.ts";
import { folderHostId } from "../http/folder-host.ts";
import { folderUrl, rawUrl, type Site } from "../http/site.ts";
import { isGuarded, type PresentedDrop } from "./drop.ts";

/** Fields by which a drop's page is addressed. */
type AddressedDrop = Pick<PresentedDrop, "slug" | "namespace" | "visibility" | "gate" | "latest">;

/** A version of a drop, as its row or the drop's own describes it. */
interface AddressedVersion {
  /** @default - it is one page */
  readonly folder?: Pick<VersionFolder, "hasHost"> | undefined;
}

/** The address of a drop's latest version by itself: a folder's own host, and of one page `/p/<slug>/raw` of its owner. */
export function rawAddress(site: Site, drop: AddressedDrop): string {
  return folderHostUrl(site, drop, drop.latest) ?? rawUrl(site, drop.namespace, drop.slug);
}

/**
 * The host of a folder's version, which ends in a slash. Undefined for one page, for a drop that not everybody may read, and where the
 * service has no domain; a folder of an earlier release gets its host with the next publication.
 *
 * @param form of the host. @default - of the latest version, whichever that is
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
