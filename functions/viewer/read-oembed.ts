import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { hasEmbedding } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { xmlText } from "../html/format.tsx";
import { text } from "../html/text.ts";
import { type DropAddress, parseDropAddress, toNamedAddress } from "../http/drop-address.ts";
import { anyone, defineOperation } from "../http/operation.ts";
import { errorJson, jsonHeaders, ok, secondsUntilExpiry } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { drawnUrl, dropUrl, ownerUrl, type Site } from "../http/site.ts";
import { canRead } from "../policies/access.ts";
import { pictureOf, shownPictures } from "../renders/render.ts";
import { renders } from "../renders/store.ts";
import { readOembedRoute } from "./rows.ts";
import type { OembedResponse } from "./schemas.ts";

/** Cache time of the response in seconds. The time is short, because titles and pictures change. oEmbed lets the provider choose it. */
const cacheSeconds = 3_600;

const noDrop = "url must be the address of a page on this service that anyone may see.";

/** GET /oembed: responds with the preview of a link to a drop. The preview of a restricted drop contains only public data. */
export const readOembed = defineOperation(readOembedRoute, {
  identify: anyone,
  presentError: errorJson,
  run: async ({ query, site, nowMs }) => {
    const { url, format, maxwidth: widthMaxPx, maxheight: heightMaxPx } = query;
    if (format !== "json" && format !== "xml") throw new ApiError("format_not_supported");
    const address = parseDropAddress(await toNamedAddress(url, site), site);
    const drop = address && (await findShown(address, nowMs));
    if (address === undefined || drop === undefined) throw new ApiError("not_found", { message: noDrop });
    if (isLocked(drop))
      throw new ApiError("unauthorized", { message: "The page is locked. It cannot be embedded." });
    const response = await describe(drop, address, { site, widthMaxPx, heightMaxPx, nowMs });
    if (format === "json") return ok(response);
    return {
      status: 200,
      headers: { ...jsonHeaders, "content-type": mediaTypes.xml },
      body: renderOembedXml(response),
    };
  },
});

/** Finds the drop at a URL. Returns undefined unless an anonymous reader may learn that the drop exists. */
async function findShown(
  { slug, namespace, version }: DropAddress,
  nowMs: number,
): Promise<Drop | undefined> {
  const [pointer, pinned] = await Promise.all([
    publicDrops.findPointer(slug),
    version === undefined ? undefined : publicDrops.findVersion(slug, version),
  ]);
  const isThere = pointer !== undefined && (namespace === undefined || namespace === pointer.namespace);
  const drop = await publicDrops.findShownDrop(isThere ? pointer : undefined, slug, nowMs);
  if (drop === undefined || !canRead(drop, undefined, nowMs)) return undefined;
  // The passcode page is the same for every version, even for a missing version.
  return version === undefined || pinned !== undefined || isLocked(drop) ? drop : undefined;
}

/** Maximum picture or frame size that the caller accepts. */
interface Bounds {
  readonly widthMaxPx: number | undefined;
  readonly heightMaxPx: number | undefined;
}

async function describe(
  drop: Drop,
  { version: pinned }: DropAddress,
  { site, nowMs, ...bounds }: Bounds & { readonly site: Site; readonly nowMs: number },
): Promise<OembedResponse> {
  const { slug, title, namespace, ownerNamespace, latest } = drop;
  const version = pinned ?? latest.version;
  const { widthMaxPx = Number.POSITIVE_INFINITY, heightMaxPx = Number.POSITIVE_INFINITY } = bounds;
  const render = await renders.find(slug, version);
  // Finds the largest existing picture within the limits, because the card, which is larger than the thumbnail, comes first.
  const picture =
    render &&
    shownPictures
      .map((name) => pictureOf(render, drop, name))
      .find((one) => one && one.widthPx <= widthMaxPx && one.heightPx <= heightMaxPx);
  const frame = hasEmbedding() ? frameOf(dropUrl(site, namespace, slug), pinned, title, bounds) : undefined;
  return {
    version: "1.0",
    type: frame === undefined ? "link" : "rich",
    title,
    author_name: ownerNamespace,
    author_url: ownerUrl(site, ownerNamespace),
    provider_name: text.product,
    provider_url: `${site.baseUrl}/`,
    cache_age: secondsUntilExpiry(drop, nowMs, cacheSeconds),
    ...frame,
    ...(picture && {
      thumbnail_url: drawnUrl(site, namespace, { slug, version, name: picture.name }),
      thumbnail_width: picture.widthPx,
      thumbnail_height: picture.heightPx,
    }),
  };
}

/** Default size of the frame. The width is enough for the viewer's bar to show its actions. */
const frameWidthPx = 960;
const frameHeightPx = 640;

/** Returns the HTML and size of a frame that embeds the viewer in another page (oEmbed 1.0, section 2.3.4.4). */
function frameOf(
  url: string,
  pinned: number | undefined,
  title: string,
  { widthMaxPx = frameWidthPx, heightMaxPx = frameHeightPx }: Bounds,
): Pick<OembedResponse, "html" | "width" | "height"> {
  const width = Math.min(frameWidthPx, widthMaxPx);
  const height = Math.min(frameHeightPx, heightMaxPx);
  const src = pinned === undefined ? url : `${url}?v=${pinned}`;
  const frame = h("iframe", {
    src,
    width,
    height,
    title,
    loading: "lazy",
    style: "border:0",
    allowFullScreen: true,
  });
  return { html: renderToString(frame), width, height };
}

/** Renders the response as XML (oEmbed 1.0, section 2.3.2). */
function renderOembedXml(response: OembedResponse): string {
  const fields = Object.entries(response).map(([name, value]) => h(name, {}, xmlText(String(value))));
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${renderToString(h("oembed", {}, fields))}`;
}
