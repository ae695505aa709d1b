import type { FileChange } from "../drops/folder-changes.ts";
import { renderDocument } from "../html/document.tsx";
import { formatCount, formatMinute, Size, Time } from "../html/format.tsx";
import { LeafMark } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { frameSandbox } from "../viewer/viewer-page.tsx";
import type { ViewerVersion } from "../viewer/viewer-props.ts";
import comparisonStyle from "./comparison.css";
import { ComparisonLines } from "./comparison-lines.tsx";
import { comparisonText } from "./comparison-text.ts";
import type { TextComparison } from "./text-comparison.ts";

/** Props of the comparison of two versions. */
export interface ComparisonPageProps {
  readonly title: string;
  readonly from: ViewerVersion;
  readonly to: ViewerVersion;
  readonly latestVersion: number;
  /** The versions that exist, latest first. */
  readonly versions: readonly ViewerVersion[];
  /** Comparison as text, or side by side, which reads no page. */
  readonly compared:
    | { readonly view: "pages" }
    | {
        readonly view: "text";
        readonly page: TextComparison;
        /** @default - neither version has any */
        readonly context: TextComparison | undefined;
        /** Files of folders that differ, by path. */
        readonly files: readonly FileChange[];
      };
  /** The path of this page, without a query. */
  readonly path: string;
  /** On this page's own host, like the next two URLs. */
  readonly viewerUrl: (version: number) => string;
  readonly frameUrl: (version: number) => string;
  readonly contextUrl: (version: number) => string;
  readonly rawUrl: (version: number) => string;
  /** URL of the drop's account page, on the base host. */
  readonly manageUrl: string;
  readonly nonce: string;
}

const words = comparisonText;

/** `GET /p/{slug}/compare`: two versions of a page, as text or side by side. */
export function renderComparisonPage(props: ComparisonPageProps): string {
  const { title, to, compared, nonce } = props;
  return renderDocument({
    title: `${title} · ${words.heading}`,
    nonce,
    style: comparisonStyle,
    layout: "comparison-page",
    children: (
      <>
        <header>
          <p class="brand">
            <LeafMark />
            {text.product}
          </p>
          <a href={props.viewerUrl(to.number)}>{words.back}</a>
        </header>
        <main>
          <p class="quiet">{words.heading}</p>
          <h1 dir="auto">{title}</h1>
          <Choice {...props} />
          <Views {...props} />
          {compared.view === "text" ? <Texts {...props} compared={compared} /> : <Pages {...props} />}
          <Restore {...props} />
        </main>
      </>
    ),
  });
}

/** A form that submits to this page with other query parameters. */
function Choice({ path, versions, from, to, compared }: ComparisonPageProps) {
  const sides = [
    { name: "from", label: words.from, shown: from },
    { name: "to", label: words.to, shown: to },
  ] as const;
  return (
    <form method="get" action={path}>
      {sides.map(({ name, label, shown }) => (
        <p key={name}>
          <label for={name}>{label}</label>
          <select class="field" id={name} name={name}>
            {versions.map(({ number, createdAtMs }) => (
              <option key={number} value={number} selected={number === shown.number}>
                {words.version(number)} · {formatMinute(createdAtMs)}
              </option>
            ))}
          </select>
        </p>
      ))}
      {compared.view === "pages" && <input type="hidden" name="view" value="pages" />}
      <button class="button" type="submit">
        {words.submit}
      </button>
    </form>
  );
}

