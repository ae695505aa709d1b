import { formatSize, Time } from "../html/format.tsx";
import { Icon } from "../html/icons.tsx";
import type { ViewerPageProps, ViewerVersion } from "./viewer-props.ts";
import { viewerText as words } from "./viewer-text.ts";

type VersionPickerProps = Pick<
  ViewerPageProps,
  "version" | "latestVersion" | "versions" | "versionUrl" | "pageQuery" | "compareUrl"
>;

/**
 * Maximum number of versions that are listed in full. Longer lists show only the newest versions and those around the
 * shown version, so that the page stays small.
 */
const listedVersionsMax = 16;
const newestListed = 8;
const listedOnEachSide = 3;

/** Lists the versions as plain links in a `details` element that needs no script. */
export function VersionPicker(props: VersionPickerProps) {
  const { version, latestVersion, versions, versionUrl, pageQuery, compareUrl } = props;
  const listed = listedVersions(versions, version);
  const shown = listed.findIndex(({ number }) => number === version);
  return (
    <details class="versions" name="bar">
      <summary aria-keyshortcuts="v">
        <span class="long">Version {version}</span>
        <span class="short">v{version}</span>
        <Icon name="down" />
      </summary>
      <div class="panel">
        <h2>Versions</h2>
        {listed.length < versions.length && <VersionField {...props} />}
        <ol class="sprig">
          {listed.map((entry, index) => (
            <VersionRow
              key={entry.number}
              entry={entry}
              href={versionUrl(entry.number, pageQuery)}
              current={entry.number === version}
              latest={entry.number === latestVersion}
              skipped={index > 0 && versions[versions.indexOf(entry) - 1] !== listed[index - 1]}
              shortcut={{ [shown + 1]: "j", [shown - 1]: "k" }[index]}
            />
          ))}
        </ol>
        {compareUrl && <a href={compareUrl}>Compare versions</a>}
      </div>
    </details>
  );
}

interface VersionRowProps {
  readonly entry: ViewerVersion;
  readonly href: string;
  readonly current: boolean;
  readonly latest: boolean;
  /** True if the list omits versions between this row and the row above. */
  readonly skipped: boolean;
  /** Keyboard shortcut that opens the version. @default - none */
  readonly shortcut: string | undefined;
}

function VersionRow({ entry, href, current, latest, skipped, shortcut }: VersionRowProps) {
  const marks = [latest && "latest", entry.hasContext && "context"].filter(Boolean);
  return (
    <li class={skipped ? "skipped" : undefined}>
      <a href={href} aria-current={current ? "true" : undefined} aria-keyshortcuts={shortcut}>
        <b>Version {entry.number}</b> {marks.length > 0 && <i>{marks.join(", ")}</i>}{" "}
        <Time atMs={entry.createdAtMs} isShort /> {formatSize(entry.sizeBytes)}
        {entry.originalDateMs !== undefined && (
          <span>
            {words.dated} <Time atMs={entry.originalDateMs} isClock />
          </span>
        )}
        {entry.note && <span dir="auto">{entry.note}</span>}
      </a>
    </li>
  );
}

/** Form for a version number. The form has no `action`, so it replaces the current URL's query with `?v=`. */
function VersionField({ latestVersion, pageQuery }: VersionPickerProps) {
  return (
    <form method="get">
      {[...new URLSearchParams(pageQuery)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label for="version">Go to version</label>
      <input class="field" id="version" name="v" type="number" min={1} max={latestVersion} required />
      <button class="button" type="submit">
        Go
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
