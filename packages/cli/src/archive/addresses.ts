import * as z from "zod/mini";
import { identifier, versionNumber, webAddress } from "../service/fields.ts";

/** Old and new address of a drop. */
const dropAddress = z.object({
  old_url: webAddress,
  url: webAddress,
  slug: identifier,
  /** New version numbers, by old version number. */
  versions: z.record(z.string(), versionNumber),
});

const fileAddress = z.object({ old_url: webAddress, url: webAddress, id: identifier });

/**
 * Old and new addresses of an import, by old identifier, in `addresses-<host>-<account>.json` beside the export. With this file, a later
 * import need not compare files again, and people can look up old addresses.
 */
export const addressesSchema = z.object({
  from: webAddress,
  to: webAddress,
  drops: z.record(z.string(), dropAddress),
  files: z.record(z.string(), fileAddress),
});
export type Addresses = z.output<typeof addressesSchema>;

/** Returns the name of the file with the addresses of an import into an account. */
export function addressesName(service: string, userId: string): string {
  const name = `${new URL(service).host}-${userId}`.replaceAll(/[^A-Za-z0-9.-]/g, "-");
  return `addresses-${name.slice(0, 200)}.json`;
}
