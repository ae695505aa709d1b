import type { FileChange } from "../drops/version-changes.ts";
import { renderDocument } from "../html/document.tsx";
import { formatCount, formatCounted, formatMinute } from "../html/format.tsx";
import { LeafMark, Submit } from "../html/icons.tsx";
import timesScript from "../html/local-times.client.ts?text";
import { text } from "../html/text.ts";
import type { ViewerVersion } from "../viewer/viewer-props.ts";
import {
  addressOf,
  ComparedPages,
  type ComparedVersions,
  sourceAddressOf,
  VersionHead,
} from "./compared-pages.tsx";
import comparisonStyle from "./comparison.css";
import { ComparisonLines } from "./comparison-lines.tsx";
import type { PageMarks } from "./page-marks.ts";
import type { TextComparison } from "./text-comparison.ts";

/** Props of the comparison of two versions. */
export interface ComparisonPageProps extends ComparedVersions {
  readonly title: string;
  /** Existing versions, latest first. */
  readonly versions: readonly ViewerVersion[];
  readonly compared:
    | { readonly view: "pages"; readonly marks: PageMarks }
    | {
        readonly view: "text";
        readonly page: TextComparison;
        /** Differences between the contexts of the two versions. @default - neither version has a context */
        readonly context: TextComparison | undefined;
        /** Files that differ between two folders, sorted by path. */
        readonly files: readonly FileChange[];
      };
  /** Builds the URL of a version's context, on this page's own host. `rawUrl` uses the same host. */
  readonly contextUrl: (version: number) => string;
  readonly rawUrl: (version: number) => string;
  /** URL on the base host, below `/account`, of the page where the owner manages the drop. */
  readonly manageUrl: string;
  readonly nonce: string;
}

const heading = "Compare versions";

/** Renders `GET /p/{slug}/compare`: two versions of a page, side by side or as source text. */
export function renderComparisonPage(props: ComparisonPageProps): string {
  const { title, to, compared, nonce } = props;
  return renderDocument({
    title: `${title} · ${heading}`,
    nonce,
    style: comparisonStyle,
    script: timesScript,
    layout: "comparison-page",
    children: (
      <>
        <header>
          <p class="brand">
            <LeafMark />
            {text.product}
          </p>
          <a href={props.viewerUrl(to.number)}>Back to the page</a>
        </header>
        <main>
          <p class="quiet">{heading}</p>
          <h1 dir="auto">{title}</h1>
          <Choice {...props} />
          <Views {...props} />
          {compared.view === "text" ? (
            <Texts {...props} compared={compared} />
          ) : (
            <ComparedPages {...props} marks={compared.marks} />
          )}
          <Restore {...props} />
        </main>
      </>
    ),
  });
}

/** Form to choose the two versions. Submitting the form loads this page with other query parameters. */
function Choice({ path, versions, from, to, compared }: ComparisonPageProps) {
  const sides = [
    { name: "from", label: "From", shown: from },
    { name: "to", label: "To", shown: to },
  ] as const;
  return (
    <form method="get" action={path}>
      {sides.map(({ name, label, shown }) => (
        <p key={name}>
          <label for={name}>{label}</label>
          <select class="field" id={name} name={name}>
            {versions.map(({ number, createdAtMs }) => (
              <option key={number} value={number} selected={number === shown.number}>
                Version {number} · {formatMinute(createdAtMs)}
              </option>
            ))}
          </select>
        </p>
      ))}
      {compared.view === "text" && <input type="hidden" name="view" value="text" />}
      <Submit>Compare</Submit>
    </form>
  );
}

