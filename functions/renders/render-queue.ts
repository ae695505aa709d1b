import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type Key, keys, ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";
import { deleteItems, updateItem } from "../table/table-writes.ts";

/** A version to render. */
export interface RequestedVersion {
  readonly slug: string;
  readonly version: number;
  /** True if the owner requests it, which produces the whole report. It is rendered before published versions. */
  readonly isAsked: boolean;
  /** True if its PDF is requested, and nothing else. @default false */
  readonly isPdf?: boolean | undefined;
}

/** Payload of `render-page`. */
export interface RenderRequest {
  /** Time of the request, in Unix milliseconds: unchanged when Lambda repeats the event. */
  readonly atMs: number;
  readonly versions: readonly RequestedVersion[];
}

/**
 * Parses the event of `render-page`.
 * @throws Error when it names no versions
 */
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

/**
 * Invokes `render-page` with these versions.
 * @throws Error if Lambda may not have received the event
 */
export async function invokeRenderPage(request: RenderRequest): Promise<void> {
  await invokeWorker(readEnvironment(environmentNames.renderPageFunction), request);
}

/** A version in the queue. */
export interface QueuedRender extends Pick<RequestedVersion, "slug" | "version" | "isPdf"> {
  readonly key: Key;
  /** Number of earlier attempts. */
  readonly tries: number;
}

/** The queue of versions to render, in the table: requests of owners first, then publications, each in order. */
export const renderQueue = {
  /** Adds versions. Versions of an existing request stay unchanged. */
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

  /** The first versions, up to a count; strongly consistent. */
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

  /** Counts an attempt at a version; false if the queue no longer has the version. Repeated by the client, the write counts once. */
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
