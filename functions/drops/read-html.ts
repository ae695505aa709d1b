import { ApiError } from "../http/errors.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { noSuchVersion } from "./items.ts";
import { publicDrops } from "./public-drops.ts";
import { respondWithStored } from "./stored-bytes.ts";
import { readHtmlRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/html: a page for its owner, byte for byte as it was published, behind a passcode or not. */
export const readHtml = tokenOperation(readHtmlRoute, async (input) =>
  respondWithStored(input.request, {
    key: await findPageKey(input),
    contentType: "text/html; charset=utf-8",
  }),
);

async function findPageKey({
  caller,
  path: { slug },
  query,
  nowMs,
}: TokenOperationInput<typeof readHtmlRoute>): Promise<string> {
  const [drop, version] = await Promise.all([
    publicDrops.findDrop(caller.userId, slug, nowMs),
    query.v === undefined ? undefined : publicDrops.findVersion(slug, query.v),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  if (query.v === undefined) return drop.latest.pageKey;
  if (version !== undefined) return version.pageKey;
  throw noSuchVersion(drop, query.v);
}
