import type { TrashedDrop, TrashReason } from "../drops/drop.ts";
import { Size, Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import { type ItemsPageProps, ListFrame, PageLinks, renderAccountPage } from "./account-layout.tsx";
import { Form } from "./form.tsx";
import type { ListPage } from "./list-page.ts";

interface TrashPageProps extends ItemsPageProps {
  readonly drops: ListPage<TrashedDrop>;
  readonly mayDelete: boolean;
}

const destination = { page: "trash" } as const;
const reasons = { deleted: "Deleted", expired: "Expired" } satisfies Readonly<Record<TrashReason, string>>;

/** Renders `GET /account/trash`: an owner's deleted and expired pages, with buttons to restore them. */
export function renderTrashPage(props: TrashPageProps): string {
  const { signedIn, drops, proofOf, mayDelete, problem, done, nonce } = props;
  return renderAccountPage({
    title: "Your trash",
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <ListFrame
          heading="Your trash"
          item="page"
          empty="No deleted or expired pages."
          total={drops.total}
          done={done}
          problem={problem}
        >
          {drops.shown.map((drop) => (
            <TrashedRow key={drop.slug} drop={drop} proofOf={proofOf} mayDelete={mayDelete} />
          ))}
        </ListFrame>
        <PageLinks path={pagePath(destination)} number={drops.number} count={drops.count} />
      </>
    ),
  });
}

function TrashedRow({
  drop,
  proofOf,
  mayDelete,
}: { readonly drop: TrashedDrop } & Pick<TrashPageProps, "mayDelete" | "proofOf">) {
  const { slug, title, reason, deletedAtMs, purgeAtMs, pageBytes } = drop;
  const path = `${pagePath(destination)}/${slug}`;
  return (
    <li>
      <div>
        <strong dir="auto">{title}</strong>
        <p>
          <span>
            {reasons[reason]} <Time atMs={deletedAtMs} />
          </span>
          <span>
            Kept until <Time atMs={purgeAtMs} isClock />
          </span>
          <Size bytes={pageBytes} />
        </p>
      </div>
      <Form action={`${path}/undelete`} proof={proofOf(`${path}/undelete`)}>
        <Submit second>
          Restore
          <span class="unseen"> {title}</span>
        </Submit>
      </Form>
      {mayDelete && (
        <details>
          <summary>
            Delete permanently
            <span class="unseen"> {title}</span>
          </summary>
          <div class="choices">
            <Form action={`${path}/purge`} proof={proofOf(`${path}/purge`)}>
              <label class="tick">
                <input type="checkbox" name="confirm" value="yes" required />I understand that I can’t undo
                this
              </label>
              <Submit second>Delete permanently</Submit>
            </Form>
          </div>
        </details>
      )}
    </li>
  );
}
