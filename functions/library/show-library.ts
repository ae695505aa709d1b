import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { isGuarded } from "../drops/drop.ts";
import { page } from "../html/page.ts";
import { dropUrl } from "../http/site.ts";
import { signedInPage, withActing } from "../identity/signed-in-page.ts";
import type { Reader } from "../people/find-reader.ts";
import { type ReadableDrop, thumbnailSources } from "../renders/thumbnail-sources.ts";
import { findDrops } from "../search/find-drops.ts";
import { readSearchQuery } from "../search/search-query.ts";
import type { LibraryFilters } from "./library-filters.ts";
import { renderLibraryPage } from "./library-page.tsx";
import { type LibraryDrop, listLibraryDrops, openCursor, sealCursor } from "./listing.ts";
import { showLibraryRoute } from "./rows.ts";

/**
 * GET /library: shows pages that others share with the signed-in reader. A search query searches these pages and the reader's own pages.
 */
export const showLibrary = signedInPage(
  showLibraryRoute,
  () => ({ page: "library" }),
  async ({ query: { filters, cursor, page: number }, site, nowMs, ...input }) => {
    const signedIn = await withActing(input.signedIn);
    const { team } = signedIn.acting ?? {};
    // If the reader acts for a team, the team's drops count as the reader's own.
    const reader = team === undefined ? signedIn.reader : { ...signedIn.reader, userId: team.userId };
    const { search } = filters;
    const found =
      search === undefined
        ? await list(reader, filters, cursor, nowMs)
        : await find(reader, { ...filters, search }, number, nowMs);
    const shown = found.drops.filter(({ isHidden }) => !isHidden);
    const thumbnails = await thumbnailSources(shown.map(toReadable), site);
    const drops = found.drops.map((one) => ({
      ...one,
      href: dropUrl(site, one.drop.namespace, one.drop.slug),
    }));
    const facts = { ...found, drops, thumbnails, signedIn, filters };
    return page("signed-in", (nonce) => renderLibraryPage({ ...facts, nonce }), {
      picturesFrom: thumbnails.size > 0 ? site.baseUrl : undefined,
    });
  },
);

async function list(reader: Reader, filters: LibraryFilters, cursor: string | undefined, nowMs: number) {
  const after = await findPosition(cursor, reader);
  const request = { ...filters, pageSize: limits.pageSizeDefault, after };
  const { drops, next } = await listLibraryDrops(reader, request, nowMs);
  const nextCursor = next && (await sealCursor(next, reader.identity));
  return { drops, isFurther: after !== undefined, nextCursor };
}

async function find(
  reader: Reader,
  { search: q, owner, tags }: LibraryFilters & { readonly search: string },
  number: number,
  nowMs: number,
) {
  const terms = readSearchQuery(q);
  if (typeof terms === "string") return { drops: [], isFurther: false, fault: terms };
  const request = { q, owner, tags, page: number, pageSize: limits.pageSizeDefault };
  const { results, hasMore } = await findDrops(reader, request, nowMs);
  const drops = results.map((one) => ({ ...one, isHidden: false }));
  return { drops, isFurther: false, results: { number, hasMore } };
}

function toReadable({ drop }: LibraryDrop): ReadableDrop {
  const { slug, visibility, latest } = drop;
  return { slug, visibility, version: latest.version, isGuarded: isGuarded(drop) };
}

/** Decrypts a cursor. If the cursor is too old or belongs to another person, the page shows the start of the library. */
async function findPosition(cursor: string | undefined, { identity }: Reader) {
  if (cursor === undefined) return undefined;
  return openCursor(cursor, identity).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "invalid_arg") return undefined;
    throw error;
  });
}
