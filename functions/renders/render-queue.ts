import { type Key, keys, ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";
import { deleteItems, updateItem } from "../table/table-writes.ts";

/** A version to render. */
export interface RequestedVersion {
  readonly slug: string;
  readonly version: number;
  /** True if the owner requested the report, or if a PDF was requested. Requested versions are rendered before published ones. */
  readonly isAsked: boolean;
  /** True if only the PDF was requested. @default false */
  readonly isPdf?: boolean | undefined;
}

/** Payload of `render-page`. */
export interface RenderRequest {
  /** Time of the request, in Unix milliseconds. It is the same when Lambda repeats the event. */
  readonly atMs: number;
  readonly versions: readonly RequestedVersion[];
}

/** Parses the event of `render-page`. @throws Error if the event contains no versions */
export function parseRenderRequest(event: unknown): RenderRequest {
  const { atMs, versions } = Object(event);
  if (Number.isSafeInteger(atMs) && Array.isArray(versions) && versions.every(isRequestedVersion))
    return { atMs, versions };
  throw new Error("The event names no versions to render.");
}

function isRequestedVersion(one: unknown): one is RequestedVersion {
  const { slug, version, isAsked, isPdf = false } = Object(one);
  const areKinds = typeof isAsked === "boolean" && typeof isPdf === "boolean";
  return typeof slug === "string" && Number.isSafeInteger(version) && version > 0 && areKinds;
}

/** A version in the queue. */
export interface QueuedRender extends Pick<RequestedVersion, "slug" | "version" | "isPdf"> {
  readonly key: Key;
  readonly tries: number;
}

/** The queue of versions to render, stored in the table. Requested versions come first, then published ones, each oldest first. */
export const renderQueue = {
  /** Adds versions to the queue. Does not change entries that the same request has already added. */
  async add({ atMs, versions }: RenderRequest): Promise<void> {
    for (const { slug, version, isAsked, isPdf = false } of versions) {
      await updateItem({
        key: keys.waitingRender({ isAsked, atMs, slug, version, isPdf }),
        update: "SET slug = :slug, version = :version, isPdf = :isPdf, tries = :none",
        condition: "attribute_not_exists(pk)",
        values: { ":slug": slug, ":version": version, ":isPdf": isPdf, ":none": 0 },
      });
    }
  },

  /** Reads the first versions, up to `count`, with a strongly consistent read. */
  async first(count: number): Promise<QueuedRender[]> {
    const items = await queryAll(ranges.waitingRenders(), { limit: count });
    return items.map(({ pk, sk, slug, version, isPdf, tries }) => ({
      key: { pk: pk as string, sk: sk as string },
      slug: slug as string,
      version: version as number,
      isPdf: isPdf === true,
      tries: tries as number,
    }));
  },

  /** Counts an attempt at a version. Returns false if the queue no longer has the version. A retried write is counted once. */
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
