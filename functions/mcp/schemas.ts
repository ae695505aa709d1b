import { query } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { type ViewName, views } from "../renders/report.ts";

/** Length of a part of a page: default and maximum in UTF-16 code units, about as many bytes. */
export const partCharacters = { default: 20_000, maximum: 100_000 } as const;

/** The tool `read_drop`: which part of which version, from where on, and how much of it. */
export const readDropQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      version: { type: "integer", minimum: 1 },
      part: { type: "string", enum: ["html", "context", "images"] },
      offset: { type: "integer", minimum: 0, default: 0 },
      limit: { type: "integer", minimum: 1, ...partCharacters },
    },
    (read, sent) => ({
      version: sent.version === undefined ? undefined : read.integer("version"),
      part: read.oneOf("part"),
      offset: read.integer("offset"),
      limit: read.integer("limit"),
    }),
  ),
);

/** Default views. The dark ones would double what a conversation holds. */
export const shownViews: readonly ViewName[] = ["phone-light", "desktop-light"];

/** The tool `see_drop`: which version, and which views of it are to be shown. */
export const seeDropQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      version: { type: "integer", minimum: 1 },
      views: { type: "array", choices: views.map(({ name }) => name) },
    },
    (read, sent) => ({
      version: sent.version === undefined ? undefined : read.integer("version"),
      views: read.several("views") ?? shownViews,
    }),
  ),
);
