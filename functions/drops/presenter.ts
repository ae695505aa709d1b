import type { WriteIds } from "../core/log.ts";
import type { VersionFolder } from "../folders/folder.ts";
import { folderHostId } from "../http/folder-host.ts";
import { dropUrl, folderUrl, rawUrl, type Site } from "../http/site.ts";
import { presentVisibility } from "../policies/access.ts";
import {
  type Drop,
  isGuarded,
  isLocked,
  type PresentedDrop,
  type TrashedDrop,
  type Version,
} from "./drop.ts";
import { feedbackOf } from "./drop-access.ts";
import type { ReadPart } from "./read-trail.ts";
import type { DropResponse, ReadListResponse, TrashListResponse, VersionResponse } from "./schemas.ts";

/** Formats a drop for API responses (section "Drop" of the specification). */
export function presentDrop(site: Site, drop: PresentedDrop): DropResponse {
  const { slug, namespace } = drop;
  return {
    slug,
    title: drop.title,
    description: drop.description,
    url: dropUrl(site, namespace, slug),
    raw_url: rawAddress(site, drop),
    locked: isLocked(drop),
    latest_version: drop.latest.version,
    view_count: drop.viewCount,
    metadata: Object.fromEntries(drop.metadata),
    created_at: drop.createdAtMs,
    updated_at: drop.updatedAtMs,
    ...presentVisibility(drop.visibility),
    indexed: drop.indexed,
    feedback: feedbackOf(drop),
    answers: drop.answers ?? "off",
    answers_results: drop.answersResults === true,
    expires_at: drop.expiresAtMs ?? null,
  };
}

/** Formats a drop for the response to a publication, with the digests of the page and its source, and the number of open threads. */
export function presentPublication(
  site: Site,
  drop: Drop,
  { sha256, source }: { readonly sha256: string; readonly source?: { readonly sha256: string } | undefined },
  openFeedback = 0,
) {
  const { folder } = drop.latest;
  const made = source === undefined ? {} : { source_sha256: source.sha256 };
  const files = folder === undefined ? {} : { files: folder.files };
  return { ...presentDrop(site, drop), sha256, ...made, ...files, open_feedback: openFeedback };
}

/** Log fields of a write that has added a version. */
export function writtenVersion({ slug, latest }: Drop): WriteIds {
  return { slug, version: latest.version };
}

/** Formats a version for API responses (section "Version" of the specification). */
export function presentVersion(version: Version): VersionResponse {
  return {
    slug: version.slug,
    version: version.version,
    size_bytes: version.sizeBytes,
    has_context: version.hasContext,
    ...(version.source === undefined ? {} : { has_source: true }),
    ...(version.folder === undefined
      ? {}
      : { files: version.folder.files, folder_bytes: version.folder.sizeBytes }),
    ...(version.note === undefined ? {} : { note: version.note }),
    created_at: version.createdAtMs,
    ...(version.originalDateMs === undefined ? {} : { original_date: version.originalDateMs }),
  };
}

/** Formats a drop in the trash for API responses. */
export function presentTrashedDrop(drop: TrashedDrop): TrashListResponse["drops"][number] {
  return {
    slug: drop.slug,
    title: drop.title,
    reason: drop.reason,
    deleted_at: drop.deletedAtMs,
    purged_at: drop.purgeAtMs,
    bytes: drop.pageBytes,
  };
}

/** Formats one page of a drop's reads for API responses, with a summary. */
export function presentReads(
  { sharedAtMs }: Drop,
  { reads, next }: ReadPart,
  weeksReaders: readonly string[] | undefined,
): ReadListResponse {
  return {
    reads: reads.map(({ reader, day, firstAtMs }) => ({ reader, day, first_at: firstAtMs })),
    next_cursor: next ?? null,
    recording: weeksReaders !== undefined,
    readers_this_week: weeksReaders?.length ?? null,
    shared_since: sharedAtMs ?? null,
  };
}

type AddressedDrop = Pick<PresentedDrop, "slug" | "namespace" | "visibility" | "gate" | "latest">;

/** Returns the address of a drop's latest version without the viewer: the folder's own host, or `/p/<slug>/raw` on the owner's host. */
export function rawAddress(site: Site, drop: AddressedDrop): string {
  return folderHostUrl(site, drop, drop.latest) ?? rawUrl(site, drop.namespace, drop.slug);
}

/**
 * Returns the URL of a folder's own host, with a slash at the end. Returns undefined for single pages, locked or restricted drops, drops last
 * published by old releases, and services without a domain.
 *
 * @param form selects the version and the framed host. @default - the latest version, not framed
 */
export function folderHostUrl(
  site: Site,
  drop: AddressedDrop,
  { folder }: { readonly folder?: Pick<VersionFolder, "hasHost"> | undefined },
  form: { readonly version?: number | undefined; readonly isFramed?: boolean } = {},
): string | undefined {
  const hasHost = folder?.hasHost === true || drop.latest.folder?.hasHost === true;
  if (folder === undefined || !hasHost || isGuarded(drop)) return undefined;
  return folderUrl(site, { id: folderHostId(drop.slug), ...form });
}
