import { query } from "../platform/query.ts";
import { patterns, schema } from "../platform/schemas.ts";

/** `?page=N` of a list: the first page for what is no page number, so that people see no API error. */
export const listQuery = /* @__PURE__ */ schema(() =>
  query({ page: { type: "integer", minimum: 1, default: 1 } }, (_, sent) => {
    const [number = "", ...others] = sent.page ?? [];
    const isNumber = others.length === 0 && patterns.positiveInteger.test(number);
    return { page: isNumber ? Number(number) : 1 };
  }),
);
