import type { TrashedDrop } from "../drops/drop.ts";
import { Day, formatCount, Size } from "../html/format.tsx";
import { Emblem } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { DoneNotice, PageLinks, renderAccountPage } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import { Form, ProblemNotice } from "./form.tsx";
import type { Done, ListPage } from "./list-page.ts";
import type { Problem } from "./problem.ts";

/** Props of an owner's trash. */
interface TrashPageProps {
  readonly signedIn: SignedIn;
  readonly drops: ListPage<TrashedDrop>;
  readonly proofOf: (path: string) => string;
  /** @default - no form was refused */
  readonly problem?: Problem | undefined;
  readonly done?: Done | undefined;
  readonly nonce: string;
}

const destination = { page: "trash" } as const;
const words = accountText.trash;

/** `GET /account/trash`: an owner's deleted and expired pages, and the buttons that bring them back. */
export function renderTrashPage(props: TrashPageProps): string {
  const { signedIn, drops, proofOf, problem, done, nonce } = props;
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
        </div>
        <DoneNotice done={done} />
        {problem && <ProblemNotice problem={problem} />}
        {drops.total === 0 ? (
          <div class="empty">
            <Emblem sign="missing" />
            <p class="quiet">{words.empty}</p>
          </div>
        ) : (
          <ul class="own sprig">
            {drops.shown.map((drop) => (
              <TrashedRow key={drop.slug} drop={drop} proofOf={proofOf} />
            ))}
          </ul>
        )}
        <PageLinks path={pagePath(destination)} number={drops.number} count={drops.count} />
      </>
    ),
  });
}

function TrashedRow({ drop, proofOf }: { readonly drop: TrashedDrop } & Pick<TrashPageProps, "proofOf">) {
  const { slug, title, reason, deletedAtMs, purgeAtMs, pageBytes } = drop;
  const path = `${pagePath(destination)}/${slug}`;
  return (
    <li>
      <div>
        <strong dir="auto">{title}</strong>
        <p>
          <span>
            {words.reasons[reason]} <Day atMs={deletedAtMs} />
          </span>
          <span>
            {words.keptUntil} <Day atMs={purgeAtMs} />
          </span>
          <Size bytes={pageBytes} />
        </p>
      </div>
      <Form action={`${path}/undelete`} proof={proofOf(`${path}/undelete`)}>
        <button class="button second" type="submit">
          {words.undelete}
          <span class="unseen"> {title}</span>
        </button>
      </Form>
      <details>
        <summary>
          {words.purge}
          <span class="unseen"> {title}</span>
        </summary>
        <div class="choices">
          <Form action={`${path}/purge`} proof={proofOf(`${path}/purge`)}>
            <label class="tick">
              <input type="checkbox" name="confirm" value="yes" required />
              {words.confirm}
            </label>
            <button class="button second" type="submit">
              {words.purge}
            </button>
          </Form>
        </div>
      </details>
    </li>
  );
}
