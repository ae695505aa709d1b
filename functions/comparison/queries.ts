import { query } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { readPinnedVersion } from "../viewer/queries.ts";

/** `?from=&to=&view=` of a comparison: of each version undefined for the usual one, and 0 for what is no version number. */
export const comparisonQuery = /* @__PURE__ */ schema(() => {
  const version = { type: "integer", minimum: 1 } as const;
  return query(
    { from: version, to: version, view: { type: "string", enum: ["text", "pages"] } },
    (_, sent) => {
      const of = (values?: readonly string[]) =>
        readPinnedVersion(values === undefined ? {} : { v: values }).version;
      const view = sent.view?.[0] === "pages" ? ("pages" as const) : ("text" as const);
      return { from: of(sent.from), to: of(sent.to), view };
    },
  );
});
