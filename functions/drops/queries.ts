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
