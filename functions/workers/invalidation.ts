import { createHash } from "node:crypto";
import type { TableChange } from "./table-change.ts";

/**
 * Drops of one batch that are invalidated each by its own path. More become one path for all pages: CloudFront has 15
 * paths with a wildcard in progress at most, and they are paid by the path. CloudFront developer guide, "Concurrent
 * invalidation request maximum".
 */
const dropPathsMax = 3;

/**
 * The paths that the edge must forget after changes.
 *
 * A page's cache key has its path, the host's header and the query's header, so one path covers a page on all hosts
 * and in all versions: "When you invalidate a file, CloudFront invalidates every cached version of the file regardless
 * of the header values". The wildcard covers a query that is forwarded. A file's path is rewritten by the
 * viewer-request function; then both are to be invalidated, "the URI in the viewer request" and "the URI after the
 * function changed it". CloudFront developer guide, "What you need to know when invalidating files".
 */
export function invalidationPaths(changes: readonly TableChange[]): string[] {
  const slugs = new Set(changes.flatMap((change) => ("slug" in change ? [change.slug] : [])));
  const pages = slugs.size > dropPathsMax ? ["/p/*"] : [...slugs].map((slug) => `/p/${slug}/*`);
  const files = changes.flatMap((change) =>
    change.kind === "blob-removed" ? [`/b/${change.id}`, `/${change.objectKey}`] : [],
  );
  return [...new Set([...pages, ...files])];
}

/** The same for the same records and paths, so that a batch that comes again starts no second invalidation. */
export function invalidationReference(
  sequenceNumbers: readonly (string | undefined)[],
  paths: readonly string[],
): string {
  return createHash("sha256")
    .update(JSON.stringify([sequenceNumbers, paths]))
    .digest("hex");
}
