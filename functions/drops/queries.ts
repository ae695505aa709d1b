import { metadataFilterRule, pageRule, pageSizeRule, query } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { explainListParameter, explainUpsertParameter } from "./list-parameters.ts";

/** `GET /api/drops`; section "Drops" of the specification. */
export const listDropsQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      page: pageRule,
      pageSize: pageSizeRule,
      sortBy: { type: "string", enum: ["created_at", "updated_at", "view_count"] },
      sortOrder: { type: "string", enum: ["desc", "asc"] },
      metadata: metadataFilterRule,
    },
    (read) => {
      read.refuseOthers(explainListParameter);
      return {
        page: read.integer("page"),
        pageSize: read.integer("pageSize"),
        sortBy: read.oneOf("sortBy"),
        sortOrder: read.oneOf("sortOrder"),
        filters: read.filters(),
      };
    },
  ),
);

/** `PUT /api/drops`: what the one drop carries that is meant; docs/adr/0014-upsert-by-metadata.md. */
export const upsertDropQuery = /* @__PURE__ */ schema(() =>
  query(
    { metadata: metadataFilterRule },
    (read) => {
      read.refuseOthers(explainUpsertParameter);
      return { tags: read.tags() };
    },
    ["metadata"],
  ),
);

/** `GET /api/drops/{slug}/html` and `/source`: which version; the latest where it is absent. */
export const readHtmlQuery = /* @__PURE__ */ schema(() =>
  query({ v: { type: "integer", minimum: 1 } }, (read, sent) => ({
    version: sent.v === undefined ? undefined : read.integer("v"),
  })),
);

/** `GET /api/drops/{slug}/diff`: to the latest version and from the one before it, where nothing is said. */
export const compareVersionsQuery = /* @__PURE__ */ schema(() =>
  query({ from: { type: "integer", minimum: 1 }, to: { type: "integer", minimum: 1 } }, (read, sent) => ({
    from: sent.from === undefined ? undefined : read.integer("from"),
    to: sent.to === undefined ? undefined : read.integer("to"),
  })),
);

/** `POST /api/publications/page?key=`: the secret stands in the query, which no log has. */
export const sendPageQuery = /* @__PURE__ */ schema(() =>
  query({ key: { type: "string" } }, (read) => ({ key: read.required("key", "invalid_arg") }), ["key"]),
);

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
