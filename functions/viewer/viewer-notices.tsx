import { Icon } from "../html/icons.tsx";
import type { Refusal } from "./frame/frame-messages.ts";
import { viewerText } from "./viewer-text.ts";

interface ViewerNoticesProps {
  readonly latestVersion: number;
  readonly versionUrl: (number: number, pageQuery?: string) => string;
  readonly pageQuery?: string;
  /** URL that the script polls for the drop's state. */
  readonly stateUrl: string;
  /** True if only some people may read the drop, so that readers have to sign in. */
  readonly isForSome: boolean;
  readonly serviceHost: string;
  readonly rawUrl: string;
  /** True if the page can use browser storage when it is opened at `rawUrl`. */
  readonly rawHasStorage: boolean;
}

/** Notices over the bottom of the framed page. */
export function ViewerNotices(props: ViewerNoticesProps) {
  return (
    <div class="notices">
      <News {...props} />
      <WayOut {...props} />
    </div>
  );
}

/** Notice that the drop has changed, shown by the script. */
function News({ latestVersion, versionUrl, pageQuery, stateUrl, isForSome }: ViewerNoticesProps) {
  const words = viewerText;
  const news = {
    "data-url": stateUrl,
    "data-latest": latestVersion,
    "data-newer": "Version # is available.",
    "data-older": `Version ${latestVersion} was deleted.`,
    "data-locked": "This page is now locked.",
    "data-gone": isForSome
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
function WayOut({ serviceHost, rawUrl, rawHasStorage }: ViewerNoticesProps) {
  const words = viewerText;
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
  const texts: Readonly<Record<Refusal, { readonly alone?: string; readonly here: string }>> =
    viewerText.refusals;
  return Object.fromEntries(
    Object.entries(texts).map(([what, { alone, here }]) =>
      rawHasStorage && alone ? [`data-alone-${what}`, alone] : [`data-here-${what}`, here],
    ),
  );
}
