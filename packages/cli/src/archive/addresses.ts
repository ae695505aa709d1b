import * as z from "zod/mini";
import { identifier, versionNumber, webAddress } from "../service/fields.ts";

/** New address of a drop. */
const dropAddress = z.object({
  old_url: webAddress,
  url: webAddress,
  slug: identifier,
  /** New numbers of versions, by the old ones. */
  versions: z.record(z.string(), versionNumber),
});

const fileAddress = z.object({ old_url: webAddress, url: webAddress, id: identifier });

/**
 * Addresses of an import, by the old identifiers: `addresses-<host>-<account>.json` beside the export. The account's own lists are
 * authoritative: the file saves comparing files again, and lets people look up an old address.
 */
export const addressesSchema = z.object({
  from: webAddress,
  to: webAddress,
  drops: z.record(z.string(), dropAddress),
  files: z.record(z.string(), fileAddress),
});
export type Addresses = z.output<typeof addressesSchema>;

/** Name of the file with the addresses of an import into an account. */
export function addressesName(service: string, userId: string): string {
  const name = `${new URL(service).host}-${userId}`.replaceAll(/[^A-Za-z0-9.-]/g, "-");
  return `addresses-${name.slice(0, 200)}.json`;
}
