import { hasEmbedding } from "../core/environment.ts";
import { inlineSources, renderDocument } from "../html/document.tsx";
import { Time } from "../html/format.tsx";
import { Icon, LeafMark } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { CardTags } from "../renders/card-tags.tsx";
import type { Refusal } from "./frame/frame-messages.ts";
import viewerScript from "./viewer.client.ts?text";
import viewerStyle from "./viewer.css";
import { Actions, KeysDialog, SignDialog } from "./viewer-actions.tsx";
import embeddedScript from "./viewer-embedded.client.ts?text";
import type { ViewerPageProps } from "./viewer-props.ts";
import { viewerText as words } from "./viewer-text.ts";
import { VersionPicker } from "./viewer-versions.tsx";

/** Sandbox permissions of a published page in the viewer's frame; see "Public serving" in the specification. */
export const frameSandbox = "allow-scripts allow-forms allow-modals allow-downloads";

/** The viewer's script. Includes the embedding script if the settings allow other sites to frame the viewer. */
const script = hasEmbedding() ? embeddedScript + viewerScript : viewerScript;

/** Inline style and script of the viewer, for a cached response that several readers share. */
export const viewerPageAssets = /* @__PURE__ */ inlineSources({ style: viewerStyle, script });

/** Renders `GET /p/{slug}`: the published page in a sandboxed frame below a bar; see "Public serving" in the specification. */
export function renderViewerPage(props: ViewerPageProps): string {
  const { title, description, namespace, folder, frameUrl, feedbackUrl, nonce } = props;
  const shownTitle = folder?.pageTitle ?? title;
  const summary = description || `A page published by ${namespace} on Dropleaf.`;
  return renderDocument({
    title: shownTitle,
    ...(nonce === undefined ? {} : { nonce }),
    style: viewerStyle,
    script,
    indexed: props.indexed,
    layout: "viewer-page",
    head: <SharingTags {...props} title={shownTitle} summary={summary} />,
    children: (
      <>
        <Bar {...props} />
        <TimeNotice {...props} />
        <main>
          <iframe
            id="page"
            sandbox={frameSandbox}
            allow="fullscreen; clipboard-write; screen-wake-lock"
            src={frameUrl}
            title={shownTitle}
            data-folder={folder?.viewerPath}
            data-path={folder?.path}
            data-title={folder && title}
          />
          <div class="notices">
            <News {...props} />
            <WayOut {...props} />
          </div>
          {feedbackUrl && (
            <>
              <div id="outline" hidden />
              <button class="button" id="comment" type="button" hidden>
                Comment
              </button>
              <SidePanel name="comments" label={words.feedback} address={feedbackUrl} />
            </>
          )}
          {props.sharing === "button" && (
            <SidePanel name="share" label={words.share} address={props.manageUrl} />
          )}
          {props.hasContext && (
            <SidePanel
              name="context"
              label={words.context}
              address={props.contextUrl}
              note="Notes on this version."
            />
          )}
        </main>
        {props.answersPath && <SignDialog path={props.answersPath} />}
        <KeysDialog hasContext={props.hasContext} feedbackUrl={feedbackUrl} />
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
      {/* Search engines and link previews share one element, because a description may have up to 500 characters. */}
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
      {props.sharing === "button" && (
        <a class="button" id="share-toggle" href={props.manageUrl} data-takes-path={props.folder && ""}>
          {words.share}
        </a>
      )}
      <details class="more" name="bar">
        <summary aria-label={words.more} title={words.more}>
          <Icon name="more" />
        </summary>
        <Actions {...props} />
      </details>
    </header>
  );
}

/** Notice that an older version is shown, or that the drop expires within a week. */
function TimeNotice(props: ViewerPageProps) {
  const { version, latestVersion, versions, versionUrl, pageQuery, expiresAtMs } = props;
  const isOlder = version !== latestVersion;
  if (!isOlder && expiresAtMs === undefined) return null;
  const shown = versions.find(({ number }) => number === version);
  return (
    <aside class="older">
      {isOlder && (
        <>
          <span>
            This is version {version}, from {shown && <Time atMs={shown.createdAtMs} />}
          </span>{" "}
          <a href={versionUrl(latestVersion, pageQuery)}>Back to the latest</a>
        </>
      )}
      {expiresAtMs !== undefined && (
        <span>
          This page expires <Time atMs={expiresAtMs} />
        </span>
      )}
    </aside>
  );
}

/** Title, owner and date of the page. The bar truncates a long title. The panel shows all details. */
function About({ title, description, namespace, ownerUrl, ...props }: ViewerPageProps) {
  const shown = props.versions.find(({ number }) => number === props.version);
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
            {props.lockUrl && <p>{words.lockedNote}</p>}
            <p class="quiet">
              Version {props.version}
              {shown && (
                <>
                  , <Time atMs={shown.createdAtMs} />
                </>
              )}
            </p>
            {shown?.originalDateMs !== undefined && (
              <p class="quiet">
                {words.dated} <Time atMs={shown.originalDateMs} isClock />
              </p>
            )}
            {shown?.note && <p dir="auto">{shown.note}</p>}
            {props.sharing !== "none" && (
              <p>
                <a href={props.manageUrl} data-takes-path={props.folder && ""}>
                  {props.sharing === "button" ? "Edit this page" : "Is this your page? Edit or share it"}
                </a>
              </p>
            )}
          </div>
        </details>
        <p class="by">
          {props.lockUrl && "Locked, "}
          <a href={ownerUrl}>by {namespace}</a> {shown && <Time atMs={shown.createdAtMs} />}
        </p>
      </div>
    </>
  );
}

/** Notice that the drop has changed, shown by the script. */
function News({ latestVersion, versionUrl, pageQuery, stateUrl, readerUrl }: ViewerPageProps) {
  const news = {
    "data-url": stateUrl,
    "data-latest": latestVersion,
    "data-newer": "Version # is available.",
    "data-older": `Version ${latestVersion} was deleted.`,
    "data-locked": "This page is now locked.",
    "data-gone": readerUrl
      ? "This page is no longer available, or you are signed out."
      : "This page is no longer available.",
  };
  return (
    <p class="way-out" id="news" role="status" hidden {...news}>
      <span />
      <a href={versionUrl(latestVersion, pageQuery)}>Reload</a>
      <button type="button" aria-label={words.close} title={words.close}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** Notice that an action works only outside the frame. The script sets the link's URL. */
function WayOut({ serviceHost, rawUrl, rawHasStorage }: ViewerPageProps) {
  return (
    <p
      class="way-out"
      id="way-out"
      role="status"
      hidden
      data-service={serviceHost}
      data-kept="Open the page on its own to do this"
      data-user="This link contains a user name, so it was not opened. It leads to "
      {...refusalTexts(rawHasStorage)}
    >
      <a href={rawUrl} target="_blank" rel="noreferrer">
        {"Open "}
      </a>
      <button type="button" aria-label={words.close} title={words.close}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/**
 * Texts about refused features, by attribute name. Notices in `data-alone-…` link to the page without the viewer, where
 * more features work.
 */
function refusalTexts(rawHasStorage: boolean): Record<string, string> {
  const texts: Readonly<Record<Refusal, { readonly alone?: string; readonly here: string }>> = words.refusals;
  return Object.fromEntries(
    Object.entries(texts).map(([what, { alone, here }]) =>
      rawHasStorage && alone ? [`data-alone-${what}`, alone] : [`data-here-${what}`, here],
    ),
  );
}

/** Panel beside the page, or over its lower part in a narrow window. The script `side-panel.client.ts` fills it. */
function SidePanel({
  name,
  label,
  address,
  note,
}: {
  /** Id of the panel. The link that opens it has the id `<name>-toggle`. */
  readonly name: string;
  readonly label: string;
  /** URL of a page with the same content. */
  readonly address: string;
  /** Note above the content, with the label as heading. @default - the content has its own heading */
  readonly note?: string;
}) {
  return (
    <aside class="side" id={name} tabIndex={-1} aria-label={label} hidden>
      <button type="button" aria-label={words.close} title={words.close}>
        <Icon name="close" />
      </button>
      {note && (
        <>
          <h2>{label}</h2>
          <p class="quiet">{note}</p>
        </>
      )}
      <p role="status">Loading…</p>
      <p role="alert" hidden>
        That didn’t work. Try again, or <a href={address}>open it as a page</a>
      </p>
      <div dir="auto" />
    </aside>
  );
}
