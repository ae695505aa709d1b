/** Views of a page: screens like those of its readers. */
export const views = [
  { name: "phone-light", widthPx: 360, heightPx: 800, scheme: "light" },
  { name: "phone-dark", widthPx: 360, heightPx: 800, scheme: "dark" },
  { name: "desktop-light", widthPx: 1440, heightPx: 900, scheme: "light" },
  { name: "desktop-dark", widthPx: 1440, heightPx: 900, scheme: "dark" },
] as const;

/** The name of a view. */
export type ViewName = (typeof views)[number]["name"];

/** Pictures of a page: each view for its owner, a card for links, a thumbnail for lists. */
export type PictureName = ViewName | "card" | "thumbnail";

/** Extent of a render: card and thumbnail only, also every view and a report, or only a PDF. */
export type RenderExtent = "pictures" | "report" | "pdf";

/** Size that chats and feeds show uncropped. */
export const cardSize = { widthPx: 1_200, heightPx: 630 } as const;

/** Behaviour of a page beyond its pictures. Every text in it is the page's own, cut to a limit. */
export interface PageReport {
  /** One for each view that was reached. */
  readonly views: readonly ViewReport[];
  /**
   * Reason why the page was stopped. It was then rendered without its scripts, if possible: `isWithoutScripts`.
   *
   * @default - rendered in every view
   */
  readonly stopped?: Stop | undefined;
  /** Bytes of the page and of its resources. */
  readonly weight: {
    readonly pageBytes: number;
    readonly fileBytes: number;
    /** Number of requests in one view, the page itself included. */
    readonly requests: number;
  };
}

/** Reason why a page was stopped: it took too long, took too much memory, or ended the browser. */
export type Stop = "time" | "memory" | "crash";

/** Observations in one view. `reportLimits` bounds each list. */
export interface ViewReport {
  readonly name: ViewName;
  /**
   * Time from the start of the load until the page's load event, in milliseconds.
   * @default - no load event in time
   */
  readonly loadMs: number | undefined;
  readonly console: readonly ConsoleMessage[];
  /** Requests without a response for the page, each with the reason. */
  readonly requests: readonly FailedRequest[];
  /** Refused attempts by kind, with their number. */
  readonly attempts: readonly Attempt[];
  /** Horizontal overflow and the elements that exceed the view. @default - none */
  readonly overflow: Overflow | undefined;
  readonly accessibility: readonly AccessibilityFinding[];
  /** Forms that post to another address. @default - none, or a report from before this field */
  readonly forms?: readonly PostForm[] | undefined;
  /**
   * True if the check did not finish: `accessibility` is empty.
   * @default - finished
   */
  readonly isUnjudged?: true | undefined;
  /**
   * Picture, overflow and accessibility come from the page without scripts, since it was stopped with them; `console`, `requests`
   * and `attempts` come from the stopped view. @default - with scripts
   */
  readonly isWithoutScripts?: true | undefined;
}

/** Kinds of console messages. `exception`: an uncaught error. */
export const consoleKinds = ["exception", "error", "warning"] as const;

export interface ConsoleMessage {
  readonly kind: (typeof consoleKinds)[number];
  readonly text: string;
}

/**
 * Reasons of failed requests. `outside`: not a file of the drop's owner, which the renderer does not fetch, although a reader's browser
 * might; `not-found`: an address that no browser can load, such as one of the service without a file; `not-for-readers`: a file with
 * fewer readers than the drop; `too-many`: the page exceeded `reportLimits.requestsMax`; `failed`: the file could not be fetched.
 */
export const requestFailures = ["outside", "not-found", "not-for-readers", "too-many", "failed"] as const;

export interface FailedRequest {
  readonly url: string;
  /** Such as `image`, `script`, `fetch`: Chrome DevTools Protocol, "Network.ResourceType" in lower case. */
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
    /** A CSS selector of the element. */
    readonly selector: string;
    /** Pixels by which the element exceeds the view. */
    readonly pixels: number;
  }[];
}

/** Impacts of broken rules, by axe-core's names. */
export const impacts = ["minor", "moderate", "serious", "critical"] as const;

export interface AccessibilityFinding {
  /** The rule of axe-core, such as `image-alt` or `color-contrast`. */
  readonly rule: string;
  readonly impact: (typeof impacts)[number];
  /** Requirement of the rule in a sentence. */
  readonly help: string;
  /** Number of elements; only the first have a selector. */
  readonly count: number;
  readonly selectors: readonly string[];
}

/** A form with the method POST and an action other than the page's address. */
export interface PostForm {
  readonly selector: string;
  readonly url: string;
}

/** Limits of a report, which no page can exceed. */
export const reportLimits = {
  /** Entries in each list of a view. */
  entriesMax: 30,
  textCharactersMax: 300,
  /** Requests of a page in one view. */
  requestsMax: 100,
} as const;

/** Request to the drawing function. It has no permissions, so the request contains everything that it needs. */
export interface DrawRequest {
  readonly extent: RenderExtent;
  /** The page as its readers' frame receives it, in base64, since some texts are six times as long in JSON. */
  readonly page: string;
  /** URL of the page for its readers. It is never fetched. */
  readonly url: string;
  /** The page's response headers for its readers, which include a sandbox. */
  readonly headers: Readonly<Record<string, string>>;
  readonly files: readonly SentFile[];
  /** Presigned URLs that several files share: for 2,000 files, separate ones would be 3 MB. @default - none */
  readonly sources?: readonly string[];
}

/** A file of a request: its source, or the number of one in `sources`. */
export type SentFile = Omit<DrawnFile, "source"> & { readonly source: string | number | undefined };

/** A file of the drop's owner that the page names, or one of its folder. */
export interface DrawnFile {
  /** The absolute URL. For a folder's file, its path is not encoded. */
  readonly url: string;
  /**
   * Range of the source that is a folder's file.
   * @default - the whole source, which is not a file of the folder
   */
  readonly part?: { readonly offset: number; readonly sizeBytes: number } | undefined;
  /** Presigned URL of the bytes; undefined if the page may not have the file. */
  readonly source: string | undefined;
  /**
   * Reason for withholding the file.
   * @default - not withheld
   */
  readonly why?: "not-for-readers" | undefined;
  readonly contentType: string;
}

/** Result of a render. `pictureBytesMax` and `pdfLimits` keep it below the 6 MB of a function's response. */
export interface Drawing {
  readonly report: PageReport;
  /** @default - no pictures of views that were not reached */
  readonly pictures: Readonly<Partial<Record<PictureName, DrawnPicture>>>;
  /** The PDF, in base64. @default - another extent, the page was stopped, or the PDF exceeds `pdfLimits` */
  readonly pdf?: string | undefined;
  /** Duration in milliseconds, from the start of the browser. */
  readonly milliseconds: number;
}

export interface DrawnPicture {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly widthPx: number;
  readonly heightPx: number;
  /** In base64. */
  readonly bytes: string;
}

/** Limits of each picture, in bytes. */
export const pictureBytesMax: Readonly<Record<PictureName, number>> = {
  "phone-light": 500_000,
  "phone-dark": 500_000,
  "desktop-light": 700_000,
  "desktop-dark": 700_000,
  card: 300_000,
  thumbnail: 6_000,
};

/** Limits of a PDF. In base64, it fits into the response of a function, which has at most 6 MB: AWS Lambda developer guide, "Lambda quotas". */
export const pdfLimits = { bytesMax: 4_000_000, pagesMax: 200 } as const;
