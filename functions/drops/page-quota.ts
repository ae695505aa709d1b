import { environmentNames, findEnvironment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import { limits } from "../runtime/limits.ts";
import { ranges } from "../table/keys.ts";
import { type Item, queryAll } from "../table/table.ts";
import { storedBytesOf, type Version } from "./drop.ts";

/**
 * The condition on an account that takes so many bytes of pages more, with `roomValues`. Its `pageBytes` counts the pages of
 * all versions, and what they were made of, without contexts. An account from before it was counted has none, or what came and went since, until it is
 * recounted.
 */
export const hasPageQuota = "(attribute_not_exists(pageBytes) OR pageBytes <= :pageRoom)";

/** The values of `hasPageRoom`. */
export function quotaValues(sizeBytes: number): { readonly ":pageRoom": number } {
  return { ":pageRoom": pageBytesMax() - sizeBytes };
}

/** Whether an account, as it was when a write of so many bytes failed, had no room for them. */
export function lacksPageQuota(account: Item | undefined, sizeBytes: number): boolean {
  return Number(account?.pageBytes ?? Number.NEGATIVE_INFINITY) > quotaValues(sizeBytes)[":pageRoom"];
}

/** The refusal of a page that its account has no room for. */
export function pageQuotaExceeded(sizeBytes: number): ApiError {
  const bytesMax = pageBytesMax();
  return new ApiError("quota_exceeded", {
    message: `This page of ${sizeBytes} bytes would take the account's pages, in all versions, over ${bytesMax} bytes. Delete a version or a drop first.`,
    details: { bytes: sizeBytes, bytes_max: bytesMax },
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  });
}

/** The bytes of all pages of a drop that are there. */
export async function countPageBytes(slug: string): Promise<number> {
  const versions = await queryAll(ranges.versions(slug), { attributes: ["sizeBytes", "source"] });
  return versions.reduce((sum, version) => sum + storedBytesOf(version as unknown as Version), 0);
}

/** How many bytes of pages an account may have here. */
export function pageBytesMax(): number {
  return Number(findEnvironment(environmentNames.pageBytesMax) ?? limits.pageBytesPerAccountMax);
}
