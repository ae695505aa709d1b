import { query, type RawQuery } from "../http/query.ts";
import { patterns, schema } from "../http/schemas.ts";
import { shownPictures } from "../renders/render.ts";

const pinnedVersion = { v: { type: "integer", minimum: 1 } } as const;

/**
 * `?v=N` on the serving URLs: undefined for the latest version. What is no version number becomes 0, which no
 * drop has, so that people see the 404 page and not an API error.
 */
export const pinnedVersionQuery = /* @__PURE__ */ schema(() =>
  query(pinnedVersion, (_, sent) => readPinnedVersion(sent)),
);

export function readPinnedVersion(sent: RawQuery): { readonly version: number | undefined } {
  const [first, ...others] = sent.v ?? [];
  if (first === undefined) return { version: undefined };
  return { version: others.length === 0 && patterns.positiveInteger.test(first) ? Number(first) : 0 };
}

const yes = { type: "string", enum: ["1"] } as const;

/**
 * `?v=N` of a raw page, with `framed=1` for the viewer's frame and what a page needs there, with `download=1` to be saved, or with
 * `drawn=` a picture of it.
 */
export const rawPageQuery = /* @__PURE__ */ schema(() =>
  query(
    { ...pinnedVersion, framed: yes, download: yes, drawn: { type: "string", enum: shownPictures } },
    (_, sent) => {
      const isDownload = sent.download?.[0] === "1";
      const isFramed = !isDownload && sent.framed?.[0] === "1";
      const drawn = shownPictures.find((name) => name === sent.drawn?.[0]);
      return { ...readPinnedVersion(sent), isDownload, isFramed, drawn };
    },
  ),
);

/** `?key=` or `?reader=1` of a drop's state: the key of a locked drop, or the mark of a request that brings its reader's cookies. */
export const stateQuery = /* @__PURE__ */ schema(() =>
  query({ key: { type: "string" }, reader: yes }, (_, sent) => {
    return { key: sent.key?.[0], isReaders: sent.reader?.[0] === "1" };
  }),
);

/** `?url=&format=&maxwidth=&maxheight=` of oEmbed 1.0, section 2.2; what is no size bounds nothing. */
export const oembedQuery = /* @__PURE__ */ schema(() => {
  const size = { type: "integer", minimum: 1 } as const;
  return query(
    { url: { type: "string" }, format: { type: "string" }, maxwidth: size, maxheight: size },
    (read, sent) => {
      const bound = (values: readonly string[] = []) =>
        patterns.positiveInteger.test(values[0] ?? "") ? Number(values[0]) : undefined;
      return {
        url: read.required("url", "invalid_arg"),
        format: read.optional("format") ?? "json",
        widthMaxPx: bound(sent.maxwidth),
        heightMaxPx: bound(sent.maxheight),
      };
    },
    ["url"],
  );
});
