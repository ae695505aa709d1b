import { Icon } from "../html/icons.tsx";
import type { ViewerPageProps } from "./viewer-props.ts";
import { viewerText as words } from "./viewer-text.ts";

/**
 * Links to the viewer's actions. The links work without scripts, and the viewer's script turns some of them into buttons. A wide window
 * shows the first links in the bar. A narrow window shows all of them in a menu.
 */
export function Actions(props: ViewerPageProps) {
  const { canonicalUrl, folder, version, latestVersion, versionUrl, hasContext, contextUrl, rawUrl } = props;
  // The shared URL omits the query, because this reader may have added it.
  const isLatest = version === latestVersion;
  const shareUrl = isLatest ? canonicalUrl : versionUrl(version);
  return (
    <ul class="actions panel">
      {hasContext && (
        <li>
          <a id="context-toggle" href={contextUrl} aria-keyshortcuts="c">
            <Icon name="context" />
            {words.context}
          </a>
        </li>
      )}
      {props.feedbackUrl && (
        <li>
          <a
            id="comments-toggle"
            href={props.feedbackUrl}
            data-takes-path={folder && ""}
            aria-keyshortcuts="m"
          >
            <Icon name="feedback" />
            {words.feedback}
          </a>
        </li>
      )}
      <li>
        <a
          id="copy-link"
          href={shareUrl}
          data-folder={isLatest ? folder?.canonicalUrl : undefined}
          data-done="Link copied"
          aria-keyshortcuts="l"
        >
          <Icon name="link" />
          <span aria-live="polite">Copy link</span>
        </a>
      </li>
      <li>
        <a id="raw" href={rawUrl} data-folder={folder?.rawUrl} aria-keyshortcuts="r">
          <Icon name="raw" />
          Page only
        </a>
      </li>
      <li>
        <details class="rest" name="rest">
          <summary>
            <Icon name="more" />
            {words.more}
          </summary>
          <ul class="panel">
            <MoreActions {...props} />
          </ul>
        </details>
      </li>
    </ul>
  );
}

function MoreActions({ downloadUrl, pdfUrl, lockUrl, readerUrl, reportUrl }: ViewerPageProps) {
  return (
    <>
      <li class="scripted">
        <button id="send-link" type="button" hidden>
          Send link
        </button>
      </li>
      <li class="scripted">
        <button id="print" type="button" aria-keyshortcuts="p">
          Print
        </button>
      </li>
      <li>
        <a href={downloadUrl}>Download</a>
      </li>
      {pdfUrl && (
        <li>
          <a href={pdfUrl}>Download as PDF</a>
        </li>
      )}
      <li class="scripted">
        <button id="full-screen" type="button" aria-keyshortcuts="f">
          Full screen
        </button>
      </li>
      <li class="scripted">
        <button id="keys" type="button" aria-keyshortcuts="?">
          {words.keys}
        </button>
      </li>
      {lockUrl && (
        <li>
          {/* For readers on a shared browser. The form works without scripts. */}
          <button type="submit" form="lock">
            Lock again
          </button>
          <form id="lock" method="post" action={lockUrl} />
        </li>
      )}
      {readerUrl && (
        <li>
          <a href={readerUrl}>Signed in</a>
        </li>
      )}
      {reportUrl && (
        <li>
          <a href={reportUrl}>Report</a>
        </li>
      )}
    </>
  );
}

/** Asks a signed-in reader whether to include their name with an answer to the page's form. */
export function SignDialog({ path }: { readonly path: string }) {
  return (
    <dialog
      id="sign"
      aria-label="Your answer"
      data-path={path}
      data-send-as="Send as"
      data-offline="Your answer was not sent. Check your connection, then send it again."
    >
      <p tabIndex={-1} />
      <dl />
      <form method="dialog" class="decision">
        <button class="button arming" type="submit" value="name" />
        <button class="button arming" type="submit" value="none">
          Send without my name
        </button>
        <button class="plain" type="submit" value="">
          Cancel
        </button>
      </form>
    </dialog>
  );
}

/**
 * Dialog that lists the keyboard shortcuts and can turn them off (WCAG 2.2, criterion 2.1.4). Pressing a key activates
 * the control that has the key in `aria-keyshortcuts`.
 */
export function KeysDialog({ hasContext, feedbackUrl }: Pick<ViewerPageProps, "hasContext" | "feedbackUrl">) {
  const missing = (hasContext ? "" : "c") + (feedbackUrl ? "" : "m");
  const keys = Object.entries(words.keyNames).filter(([key]) => !missing.includes(key));
  return (
    <dialog id="keys-shown" aria-label={words.keys}>
      <h2>{words.keys}</h2>
      <dl>
        {keys.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Shortcuts work only outside the page.</p>
      <label>
        <input id="keys-on" type="checkbox" checked /> Use shortcuts
      </label>
      <form method="dialog">
        <button class="button" type="submit">
          {words.close}
        </button>
      </form>
    </dialog>
  );
}
