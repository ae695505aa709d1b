import type { Version } from "../drops/drop.ts";
import { type Key, keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import type { Render } from "./render.ts";

/** Time after which a pending report can be requested again. Most reports are finished earlier. */
export const requestedAgainAfterMs = 5 * 60 * 1000;

/** Store of renders and of requests for them. */
export const renders = {
  /** Finds a render with a strongly consistent read. Returns undefined if the render was never requested, or was removed. */
  async find(
    slug: string,
    version: number,
    extent: Render["extent"] = "report",
  ): Promise<Render | undefined> {
    const item = await getItem(renderKey({ slug, version, extent }));
    return item && toRender(item);
  },

  /**
   * Requests a version's report or PDF by writing its item. The janitor reads the new item from the table's stream. The earlier report is
   * kept until the new one is ready. Returns false if the version was requested only minutes ago, or was deleted.
   *
   * Callers need the grants `ConditionCheckItem` and `UpdateItem` on `SLUG`.
   */
  async request(
    { slug, version, pageKey }: VersionPage,
    nowMs: number,
    extent: "report" | "pdf" = "report",
  ): Promise<boolean> {
    const { committed } = await transact([
      isStillThere({ slug, version, pageKey }),
      {
        key: renderKey({ slug, version, extent }),
        update:
          "SET #state = :asked, pageKey = :pageKey, atMs = :now, extent = :extent, pictures = if_not_exists(pictures, :none) REMOVE why",
        condition: "attribute_not_exists(pk) OR #state <> :asked OR atMs <= :before",
        names: { "#state": "state" },
        values: {
          ":asked": "asked",
          ":pageKey": pageKey,
          ":now": nowMs,
          ":extent": extent,
          ":none": [],
          ":before": nowMs - requestedAgainAfterMs,
        },
      },
    ]);
    return committed;
  },

  /**
   * Writes the outcome of a render, whose objects must already exist. Returns false if the version was deleted, or if another run has
   * already written its outcome.
   */
  async settle(render: Render): Promise<boolean> {
    const { committed } = await transact([
      isStillThere(render),
      {
        put: toRenderItem(render),
        // The first of two concurrent runs wins, because each run has its own objects. If a report is requested while the pictures are
        // being rendered, the report is rendered next.
        ...(render.extent === "pictures"
          ? { condition: "attribute_not_exists(pk)" }
          : {
              condition: "attribute_not_exists(pk) OR #state = :asked",
              names: { "#state": "state" },
              values: { ":asked": "asked" },
            }),
      },
    ]);
    return committed;
  },
};

type VersionPage = Pick<Version, "slug" | "version" | "pageKey">;

function isStillThere({ slug, version, pageKey }: VersionPage) {
  return {
    check: keys.version(slug, version),
    condition: "pageKey = :pageKey",
    values: { ":pageKey": pageKey },
  };
}

/** Key of a render's item. A version's PDF has its own item, apart from the pictures and the report. */
export function renderKey({ slug, version, extent }: Pick<Render, "slug" | "version" | "extent">): Key {
  return extent === "pdf" ? keys.renderedPdf(slug, version) : keys.render(slug, version);
}

/** Converts a render to its table item. */
export function toRenderItem(render: Render): Item {
  const { slug, version, ...attributes } = render;
  return { ...renderKey(render), ...attributes };
}

/** Converts a table item to a render. */
export function toRender(item: Item): Render {
  return {
    slug: (item.pk as string).slice("SLUG#".length),
    version: Number((item.sk as string).split("#")[1]),
    pageKey: item.pageKey as string,
    state: item.state as Render["state"],
    why: item.why as Render["why"],
    extent: item.extent as Render["extent"],
    folder: item.folder as string | undefined,
    pictures: item.pictures as Render["pictures"],
    hasRestrictedFiles: item.hasRestrictedFiles as boolean | undefined,
    atMs: item.atMs as number,
    milliseconds: item.milliseconds as number | undefined,
  };
}
