import { inlineSources, renderDocument } from "../html/document.tsx";
import { classes, formatCounted, Size, Time } from "../html/format.tsx";
import { Emblem, LeafMark } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { Thumbnail } from "../renders/thumbnail.tsx";
import ownerScript from "./owner.client.ts?text";
import ownerStyle from "./owner.css";

/** A drop in the list of an owner's page. */
export interface ListedDrop {
  /** Title of the drop. null if the drop is locked, because the passcode protects the title. */
  readonly title: string | null;
  readonly url: string;
  readonly updatedAtMs: number;
  readonly locked: boolean;
  /** Heading above the drop. @default - none */
  readonly group?: string | undefined;
  /** True if the entry shows a thumbnail, or a placeholder until the thumbnail is rendered. @default false */
  readonly isPictured?: boolean;
  /** URL of the thumbnail. @default - the drop has none, or it is not rendered yet */
  readonly thumbnailUrl?: string | undefined;
}

/** A file in the list of an owner's page. */
export interface ListedFile {
  readonly filename: string;
  readonly url: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly createdAtMs: number;
}

/** Minimum number of entries on a page that has a search field. */
const searchedFrom = 8;

/** Props of an owner's public page. */
export interface OwnerPageProps {
  readonly namespace: string;
  /** URL of the service's start page. */
  readonly homeUrl: string;
  readonly feedUrl: string;
  /** Number of drops on all pages of the list, like `fileCount` for files. */
  readonly dropCount: number;
  readonly fileCount: number;
  /** Drops of this page of the list, sorted by group, then newest first. */
  readonly drops: readonly ListedDrop[];
  /** Files of this page of the list, newest first. */
  readonly files: readonly ListedFile[];
  /** Number of this page of the list, and the URLs of all pages. */
  readonly page: {
    readonly number: number;
    readonly count: number;
    readonly hrefFor: (number: number) => string;
  };
  /** URL to report the page. @default - no link */
  readonly reportUrl?: string | undefined;
}

/**
 * Inline styles and scripts, identified by hash. The page is cached for many readers, so it cannot have a nonce. Short
 * lists have no script.
 */
export const ownerPageAssets = /* @__PURE__ */ inlineSources({ style: ownerStyle, script: ownerScript });

/** Renders `GET /` of an owner's host: the owner's drops and files, newest first. */
export function renderOwnerPage(props: OwnerPageProps): string {
  const { namespace, homeUrl, feedUrl, dropCount, fileCount, drops, files, page, reportUrl } = props;
  const entryCount = drops.length + files.length;
  const isSearched = entryCount >= searchedFrom;
  return renderDocument({
    title: `${namespace} on ${text.product}`,
    description: `Pages and files that ${namespace} has published.`,
    style: ownerStyle,
    script: isSearched ? ownerScript : undefined,
    layout: "owner-page",
    head: <link rel="alternate" type="application/atom+xml" href={feedUrl} />,
    children: (
      <>
        <header class="owner">
          <LeafMark />
          <h1>{namespace}</h1>
          {entryCount > 0 && <p class="quiet">{listingSummary(dropCount, fileCount)}</p>}
          {isSearched && <Finder paged={page.count > 1} />}
        </header>
        <main>
          {entryCount === 0 && <EmptyListing />}
          <Drops drops={drops} />
          <Files files={files} />
          <PageLinks page={page} />
        </main>
        <footer class="quiet">
          <span>
            Published with <a href={homeUrl}>{text.product}</a>
          </span>
          <a href={feedUrl}>Feed</a>
          {reportUrl && <a href={reportUrl}>Report this page</a>}
        </footer>
      </>
    ),
  });
}

function listingSummary(dropCount: number, fileCount: number): string {
  const counts = [
    dropCount > 0 && formatCounted(dropCount, "page"),
    fileCount > 0 && formatCounted(fileCount, "file"),
  ];
  return counts.filter(Boolean).join(" · ");
}

function EmptyListing() {
  return (
    <div class="empty">
      <Emblem sign="missing" />
      <h2>Nothing here yet</h2>
      <p class="quiet">Pages and files appear here when they are published.</p>
    </div>
  );
}

function Finder({ paged }: { paged: boolean }) {
  const label = paged ? "Search this list" : "Search";
  return (
    <search class="finder">
      <input
        class="field"
        id="find"
        type="search"
        placeholder={label}
        aria-label={label}
        autocomplete="off"
      />
      <select class="field" id="sort" aria-label="Sort">
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
        <option value="name">By name</option>
      </select>
      <p id="no-match" role="status" data-text="Nothing here matches." />
    </search>
  );
}

function Drops({ drops }: { drops: readonly ListedDrop[] }) {
  const groups = [...Map.groupBy(drops, ({ group }) => group)];
  const isGrouped = groups.some(([group]) => group !== undefined);
  return (
    <>
      {groups.map(([group, some]) => (
        <section key={group}>
          {isGrouped ? group !== undefined && <h2 dir="auto">{group}</h2> : <h2>Pages</h2>}
          <ul class="listing sprig">
            {some.map((drop) => (
              <DropRow key={drop.url} drop={drop} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function DropRow({ drop }: { drop: ListedDrop }) {
  const { title, url, updatedAtMs, locked, isPictured, thumbnailUrl } = drop;
  const hidden = locked || title === null;
  return (
    <li class={classes(hidden && "locked", isPictured && "pictured")}>
      <a href={url} dir="auto">
        {hidden ? "Locked page" : title}
        {hidden && <small> opens with a passcode</small>}
      </a>
      <Time atMs={updatedAtMs} />
      {isPictured && <Thumbnail src={thumbnailUrl} title={hidden ? null : title} />}
    </li>
  );
}

function Files({ files }: { files: readonly ListedFile[] }) {
  if (files.length === 0) return null;
  return (
    <section>
      <h2>Files</h2>
      <ul class="listing sprig">
        {files.map((file) => (
          <li key={file.url}>
            <a href={file.url} dir="auto" title={file.contentType}>
              {file.filename}
            </a>
            <Size bytes={file.sizeBytes} />
            <Time atMs={file.createdAtMs} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageLinks({ page: { number, count, hrefFor } }: Pick<OwnerPageProps, "page">) {
  const words = text.paging;
  if (count <= 1) return null;
  return (
    <nav aria-label={words.pages}>
      {number > 1 && (
        <a href={hrefFor(number - 1)} rel="prev">
          {words.newer}
        </a>
      )}
      <span>{words.pageOf(number, count)}</span>
      {number < count && (
        <a href={hrefFor(number + 1)} rel="next">
          {words.older}
        </a>
      )}
    </nav>
  );
}
