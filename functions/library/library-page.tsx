import { hasReadTrail } from "../core/environment.ts";
import { classes, Time } from "../html/format.tsx";
import { Emblem, Icon } from "../html/icons.tsx";
import { ListLinks, renderSignedInPage } from "../html/signed-in-layout.tsx";
import { text } from "../html/text.ts";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { Thumbnail } from "../renders/thumbnail.tsx";
import { MarkedSnippet, ResultPages, SearchBox } from "../search/search-box.tsx";
import type { SearchFault } from "../search/search-query.ts";
import type { Snippet } from "../search/snippet.ts";
import libraryStyle from "./library.css";
import { type LibraryFilters, libraryPath } from "./library-filters.ts";
import type { LibraryDrop } from "./listing.ts";

/** A drop with its URL for the signed-in reader. */
export interface LinkedDrop extends LibraryDrop {
  readonly href: string;
  /** Snippet with the search's matches. @default - none, so the drop's description is shown */
  readonly snippet?: Snippet | undefined;
}

interface LibraryPageProps {
  readonly signedIn: SignedIn;
  readonly filters: LibraryFilters;
  /** True unless this is the first page of the library. */
  readonly isFurther: boolean;
  readonly drops: readonly LinkedDrop[];
  /** URLs of the thumbnails, by slug. Empty if there are no thumbnails. */
  readonly thumbnails: ReadonlyMap<string, string>;
  /** Cursor of the next page. @default - none */
  readonly nextCursor?: string | undefined;
  /** One page of search results. @default - the page shows the full list, newest first */
  readonly results?: { readonly number: number; readonly hasMore: boolean } | undefined;
  /** Error in the search query. @default - none */
  readonly fault?: SearchFault | undefined;
  readonly nonce: string;
}

/** Renders `GET /library`: pages that others share with the reader. */
export function renderLibraryPage(props: LibraryPageProps): string {
  const { signedIn, drops, thumbnails, filters, fault, results, nonce } = props;
  const isAll = filters.search === undefined && filters.owner === undefined && filters.tags.length === 0;
  return renderSignedInPage({
    title: "Library",
    nonce,
    username: signedIn.reader.identity.username,
    path: pagePath({ page: "library" }),
    style: libraryStyle,
    children: (
      <>
        <h1>Library</h1>
        {filters.search === undefined && (
          <p class="quiet library-lead">Pages that are shared with you or with all members, newest first.</p>
        )}
        {hasReadTrail() && <p class="quiet library-lead">{text.reader.readTrail}</p>}
        <SearchForm filters={filters} isAll={isAll} fault={fault} />
        {drops.length === 0 && fault === undefined && (
          <Nothing isAll={isAll} hasMore={props.nextCursor !== undefined} />
        )}
        {drops.length > 0 && (
          <ul class="shelf sprig">
            {drops.map((one) => (
              <DropRow key={one.drop.slug} entry={one} filters={filters} thumbnails={thumbnails} />
            ))}
          </ul>
        )}
        {results ? (
          <ResultPages {...results} hrefFor={(page) => libraryPath(filters, { page })} />
        ) : (
          <More {...props} />
        )}
      </>
    ),
  });
}

function SearchForm({
  filters,
  isAll,
  fault,
}: Pick<LibraryPageProps, "filters" | "fault"> & { readonly isAll: boolean }) {
  const { search, owner, tags } = filters;
  return (
    <SearchBox path="/library" label="Search the pages that you can read" query={search} fault={fault}>
      {owner !== undefined && <input type="hidden" name="owner" value={owner} />}
      {tags.map(([key, value]) => (
        <input type="hidden" key={key} name={`metadata.${key}`} value={value} />
      ))}
      {!isAll && (
        <p class="narrowed">
          {owner !== undefined && (
            <span>
              Only pages by <bdi>{owner}</bdi>
            </span>
          )}
          {tags.length > 0 && (
            <span>
              Tagged <bdi>{tags.map(([key, value]) => `${key}: ${value}`).join(", ")}</bdi>
            </span>
          )}
          <a href="/library">Show everything</a>
        </p>
      )}
    </SearchBox>
  );
}

function DropRow({
  entry,
  filters,
  thumbnails,
}: { readonly entry: LinkedDrop } & Pick<LibraryPageProps, "filters" | "thumbnails">) {
  const { drop, owner, isOwn, isHidden, href, snippet } = entry;
  const metadata = isHidden ? [] : [...drop.metadata];
  return (
    <li class={classes(drop.gate.kind === "locked" && "guarded", thumbnails.size > 0 && "pictured")}>
      <a class="title" href={href} dir="auto">
        {isHidden ? "Locked page" : drop.title}
      </a>
      {snippet && <MarkedSnippet snippet={snippet} />}
      {!snippet && !isHidden && drop.description && (
        <p class="description" dir="auto">
          {drop.description}
        </p>
      )}
      <p class="facts">
        <span class="by">
          by{" "}
          <a href={libraryPath({ ...filters, owner })}>
            <bdi>{owner}</bdi>
          </a>
        </span>
        {isOwn && <span class="own-mark">Yours</span>}
        <span>{text.sharing.names[drop.visibility.kind]}</span>
        {drop.gate.kind === "locked" && (
          <span class="lock">
            <Icon name="lock" />
            opens with a passcode
          </span>
        )}
        <span>
          Created <Time atMs={drop.createdAtMs} />
        </span>
        {drop.expiresAtMs !== undefined && (
          <span>
            Expires <Time atMs={drop.expiresAtMs} />
          </span>
        )}
      </p>
      {metadata.length > 0 && (
        <ul class="tags" aria-label="Tags">
          {metadata.map(([key, value]) => (
            <li key={key}>
              <a href={libraryPath({ ...filters, tags: withTag(filters.tags, key, value) })} dir="auto">
                {key}: {value}
              </a>
            </li>
          ))}
        </ul>
      )}
      {thumbnails.size > 0 && (
        <Thumbnail src={thumbnails.get(drop.slug)} title={isHidden ? null : drop.title} />
      )}
    </li>
  );
}

function withTag(tags: LibraryFilters["tags"], key: string, value: string): LibraryFilters["tags"] {
  return [...tags.filter(([one]) => one !== key), [key, value]];
}

const reasonsForNone = {
  shared: {
    heading: "Nothing shared with you yet",
    lead: "Pages that are shared with you or with all members appear here seconds after they are published.",
    how: "To share one of your pages, ask your agent to publish it for members or for people that you name.",
  },
  found: {
    heading: "Nothing found",
    lead: "None of the pages that you can read match. Use fewer or different words. Other owners’ locked pages are not searched, and new pages appear after a few seconds.",
  },
  here: {
    heading: "No matches yet",
    lead: "None of the newest pages match. You can search older ones.",
  },
} as const;

function Nothing({ isAll, hasMore }: { readonly isAll: boolean; readonly hasMore: boolean }) {
  const { heading, lead, how } = {
    how: undefined,
    ...(hasMore ? reasonsForNone.here : isAll ? reasonsForNone.shared : reasonsForNone.found),
  };
  return (
    <div class="empty">
      <Emblem sign="missing" />
      <h2>{heading}</h2>
      <p class="quiet">{lead}</p>
      {how !== undefined && <p class="quiet">{how}</p>}
    </div>
  );
}

function More({ filters, isFurther, nextCursor }: LibraryPageProps) {
  return (
    <ListLinks
      label="More of the library"
      previous={isFurther && { href: libraryPath(filters), label: "Newest" }}
      next={
        nextCursor !== undefined && { href: libraryPath(filters, { cursor: nextCursor }), label: "Older" }
      }
    />
  );
}
