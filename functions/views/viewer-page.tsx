import { renderDocument } from "./document.tsx";
import { Icon, LeafMark } from "./icons.tsx";
import { Day } from "./moment.tsx";
import { text } from "./text.ts";
import { VersionPicker } from "./version-picker.tsx";
import { viewerScript } from "./viewer-script.ts";
import { viewerStyle } from "./viewer-style.ts";

/** A row of the version picker. */
export interface ViewerVersion {
  readonly number: number;
  readonly createdAtMs: number;
  readonly sizeBytes: number;
  readonly hasContext: boolean;
}

/** What the viewer shows. */
export interface ViewerPageProps {
  readonly title: string;
  readonly description: string | null;
  readonly namespace: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
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
  /** Same origin as the viewer: its script fetches it. */
  readonly contextUrl: string;
  /** On the viewer’s own host, where a locked drop’s cookie is. */
  readonly versionUrl: (number: number) => string;
  /** Where a visitor reports the page. @default - there is no such link */
  readonly reportUrl?: string | undefined;
  readonly nonce: string;
}

const frameSandbox = "allow-scripts allow-forms allow-modals allow-downloads";

/** `GET /p/{slug}`: the published page in a sandboxed frame under a quiet bar; section "Public serving". */
export function renderViewerPage(props: ViewerPageProps): string {
  const { title, description, namespace, canonicalUrl, version, latestVersion, frameUrl, nonce } = props;
  const summary = description || text.viewer.publishedBy(namespace);
  return renderDocument({
    title,
    nonce,
    style: viewerStyle,
    script: viewerScript,
    indexed: true,
    layout: "viewer-page",
    head: <SharingTags title={title} summary={summary} canonicalUrl={canonicalUrl} />,
    children: (
      <>
        <Bar {...props} />
        {version !== latestVersion && <OlderNotice {...props} />}
        <main>
          <iframe sandbox={frameSandbox} src={frameUrl} title={title} />
          {props.hasContext && <ContextPanel contextUrl={props.contextUrl} />}
        </main>
      </>
    ),
  });
}

function SharingTags({
  title,
  summary,
  canonicalUrl,
}: {
  title: string;
  summary: string;
  canonicalUrl: string;
}) {
  return (
    <>
      <link rel="canonical" href={canonicalUrl} />
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={text.product} />
      <meta property="og:title" content={title} />
      {/* One element for search engines and for cards: a description has up to 500 characters. */}
      <meta name="description" property="og:description" content={summary} />
      <meta property="og:url" content={canonicalUrl} />
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

/** The bar shortens a long title; what opens from it has the whole title and the description. */
function About({ title, description, namespace, ownerUrl }: ViewerPageProps) {
  const words = text.viewer;
  return (
    <>
      <LeafMark />
      <div class="about">
        <details name="bar">
          <summary>
            <h1 dir="auto">{title}</h1>
            <Icon name="down" />
          </summary>
          <div class="panel">
            <h2 dir="auto">{title}</h2>
            {description && <p dir="auto">{description}</p>}
          </div>
        </details>
        <a href={ownerUrl}>
          {words.by} {namespace}
        </a>
      </div>
    </>
  );
}

/** Links that work as they are; the script makes them a toggle and a copy button. */
function Actions(props: ViewerPageProps) {
  const { canonicalUrl, version, latestVersion, versionUrl, hasContext, contextUrl, rawUrl, reportUrl } =
    props;
  const words = text.viewer;
  const shareUrl = version === latestVersion ? canonicalUrl : versionUrl(version);
  return (
    <ul class="actions panel">
      {hasContext && (
        <li>
          <a id="context-toggle" href={contextUrl}>
            <Icon name="context" />
            {words.context}
          </a>
        </li>
      )}
      <li>
        <a href={rawUrl}>
          <Icon name="raw" />
          {words.raw}
        </a>
      </li>
      <li>
        <a id="copy-link" href={shareUrl} data-done={words.linkCopied}>
          <Icon name="link" />
          <span aria-live="polite">{words.copyLink}</span>
        </a>
      </li>
      <li class="scripted">
        <button id="full-screen" type="button">
          <Icon name="fullScreen" />
          {words.fullScreen}
        </button>
      </li>
      {reportUrl && (
        <li class="report">
          <a href={reportUrl}>
            <Icon name="report" />
            {words.report}
          </a>
        </li>
      )}
    </ul>
  );
}

function OlderNotice({ version, latestVersion, versions, versionUrl }: ViewerPageProps) {
  const shown = versions.find(({ number }) => number === version);
  return (
    <aside class="older" aria-label={text.viewer.olderVersion}>
      <span>
        {text.viewer.olderShown(version)} {shown && <Day atMs={shown.createdAtMs} />}
      </span>{" "}
      <a href={versionUrl(latestVersion)}>{text.viewer.seeLatest}</a>
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
