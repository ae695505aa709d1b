import { formatMinute } from "../html/format.tsx";
import { ListLinks } from "../html/signed-in-layout.tsx";
import type { Actor, AuditLine } from "../table/audit.ts";
import { describeSubject } from "../table/audit-presenter.ts";
import type { AccountRow } from "./accounts.ts";
import { type AdministrationPageProps, renderAdministrationPage } from "./administration-layout.tsx";
import { administrationText } from "./administration-text.ts";
import type { AuditPart } from "./audit-reader.ts";

/** Subject of the listed audit entries: an account, a drop, or everything. */
export type AuditSubject =
  | { readonly kind: "all" }
  | { readonly kind: "account"; readonly userId: string; readonly namespace: string }
  | { readonly kind: "drop"; readonly slug: string };

/** Accounts by user id, without deleted accounts. */
export type NamedAccounts = ReadonlyMap<string, Pick<AccountRow, "namespace">>;

interface AuditPageProps extends AdministrationPageProps, AuditPart {
  readonly subject: AuditSubject;
  readonly names: NamedAccounts;
}

const words = administrationText.audit;

/** Renders `GET /admin/audit`: audit entries, newest first. */
export function renderAuditPage(props: AuditPageProps): string {
  const { subject, lines, names, earlierMs } = props;
  const heading = headingOf(subject);
  return renderAdministrationPage({
    ...props,
    title: heading,
    heading: (
      <>
        <h1>{heading}</h1>
        {subject.kind !== "all" && (
          <p>
            <a href="/admin/audit">{words.all}</a>
          </p>
        )}
      </>
    ),
    children: (
      <>
        <p class="quiet">{leadOf(subject)}</p>
        {lines.length === 0 ? <p>{words.none}</p> : <Lines lines={lines} names={names} />}
        <ListLinks
          label={words.label}
          next={earlierMs !== undefined && { href: earlierPath(subject, earlierMs), label: words.earlier }}
        />
      </>
    ),
  });
}

function headingOf(subject: AuditSubject): string {
  if (subject.kind === "account") return words.ofAccount(subject.namespace);
  return subject.kind === "drop" ? words.ofDrop(subject.slug) : words.heading;
}

function leadOf({ kind }: AuditSubject): string {
  return { all: words.aboutAll, account: words.about, drop: words.aboutDrop }[kind];
}

function earlierPath(subject: AuditSubject, untilMs: number): string {
  const query = new URLSearchParams({ until: String(untilMs) });
  if (subject.kind === "account") query.set("account", subject.namespace);
  if (subject.kind === "drop") query.set("drop", subject.slug);
  return `/admin/audit?${query}`;
}

function Lines({ lines, names }: Pick<AuditPageProps, "lines" | "names">) {
  const { at, action, by, account, about } = words.columns;
  return (
    <div class="answers">
      <table>
        <thead>
          <tr>
            {[at, action, by, account, about].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={line.id} line={line} names={names} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LineRow({ line, names }: { readonly line: AuditLine; readonly names: NamedAccounts }) {
  const { act, subject } = line;
  const { at, action, by, account, about } = words.columns;
  return (
    <tr>
      <td data-label={at}>{formatMinute(act.atMs)}</td>
      <td data-label={action}>{act.action}</td>
      <td data-label={by}>
        <ActorName actor={act.actor} names={names} />
      </td>
      <td data-label={account}>
        <AccountName id={subject.ownerId} names={names} />
      </td>
      <td data-label={about}>{describeSubject(line).join(", ")}</td>
    </tr>
  );
}

function ActorName({ actor, names }: { readonly actor: Actor; readonly names: NamedAccounts }) {
  if ("personId" in actor && actor.personId !== undefined)
    return <AccountName id={actor.personId} names={names} />;
  if (actor.kind === "administrator") return <bdi>{actor.name}</bdi>;
  // The last part of the ARN is the session name, which identifies the operator.
  if (actor.kind === "operator") return <bdi>{actor.name.split("/").at(-1)}</bdi>;
  return <>{words.actors[actor.kind]}</>;
}

function AccountName({ id, names }: { readonly id: string | undefined; readonly names: NamedAccounts }) {
  if (id === undefined) return null;
  const namespace = names.get(id)?.namespace;
  return namespace === undefined ? id : <a href={`/admin/accounts/${namespace}`}>{namespace}</a>;
}
