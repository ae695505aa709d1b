import { asTyped, Field, Form } from "../account/form.tsx";
import { formatCount, Time } from "../html/format.tsx";
import { Emblem, Submit } from "../html/icons.tsx";
import { ListLinks } from "../html/signed-in-layout.tsx";
import { SearchBox } from "../search/search-box.tsx";
import { isTeamId } from "../table/identifiers.ts";
import type { AccountRow } from "./accounts.ts";
import { type AdministrationPageProps, renderAdministrationPage } from "./administration-layout.tsx";
import { administrationText } from "./administration-text.ts";
import type { AccountPart } from "./directory.ts";

const words = administrationText.accounts;
const teamWords = administrationText.newTeam;

/** Path of the form that creates a team. */
const newTeamPath = "/admin/teams";

interface AccountsPageProps extends AdministrationPageProps, AccountPart {
  /** Search text. Empty if there is no search. */
  readonly query: string;
}

/** Renders `GET /admin`: accounts and teams by name, a search field, and the form that creates a team. */
export function renderAccountsPage(props: AccountsPageProps): string {
  const { accounts, next, query } = props;
  return renderAdministrationPage({
    ...props,
    title: administrationText.title,
    heading: <h1>{words.heading}</h1>,
    children: (
      <>
        <SearchBox path="/admin" label={words.search} query={query} hint={words.searchNote}>
          {query !== "" && (
            <p class="narrowed">
              <a href="/admin">{words.all}</a>
            </p>
          )}
        </SearchBox>
        {accounts.length === 0 ? (
          <div class="empty">
            <Emblem sign="missing" />
            <p class="quiet">{query === "" ? words.empty : words.none}</p>
          </div>
        ) : (
          <ul class="own sprig">
            {accounts.map((account) => (
              <AccountItem key={account.userId} {...account} />
            ))}
          </ul>
        )}
        <ListLinks
          label={words.label}
          next={
            next !== undefined && {
              href: `/admin?${new URLSearchParams({ ...(query === "" ? {} : { q: query }), after: next })}`,
              label: words.further,
            }
          }
        />
        <NewTeam {...props} />
      </>
    ),
  });
}

function AccountItem({ userId, namespace, isSuspended, isBeingDeleted, item }: AccountRow) {
  const { dropCount, blobCount, createdAtMs } = item as Readonly<Record<string, number>>;
  const { states } = administrationText;
  return (
    <li class={isSuspended || isBeingDeleted ? "guarded" : undefined}>
      <a href={`/admin/accounts/${namespace}`}>{namespace}</a>
      <p>
        {isTeamId(userId) && <span>{words.team}</span>}
        {isSuspended && <b>{states.suspended}</b>}
        {isBeingDeleted && <b>{states.leaving}</b>}
        <span>{words.pages(formatCount(dropCount ?? 0), dropCount ?? 0)}</span>
        <span>{words.files(formatCount(blobCount ?? 0), blobCount ?? 0)}</span>
        {createdAtMs !== undefined && (
          <span>
            {words.created} <Time atMs={createdAtMs} />
          </span>
        )}
      </p>
    </li>
  );
}

function NewTeam({ proofOf, sent }: AccountsPageProps) {
  return (
    <div class="forms">
      <section>
        <h2>{teamWords.heading}</h2>
        <Form action={newTeamPath} proof={proofOf(newTeamPath)}>
          <Field label={teamWords.namespace} id="namespace" note={teamWords.namespaceNote}>
            <input name="namespace" value={sent?.get("namespace") ?? ""} required {...asTyped} />
          </Field>
          <Field label={teamWords.owner} id="owner" note={teamWords.ownerNote}>
            <input name="owner" value={sent?.get("owner") ?? ""} required {...asTyped} />
          </Field>
          <Submit>{teamWords.create}</Submit>
        </Form>
      </section>
    </div>
  );
}
