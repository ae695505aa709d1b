/** A version in the version picker. */
export interface ViewerVersion {
  readonly number: number;
  readonly createdAtMs: number;
  readonly sizeBytes: number;
  readonly hasContext: boolean;
  /** Author's note on the changes. @default - none */
  readonly note?: string | undefined;
  /** Publication date as stated by the owner, unverified. @default - none */
  readonly originalDateMs?: number | undefined;
}

/** Props of the viewer. */
export interface ViewerPageProps {
  readonly title: string;
  readonly description: string | null;
  readonly namespace: string;
  readonly ownerUrl: string;
  /** URL of the page below `/account` where the owner manages the drop. That page links back to the viewer. */
  readonly manageUrl: string;
  /** Sharing control: a button for the owner, a link for readers who are not signed in, or none. */
  readonly sharing: "button" | "link" | "none";
  /** Permanent URL of the drop, or of a page of its folder, without a version. */
  readonly canonicalUrl: string;
  /** URLs of a folder. The script appends the path of the page in the frame. @default - the drop is one page */
  readonly folder?:
    | {
        /** Path of the page in the folder, as in its URL. Empty for the entry page. */
        readonly path: string;
        /** Title of the page itself. @default - the page is the entry page, or has no title */
        readonly pageTitle?: string | undefined;
        /** Path of the viewer on this host. */
        readonly viewerPath: string;
        /** Permanent URL of the drop. */
        readonly canonicalUrl: string;
        /** Raw URL of the shown version. */
        readonly rawUrl: string;
      }
    | undefined;
  readonly version: number;
  readonly latestVersion: number;
  /** Existing versions, latest first. */
  readonly versions: readonly ViewerVersion[];
  readonly hasContext: boolean;
  readonly frameUrl: string;
  readonly rawUrl: string;
  /** True if the page can use browser storage at `rawUrl`, because the drop is public and its owner has a host. */
  readonly rawHasStorage: boolean;
  /** URL of the card for link previews. */
  readonly cardUrl: string;
  /** URL of the oEmbed response. @default - none */
  readonly oembedUrl?: string | undefined;
  /** URL that downloads the shown version, on the viewer’s own host. */
  readonly downloadUrl: string;
  /** URL of the shown version as a PDF, on the viewer’s own host. @default - the service renders no pages */
  readonly pdfUrl?: string | undefined;
  /** URL that compares the shown version with another. @default - there is only one version */
  readonly compareUrl?: string | undefined;
  /**
   * The service's own host, with its port unless it is the default. Framed pages open only its published content
   * directly.
   */
  readonly serviceHost: string;
  /** Path for answers to the page's forms, on the viewer’s own host. @default - the drop accepts no answers */
  readonly answersPath?: string | undefined;
  /** URL of the feedback page for the shown version. @default - none */
  readonly feedbackUrl?: string | undefined;
  /** URL of the version's context. The URL has the viewer's own origin, because the viewer's script fetches it. */
  readonly contextUrl: string;
  /** URL that the script polls for the drop's state. */
  readonly stateUrl: string;
  /** Builds the URL of a version on the viewer’s own host, where the browser has the cookie of a locked drop. */
  readonly versionUrl: (number: number, pageQuery?: string) => string;
  /** The page's own query parameters from `pageQueryOf`, which links to other versions keep. @default - none */
  readonly pageQuery?: string;
  /** Path that locks the drop again in this browser. @default - the drop is not locked */
  readonly lockUrl?: string | undefined;
  /** URL of the page with the reader's identity and sign-out. @default - no sign-in was needed */
  readonly readerUrl?: string | undefined;
  /** Expiry time of the drop, if it expires within a week. @default - the drop expires later, or never */
  readonly expiresAtMs?: number | undefined;
  readonly indexed: boolean;
  /** URL to report the page. @default - no link */
  readonly reportUrl?: string | undefined;
  readonly nonce?: string | undefined;
}
