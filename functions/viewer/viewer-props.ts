/** A row of the version picker. */
export interface ViewerVersion {
  readonly number: number;
  readonly createdAtMs: number;
  readonly sizeBytes: number;
  readonly hasContext: boolean;
  /** What its author says has changed. @default - nothing */
  readonly note?: string | undefined;
}

/** What the viewer shows. */
export interface ViewerPageProps {
  readonly title: string;
  readonly description: string | null;
  readonly namespace: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
  /** Where the owner sees and changes all that there is to it, and nobody else anything. */
  readonly manageUrl: string;
  /** The drop's permanent address, without a version. */
  readonly canonicalUrl: string;
  /** The version shown. */
  readonly version: number;
  readonly latestVersion: number;
  /** The versions that exist, latest first. */
  readonly versions: readonly ViewerVersion[];
  /** Whether the version shown has context. */
  readonly hasContext: boolean;
  readonly frameUrl: string;
  readonly rawUrl: string;
  /** What links to the page show beside them. */
  readonly cardUrl: string;
  /** Where programs learn what a link to the page may show. @default - nowhere */
  readonly oembedUrl?: string | undefined;
  /** Of the version shown, on the viewer’s own host. */
  readonly downloadUrl: string;
  /** Where the version shown is compared with another. @default - it is the only one */
  readonly compareUrl?: string | undefined;
  /** The service's own host, with a port that is not usual: there a page leads to published things alone. */
  readonly serviceHost: string;
  /** Where its readers say something about the version shown. @default - nowhere */
  readonly feedbackUrl?: string | undefined;
  /** Same origin as the viewer: its script fetches it. */
  readonly contextUrl: string;
  /** Where its script asks what has become of the drop. */
  readonly stateUrl: string;
  /** On the viewer’s own host, where a locked drop’s cookie is. */
  readonly versionUrl: (number: number, pageQuery?: string) => string;
  /** What the page is asked with, as `pageQueryOf` gives it: the versions are, too. @default - nothing */
  readonly pageQuery?: string;
  /** What locks the drop again in this browser. @default - it is not locked */
  readonly lockUrl?: string | undefined;
  /** Where a reader sees as whom they are signed in, and signs out. @default - nobody had to sign in */
  readonly readerUrl?: string | undefined;
  /** Whether search engines may list the drop. */
  readonly indexed: boolean;
  /** Where a visitor reports the page. @default - there is no such link */
  readonly reportUrl?: string | undefined;
  readonly nonce: string;
}
