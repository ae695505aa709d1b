import { renderDocument } from "../platform/html/document.tsx";
import { Day, Minute, Size } from "../platform/html/format.tsx";
import { Icon, LeafMark } from "../platform/html/icons.tsx";
import { text } from "../platform/html/text.ts";
import viewerScript from "./viewer.client.ts?text";
import viewerStyle from "./viewer.css";

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
  /** The service's own host, with a port that is not usual: there a page leads to published things alone. */
  readonly serviceHost: string;
  /** Same origin as the viewer: its script fetches it. */
  readonly contextUrl: string;
  /** On the viewer’s own host, where a locked drop’s cookie is. */
  readonly versionUrl: (number: number) => string;
  /** Where a reader sees as whom they are signed in, and signs out. @default - nobody had to sign in */
  readonly readerUrl?: string | undefined;
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
          <iframe
            id="page"
            sandbox={frameSandbox}
            allow="fullscreen; clipboard-write"
            src={frameUrl}
            title={title}
          />
          <WayOut {...props} />
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
  const { canonicalUrl, version, latestVersion, versionUrl, hasContext, contextUrl, rawUrl } = props;
  const { readerUrl, reportUrl } = props;
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
        <button id="print" type="button">
          <Icon name="print" />
          {words.print}
        </button>
      </li>
      <li class="scripted">
        <button id="full-screen" type="button">
          <Icon name="fullScreen" />
          {words.fullScreen}
        </button>
      </li>
      {readerUrl && (
        <li>
          <a href={readerUrl}>
            <Icon name="reader" />
            {words.signedIn}
          </a>
        </li>
      )}
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

/** What the frame cannot do: the script fills in where a page wants to lead, and without one the page by itself is the way. */
function WayOut({ serviceHost, rawUrl }: ViewerPageProps) {
  const words = text.viewer;
  return (
    <>
      <p
        class="way-out"
        id="way-out"
        role="status"
        hidden
        data-service={serviceHost}
        data-kept={words.byItself}
      >
        <a id="way-out-link" href={rawUrl} data-raw={rawUrl} target="_blank" rel="noopener noreferrer">
          {words.open}
        </a>
        <button id="way-out-close" type="button" aria-label={words.close} title={words.close}>
          <Icon name="close" />
        </button>
      </p>
      <noscript>
        <p class="way-out">
          <a href={rawUrl}>{words.byItself}</a>
        </p>
      </noscript>
    </>
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

type VersionPickerProps = Pick<ViewerPageProps, "version" | "latestVersion" | "versions" | "versionUrl">;

/** Past this many versions the list shows the newest and those around the one shown, so that the page stays small. */
const listedVersionsMax = 16;
const newestListed = 8;
const listedOnEachSide = 3;

/** The versions as plain links behind a disclosure that needs no script. */
function VersionPicker({ version, latestVersion, versions, versionUrl }: VersionPickerProps) {
  const words = text.viewer;
  const listed = listedVersions(versions, version);
  return (
    <details class="versions" name="bar">
      <summary>
        <span class="long">{words.version(version)}</span>
        <span class="short">v{version}</span>
        <Icon name="down" />
      </summary>
      <div class="panel">
        <h2>{words.versions}</h2>
        {listed.length < versions.length && <VersionField latestVersion={latestVersion} />}
        <ol class="sprig">
          {listed.map((entry, index) => (
            <VersionRow
              key={entry.number}
              entry={entry}
              href={versionUrl(entry.number)}
              current={entry.number === version}
              latest={entry.number === latestVersion}
              skipped={index > 0 && versions[versions.indexOf(entry) - 1] !== listed[index - 1]}
            />
          ))}
        </ol>
        <small class="quiet">{words.timesAreUtc}</small>
      </div>
    </details>
  );
}

interface VersionRowProps {
  readonly entry: ViewerVersion;
  readonly href: string;
  readonly current: boolean;
  readonly latest: boolean;
  /** Whether versions between this row and the one above are not listed. */
  readonly skipped: boolean;
}

function VersionRow({ entry, href, current, latest, skipped }: VersionRowProps) {
  const marks = [latest && text.viewer.latest, entry.hasContext && text.viewer.withContext].filter(Boolean);
  return (
    <li class={skipped ? "skipped" : undefined}>
      <a href={href} aria-current={current ? "true" : undefined}>
        <b>{text.viewer.version(entry.number)}</b> {marks.length > 0 && <i>{marks.join(", ")}</i>}{" "}
        <Minute atMs={entry.createdAtMs} /> <Size bytes={entry.sizeBytes} />
      </a>
    </li>
  );
}

/** A form without action sends `?v=` to the address that is open. */
function VersionField({ latestVersion }: { latestVersion: number }) {
  return (
    <form method="get">
      <label for="version">{text.viewer.goToVersion}</label>
      <input class="field" id="version" name="v" type="number" min={1} max={latestVersion} required />
      <button class="button" type="submit">
        {text.viewer.go}
      </button>
    </form>
  );
}

function listedVersions(versions: readonly ViewerVersion[], shown: number): readonly ViewerVersion[] {
  if (versions.length <= listedVersionsMax) return versions;
  const shownIndex = versions.findIndex(({ number }) => number === shown);
  return versions.filter(
    (_, index) => index < newestListed || Math.abs(index - shownIndex) <= listedOnEachSide,
  );
}
