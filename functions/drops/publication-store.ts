import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";

/** A started publication: the target and fields of a page that will be sent to a secret URL. */
export interface Publication {
  readonly secretHash: string;
  readonly ownerId: string;
  readonly tokenId: string;
  /** True if an MCP tool started the publication. Some tokens are valid for tools only. */
  readonly isByTool: boolean;
  /** Slug of the drop that gets a new version. @default - a new drop, or with `isUpsert` the drop that has the tags */
  readonly slug: string | undefined;
  /** True to publish to the one drop that has the tags. */
  readonly isUpsert: boolean;
  /** Object key of the zip archive to publish. @default - the page is sent as the body */
  readonly archiveKey: string | undefined;
  /** The page's fields, as the query string of a request whose body is the page. */
  readonly query: string;
  readonly expiresAtMs: number;
}

/** Additional time until TTL removes an expired publication. Until the removal, a late page is refused with a message about the expiry. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** Stores started publications by the hash of the secret in their URL. A stored publication never changes. */
export const publications = {
  /** Stores a publication. Returns false if another publication has the same secret. */
  async start({ secretHash, ...publication }: Publication, act: Act): Promise<boolean> {
    const ttl = Math.ceil(publication.expiresAtMs / 1000) + keptAfterExpirySeconds;
    const put = { ...keys.publication(secretHash), ...publication, ttl };
    const line = auditWrite(act, { ownerId: publication.ownerId, slug: publication.slug });
    return (await transact([{ put, condition: "attribute_not_exists(pk)" }, line])).committed;
  },

  /** Finds a started publication, even if it has expired. */
  async find(secretHash: string): Promise<Publication | undefined> {
    const item = await getItem(keys.publication(secretHash));
    if (item === undefined) return undefined;
    const { pk: _, sk: __, ttl: ___, ...publication } = item;
    return { secretHash, ...publication } as Publication;
  },
};
