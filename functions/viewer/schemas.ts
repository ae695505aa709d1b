import * as z from "zod/mini";
import { schema, versionNumber } from "../http/schemas.ts";

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
