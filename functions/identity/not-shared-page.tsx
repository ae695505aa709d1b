import { hasReadTrail } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import type { Identity } from "../people/accounts.ts";
import { type AccessForm, AccessFormSection } from "./access-form.tsx";
import { type Destination, signInPath } from "./destination.ts";

/** Fields of the reader's identity that a page shows. */
type ShownIdentity = Pick<Identity, "username" | "emails" | "groups">;

/**
 * Error for a drop or file that does not exist or is not shared with the reader. In both cases, the response is the same 404, with links to
 * sign in or to use another account.
 *
 * @param identity the signed-in reader, if any
 * @param form the form that asks the owner for access. If the form has an error, the response has the error's code.
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
    sign: "missing",
    nonce,
    children:
      identity === undefined ? (
        <>
          <p>If this page was shared with you, sign in with the account that it was shared with.</p>
          {hasReadTrail() && <p>{words.readTrail}</p>}
          <a class="button" href={signInPath(destination)}>
            Sign in
          </a>
          <p class="quiet small">
            Otherwise, the page may have expired or been deleted, or the link may have a typo.{" "}
            <a href="/">{text.error.home}</a>
          </p>
        </>
      ) : (
        <>
          <p>This page doesn’t exist or isn’t shared with the account that you are signed in with.</p>
          <SignedInIdentity {...identity} />
          {form && <AccessFormSection {...form} />}
          <SignOut to={destination} label="Use another account" isSecond={form !== undefined} />
          <p class="quiet small">
            {form
              ? "Also check the link for a typo."
              : "Check the link for a typo, or ask the sender to share the page with one of the names, addresses or groups above."}
          </p>
        </>
      ),
  });
}

/** Renders the page after a request for access. It does not reveal whether the requested page exists. */
export function renderAccessRequestedPage(nonce: string): string {
  return renderSheetPage({
    title: "Request sent",
    heading: "Sent",
    sign: "done",
    nonce,
    children: (
      <>
        <p>Sent. If the page exists, its owner sees your request.</p>
        <p class="quiet small">
          <a href="/">{text.error.home}</a>
        </p>
      </>
    ),
  });
}

/** Maximum number of a person's groups to show, because a person may have a hundred groups. */
const shownGroupsMax = 10;

/** Lists the names, addresses and groups that the identity provider sent at sign-in. Owners can share a page with any of them. */
export function SignedInIdentity({ username, emails, groups }: ShownIdentity) {
  const words = text.reader;
  return (
    <dl class="facts">
      <div>
        <dt>{words.signedInAs}</dt>
        <dd dir="auto">{username}</dd>
      </div>
      <div>
        <dt>{emails.length > 1 ? "E-mail addresses" : "E-mail address"}</dt>
        {emails.length === 0 && <dd>no address that your identity provider has verified</dd>}
        {emails.map((email) => (
          <dd key={email}>{email}</dd>
        ))}
      </div>
      {groups.length > 0 && (
        <div>
          <dt>Groups</dt>
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

/** Form that signs a reader out. */
export function SignOut({
  to,
  label,
  isSecond = false,
}: {
  readonly to: Destination | undefined;
  readonly label: string;
  /** True if the page has a more important button. @default false */
  readonly isSecond?: boolean;
}) {
  return (
    <form method="post" action="/login/sign-out">
      {to && <input type="hidden" name="to" value={to} />}
      <Submit second={isSecond}>{label}</Submit>
    </form>
  );
}
