import {
  type DescribedParameters,
  type DescribedPathParameters,
  exampleNamespace,
  exampleSlug,
  type OperationExamples,
} from "../http/openapi.ts";
import { type DocumentSite, writtenSite } from "../http/written-site.ts";
import type { OembedResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  ReadDropStateResponse: "What has become of a drop.",
  "ReadDropStateResponse.state":
    "`open`: this reader may see it. `locked`: it needs a passcode. `gone`: it does not exist, or it is not shared with this reader.",
  ReadOembedResponse: "What a link to a drop may show.",
  "ReadOembedResponse.version": "Of oEmbed.",
  "ReadOembedResponse.type": "What there is to show: no more than the link, with these facts.",
  "ReadOembedResponse.author_name": "Whose page it is.",
  "ReadOembedResponse.author_url": "Their public page.",
  "ReadOembedResponse.provider_name": "The name of the service.",
  "ReadOembedResponse.provider_url": "Its start page.",
  "ReadOembedResponse.cache_age": "For how many seconds to show this without asking again.",
  "ReadOembedResponse.thumbnail_url":
    "A picture of the page, as large as the bounds allow. Absent until it is rendered.",
  "ReadOembedResponse.thumbnail_width": "In pixels.",
  "ReadOembedResponse.thumbnail_height": "In pixels.",
};

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  download: {
    description: "Whether the page is to be saved: byte for byte as it was published, as an attachment.",
    example: "1",
  },
  drawn: {
    description:
      "The picture: `card`, 1200 × 630 pixels, for links, or `thumbnail`, for lists. Until it is rendered, and for drops that are not open to anyone, the card is neutral and the thumbnail is missing.",
    example: "card",
  },
  framed: {
    description:
      "Whether the page is for the viewer's frame, where a script of the service opens what its links lead to.",
    example: "1",
  },
  maxheight: { description: "How high its picture may be, in pixels.", example: 630 },
  maxwidth: { description: "How wide its picture may be, in pixels.", example: 1_200 },
  reader: {
    description:
      "Marks a request that brings its reader's cookies; the viewer of a restricted drop sends it.",
    example: "1",
  },
  url: {
    description:
      "The address of a drop, as people paste it: on any host that serves it, with any query and fragment.",
    example: `${writtenSite.ownerUrl(exampleNamespace)}/d/${exampleSlug}`,
  },
};

/** Path parameters, by name. */
export const pathParameters: DescribedPathParameters = {
  path: {
    schema: { type: "string" },
    description: "The path of the file in its folder, whose segments are percent-encoded.",
    example: "assets/app.js",
  },
};

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "view-drop": "A locked drop shows its gate instead, with the same status.",
  "read-raw-page":
    "What was published, with a small style block in front that keeps images and long words inside the screen. On the service's own host, and where the drop is locked, it runs in a sandbox. More than 20 query parameters are refused with 400. A `v` that is no number of a version is ignored.",
  "read-folder-file":
    "Only of a version that was published as a folder. One that everybody may read redirects to its own host, if it has one. `/p/{slug}/raw/@3/` in front of the path pins version 3. An address of a folder ends in a slash and is its `index.html`; `404.html` is served where a path leads nowhere, or the entry page with `spa`. A drop that not everybody may read redirects to an address with a key for 15 minutes, which opens nothing in another browser's window. A file above 4 MiB redirects to a signed address.",
  "read-oembed":
    "Of the type `link`: no other site may frame a page of the service. A locked drop is 401; one that not everybody may see is as unknown here as at its address.",
};

/** Example calls and responses. */
export const examples = (site: DocumentSite) => {
  const ownerUrl = site.ownerUrl(exampleNamespace);
  return {
    "read-drop-state": { response: { state: "open", latest_version: 2 } },
    "read-oembed": {
      response: {
        version: "1.0",
        type: "link",
        title: "Quarterly numbers",
        author_name: exampleNamespace,
        author_url: `${ownerUrl}/`,
        provider_name: "Dropleaf",
        provider_url: `${site.baseUrl}/`,
        cache_age: 3_600,
        thumbnail_url: `${ownerUrl}/p/${exampleSlug}/raw?drawn=card&v=2`,
        thumbnail_width: 1_200,
        thumbnail_height: 630,
      } satisfies OembedResponse,
    },
  } satisfies OperationExamples;
};
