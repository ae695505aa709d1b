import { isGuarded } from "../drops/drop.ts";
import { ApiError } from "../http/errors.ts";
import { limits } from "../http/limits.ts";
import { page } from "../http/page-operation.ts";
import { dropUrl } from "../http/site.ts";
import type { Identity } from "../identity/accounts.ts";
import { signedInPage } from "../identity/signed-in-page.ts";
import { type ReadableDrop, thumbnailSources } from "../renders/thumbnail-sources.ts";
import type { LibraryPosition } from "../table/keys.ts";
import { renderLibraryPage } from "./library-page.tsx";
import { type LibraryDrop, listLibraryDrops, openCursor, sealCursor } from "./listing.ts";
import { showLibraryRoute } from "./rows.ts";

/** GET /library: pages that others share with the signed-in reader. */
export const showLibrary = signedInPage(
  showLibraryRoute,
  () => ({ page: "library" }),
  async ({ signedIn, query: { filters, cursor }, site, nowMs }) => {
    const { reader } = signedIn;
    const after = await findPosition(cursor, reader.identity);
    const request = { ...filters, pageSize: limits.pageSizeDefault, after };
    const { drops, next } = await listLibraryDrops(reader, request, nowMs);
    const shown = drops.filter(({ isHidden }) => !isHidden);
    const thumbnails = await thumbnailSources(shown.map(toReadable), site);
    const facts = {
      thumbnails,
      signedIn,
      filters,
      isFurther: after !== undefined,
      drops: drops.map((one) => ({ ...one, href: dropUrl(site, one.drop.namespace, one.drop.slug) })),
      nextCursor: next && (await sealCursor(next, reader.identity)),
    };
    return page("sign-in", (nonce) => renderLibraryPage({ ...facts, nonce }), {
      picturesFrom: thumbnails.size > 0 ? site.baseUrl : undefined,
    });
  },
);

function toReadable({ drop }: LibraryDrop): ReadableDrop {
  const { slug, visibility, latest } = drop;
  return { slug, visibility, version: latest.version, isGuarded: isGuarded(drop) };
}

/** Opens a cursor. Those of another day or another person lead to the start of the library. */
async function findPosition(
  cursor: string | undefined,
  reader: Identity,
): Promise<LibraryPosition | undefined> {
  if (cursor === undefined) return undefined;
  return openCursor(cursor, reader).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "invalid_arg") return undefined;
    throw error;
  });
}
