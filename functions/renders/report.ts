/** Views in which a page is rendered: screen sizes and colour schemes that readers use. */
export const views = [
  { name: "phone-light", widthPx: 360, heightPx: 800, scheme: "light" },
  { name: "phone-dark", widthPx: 360, heightPx: 800, scheme: "dark" },
  { name: "desktop-light", widthPx: 1440, heightPx: 900, scheme: "light" },
  { name: "desktop-dark", widthPx: 1440, heightPx: 900, scheme: "dark" },
] as const;

/** Name of a view. */
export type ViewName = (typeof views)[number]["name"];

/** Name of a picture: a view for the owner, the card for link previews, or the thumbnail for lists. */
export type PictureName = ViewName | "card" | "thumbnail";

/** Extent of a render. `pictures`: card and thumbnail. `report`: also every view and the report. `pdf`: only a PDF. */
export type RenderExtent = "pictures" | "report" | "pdf";

/** Size of a card. Chats and feeds show a picture of this size uncropped. */
export const cardSize = { widthPx: 1_200, heightPx: 630 } as const;

/** Report on a render, besides the pictures. All strings come from the page and are truncated. */
export interface PageReport {
  /** Reports on the views that were rendered, at least in part. */
  readonly views: readonly ViewReport[];
  /**
   * Reason why the page was stopped. The remaining views were rendered without scripts, if possible; see `isWithoutScripts`.
   *
   * @default - not stopped
   */
  readonly stopped?: Stop | undefined;
  /** Size of the page and of its resources. */
  readonly weight: {
    readonly pageBytes: number;
    readonly fileBytes: number;
    /** Highest number of requests in a single view, including the request for the page. */
    readonly requests: number;
  };
}

/** Reason why a page was stopped: the page took too long, took too much memory, or crashed the browser. */
export type Stop = "time" | "memory" | "crash";

/** Report on one view. `reportLimits` limits the length of each list. */
export interface ViewReport {
  readonly name: ViewName;
  /** Time from the start of the load to the page's load event. @default - the load event did not fire in time */
  readonly loadMs: number | undefined;
  readonly console: readonly ConsoleMessage[];
  readonly requests: readonly FailedRequest[];
  /** Number of refused attempts of each kind. */
  readonly attempts: readonly Attempt[];
  /** Horizontal overflow of the page, and the elements that exceed the view. @default - no overflow */
  readonly overflow: Overflow | undefined;
  readonly accessibility: readonly AccessibilityFinding[];
  /** Forms that post to another URL. @default - no such forms, or the report is older than this field */
  readonly forms?: readonly PostForm[] | undefined;
  /** True if the accessibility check did not finish. `accessibility` is then empty. @default - the check finished */
  readonly isUnjudged?: true | undefined;
  /**
   * True if the view was rendered without scripts, because the page was stopped. `console`, `requests` and `attempts` still come from
   * the stopped view. @default - rendered with scripts
   */
  readonly isWithoutScripts?: true | undefined;
}

/** Kinds of console messages. `exception` is an uncaught error. */
export const consoleKinds = ["exception", "error", "warning"] as const;

export interface ConsoleMessage {
  readonly kind: (typeof consoleKinds)[number];
  readonly text: string;
}

/**
 * Reasons for failed requests. `outside`: the URL is not a file of the drop's owner. The renderer does not fetch it, but a reader's browser
 * might. `not-found`: no browser can load the URL, for example because the service has no such file. `not-for-readers`: the file has fewer
 * readers than the drop. `too-many`: the page exceeded `reportLimits.requestsMax`. `failed`: the file could not be fetched.
 */
export const requestFailures = ["outside", "not-found", "not-for-readers", "too-many", "failed"] as const;

export interface FailedRequest {
  readonly url: string;
  /** Resource type in lower case, such as `image`, `script` or `fetch`; see "Network.ResourceType", Chrome DevTools Protocol. */
  readonly kind: string;
  readonly why: (typeof requestFailures)[number];
}

/** Kinds of refused attempts. */
export const attemptKinds = ["dialog", "download", "navigation", "window"] as const;