function Views({ path, from, to, compared }: ComparisonPageProps) {
  const query = `?from=${from.number}&to=${to.number}`;
  const views = [
    { view: "text", label: words.text, href: path + query },
    { view: "pages", label: words.pages, href: `${path}${query}&view=pages` },
  ] as const;
  return (
    <nav aria-label={words.views}>
      {views.map(({ view, label, href }) => (
        <a key={view} href={href} aria-current={view === compared.view ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The words for a version. The author's own note is shown separately. */
function Version({
  version: { number, createdAtMs, sizeBytes, note },
  latestVersion,
  viewerUrl,
}: Pick<ComparisonPageProps, "latestVersion" | "viewerUrl"> & { readonly version: ViewerVersion }) {
  return (
    <div class="version">
      <h2>{words.version(number)}</h2>
      <p class="quiet">
        <Time atMs={createdAtMs} /> · <Size bytes={sizeBytes} />
        {number === latestVersion && ` · ${words.latest}`} ·{" "}
        <a href={viewerUrl(number)} aria-label={`${words.open} ${words.version(number)}`}>
          {words.open}
        </a>
      </p>
      {note && <p dir="auto">{note}</p>}
    </div>
  );
}

type TextProps = ComparisonPageProps & {
  readonly compared: Extract<ComparisonPageProps["compared"], { view: "text" }>;
};

function Texts({ compared: { page, context, files }, ...props }: TextProps) {
  const { from, to, rawUrl, contextUrl } = props;
  const isSame =
    page.kind === "same" && (context === undefined || context.kind === "same") && files.length === 0;
  return (
    <>
      <div class="pair">
        <Version {...props} version={from} />
        <Version {...props} version={to} />
      </div>
      {isSame ? (
        <p class="notice">{words.same}</p>
      ) : (
        <>
          <Text {...props} heading={words.page} same={words.samePages} compared={page} urlOf={rawUrl} />
          <Files files={files} />
          {context && (
            <Text
              {...props}
              heading={words.context}
              same={words.sameContexts}
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

/** Limit of the files in a list. A folder has at most 500. */
const filesShownMax = 100;

function Files({ files }: { readonly files: readonly FileChange[] }) {
  if (files.length === 0) return null;
  const more = files.length - filesShownMax;
  return (
    <section>
      <h2>{words.files}</h2>
      <ul>
        {files.slice(0, filesShownMax).map((change) => (
          <li key={change.path}>
            <span dir="auto">{change.path}</span>{" "}
            <span class="quiet">{words.fileChange(kindOf(change))}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">{words.moreFiles(formatCount(more), more)}</p>}
    </section>
  );
}

function kindOf({ before, after }: FileChange): "added" | "changed" | "removed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

interface TextPartProps extends Pick<ComparisonPageProps, "from" | "to"> {
  readonly heading: string;
  readonly same: string;
  readonly compared: TextComparison;
  /** URL of a version's whole text. */
  readonly urlOf: (version: number) => string;
  /** The versions without this text. @default - both have it */
  readonly missing?: readonly ViewerVersion[];
}

function Text({ heading, same, compared, urlOf, missing = [], from, to }: TextPartProps) {
  const whole = [from, to].filter((version) => !missing.includes(version));
  return (
    <section>
      <h2>{heading}</h2>
      {missing.map(({ number }) => (
        <p key={number}>{words.noContext(number)}</p>
      ))}
      {compared.kind === "same" && <p>{same}</p>}
      {compared.kind === "line-ends" && (
        <>
          <p>{words.lineEndsOnly}</p>
          <LineEnds {...compared} />
        </>
      )}
      {compared.kind === "too-different" && (
        <Whole lead={words.tooDifferent} versions={whole} urlOf={urlOf} />
      )}
      {compared.kind === "changed" && (
        <>
          {compared.lineEnds && <LineEnds {...compared.lineEnds} />}
          <ComparisonLines rows={compared.rows} from={from.number} to={to.number} />
          {compared.leftOut > 0 && (
            <Whole
              lead={words.leftOut(formatCount(compared.leftOut), compared.leftOut)}
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
  return <p class="quiet">{words.lineEnds(formatCount(before), formatCount(after))}</p>;
}

/** Links to the whole texts, for lines that the comparison omits. */
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
      {lead} {words.wholeTexts}{" "}
      {versions.map(({ number }, index) => (
        <>
          {index > 0 && ", "}
          <a key={number} href={urlOf(number)}>
            {words.version(number)}
          </a>
        </>
      ))}
    </p>
  );
}

/**
 * The framed page's script keeps its links inside. This page does not handle its messages:
 * docs/adr/0057-framed-pages.md.
 */
function Pages(props: ComparisonPageProps) {
  const { from, to, frameUrl } = props;
  return (
    <>
      <p class="quiet">{words.linksLeadNowhere}</p>
      <div class="pair frames">
        {[from, to].map((version, index) => (
          <section key={index}>
            <Version {...props} version={version} />
            <iframe
              sandbox={frameSandbox}
              src={frameUrl(version.number)}
              title={words.version(version.number)}
            />
          </section>
        ))}
      </div>
    </>
  );
}

/** Link to restore a version. The page is the same for all readers, so the link leads to the owner's sign-in. */
function Restore({ from, to, latestVersion, manageUrl }: ComparisonPageProps) {
  const earlier = [from, to].find(({ number }) => number !== latestVersion);
  if (earlier === undefined) return null;
  return (
    <p class="quiet">
      <a href={manageUrl}>{words.restore(earlier.number)}</a>
    </p>
  );
}
