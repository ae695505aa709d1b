import { type Key, keys, ranges } from "../platform/keys.ts";
import { queryAll } from "../platform/table.ts";
import { deleteItems, updateItem } from "../platform/table-writes.ts";
import type { RenderRequest, RequestedVersion } from "./render-request.ts";

/** A version in the queue of those that are to be rendered. */
export interface WaitingVersion extends Pick<RequestedVersion, "slug" | "version"> {
  readonly key: Key;
  /** How often it was tried before. */
  readonly tries: number;
}

/** The versions that are to be rendered, in the table: what owners ask for first, then what was published, each in its order. */
export const renderQueue = {
  /** Adds versions; those of a request that is there already stay as they are. */
  async add({ atMs, versions }: RenderRequest): Promise<void> {
    for (const { slug, version, isAsked } of versions) {
      await updateItem({
        key: keys.waitingRender({ isAsked, atMs, slug, version }),
        update: "SET slug = :slug, version = :version, tries = :none",
        condition: "attribute_not_exists(pk)",
        values: { ":slug": slug, ":version": version, ":none": 0 },
      });
    }
  },

  /** The first so many; strongly consistent. */
  async first(count: number): Promise<WaitingVersion[]> {
    const items = await queryAll(ranges.waitingRenders(), { limit: count });
    return items.map(({ pk, sk, slug, version, tries }) => ({
      key: { pk: pk as string, sk: sk as string },
      slug: slug as string,
      version: version as number,
      tries: tries as number,
    }));
  },

  /** Counts a try at a version; false where the version is in the queue no more. The client may send it twice: it counts once. */
  async countTry({ key, tries }: WaitingVersion): Promise<boolean> {
    const outcome = await updateItem({
      key,
      update: "SET tries = :tries",
      condition: "attribute_exists(pk)",
      values: { ":tries": tries + 1 },
    });
    return outcome.updated;
  },

  async remove({ key }: WaitingVersion): Promise<void> {
    await deleteItems([key]);
  },
};
