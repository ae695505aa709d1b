import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type Key, keys, ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";
import { deleteItems, updateItem } from "../table/table-writes.ts";

/** A version that is to be rendered. */
export interface RequestedVersion {
  readonly slug: string;
  readonly version: number;
  /** The owner requests it, with the whole report. It goes before published versions. */
  readonly isAsked: boolean;
}

/** Payload of `render-page`. */
export interface RenderRequest {
  /** Time of the request, in Unix milliseconds: the same each time that Lambda brings the event again. */
  readonly atMs: number;
  readonly versions: readonly RequestedVersion[];
}

/**
 * The event of an invocation of `render-page`.
 *
 * @throws Error when it names no versions
 */
export function parseRenderRequest(event: unknown): RenderRequest {
  const { atMs, versions } = Object(event);
  if (Number.isSafeInteger(atMs) && Array.isArray(versions) && versions.every(isRequestedVersion))
    return { atMs, versions };
  throw new Error("The event names no versions that are to be rendered.");
}

function isRequestedVersion(one: unknown): one is RequestedVersion {
  const { slug, version, isAsked } = Object(one);
  return (
    typeof slug === "string" && Number.isSafeInteger(version) && version > 0 && typeof isAsked === "boolean"
  );
}

/**
 * Has `render-page` invoked with these versions.
 *
 * @throws Error where Lambda may not have the event
 */
export async function invokeRenderPage(request: RenderRequest): Promise<void> {
  await invokeWorker(readEnvironment(environmentNames.renderPageFunction), request);
}

/** A version in the queue of those that are to be rendered. */
export interface QueuedRender extends Pick<RequestedVersion, "slug" | "version"> {
  readonly key: Key;
  /** Number of earlier attempts. */
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
  async first(count: number): Promise<QueuedRender[]> {
    const items = await queryAll(ranges.waitingRenders(), { limit: count });
    return items.map(({ pk, sk, slug, version, tries }) => ({
      key: { pk: pk as string, sk: sk as string },
      slug: slug as string,
      version: version as number,
      tries: tries as number,
    }));
  },

  /** Counts a try at a version; false where the version is in the queue no more. The client may send it twice: it counts once. */
  async countAttempt({ key, tries }: QueuedRender): Promise<boolean> {
    const outcome = await updateItem({
      key,
      update: "SET tries = :tries",
      condition: "attribute_exists(pk)",
      values: { ":tries": tries + 1 },
    });
    return outcome.updated;
  },

  async remove({ key }: QueuedRender): Promise<void> {
    await deleteItems([key]);
  },
};