export interface Attempt {
  readonly kind: (typeof attemptKinds)[number];
  readonly count: number;
}

export interface Overflow {
  readonly pixels: number;
  readonly elements: readonly {
    readonly selector: string;
    /** Pixels by which the element exceeds the view. */
    readonly pixels: number;
  }[];
}

/** Severities of broken accessibility rules, as axe-core names them. */
export const impacts = ["minor", "moderate", "serious", "critical"] as const;

export interface AccessibilityFinding {
  /** Id of the axe-core rule, such as `image-alt` or `color-contrast`. */
  readonly rule: string;
  readonly impact: (typeof impacts)[number];
  /** Sentence that states what the rule requires. */
  readonly help: string;
  /** Number of elements that break the rule. `selectors` has only the first of them. */
  readonly count: number;
  readonly selectors: readonly string[];
}

/** A form that posts to a URL other than the page's. */
export interface PostForm {
  readonly selector: string;
  readonly url: string;
}

/** Limits of a report. Longer lists and texts are truncated, and further requests are refused. */
export const reportLimits = {
  /** Maximum number of entries in each list of a view. */
  entriesMax: 30,
  textCharactersMax: 300,
  /** Maximum number of requests of a page in one view. */
  requestsMax: 100,
} as const;

/** Request to the drawing function. The function has no permissions, so the request contains everything that it needs. */
export interface DrawRequest {
  readonly extent: RenderExtent;
  /** Bytes of the page as the reader's frame receives them, in base64. As a JSON string, some texts would be six times as long. */
  readonly page: string;
  /** URL of the page for readers. The drawing function never fetches it. */
  readonly url: string;
  /** Response headers of the page for readers, including the sandbox. */
  readonly headers: Readonly<Record<string, string>>;
  readonly files: readonly SentFile[];
  /** Presigned URLs that several files share. A URL for each of 2,000 files would take 3 MB. @default - no shared URLs */
  readonly sources?: readonly string[];
}

/** A file in a request. Its source is a URL, or the index of a URL in `sources`. */
export type SentFile = Omit<DrawnFile, "source"> & { readonly source: string | number | undefined };

/** A file that the page may load: an uploaded file of the drop's owner, or a file in the page's folder. */
export interface DrawnFile {
  /** Absolute URL of the file. The path of a file in a folder is not percent-encoded. */
  readonly url: string;
  /** Byte range of a folder's file in its source. @default - the whole source, for a file outside a folder */
  readonly part?: { readonly offset: number; readonly sizeBytes: number } | undefined;
  /** Presigned URL of the bytes. Undefined if the file is missing, or is withheld from the page. */
  readonly source: string | undefined;
  /** Reason for withholding the file. @default - not withheld */
  readonly why?: "not-for-readers" | undefined;
  readonly contentType: string;
}

/** Result of a render. `pictureBytesMax` and `pdfLimits` keep the result below the 6 MB limit of a Lambda response. */
export interface Drawing {
  readonly report: PageReport;
  /** Pictures by name. A view that was not reached has no picture. */
  readonly pictures: Readonly<Partial<Record<PictureName, DrawnPicture>>>;
  /** The PDF, in base64. @default - no PDF was requested, the page was stopped, or the PDF exceeds `pdfLimits` */
  readonly pdf?: string | undefined;
  /** Duration of the render in milliseconds, including the start of the browser. */
  readonly milliseconds: number;
}

export interface DrawnPicture {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly widthPx: number;
  readonly heightPx: number;
  /** Bytes of the picture, in base64. */
  readonly bytes: string;
}

/** Maximum size of each picture, in bytes. */
export const pictureBytesMax: Readonly<Record<PictureName, number>> = {
  "phone-light": 500_000,
  "phone-dark": 500_000,
  "desktop-light": 700_000,
  "desktop-dark": 700_000,
  card: 300_000,
  thumbnail: 6_000,
};

/** Limits of a PDF. In base64, the PDF fits into a Lambda response of 6 MB; see "Lambda quotas", AWS Lambda developer guide. */
export const pdfLimits = { bytesMax: 4_000_000, pagesMax: 200 } as const;
