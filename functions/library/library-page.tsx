import { classes, Minute } from "../html/format.tsx";
import { Emblem, Icon } from "../html/icons.tsx";
import { renderSignedInPage } from "../html/signed-in-layout.tsx";
import { text } from "../html/text.ts";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { hasReadTrail } from "../identity/visibility.ts";
import { Thumbnail } from "../renders/thumbnail.tsx";
import libraryStyle from "./library.css";
import { type LibraryFilters, libraryPath } from "./library-filters.ts";
import { libraryText as words } from "./library-text.ts";
import type { LibraryDrop } from "./listing.ts";

/** A drop with the address that opens it for who has signed in. */
export interface LinkedDrop extends LibraryDrop {
  readonly href: string;
}

interface LibraryPageProps {
  readonly signedIn: SignedIn;
  readonly filters: LibraryFilters;
  /** The page is not the first part of the library. */
  readonly isFurther: boolean;
  readonly drops: readonly LinkedDrop[];
  /** The `src` of their thumbnails, by slugs; empty where there are none to look at. */
  readonly thumbnails: ReadonlyMap<string, string>;
  /** Cursor of the next part. @default - none */
  readonly nextCursor: string | undefined;
  readonly nonce: string;
}

/** `GET /library`: pages that others share with the reader. */
export function renderLibraryPage(props: LibraryPageProps): string {
  const { signedIn, drops, thumbnails, filters, nonce } = props;
  const isAll = filters.search === undefined && filters.owner === undefined && filters.tags.length === 0;
  return renderSignedInPage({
    title: words.title,
    nonce,
    username: signedIn.reader.identity.username,
    path: pagePath({ page: "library" }),
    style: libraryStyle,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p class="quiet library-lead">{words.lead}</p>
        {hasReadTrail() && <p class="quiet library-lead">{text.reader.readTrail}</p>}
        <SearchForm filters={filters} isAll={isAll} />
        {drops.length === 0 ? (
          <Nothing isAll={isAll} hasMore={props.nextCursor !== undefined} />
        ) : (
          <ul class="shelf sprig">
            {drops.map((one) => (
              <DropRow key={one.drop.slug} entry={one} filters={filters} thumbnails={thumbnails} />
            ))}
          </ul>
        )}
        <More {...props} />
      </>
    ),
  });
}

function SearchForm({ filters, isAll }: { readonly filters: LibraryFilters; readonly isAll: boolean }) {
  const { search = "", owner = "", tags } = filters;
  return (
    <search aria-label={words.search.label}>
      <form class="search" method="get" action="/library">
        <label>
          {words.search.words}
          <input class="field" type="search" name="q" value={search} maxLength={200} />
        </label>
        <label>
          {words.search.owner}
          <input
            class="field"
            name="owner"
            value={owner}
            maxLength={40}
            autocapitalize="none"
            spellcheck={false}
          />
        </label>
        {tags.map(([key, value]) => (
          <input type="hidden" key={key} name={`metadata.${key}`} value={value} />
        ))}
        <button class="button" type="submit">
          {words.search.submit}
        </button>
        {!isAll && (
          <p class="narrowed">
            {tags.length > 0 && (
              <span>
                {words.search.tagged} <Tags tags={tags} />
              </span>
            )}
            <a href="/library">{words.search.everything}</a>
          </p>
        )}
      </form>
    </search>
  );
}

function Tags({ tags }: { readonly tags: LibraryFilters["tags"] }) {
  return <bdi>{tags.map(([key, value]) => `${key}: ${value}`).join(", ")}</bdi>;
}

function DropRow({
  entry,
  filters,
  thumbnails,
}: { readonly entry: LinkedDrop } & Pick<LibraryPageProps, "filters" | "thumbnails">) {
  const { drop, owner, isOwn, isHidden, href } = entry;
  const { list } = words;
  const metadata = isHidden ? [] : [...drop.metadata];
  return (
    <li class={classes(drop.gate.kind === "locked" && "guarded", thumbnails.size > 0 && "pictured")}>
      <a class="title" href={href} dir="auto">
        {isHidden ? list.locked : drop.title}
      </a>
      {!isHidden && drop.description && (
        <p class="description" dir="auto">
          {drop.description}
        </p>
      )}
      <p class="facts">
        <span class="by">
          {list.by}{" "}
          <a href={libraryPath({ ...filters, owner })}>
            <bdi>{owner}</bdi>
          </a>
        </span>
        {isOwn && <span class="own-mark">{list.own}</span>}
        <span>{list.visibility[drop.visibility.kind]}</span>
        {drop.gate.kind === "locked" && (
          <span class="lock">
            <Icon name="lock" />
            {list.lockedHint}
          </span>
        )}
        <span>
          {list.published} <Minute atMs={drop.createdAtMs} />
        </span>
      </p>
      {metadata.length > 0 && (
        <ul class="tags" aria-label={list.tags}>
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

function Nothing({ isAll, hasMore }: { readonly isAll: boolean; readonly hasMore: boolean }) {
  const { heading, lead, how } = {
    how: undefined,
    ...(hasMore ? words.nothingHere : isAll ? words.nothingShared : words.nothingFound),
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
  if (!isFurther && nextCursor === undefined) return null;
  return (
    <nav class="more" aria-label={words.pages.label}>
      <span>{isFurther && <a href={libraryPath(filters)}>{words.pages.newest}</a>}</span>
      <span>
        {nextCursor !== undefined && (
          <a href={libraryPath(filters, nextCursor)} rel="next">
            {words.pages.older}
          </a>
        )}
      </span>
    </nav>
  );
}
