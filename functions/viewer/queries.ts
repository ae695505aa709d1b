import * as z from "zod/mini";
import { choice, freeText, integer, pinnedVersion, requiredText } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { shownPictures } from "../renders/render.ts";

// People see no API error: a parameter that breaks its rule counts as absent.

/** `?v=N` on the serving URLs. */
export const pinnedVersionQuery = /* @__PURE__ */ schema(() => z.object({ v: pinnedVersion }));

/**
 * `?v=N` of a raw page, with `framed=1` for the viewer's frame, with `download=1` for a download, or with `drawn=` for
 * a picture of it.
 */
export const rawPageQuery = /* @__PURE__ */ schema(() => {
  const yes = z.catch(z.optional(choice(["1"])), undefined);
  const drawn = z.catch(z.optional(choice(shownPictures)), undefined);
  return z.object({ v: pinnedVersion, framed: yes, download: yes, drawn });
});

/** `?key=` or `?reader=1` of a drop's state: the key of a locked drop, or the mark of a request with its reader's cookies. */
export const stateQuery = /* @__PURE__ */ schema(() =>
  z.object({
    key: z.catch(z.optional(freeText()), undefined),
    reader: z.catch(z.optional(choice(["1"])), undefined),
  }),
);

/** `?url=&format=&maxwidth=&maxheight=` of oEmbed 1.0, section 2.2; an invalid size sets no limit. */
export const oembedQuery = /* @__PURE__ */ schema(() => {
  const size = z.catch(z.optional(integer({ minimum: 1 })), undefined);
  return z.object({
    url: requiredText(),
    format: z._default(freeText(), "json"),
    maxwidth: size,
    maxheight: size,
  });
});
