import { query } from "../http/query.ts";
import { patterns, schema } from "../http/schemas.ts";

/** `?page=N` of an owner's page: 0 for what is no page number, so that people see the 404 page. */
export const ownerPageQuery = /* @__PURE__ */ schema(() =>
  query({ page: { type: "integer", minimum: 1, default: 1 } }, (_, sent) => {
    const value = sent.page?.[0] ?? "1";
    return { page: patterns.positiveInteger.test(value) ? Number(value) : 0 };
  }),
);
