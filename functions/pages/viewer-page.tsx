import { renderDocument } from "../platform/html/document.tsx";
import { Minute } from "../platform/html/format.tsx";
import { Icon } from "../platform/html/icons.tsx";
import { text } from "../platform/html/text.ts";
import { CardTags } from "./card-tags.tsx";
import viewerScript from "./viewer.client.ts?text";
import viewerStyle from "./viewer.css";
import { About } from "./viewer-about.tsx";
import { Actions } from "./viewer-actions.tsx";
import { KeysDialog } from "./viewer-keys.tsx";
import { ViewerNotices } from "./viewer-notices.tsx";
import { VersionPicker } from "./viewer-versions.tsx";

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

/** What a published page may in a frame of ours; section "Public serving" of the specification. */
export const frameSandbox = "allow-scripts allow-forms allow-modals allow-downloads";

/** `GET /p/{slug}`: the published page in a sandboxed frame under a quiet bar; section "Public serving". */
export function renderViewerPage(props: ViewerPageProps): string {
  const { title, description, namespace, version, latestVersion, frameUrl, nonce } = props;
  const summary = description || text.viewer.publishedBy(namespace);
  return renderDocument({
    title,
    nonce,
    style: viewerStyle,
    script: viewerScript,
    indexed: props.indexed,
    layout: "viewer-page",
    head: <SharingTags {...props} summary={summary} />,
    children: (
      <>
        <Bar {...props} />
        {version !== latestVersion && <OlderNotice {...props} />}
        <main>
          <iframe
            id="page"
            sandbox={frameSandbox}
            allow="fullscreen; clipboard-write"
            src={frameUrl}
            title={title}
          />
          <ViewerNotices {...props} isForSome={props.readerUrl !== undefined} />
          {props.hasContext && <ContextPanel contextUrl={props.contextUrl} />}
        </main>
        <KeysDialog hasContext={props.hasContext} />
      </>
    ),
  });
}

function SharingTags(props: ViewerPageProps & { readonly summary: string }) {
  const { title, summary, canonicalUrl, cardUrl, oembedUrl } = props;
  return (
    <>
      <link rel="canonical" href={canonicalUrl} />
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={text.product} />
      <meta property="og:title" content={title} />
      {/* One element for search engines and for cards: a description has up to 500 characters. */}
      <meta name="description" property="og:description" content={summary} />
      <meta property="og:url" content={canonicalUrl} />
      <CardTags cardUrl={cardUrl} words={title} />
      {oembedUrl && <link rel="alternate" type="application/json+oembed" href={oembedUrl} />}
    </>
  );
}

function Bar(props: ViewerPageProps) {
  return (
    <header>
      <About {...props} />
      <VersionPicker {...props} />
      <details class="more" name="bar">
        <summary aria-label={text.viewer.more} title={text.viewer.more}>
          <Icon name="more" />
        </summary>
        <Actions {...props} />
      </details>
    </header>
  );
}

function OlderNotice({ version, latestVersion, versions, versionUrl, pageQuery }: ViewerPageProps) {
  const shown = versions.find(({ number }) => number === version);
  return (
    <aside class="older" aria-label={text.viewer.olderVersion}>
      <span>
        {text.viewer.olderShown(version)} {shown && <Minute atMs={shown.createdAtMs} />}
      </span>{" "}
      <a href={versionUrl(latestVersion, pageQuery)}>{text.viewer.seeLatest}</a>
    </aside>
  );
}

function ContextPanel({ contextUrl }: { contextUrl: string }) {
  const words = text.viewer;
  return (
    <aside id="context" tabIndex={-1} aria-labelledby="context-heading" hidden>
      <h2 id="context-heading">{words.context}</h2>
      <button id="context-close" type="button" aria-label={words.closeContext} title={words.closeContext}>
        <Icon name="close" />
      </button>
      <p class="quiet">{words.contextNote}</p>
      <p id="context-state" role="status">
        {words.contextLoading}
      </p>
      <p id="context-failed" role="alert" hidden>
        {words.contextFailed} <a href={contextUrl}>{words.contextAsPage}</a>
      </p>
      <div id="context-text" dir="auto" />
    </aside>
  );
}
