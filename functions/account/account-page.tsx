import type { WaitingRequests } from "../access-requests/store.ts";
import { classes, formatAddress, formatCounted, Time } from "../html/format.tsx";
import { Emblem, Icon } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { Thumbnail } from "../renders/thumbnail.tsx";
import { MarkedSnippet, ResultPages, SearchBox } from "../search/search-box.tsx";
import type { SearchFault } from "../search/search-query.ts";
import { WaitingNotice } from "./access-requests-part.tsx";
import { DoneNotice, PageLinks, renderAccountPage } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import type { Done, ListPage } from "./list-page.ts";
import type { OwnDrop } from "./own-drops.ts";

interface AccountPageProps {
  readonly signedIn: SignedIn;
  readonly ownerUrl: string;
  /** Drops with open access requests. */
  readonly waiting: readonly WaitingRequests[];
  readonly drops: ListPage<OwnDrop>;
  /** The search that found `drops`. @default - `drops` lists all drops */
  readonly search?: OwnSearch | undefined;
  /** Thumbnail URLs by slug. Empty if the service has no thumbnails. */
  readonly thumbnails: ReadonlyMap<string, string>;
  readonly done?: Done | undefined;
  readonly nonce: string;
}

interface OwnSearch {
  readonly query: string;
  /** Error in the search query. @default - the query is valid */
  readonly fault?: SearchFault | undefined;
  readonly hasMore: boolean;
}

const destination = { page: "account" } as const;

/** Renders `GET /account`: the owner's drops, with the visibility of each drop. */
export function renderAccountDropsPage(props: AccountPageProps): string {
  const { signedIn, ownerUrl, waiting, drops, search, thumbnails, done, nonce } = props;
  const path = pagePath(destination);
  const team = signedIn.acting?.team;
  const hrefFor = (page: number) =>
    `${path}?${new URLSearchParams({ q: search?.query ?? "", page: String(page) })}`;
  return renderAccountPage({
    title: "Your pages",
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <div class="heading">
          <h1>{team === undefined ? "Your pages" : `Pages of ${team.namespace}`}</h1>
          {!search && drops.total > 0 && <p class="quiet">{formatCounted(drops.total, "page")}</p>}
          <p class="small">
            {team === undefined ? "Your public page" : "The team’s public page"}:{" "}
            <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
          </p>
        </div>
        <DoneNotice done={done} />
        <WaitingNotice waiting={waiting} />
        {(search || drops.total > 0) && (
          <SearchBox path={path} label="Search your pages" query={search?.query} fault={search?.fault}>
            {search && (
              <p class="narrowed">
                <a href={path}>Show all your pages</a>
              </p>
            )}
          </SearchBox>
        )}
        {drops.total === 0 ? (
          search?.fault === undefined && <Empty isSearch={search !== undefined} />
        ) : (
          <ul class={classes("own sprig", search && "found")}>
            {drops.shown.map((drop) => (
              <DropItem key={drop.slug} drop={drop} thumbnails={thumbnails} />
            ))}
          </ul>
        )}
        {search ? (
          <ResultPages number={drops.number} hasMore={search.hasMore} hrefFor={hrefFor} />
        ) : (
          <PageLinks path={path} number={drops.number} count={drops.count} />
        )}
      </>
    ),
  });
}

function Empty({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <div class="empty">
      <Emblem sign="missing" />
      <h2>{isSearch ? "Nothing found" : "Nothing here yet"}</h2>
      <p class="quiet">
        {isSearch
          ? "None of your pages match. Use fewer or different words. Locked pages are found by title only. Expired pages are not searched. New pages can take a few seconds to appear."
          : "Pages that your agent publishes appear here. You can rename, share, lock and delete them."}
      </p>
    </div>
  );
}

function DropItem({ drop, thumbnails }: { readonly drop: OwnDrop } & Pick<AccountPageProps, "thumbnails">) {
  const words = accountText.drops;
  const { slug, title, snippet, visibility, isLocked, isExpired, versionCount, viewCount } = drop;
  return (
    <li
      class={classes((visibility !== "public" || isLocked) && "guarded", thumbnails.size > 0 && "pictured")}
    >
      <a href={pagePath({ page: "drop", slug })} dir="auto">
        {title}
      </a>
      {snippet && <MarkedSnippet snippet={snippet} />}
      <p>
        <span>{text.sharing.names[visibility]}</span>
        {isExpired && <b>{words.expired}</b>}
        {isLocked && (
          <span class="lock">
            <Icon name="lock" />
            {words.locked}
          </span>
        )}
        <span>{formatCounted(versionCount, "version")}</span>
        {viewCount !== undefined && <span>{formatCounted(viewCount, "view")}</span>}
        <span>
          {words.updated} <Time atMs={drop.updatedAtMs} />
        </span>
        {drop.expiresAtMs !== undefined && !isExpired && (
          <span>
            Expires <Time atMs={drop.expiresAtMs} />
          </span>
        )}
      </p>
      {thumbnails.size > 0 && <Thumbnail src={thumbnails.get(slug)} title={title} />}
    </li>
  );
}
