import { Icon } from "../html/icons.tsx";
import { text } from "../html/text.ts";

interface ViewerNoticesProps {
  readonly latestVersion: number;
  readonly versionUrl: (number: number, pageQuery?: string) => string;
  readonly pageQuery?: string;
  /** Where the script asks what has become of the drop. */
  readonly stateUrl: string;
  /** Whether its readers had to say who they are. */
  readonly isForSome: boolean;
  readonly serviceHost: string;
  readonly rawUrl: string;
}

/** What the viewer has to say of the page in its frame, over that page's lower end. */
export function ViewerNotices(props: ViewerNoticesProps) {
  return (
    <div class="notices">
      <News {...props} />
      <WayOut {...props} />
    </div>
  );
}

/** What the viewer's script says when something has become of the drop; without a script nobody would know. */
function News({ latestVersion, versionUrl, pageQuery, stateUrl, isForSome }: ViewerNoticesProps) {
  const words = text.viewer;
  const news = {
    "data-url": stateUrl,
    "data-latest": latestVersion,
    "data-newer": words.newer,
    "data-older": words.takenBack(latestVersion),
    "data-locked": words.locked,
    "data-gone": isForSome ? words.goneOrSignedOut : words.gone,
  };
  return (
    <p class="way-out" id="news" role="status" hidden {...news}>
      <span />
      <a href={versionUrl(latestVersion, pageQuery)}>{words.reload}</a>
      <button type="button" aria-label={words.close} title={words.close}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** What the frame cannot do: the script fills in where a page wants to lead, and without one the page by itself is the way. */
function WayOut({ serviceHost, rawUrl }: ViewerNoticesProps) {
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
        data-user={words.hasUser}
      >
        <a id="way-out-link" href={rawUrl} target="_blank" rel="noreferrer">
          {`${words.open} `}
        </a>
        <button type="button" aria-label={words.close} title={words.close}>
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
