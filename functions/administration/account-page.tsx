import { PageLinks } from "../account/account-layout.tsx";
import { PeopleForm, PersonRow } from "../account/team-people.tsx";
import { classes, formatAddress, formatCount, Time } from "../html/format.tsx";
import { lastIdentityOf } from "../people/accounts.ts";
import { sortedPeople } from "../people/team.ts";
import { describeReader, presentReader } from "../policies/access.ts";
import { expiryOf } from "../table/tokens.ts";
import type { AccountFacts } from "./account-facts.ts";
import {
  ActionForms,
  type AdministrationPageProps,
  Facts,
  type OfferedAction,
  renderAdministrationPage,
} from "./administration-layout.tsx";
import { administrationText } from "./administration-text.ts";

type AdminAccountPageProps = AdministrationPageProps & AccountFacts;

const words = administrationText.account;

/** Renders `GET /admin/accounts/{namespace}`: an account or a team, a list of its pages without their content, and the possible actions. */
export function renderAdminAccountPage(props: AdminAccountPageProps): string {
  const { account, team, drops, file, proofOf } = props;
  const { namespace } = account;
  const action = `/admin/accounts/${namespace}`;
  return renderAdministrationPage({
    ...props,
    title: namespace,
    heading: <h1>{namespace}</h1>,
    children: (
      <>
        <AccountFactList {...props} />
        <p>
          <a href={`/admin/audit?account=${namespace}`}>{words.audit}</a>
        </p>
        {file && <FilePart file={file} action={action} proof={proofOf(action)} />}
        <ActionForms actions={actionsOf(props)} action={action} proof={proofOf(action)} />
        {team && <People {...props} team={team} />}
        <section>
          <h2>{words.pagesHeading}</h2>
          {drops.total === 0 ? (
            <p class="quiet">{words.noPages}</p>
          ) : (
            <ul class="own sprig">
              {drops.shown.map((listed) => (
                <DropItem
                  key={listed.drop.slug}
                  {...listed}
                  isHeld={props.heldSlugs.includes(listed.drop.slug)}
                />
              ))}
            </ul>
          )}
          <PageLinks path={action} number={drops.number} count={drops.count} />
        </section>
      </>
    ),
  });
}

function AccountFactList({
  account,
  team,
  teams,
  tokens,
  isBanned,
  isHeld,
  heldSlugs,
  waiting,
  ownerUrl,
}: AccountFacts) {
  const { userId, isSuspended, isBeingDeleted, item } = account;
  const { username, emails } = lastIdentityOf(item);
  const { states, accounts } = administrationText;
  const [dropCount = 0, blobCount = 0] = [item.dropCount, item.blobCount] as (number | undefined)[];
  const state = [
    isSuspended && states.suspended,
    isBanned && states.banned,
    isHeld && states.held,
    isBeingDeleted && states.leaving,
  ].filter(Boolean);
  return (
    <Facts
      facts={[
        [administrationText.drop.state, state.length > 0 && <b>{state.join(", ")}</b>],
        [words.username, team === undefined && <bdi>{username}</bdi>],
        [words.emails, emails.join(", ")],
        [words.userId, userId],
        [words.created, <Time key="created" atMs={item.createdAtMs as number} />],
        [
          words.contents,
          `${accounts.pages(formatCount(dropCount), dropCount)}, ${accounts.files(formatCount(blobCount), blobCount)}`,
        ],
        [
          words.publicPage,
          <a key="public" href={ownerUrl}>
            {formatAddress(ownerUrl)}
          </a>,
        ],
        [words.teams, teams.length > 0 && <TeamLinks teams={teams} />],
        [words.requests, waiting.length > 0 && <WaitingList waiting={waiting} />],
        [
          words.holds,
          heldSlugs.length > 0 &&
            heldSlugs.map((slug) => (
              <a key={slug} href={`/admin/drops/${slug}`}>
                {slug}{" "}
              </a>
            )),
        ],
        [words.tokens, tokens.length > 0 && <TokenList tokens={tokens} />],
      ]}
    />
  );
}

