import { limits } from "../core/limits.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";

/** A publication in steps: the target and fields of a page to be sent to a URL. */
export interface Publication {
  /** The hash of the secret in the URL. */
  readonly secretHash: string;
  readonly ownerId: string;
  /** Id of the token that started the publication. */
  readonly tokenId: string;
  /** Started by a tool of the MCP server. Some tokens are valid for tools only. */
  readonly isByTool: boolean;
  /** @default - a new drop, or the one with the tags */
  readonly slug: string | undefined;
  /** Publishes to the one drop with the tags, if there is one. */
  readonly isUpsert: boolean;
  /** Object with the zip archive that is published. @default - the page is sent as the body */
  readonly archiveKey: string | undefined;
  /** Query that describes the page, as for a page in the body. */
  readonly query: string;
  readonly expiresAtMs: number;
}

/** Kept past its expiry, so that a late page gets the right error. TTL removes it later. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** Publications in steps, by the hash of the secret in their URL. They never change. */
export const publications = {
  /** Stores a publication; false if the secret is taken. */
  async start({ secretHash, ...publication }: Publication, act: Act): Promise<boolean> {
    const ttl = Math.ceil(publication.expiresAtMs / 1000) + keptAfterExpirySeconds;
    const put = { ...keys.publication(secretHash), ...publication, ttl };
    const line = auditWrite(act, { ownerId: publication.ownerId, slug: publication.slug });
    return (await transact([{ put, condition: "attribute_not_exists(pk)" }, line])).committed;
  },

  /** A started publication, expired or not; undefined for an unknown secret. */
  async find(secretHash: string): Promise<Publication | undefined> {
    const item = await getItem(keys.publication(secretHash));
    if (item === undefined) return undefined;
    const { pk: _, sk: __, ttl: ___, ...publication } = item;
    return { secretHash, ...publication } as Publication;
  },
};

/** Expiry of a URL that is issued now, in Unix milliseconds. */
export function publicationExpiry(nowMs: number): number {
  return nowMs + limits.publicationUrlSeconds * 1000;
}
