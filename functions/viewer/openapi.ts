import {
  type DescribedParameters,
  type DescribedPathParameters,
  exampleNamespace,
  exampleSlug,
  type OperationExamples,
} from "../core/openapi.ts";
import { type DocumentSite, writtenSite } from "../core/written-site.ts";
import type { OembedResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  ReadDropStateResponse: "The current state of a drop.",
  "ReadDropStateResponse.state":
    "`open`: this reader may see it. `locked`: it needs a passcode. `gone`: it does not exist or is not shared with this reader.",
  ReadOembedResponse: "The preview of a link to a drop.",
  "ReadOembedResponse.version": "Version of oEmbed.",
  "ReadOembedResponse.type":
    "`link`: without `html`. `rich`: with `html`, if other sites may frame pages of this service.",
  "ReadOembedResponse.author_name": "Name of the page's owner.",
  "ReadOembedResponse.author_url": "The owner's public page.",
  "ReadOembedResponse.provider_name": "The name of the service.",
  "ReadOembedResponse.provider_url": "The start page of the service.",
  "ReadOembedResponse.cache_age": "How long the preview may be cached, in seconds.",
  "ReadOembedResponse.html": "HTML of a frame with the viewer. Only with `rich`.",
  "ReadOembedResponse.width": "Width of the frame in pixels.",
  "ReadOembedResponse.height": "Height of the frame in pixels.",
  "ReadOembedResponse.thumbnail_url":
    "The largest picture of the page within the limits. Absent until it is rendered.",
  "ReadOembedResponse.thumbnail_width": "Width of the picture in pixels.",
  "ReadOembedResponse.thumbnail_height": "Height of the picture in pixels.",
};

/** Descriptions of query parameters, by name, or by operation and name if the meaning depends on the operation. */
export const queryParameters: DescribedParameters = {
  download: {
    description: "`1`: download the page, byte for byte as it was published.",
    example: "1",
  },
  drawn: {
    description:
      "The picture: `card`, 1200 × 630 pixels, for links, or `thumbnail`, for lists. For restricted drops, and until the picture is rendered, the card is neutral and the thumbnail is missing.",
    example: "card",
  },
  framed: {
    description: "`1`: the page is for the viewer's frame, where a script of the service opens its links.",
    example: "1",
  },
  maxheight: { description: "Maximum height of the picture or frame in pixels.", example: 630 },
  maxwidth: { description: "Maximum width of the picture or frame in pixels.", example: 1_200 },
  reader: {
    description:
      "Marks a request that has the reader's cookies. The viewer of a restricted drop sends this parameter.",
    example: "1",
  },
  url: {
    description: "The address of a drop, on any host that serves the drop, with any query and fragment.",
    example: `${writtenSite.ownerUrl(exampleNamespace)}/d/${exampleSlug}`,
  },
};

/** Descriptions of path parameters, by name. */
export const pathParameters: DescribedPathParameters = {
  path: {
    schema: { type: "string" },
    description: "The path of the file in its folder, with percent-encoded segments.",
    example: "assets/app.js",
  },
};

/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "view-drop": "A locked drop responds with its passcode page and the same status.",
  "read-raw-page":
    "The published page, with a small style block that keeps images and long words inside the screen. On the service's own host, and if the drop is locked, it runs in a sandbox. More than 20 query parameters are refused with 400. An invalid `v` is ignored.",
  "read-pdf":
    "A download, for anyone who may read the page. Until the PDF is ready, the response is 202 with a page that reloads itself. If the PDF failed, the response is 404 with the reason.",
  "read-folder-file":
    "Only for versions that were published as a folder. An unrestricted folder redirects to its own host, if it has one. `/p/{slug}/raw/@3/` in front of the path pins version 3. A path that ends in a slash serves its `index.html`; an unknown path serves `404.html`, or the entry page with `spa`. A restricted drop redirects to an address with a key. The key is valid for 15 minutes and does not open the page in another browser's window. A file above 4 MiB redirects to a signed address.",
  "read-oembed":
    "The type is `link`, unless the operator lets other sites frame pages. A locked drop responds 401, a restricted drop 404.",
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
