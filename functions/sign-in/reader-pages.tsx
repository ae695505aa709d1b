import type { Identity } from "../accounts/identity.ts";
import { Emblem } from "../platform/html/icons.tsx";
import { renderSheetPage } from "../platform/html/sheet.tsx";
import { text } from "../platform/html/text.ts";
import {
  type Destination,
  type DropDestination,
  type FileDestination,
  isPageDestination,
  presentDestination,
} from "../readers/destination.ts";

/** What the page shows of whom it is for. */
type ShownIdentity = Pick<Identity, "username" | "emails">;

/**
 * `GET /login/read` for a reader who may not read what they asked for: the same whether there is such a page or not, with
 * whom they are signed in as and a way to change that.
 */
export function renderNotSharedPage(props: {
  /** @default - nobody has signed in, or not any more */
  readonly identity: ShownIdentity | undefined;
  readonly destination: DropDestination | FileDestination;
  readonly nonce: string;
}): string {
  const { identity, destination, nonce } = props;
  const words = text.reader;
  return renderSheetPage({
    title: text.error.heading(404),
    nonce,
    children: (
      <>
        <Emblem sign="missing" />
        <h1>{text.error.heading(404)}</h1>
        {identity === undefined ? (
          <>
            <p>{text.error.advice.not_found}</p>
            <p>{words.offer}</p>
            <a class="button" href={`/login/read?${presentDestination(destination)}`}>
              {words.signIn}
            </a>
          </>
        ) : (
          <>
            <p>{words.notShared}</p>
            <SignedInAs {...identity} />
            <SignOut to={destination} label={words.useAnother} />
            <p class="quiet small">{words.askOwner}</p>
          </>
        )}
      </>
    ),
  });
}

/** `GET /login/read` without a destination: as whom somebody is signed in, and the way out. */
export function renderSignedInPage(props: {
  readonly identity: ShownIdentity;
  readonly nonce: string;
}): string {
  const words = text.reader;
  return renderSheetPage({
    title: words.signedInTitle,
    nonce: props.nonce,
    children: (
      <>
        <Emblem sign="done" />
        <h1>{words.signedInHeading}</h1>
        <p>{words.signedIn}</p>
        <SignedInAs {...props.identity} />
        <a class="button second" href="/account">
          {words.ownPages}
        </a>
        <SignOut to={undefined} label={words.signOut} />
      </>
    ),
  });
}

/** After signing out; with the way back, by another account, where it came from one. */
export function renderSignedOutPage(props: {
  readonly destination: Destination | undefined;
  readonly nonce: string;
}): string {
  const { destination } = props;
  const words = text.reader;
  const isOwn = destination !== undefined && isPageDestination(destination);
  return renderSheetPage({
    title: words.signedOutTitle,
    nonce: props.nonce,
    children: (
      <>
        <h1>{words.signedOutHeading}</h1>
        <p>
          {isOwn
            ? words.signedOutOfOwn
            : destination === undefined
              ? words.signedOut
              : words.signedOutOnTheWay}
        </p>
        {destination && (
          <a class="button" href={`/login/read?${presentDestination(destination)}&account=other`}>
            {isOwn ? words.signInToOwn : words.signInAgain}
          </a>
        )}
        {destination && <p class="quiet small">{words.providerRemembers}</p>}
      </>
    ),
  });
}

function SignedInAs({ username, emails }: ShownIdentity) {
  const words = text.reader;
  return (
    <dl class="facts">
      <div>
        <dt>{words.signedInAs}</dt>
        <dd dir="auto">{username}</dd>
      </div>
      {emails.length > 0 && (
        <div>
          <dt>{words.addresses(emails.length)}</dt>
          {emails.map((email) => (
            <dd key={email}>{email}</dd>
          ))}
        </div>
      )}
    </dl>
  );
}

function SignOut({ to, label }: { readonly to: Destination | undefined; readonly label: string }) {
  return (
    <form method="post" action="/login/sign-out">
      {to && <input type="hidden" name="to" value={presentDestination(to)} />}
      <button class="button" type="submit">
        {label}
      </button>
    </form>
  );
}
