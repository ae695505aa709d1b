import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { metadataFilters, optionalText, pageSize } from "../http/query.ts";
import { schema, slug, unixMilliseconds, versionNumber } from "../http/schemas.ts";
import { visibilityKinds } from "../policies/access.ts";

/** Drop in a reader's library, without the fields that only the owner may see. */
const libraryDrop = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    title: z.nullable(z.string()),
    description: z.nullable(z.string()),
    url: z.url(),
    raw_url: z.url(),
    locked: z.boolean(),
    latest_version: versionNumber,
    metadata: z.record(z.string(), z.string()),
    created_at: unixMilliseconds,
    updated_at: unixMilliseconds,
    visibility: z.enum(visibilityKinds),
    owner: z.string(),
    own: z.boolean(),
  }),
);

/** Response of `GET /api/library`; see docs/adr/0047-library-index.md. */
export const libraryResponse = /* @__PURE__ */ schema(() =>
  z.object({ drops: z.array(libraryDrop), next_cursor: z.nullable(z.string()) }),
);

export type LibraryDropResponse = z.output<typeof libraryDrop>;
export type LibraryResponse = z.output<typeof libraryResponse>;

/** Query parameters of `GET /api/library`. */
export const listLibraryQuery = /* @__PURE__ */ schema(() =>
  z.object({
    q: optionalText({ what: "words to search", maxLength: limits.titleCodePointsMax }),
    owner: optionalText({
      what: "the name of an owner as in their address, letters, digits and hyphens,",
      maxLength: 40,
      pattern: "^[A-Za-z0-9-]*$",
    }),
    metadata: metadataFilters,
    cursor: optionalText({
      what: "next_cursor of the previous response,",
      maxLength: 200,
      pattern: "^[\\w-]*$",
    }),
    pageSize,
  }),
);
