import { hasReadTrail } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { Emblem } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import type { Identity } from "../people/accounts.ts";
import { type AccessForm, AccessFormSection } from "./access-form.tsx";
import { type Destination, signInPath } from "./destination.ts";
import { identityText } from "./identity-text.ts";

/** A reader as pages name them. */
type ShownIdentity = Pick<Identity, "username" | "emails" | "groups">;

/**
 * Error for a drop or file that does not exist or is not shared with the reader: the same 404 for both, with a page that offers
 * sign-in or another account.
 *
 * @param identity the signed-in reader, if any
 * @param form asks the page's owner for access. A refusal in it decides the error's code.
 */
export function notShared(
  destination: Destination,
  identity: ShownIdentity | undefined,
  form?: AccessForm,
): ApiError {
  const renderPage = (nonce: string) => renderNotSharedPage({ identity, destination, form, nonce });
  if (form?.error === undefined) return new ApiError("not_found", { renderPage });
  const { code, message, details, retryAfterSeconds, cause } = form.error;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ApiError(code, { message, details, cause, ...wait, renderPage });
}

function renderNotSharedPage({
  identity,
  destination,
  form,
  nonce,
}: {
  readonly identity: ShownIdentity | undefined;
  readonly destination: Destination;
  readonly form: AccessForm | undefined;
  readonly nonce: string;
}): string {
  const words = text.reader;
  const heading = text.error.heading(404);
  return renderSheetPage({
    title: heading,
    nonce,
    children: (
      <>
        <Emblem sign="missing" />
        <h1>{heading}</h1>
        {identity === undefined ? (
          <>
            <p>{words.signInLead}</p>
            {hasReadTrail() && <p>{words.readTrail}</p>}
            <a class="button" href={signInPath(destination)}>
              {words.signIn}
            </a>
            <p class="quiet small">
              {words.orMissing} <a href="/">{text.error.home}</a>
            </p>
          </>
        ) : (
          <>
            <p>{words.notShared}</p>
            <SignedInIdentity {...identity} />
            {form && <AccessFormSection {...form} />}
            <SignOut to={destination} label={words.useAnother} isSecond={form !== undefined} />
            <p class="quiet small">{form ? words.checkLink : words.askOwner}</p>
          </>
        )}
      </>
    ),
  });
}

/** The page after a request for access. It is the same for every page, existing or not. */
export function renderAccessRequestedPage(nonce: string): string {
  const words = identityText.access;
  return renderSheetPage({
    title: words.sentTitle,
    nonce,
    children: (
      <>
        <Emblem sign="done" />
        <h1>{words.sentHeading}</h1>
        <p>{words.sent}</p>
        <p class="quiet small">
          <a href="/">{text.error.home}</a>
        </p>
      </>
    ),
  });
}

/** Maximum of groups that the page lists; a person may have a hundred. */
const shownGroupsMax = 10;

/** Names and groups that pages can be shared with, as the identity provider gave them at the sign-in. */
export function SignedInIdentity({ username, emails, groups }: ShownIdentity) {
  const words = text.reader;
  return (
    <dl class="facts">
      <div>
        <dt>{words.signedInAs}</dt>
        <dd dir="auto">{username}</dd>
      </div>
      <div>
        <dt>{words.addresses(emails.length)}</dt>
        {emails.length === 0 && <dd>{words.noAddress}</dd>}
        {emails.map((email) => (
          <dd key={email}>{email}</dd>
        ))}
      </div>
      {groups.length > 0 && (
        <div>
          <dt>{words.groups}</dt>
          {groups.slice(0, shownGroupsMax).map((group) => (
            <dd key={group} dir="auto">
              {group}
            </dd>
          ))}
          {groups.length > shownGroupsMax && <dd>{words.moreGroups(groups.length - shownGroupsMax)}</dd>}
        </div>
      )}
    </dl>
  );
}

/** The form that signs a reader out. */
export function SignOut({
  to,
  label,
  isSecond = false,
}: {
  readonly to: Destination | undefined;
  readonly label: string;
  /** The page has a more important button. @default false */
  readonly isSecond?: boolean;
}) {
  return (
    <form method="post" action="/login/sign-out">
      {to && <input type="hidden" name="to" value={to} />}
      <button class={isSecond ? "button second" : "button"} type="submit">
        {label}
      </button>
    </form>
  );
}
