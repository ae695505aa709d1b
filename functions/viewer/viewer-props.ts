/** A row of the version picker. */
export interface ViewerVersion {
  readonly number: number;
  readonly createdAtMs: number;
  readonly sizeBytes: number;
  readonly hasContext: boolean;
  /** Author's note on the changes. @default - none */
  readonly note?: string | undefined;
  /** Date that the owner claims. @default - none */
  readonly originalDateMs?: number | undefined;
}

/** Addresses of a folder in its viewer. */
export interface FolderLinks {
  /** Path of the page in the folder, as in its address; empty for the entry. */
  readonly path: string;
  /** Title of the page itself. @default - the page is the entry, or has no title */
  readonly pageTitle?: string | undefined;
  /** Path of the viewer on this host. */
  readonly viewerPath: string;
  /** The drop's permanent address. */
  readonly canonicalUrl: string;
  /** Raw address of the version shown. */
  readonly rawUrl: string;
}

/** Props of the viewer. */
export interface ViewerPageProps {
  readonly title: string;
  readonly description: string | null;
  readonly namespace: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
  /** URL of the drop's account page, for its owner only. It leads back here. */
  readonly manageUrl: string;
  /** Way to share from the viewer: a button for the owner, a link for readers who are not signed in, or nothing. */
  readonly sharing: "button" | "link" | "none";
  /** The permanent address, without a version: the drop's, or that of a page of its folder. */
  readonly canonicalUrl: string;
  /** Addresses of a folder, to which the script adds the path of the page in the frame. @default - the drop is one page */
  readonly folder?: FolderLinks | undefined;
  /** The version shown. */
  readonly version: number;
  readonly latestVersion: number;
  /** The versions that exist, latest first. */
  readonly versions: readonly ViewerVersion[];
  /** The shown version has context. */
  readonly hasContext: boolean;
  readonly frameUrl: string;
  readonly rawUrl: string;
  /** The page has storage at `rawUrl`: the drop is open to anyone, and its owner has a host. */
  readonly rawHasStorage: boolean;
  /** URL of the card for link previews. */
  readonly cardUrl: string;
  /** URL of the oEmbed response. @default - none */
  readonly oembedUrl?: string | undefined;
  /** URL that downloads the shown version, on the viewer’s own host. */
  readonly downloadUrl: string;
  /** URL of the shown version as a PDF, on the viewer’s own host. @default - the service renders no pages */
  readonly pdfUrl?: string | undefined;
  /** URL that compares the shown version. @default - there is only one version */
  readonly compareUrl?: string | undefined;
  /** The service's own host with an unusual port: pages there only link to published things. */
  readonly serviceHost: string;
  /** Path of the answers to the page's forms, on the viewer’s own host. @default - the drop takes none */
  readonly answersPath?: string | undefined;
  /** URL of feedback on the shown version. @default - none */
  readonly feedbackUrl?: string | undefined;
  /** URL of the context, in the viewer's own origin, since its script fetches it. */
  readonly contextUrl: string;
  /** URL that the script polls for the drop's state. */
  readonly stateUrl: string;
  /** URL of a version on the viewer’s own host, which has a locked drop’s cookie. */
  readonly versionUrl: (number: number, pageQuery?: string) => string;
  /** The page's own query from `pageQueryOf`, which version links keep. @default - none */
  readonly pageQuery?: string;
  /** Path that locks the drop again in this browser. @default - the drop is not locked */
  readonly lockUrl?: string | undefined;
  /** URL of the reader's identity and sign-out. @default - no sign-in was needed */
  readonly readerUrl?: string | undefined;
  /** Time at which the drop expires, in its last week. @default - later, or never */
  readonly expiresAtMs?: number | undefined;
  /** Search engines may list the drop. */
  readonly indexed: boolean;
  /** URL to report the page. @default - no link */
  readonly reportUrl?: string | undefined;
  readonly nonce?: string | undefined;
}