function Views({ compared, ...props }: ComparisonPageProps) {
  const views = [
    { view: "pages", label: "Side by side", href: addressOf(props) },
    { view: "text", label: "Source text", href: sourceAddressOf(props) },
  ] as const;
  return (
    <nav aria-label="What to compare">
      {views.map(({ view, label, href }) => (
        <a key={view} href={href} aria-current={view === compared.view ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function Texts({
  compared: { page, context, files },
  ...props
}: ComparisonPageProps & { readonly compared: Extract<ComparisonPageProps["compared"], { view: "text" }> }) {
  const { from, to, rawUrl, contextUrl } = props;
  const isSame =
    page.kind === "same" && (context === undefined || context.kind === "same") && files.length === 0;
  return (
    <>
      <div class="pair">
        <VersionHead {...props} version={from} />
        <VersionHead {...props} version={to} />
      </div>
      {isSame ? (
        <p class="notice">No differences</p>
      ) : (
        <>
          <Text
            {...props}
            heading="Page"
            same="The page is the same in both versions."
            compared={page}
            urlOf={rawUrl}
          />
          <Files files={files} />
          {context && (
            <Text
              {...props}
              heading="Context"
              same="The context is the same in both versions."
              compared={context}
              urlOf={contextUrl}
              missing={[from, to].filter(({ hasContext }) => !hasContext)}
            />
          )}
        </>
      )}
    </>
  );
}

/** Maximum number of listed files. A folder has at most 500 files. */
const filesShownMax = 100;

function Files({ files }: { readonly files: readonly FileChange[] }) {
  if (files.length === 0) return null;
  const more = files.length - filesShownMax;
  return (
    <section>
      <h2>Files</h2>
      <ul>
        {files.slice(0, filesShownMax).map((change) => (
          <li key={change.path}>
            <span dir="auto">{change.path}</span> <span class="quiet">{kindOf(change)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="quiet">{`${formatCounted(more, "more file")} ${more === 1 ? "differs" : "differ"}.`}</p>
      )}
    </section>
  );
}

function kindOf({ before, after }: FileChange): "added" | "changed" | "removed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

interface TextProps extends Pick<ComparisonPageProps, "from" | "to"> {
  readonly heading: string;
  readonly same: string;
  readonly compared: TextComparison;
  /** Builds the URL of a version's full text. */
  readonly urlOf: (version: number) => string;
  /** Versions that do not have this text. @default - both versions have the text */
  readonly missing?: readonly ViewerVersion[];
}

function Text({ heading, same, compared, urlOf, missing = [], from, to }: TextProps) {
  const whole = [from, to].filter((version) => !missing.includes(version));
  return (
    <section>
      <h2>{heading}</h2>
      {missing.map(({ number }) => (
        <p key={number}>Version {number} has no context.</p>
      ))}
      {compared.kind === "same" && <p>{same}</p>}
      {compared.kind === "line-ends" && (
        <>
          <p>Only the line endings differ.</p>
          <LineEnds {...compared} />
        </>
      )}
      {compared.kind === "too-different" && (
        <Whole
          lead="These versions differ too much to compare line by line."
          versions={whole}
          urlOf={urlOf}
        />
      )}
      {compared.kind === "changed" && (
        <>
          {compared.lineEnds && <LineEnds {...compared.lineEnds} />}
          <ComparisonLines rows={compared.rows} from={from.number} to={to.number} />
          {compared.omitted > 0 && (
            <Whole
              lead={`${formatCounted(compared.omitted, "more line")} ${compared.omitted === 1 ? "differs and is" : "differ and are"} not shown here.`}
              versions={whole}
              urlOf={urlOf}
            />
          )}
        </>
      )}
    </section>
  );
}

function LineEnds({ before, after }: { readonly before: number; readonly after: number }) {
  return (
    <p class="quiet">
      Lines that end in CRLF: {formatCount(before)} before, {formatCount(after)} after. Line endings are not
      compared below.
    </p>
  );
}

/** Links to the full texts, for lines that the comparison omits. */
function Whole({
  lead,
  versions,
  urlOf,
}: {
  readonly lead: string;
  readonly versions: readonly ViewerVersion[];
  readonly urlOf: (version: number) => string;
}) {
  return (
    <p class="notice">
      {lead} Open the full versions:{" "}
      {versions.map(({ number }, index) => (
        <>
          {index > 0 && ", "}
          <a key={number} href={urlOf(number)}>
            Version {number}
          </a>
        </>
      ))}
    </p>
  );
}

/**
 * Link to restore a version. All readers get the same page, so the link opens the drop's page below `/account`, which
 * only the owner can use.
 */
function Restore({ from, to, latestVersion, manageUrl }: ComparisonPageProps) {
  const earlier = [from, to].find(({ number }) => number !== latestVersion);
  if (earlier === undefined) return null;
  return (
    <p class="quiet">
      <a href={manageUrl}>Is this your page? Restore version {earlier.number}</a>
    </p>
  );
}
