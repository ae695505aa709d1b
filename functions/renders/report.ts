/** How a page is looked at: what its readers' screens are like. */
export const views = [
  { name: "phone-light", widthPx: 360, heightPx: 800, scheme: "light" },
  { name: "phone-dark", widthPx: 360, heightPx: 800, scheme: "dark" },
  { name: "desktop-light", widthPx: 1440, heightPx: 900, scheme: "light" },
  { name: "desktop-dark", widthPx: 1440, heightPx: 900, scheme: "dark" },
] as const;

/** The name of a view. */
export type ViewName = (typeof views)[number]["name"];

/** What is drawn of a page: each view for its owner, a card for links to it, a thumbnail for lists. */
export type PictureName = ViewName | "card" | "thumbnail";

/** How much is drawn of a page: card and thumbnail alone, or with them every view, and a report. */
export type RenderExtent = "pictures" | "report";

/** What chats and feeds show without cutting it. */
export const cardSize = { widthPx: 1_200, heightPx: 630 } as const;

/** What a page did that no picture shows; every text in it is the page's own, and cut off where it is long. */
export interface PageReport {
  /** One for each view that was reached. */
  readonly views: readonly ViewReport[];
  /**
   * Why it was stopped. From then on it was drawn without its scripts, where that could be done: `isWithoutScripts`.
   *
   * @default - it was drawn in every view
   */
  readonly stopped?: Stop | undefined;
  /** Of the page and of what it asked for and got. */
  readonly weight: {
    readonly pageBytes: number;
    readonly fileBytes: number;
    /** In one view, the page's own among them. */
    readonly requests: number;
  };
}

/** Why a page was stopped: it took too long, took too much memory, or ended the browser. */
export type Stop = "time" | "memory" | "crash";

/** What was seen in one view. Of each list there are at most so many as `reportLimits` says. */
export interface ViewReport {
  readonly name: ViewName;
  /** From the beginning of the load until the page's own load event, in milliseconds. @default - there was none in time */
  readonly loadMs: number | undefined;
  readonly console: readonly ConsoleMessage[];
  /** Requests that the page did not get an answer to, with why. */
  readonly requests: readonly FailedRequest[];
  /** What it tried and was not let do: each kind with how often. */
  readonly attempts: readonly Attempt[];
  /** How much wider than the view the page is, and the elements that stick out of it. @default - it is not */
  readonly overflow: Overflow | undefined;
  readonly accessibility: readonly AccessibilityFinding[];
  /** Whether it did not come to be judged: then `accessibility` is empty. @default - it was */
  readonly isUnjudged?: true | undefined;
  /**
   * Whether the picture, the overflow and the accessibility are those of the page without its scripts, since with them it was
   * stopped; `console`, `requests` and `attempts` are what it did with them in the view where that was. @default - they are not
   */
  readonly isWithoutScripts?: true | undefined;
}

export interface ConsoleMessage {
  /** `exception`: nobody caught it. */
  readonly kind: "exception" | "error" | "warning";
  readonly text: string;
}

export interface FailedRequest {
  readonly url: string;
  /** Such as `image`, `script`, `fetch`: Chrome DevTools Protocol, "Network.ResourceType" in lower case. */
  readonly kind: string;
  /**
   * `outside`: no file of the drop's owner, which a reader's browser might ask for and the renderer does not; `not-found`: no such
   * file; `not-for-readers`: a file that fewer may read than the drop; `too-many`: the page has asked for more than
   * `reportLimits.requestsMax`; `failed`: the file did not come.
   */
  readonly why: "outside" | "not-found" | "not-for-readers" | "too-many" | "failed";
}

export interface Attempt {
  readonly kind: "dialog" | "download" | "navigation" | "window";
  readonly count: number;
}

export interface Overflow {
  readonly pixels: number;
  readonly elements: readonly {
    /** A CSS selector of it. */
    readonly selector: string;
    /** By how many pixels it reaches beyond the view. */
    readonly pixels: number;
  }[];
}

export interface AccessibilityFinding {
  /** The rule of axe-core, such as `image-alt` or `color-contrast`. */
  readonly rule: string;
  readonly impact: "minor" | "moderate" | "serious" | "critical";
  /** What the rule wants, in a sentence. */
  readonly help: string;
  /** How many elements it is about; the first of them by a selector each. */
  readonly count: number;
  readonly selectors: readonly string[];
}

/** What bounds a report, whatever a page does. */
export const reportLimits = {
  /** Of each list of a view. */
  entriesMax: 30,
  textCharactersMax: 300,
  /** Of a page in one view. */
  requestsMax: 100,
} as const;

/** What the function with the browser is asked: it may touch nothing, so that everything it needs comes along. */
export interface DrawRequest {
  readonly extent: RenderExtent;
  /** The page as its readers' frame gets it, in base64: some texts are six times as long in JSON. */
  readonly page: string;
  /** Where its readers find it. Nothing is asked for there. */
  readonly url: string;
  /** The response headers that it has there; a sandbox among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly files: readonly DrawnFile[];
}

/** A file of the drop's owner that the page names. */
export interface DrawnFile {
  /** As the page may ask for it: whole. */
  readonly url: string;
  /** Where its bytes are to be had for minutes; undefined where the page is not to get it. */
  readonly source: string | undefined;
  /** Why it is not to get it. @default - it is */
  readonly why?: "not-for-readers" | undefined;
  readonly contentType: string;
}

/** What came of it. The whole of it is below the 6 MB that a function may answer with: `pictureBytesMax` sees to it. */
export interface Drawing {
  readonly report: PageReport;
  /** @default - of what was not reached there is none */
  readonly pictures: Readonly<Partial<Record<PictureName, DrawnPicture>>>;
  /** What it took, from the start of the browser on. */
  readonly milliseconds: number;
}

export interface DrawnPicture {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly widthPx: number;
  readonly heightPx: number;
  /** In base64. */
  readonly bytes: string;
}

/** The largest that each may be, in bytes. */
export const pictureBytesMax: Readonly<Record<PictureName, number>> = {
  "phone-light": 500_000,
  "phone-dark": 500_000,
  "desktop-light": 700_000,
  "desktop-dark": 700_000,
  card: 300_000,
  thumbnail: 6_000,
};
