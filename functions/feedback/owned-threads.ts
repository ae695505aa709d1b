import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { ApiError } from "../http/errors.ts";

/** @throws ApiError `not_found` for a drop of another owner, and an expired one */
export async function requireOwnDrop(ownerId: string, slug: string, nowMs: number): Promise<Drop> {
  const drop = await publicDrops.findDrop(ownerId, slug, nowMs);
  if (drop === undefined) throw new ApiError("not_found");
  return drop;
}

/** Error for an unknown thread. */
export function noSuchThread(slug: string, thread: number): ApiError {
  return new ApiError("not_found", {
    message: `The drop ${slug} has no thread ${thread}. GET /api/feedback?slug=${slug} lists its threads.`,
    details: { thread },
  });
}
