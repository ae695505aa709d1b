import type { AccessRequest } from "../access-requests/access-request.ts";
import type { WaitingRequests } from "../access-requests/store.ts";
import { Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import { namedReadersOf } from "../policies/access.ts";
import { accountText } from "./account-text.ts";
import { type DropFormProps, FormOfDrop } from "./drop-form.tsx";

/** Props of the section with a drop's access requests. */
export interface AccessRequestsProps {
  /** Open requests, newest first. */
  readonly requests: readonly AccessRequest[];
}

const words = accountText.access;
const id = "access";

/** Section with a drop's access requests. Each request has buttons to give access or dismiss it. */
export function AccessRequests(props: AccessRequestsProps & DropFormProps) {
  const { requests, drop, sent } = props;
  if (requests.length === 0 && sent?.form !== "access") return null;
  const isForPeople = namedReadersOf(drop) !== undefined;
  return (
    <section id={id}>
      <h2>{words.heading}</h2>
      {!isForPeople && requests.length > 0 && (
        <p>
          This page is for members of this service. To give one of these people access, ask an operator to add
          them as a member, or share the page with named people.
        </p>
      )}
      <FormOfDrop {...props} form="access">
        <ul class="request-list">
          {requests.map((request) => (
            <RequestRow key={request.id} {...request} isForPeople={isForPeople} />
          ))}
        </ul>
        <p class="quiet small">Requests are deleted after 30 days. Names and messages are not verified.</p>
      </FormOfDrop>
    </section>
  );
}

/** Returns the value of the "Give access" button. Includes the reader, so that a second click is recognized after the request's removal. */
export function giveValue(requestId: string, reader: string): string {
  return `${requestId} ${reader}`;
}

/** Splits a value from `giveValue` into the request id and the reader. */
export function splitGiveValue(value: string): readonly string[] {
  const at = value.indexOf(" ");
  return at === -1 ? [value] : [value.slice(0, at), value.slice(at + 1)];
}

/** List entry of an access request, with buttons to give access or dismiss the request. */
export function RequestRow({
  id: requestId,
  name,
  reader,
  text,
  requestedAtMs,
  isForPeople,
}: AccessRequest & { readonly isForPeople: boolean }) {
  const who = <span class="unseen"> {name}</span>;
  return (
    <li>
      <p>
        <strong dir="auto">{name}</strong> <Time atMs={requestedAtMs} />
      </p>
      {text && <p dir="auto">{text}</p>}
      {reader !== name && (
        <p class="quiet small">
          Added as <span dir="auto">{reader}</span>
        </p>
      )}
      <p class="buttons">
        {isForPeople && (
          <Submit name="give" value={giveValue(requestId, reader)}>
            Give access
            {who}
          </Submit>
        )}
        <Submit second name="dismiss" value={requestId}>
          Dismiss
          {who}
        </Submit>
      </p>
    </li>
  );
}

/** Notice about open access requests, with links to their drops. */
export function WaitingNotice({ waiting }: { readonly waiting: readonly WaitingRequests[] }) {
  if (waiting.length === 0) return null;
  const all = waiting.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="notice">
      <p>{all === 1 ? "1 person is asking for access" : `${all} people are asking for access`}:</p>
      <ul>
        {waiting.map(({ slug, title, count }) => (
          <li key={slug}>
            <a href={`${pagePath({ page: "drop", slug })}#${id}`} dir="auto">
              {title}
            </a>
            {count > 1 && ` (${count})`}
          </li>
        ))}
      </ul>
    </div>
  );
}
