import { RequestRow } from "../account/access-requests-part.tsx";
import { accountText } from "../account/account-text.ts";
import { Form } from "../account/form.tsx";
import { formatCount, Time } from "../html/format.tsx";
import { describeReaders, isExpired, namedReadersOf } from "../policies/access.ts";
import {
  ActionForms,
  type AdministrationPageProps,
  Facts,
  type OfferedAction,
  renderAdministrationPage,
} from "./administration-layout.tsx";
import { administrationText } from "./administration-text.ts";
import type { AdminDropFacts } from "./drop-facts.ts";

interface AdminDropPageProps extends AdministrationPageProps, AdminDropFacts {
  readonly nowMs: number;
}

const words = administrationText.drop;

/** Renders `GET /admin/drops/{slug}`: data about a drop, its access requests, and the possible actions. */
export function renderAdminDropPage(props: AdminDropPageProps): string {
  const { drop, isReadable, isTrashed, isHeld, requests, url, proofOf } = props;
  const { slug, title } = drop;
  const action = `/admin/drops/${slug}`;
  const actions: readonly OfferedAction[] = [
    isHeld ? { change: "remove-hold", confirm: slug } : { change: "add-hold" },
    { change: "takedown", confirm: slug },
  ];
  return renderAdministrationPage({
    ...props,
    title: slug,
    heading: <h1 dir="auto">{isReadable ? title : administrationText.account.restricted}</h1>,
    children: (
      <>
        <DropFactList {...props} />
        <p class="facts-line">
          {isReadable && !isTrashed && <a href={url}>{words.open}</a>}
          <a href={`/admin/audit?drop=${slug}`}>{words.audit}</a>
        </p>
        <ActionForms actions={actions} action={action} proof={proofOf(action)} />
        {requests !== undefined && !isTrashed && (
          <section id="access">
            <h2>{accountText.access.heading}</h2>
            {requests.length === 0 ? (
              <p class="quiet">{words.noRequests}</p>
            ) : (
              <Form action={action} proof={proofOf(action)}>
                <ul class="request-list">
                  {requests.map((request) => (
                    <RequestRow
                      key={request.id}
                      {...request}
                      isForPeople={namedReadersOf(drop) !== undefined}
                    />
                  ))}
                </ul>
              </Form>
            )}
          </section>
        )}
      </>
    ),
  });
}

function DropFactList({ drop, isTrashed, isHeld, isOwnerSuspended, owner, nowMs }: AdminDropPageProps) {
  const { slug, visibility, gate, versionCount, createdAtMs, updatedAtMs } = drop;
  const { states, account } = administrationText;
  const state = [
    isTrashed && states.trashed,
    isHeld && states.held,
    isOwnerSuspended && states.suspended,
    gate.kind === "locked" && states.locked,
    isExpired(drop, nowMs) && states.expired,
  ].filter(Boolean);
  return (
    <Facts
      facts={[
        [words.state, state.length > 0 && <b>{state.join(", ")}</b>],
        [words.slug, slug],
        [
          words.owner,
          <a key="owner" href={`/admin/accounts/${owner}`}>
            {owner}
          </a>,
        ],
        [words.readers, describeReaders(visibility)],
        [words.versions, formatCount(versionCount)],
        [account.created, <Time key="created" atMs={createdAtMs} />],
        [account.updated, <Time key="updated" atMs={updatedAtMs} />],
      ]}
    />
  );
}
