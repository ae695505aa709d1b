import { formatCount, formatCounted, Size, Time } from "../html/format.tsx";
import { type FrameMarks, marksPrefix } from "../viewer/frame/frame-messages.ts";
import { frameSandbox } from "../viewer/viewer-page.tsx";
import type { ViewerVersion } from "../viewer/viewer-props.ts";
import { marksMax, type PageMarks } from "./page-marks.ts";

/** Props of the component that shows two versions in frames. */
export interface ComparedVersions {
  readonly from: ViewerVersion;
  readonly to: ViewerVersion;
  readonly latestVersion: number;
  /** Path of the comparison, without a query. */
  readonly path: string;
  /** Builds the URL of a version's viewer, on this page's own host. `frameUrl` may use the folder's host instead. */
  readonly viewerUrl: (version: number) => string;
  readonly frameUrl: (version: number) => string;
}

/** Styles of the marks on changed words. The colors match the legend in `comparison.css`. */
const removedStyle = "background:#ffc9bb;color:#4a1206;text-decoration:line-through";
const addedStyle = "background:#b9ecc6;color:#0b331b;text-decoration:underline";

/**
 * Shows two versions in frames. A frame's name contains the changes, which the framed page's script marks. The script also opens links
 * inside the frame. The comparison page ignores the script's messages; see docs/adr/0057-framed-pages.md. A narrow window shows one page at
 * a time.
 */
export function ComparedPages({ marks, ...props }: ComparedVersions & { readonly marks: PageMarks }) {
  const { from, to, frameUrl } = props;
  const sides = [
    { side: "before", label: "Before", markStyle: removedStyle, version: from },
    { side: "after", label: "After", markStyle: addedStyle, version: to },
  ] as const;
  return (
    <>
      <Changes {...props} marks={marks} />
      <div class="pair frames">
        <fieldset>
          <legend class="unseen">Page shown</legend>
          {sides.map(({ side, label }) => (
            <label key={side}>
              <input type="radio" name="shown" id={side} checked={side === "after"} />
              {label}
            </label>
          ))}
        </fieldset>
        {sides.map(({ side, label, markStyle, version }) => (
          <section key={side} class={side}>
            <VersionHead {...props} version={version} />
            <iframe
              sandbox={frameSandbox}
              src={frameUrl(version.number)}
              title={`${label}: Version ${version.number}`}
              name={
                marks.kind === "marked"
                  ? marksPrefix +
                    JSON.stringify({ style: markStyle, marks: marks[side] } satisfies FrameMarks)
                  : undefined
              }
            />
          </section>
        ))}
      </div>
      <p class="quiet">Links don’t work in these frames. Open a version to follow its links.</p>
    </>
  );
}

/** Shows the number of changes outside the frames, so that the framed pages cannot alter the number. */
function Changes({ marks, ...props }: Compared & { readonly marks: PageMarks }) {
  const source = <a href={sourceAddressOf(props)}>Compare the source text</a>;
  switch (marks.kind) {
    case "same":
      return (
        <p class="notice">
          The text is the same. Pictures, styles and scripts are not compared here. {source}
        </p>
      );
    case "unmarked":
      return <p class="notice">These pages are too large or too different to mark their changes. {source}</p>;
    case "marked":
      return (
        <p class="changes">
          {formatCounted(marks.count, "change")} in the text. <del>Removed</del> <ins>Added</ins>
          {marks.count > marksMax && ` Only the first ${formatCount(marksMax)} changes are marked.`}
        </p>
      );
  }
}

/** Heading of a version, with its date and size, and the author's note below. */
export function VersionHead({
  version: { number, createdAtMs, sizeBytes, note },
  latestVersion,
  viewerUrl,
}: Pick<ComparedVersions, "latestVersion" | "viewerUrl"> & { readonly version: ViewerVersion }) {
  return (
    <div class="version">
      <h2>Version {number}</h2>
      <p class="quiet">
        <Time atMs={createdAtMs} /> · <Size bytes={sizeBytes} />
        {number === latestVersion && " · latest"} ·{" "}
        <a href={viewerUrl(number)} aria-label={`Open Version ${number}`}>
          Open
        </a>
      </p>
      {note && <p dir="auto">{note}</p>}
    </div>
  );
}

/** Props that are part of a comparison's URL. */
type Compared = Pick<ComparedVersions, "path" | "from" | "to">;

/** Returns the URL of the side-by-side view. */
export function addressOf({ path, from, to }: Compared): string {
  return `${path}?from=${from.number}&to=${to.number}`;
}

/** Returns the URL of the source text view. */
export function sourceAddressOf(compared: Compared): string {
  return `${addressOf(compared)}&view=text`;
}
