import * as z from "zod/mini";
import {
  choice,
  flag,
  integer,
  metadataFilters,
  metadataTags,
  optionalText,
  pageNumber,
  pageSize,
  requiredText,
} from "../http/query.ts";
import { schema } from "../http/schemas.ts";

const versionNumber = /* @__PURE__ */ schema(() => z.optional(integer({ minimum: 1 })));

/** Query parameters of `GET /api/drops` (section "Drops" of the specification). */
export const listDropsQuery = /* @__PURE__ */ schema(() =>
  z.object({
    page: pageNumber,
    pageSize,
    sortBy: z._default(choice(["created_at", "updated_at", "view_count"]), "created_at"),
    sortOrder: z._default(choice(["desc", "asc"]), "desc"),
    metadata: metadataFilters,
  }),
);

/** Query parameters of `GET /api/trash`. */
export const listTrashQuery = /* @__PURE__ */ schema(() => z.object({ page: pageNumber, pageSize }));

/** Query parameters of `PUT /api/drops`: the tags of the drop to update; see docs/adr/0013-idempotency-and-upserts.md. */
export const upsertDropQuery = /* @__PURE__ */ schema(() => z.object({ metadata: metadataTags }));

/** Query parameters of `GET /api/drops/{slug}/html` and `/source`: the version, by default the latest. */
export const readHtmlQuery = /* @__PURE__ */ schema(() => z.object({ v: versionNumber }));

/** Query parameters of `GET /api/drops/{slug}/files`: the version, by default the latest, and the option for an archive. */
export const listFilesQuery = /* @__PURE__ */ schema(() =>
  z.object({ v: versionNumber, archive: z.optional(flag()) }),
);

/** Query parameters of `GET /api/drops/{slug}/diff`. By default, the latest version is compared with the version before it. */
export const compareVersionsQuery = /* @__PURE__ */ schema(() =>
  z.object({ from: versionNumber, to: versionNumber }),
);

/** Query parameters of `GET /api/drops/{slug}/reads`. */
export const listReadsQuery = /* @__PURE__ */ schema(() =>
  z.object({
    cursor: optionalText({
      what: "next_cursor of the previous response,",
      maxLength: 54,
      pattern: "^\\d{4}-\\d{2}-\\d{2}\\.[\\w-]{43}$",
    }),
    pageSize,
  }),
);

/** Query parameters of `POST /api/publications/page?key=`. The key is a secret. Queries are never logged. */
export const sendPageQuery = /* @__PURE__ */ schema(() =>
  z.object({ key: requiredText("invalid_arg", ": it is in the URL that POST /api/publications returns") }),
);

/** Query parameters of the tools that show a version of a page in the chat. */
export const pageVersionQuery = /* @__PURE__ */ schema(() => z.object({ version: versionNumber }));

/** Default and maximum length of a slice of a page, in UTF-16 code units. The length in bytes is about the same. */
export const partCharacters = { default: 20_000, maximum: 100_000 } as const;

/** Query parameters of the tool `read_drop`: the part, the version, the offset and the length. */
export const readDropQuery = /* @__PURE__ */ schema(() =>
  z.object({
    version: versionNumber,
    part: z._default(choice(["html", "context", "images"]), "html"),
    offset: z._default(integer({ minimum: 0 }), 0),
    limit: z._default(integer({ minimum: 1, maximum: partCharacters.maximum }), partCharacters.default),
  }),
);
