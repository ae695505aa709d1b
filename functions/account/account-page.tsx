import { classes, formatAddress, formatCount, Minute } from "../html/format.tsx";
import { Emblem, Icon } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { Thumbnail } from "../renders/thumbnail.tsx";
import { DoneNotice, PageLinks, renderAccountPage } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import type { Done, ListPage } from "./list-page.ts";
import type { OwnDrop } from "./own-drops.ts";

/** Props of the list of an owner's drops. */
interface AccountPageProps {
  readonly signedIn: SignedIn;
  /** The owner's public page. */
  readonly ownerUrl: string;
  readonly drops: ListPage<OwnDrop>;
  /** The `src` of their thumbnails, by slugs; empty where there are none to look at. */
  readonly thumbnails: ReadonlyMap<string, string>;
  readonly done?: Done | undefined;
  readonly nonce: string;
}

const destination = { page: "account" } as const;

/** `GET /account`: what the owner has published, with what each is to others. */
export function renderAccountDropsPage(props: AccountPageProps): string {
  const { signedIn, ownerUrl, drops, thumbnails, done, nonce } = props;
  const words = accountText.drops;
  return renderAccountPage({
    title: words.title,
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <div class="heading">
          <h1>{words.heading}</h1>
          {drops.total > 0 && <p class="quiet">{words.count(formatCount(drops.total), drops.total)}</p>}
          <p class="small">
            {words.publicPage}: <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
          </p>
        </div>
        <DoneNotice done={done} />
        {drops.total === 0 ? (
          <Empty />
        ) : (
          <ul class="own sprig">
            {drops.shown.map((drop) => (
              <DropRow key={drop.slug} drop={drop} thumbnails={thumbnails} />
            ))}
          </ul>
        )}
        <PageLinks path={pagePath(destination)} number={drops.number} count={drops.count} />
      </>
    ),
  });
}

function Empty() {
  const words = accountText.drops;
  return (
    <div class="empty">
      <Emblem sign="missing" />
      <h2>{words.emptyHeading}</h2>
      <p class="quiet">{words.empty}</p>
    </div>
  );
}

function DropRow({ drop, thumbnails }: { readonly drop: OwnDrop } & Pick<AccountPageProps, "thumbnails">) {
  const words = accountText.drops;
  const { slug, title, visibility, isLocked, versionCount, viewCount, updatedAtMs } = drop;
  return (
    <li
      class={classes((visibility !== "public" || isLocked) && "guarded", thumbnails.size > 0 && "pictured")}
    >
      <a href={pagePath({ page: "drop", slug })} dir="auto">
        {title}
      </a>
      <p>
        <span>{accountText.visibility[visibility]}</span>
        {isLocked && (
          <span class="lock">
            <Icon name="lock" />
            {words.locked}
          </span>
        )}
        <span>{words.versions(formatCount(versionCount), versionCount)}</span>
        <span>{words.views(formatCount(viewCount), viewCount)}</span>
        <span>
          {words.updated} <Minute atMs={updatedAtMs} />
        </span>
      </p>
      {thumbnails.size > 0 && <Thumbnail src={thumbnails.get(slug)} title={title} />}
    </li>
  );
}