function WaitingList({ waiting }: Pick<AccountFacts, "waiting">) {
  return (
    <ul>
      {waiting.map(({ slug, count }) => (
        <li key={slug}>
          <a href={`/admin/drops/${slug}#access`}>{slug}</a> ({count})
        </li>
      ))}
    </ul>
  );
}

function TeamLinks({ teams }: Pick<AccountFacts, "teams">) {
  return (
    <ul>
      {teams.map(({ namespace, role }) => (
        <li key={namespace}>
          <a href={`/admin/accounts/${namespace}`}>{namespace}</a> ({words.role[role]})
        </li>
      ))}
    </ul>
  );
}

function TokenList({ tokens }: Pick<AccountFacts, "tokens">) {
  return (
    <ul>
      {tokens.map((token) => {
        const { id, label, scope, lastUsedAtMs } = token;
        const expiresAtMs = expiryOf(token);
        return (
          <li key={id}>
            <bdi>{label ?? words.nameless}</bdi>, {words.scopes[scope]}. {words.lastUsed}{" "}
            <Time atMs={lastUsedAtMs} />
            {expiresAtMs !== undefined && (
              <>
                . {words.expires} <Time atMs={expiresAtMs} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the actions that the account's state allows. */
function actionsOf({
  account,
  team,
  isBanned,
  isHeld,
  tokens,
  signedIn,
}: AdminAccountPageProps): readonly OfferedAction[] {
  const { userId, namespace: confirm, isSuspended, isBeingDeleted } = account;
  const isOwn = userId === signedIn.reader.userId;
  if (isBeingDeleted) return [];
  const isPerson = team === undefined;
  const offered: readonly (OfferedAction | false)[] = [
    !isSuspended && !isOwn && { change: "suspend", confirm },
    isSuspended && !isBanned && { change: "unsuspend" },
    isPerson && !isBanned && !isOwn && { change: "ban", confirm },
    isBanned && { change: "unban" },
    isPerson && { change: "end-sessions" },
    tokens.length > 0 && { change: "revoke-tokens", confirm },
    isHeld ? { change: "remove-hold", confirm } : { change: "add-hold" },
  ];
  return offered.filter((action) => action !== false);
}

function People({
  team,
  proofOf,
  sent,
}: AdminAccountPageProps & { readonly team: NonNullable<AccountFacts["team"]> }) {
  const action = `/admin/accounts/${team.namespace}`;
  return (
    <section>
      <h2>{words.people}</h2>
      <ul class="own sprig">
        {sortedPeople(team).map(({ rule, role }) => (
          <PersonRow
            key={presentReader(rule)}
            name={presentReader(rule)}
            meaning={describeReader(rule)}
            role={role}
            form={{ action, proof: proofOf(action) }}
          />
        ))}
      </ul>
      <div class="forms">
        <PeopleForm form={{ action, proof: proofOf(action) }} sent={sent} />
      </div>
    </section>
  );
}

function FilePart({
  file,
  action,
  proof,
}: {
  readonly file: NonNullable<AccountFacts["file"]>;
  readonly action: string;
  readonly proof: string;
}) {
  return (
    <section id="file">
      <h2>
        {words.file} <bdi>{file.isReadable ? file.filename : file.id}</bdi>
      </h2>
      <ActionForms actions={[{ change: "takedown", confirm: file.id }]} action={action} proof={proof}>
        <input type="hidden" name="file" value={`${file.namespace}.${file.id}`} />
      </ActionForms>
    </section>
  );
}

function DropItem({
  drop,
  isReadable,
  isHeld,
}: AccountFacts["drops"]["shown"][number] & { readonly isHeld: boolean }) {
  const { slug, title, gate, visibility, updatedAtMs } = drop;
  const { states } = administrationText;
  return (
    <li class={classes((visibility.kind !== "public" || gate.kind === "locked") && "guarded")}>
      <a href={`/admin/drops/${slug}`} dir="auto">
        {isReadable ? title : words.restricted}
      </a>
      <p>
        <span>{slug}</span>
        {isHeld && <b>{states.held}</b>}
        {gate.kind === "locked" && <span>{states.locked}</span>}
        <span>
          {words.updated} <Time atMs={updatedAtMs} />
        </span>
      </p>
    </li>
  );
}
