import * as z from "zod/mini";
import { choice, freeText, integer, pinnedVersion, requiredText } from "../http/query.ts";
import { schema, versionNumber } from "../http/schemas.ts";
import { shownPictures } from "../renders/render.ts";

/** Wire format of `DropState`. */
export const dropStateResponse = /* @__PURE__ */ schema(() =>
  z.object({
    state: z.enum(["open", "locked", "gone"]),
    latest_version: z.optional(versionNumber),
  }),
);

/** oEmbed response with a preview of a link, or with a frame of the viewer (oEmbed 1.0, section 2.3.4). */
export const oembedResponse = /* @__PURE__ */ schema(() =>
  z.object({
    version: z.literal("1.0"),
    type: z.enum(["link", "rich"]),
    title: z.string(),
    author_name: z.string(),
    author_url: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    cache_age: z.int(),
    html: z.optional(z.string()),
    width: z.optional(z.int()),
    height: z.optional(z.int()),
    thumbnail_url: z.optional(z.string()),
    thumbnail_width: z.optional(z.int()),
    thumbnail_height: z.optional(z.int()),
  }),
);

/** An oEmbed response. */
export type OembedResponse = z.infer<typeof oembedResponse>;

// The query parameters below treat invalid values as absent, so that people in a browser see no API error.

/** Query parameters of URLs that serve drops: `?v=N`. */
export const pinnedVersionQuery = /* @__PURE__ */ schema(() => z.object({ v: pinnedVersion }));

/**
 * Query parameters of a raw page: `?v=N`, and `framed=1` for the viewer's frame, `download=1` for a download, or `drawn=` for a picture.
 */
export const rawPageQuery = /* @__PURE__ */ schema(() => {
  const yes = z.catch(z.optional(choice(["1"])), undefined);
  const drawn = z.catch(z.optional(choice(shownPictures)), undefined);
  return z.object({ v: pinnedVersion, framed: yes, download: yes, drawn });
});

/** Query parameters of a drop's state: `?key=` is the key of a locked drop, `?reader=1` marks a request with the reader's cookies. */
export const stateQuery = /* @__PURE__ */ schema(() =>
  z.object({
    key: z.catch(z.optional(freeText()), undefined),
    reader: z.catch(z.optional(choice(["1"])), undefined),
  }),
);

/** Query parameters of oEmbed: `?url=&format=&maxwidth=&maxheight=` (oEmbed 1.0, section 2.2). An invalid size sets no limit. */
export const oembedQuery = /* @__PURE__ */ schema(() => {
  const size = z.catch(z.optional(integer({ minimum: 1 })), undefined);
  return z.object({
    url: requiredText(),
    format: z._default(freeText(), "json"),
    maxwidth: size,
    maxheight: size,
  });
});
