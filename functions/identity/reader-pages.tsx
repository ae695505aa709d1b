import { hasReadTrail } from "../core/environment.ts";
import { Emblem } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import type { Identity } from "../people/accounts.ts";
import { type Destination, signInPath } from "./destination.ts";
import { SignedInIdentity, SignOut } from "./not-shared-page.tsx";

/** `GET /login/read` without a destination: the reader's identity, and the form to sign out. */
export function renderSignedInPage(props: {
  readonly identity: Pick<Identity, "username" | "emails" | "groups">;
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
        {hasReadTrail() && <p>{words.readTrail}</p>}
        <SignedInIdentity {...props.identity} />
        <a class="button second" href="/account">
          {words.ownPages}
        </a>
        <SignOut to={undefined} label={words.signOut} />
      </>
    ),
  });
}

/** The page after signing out. It links back to the previous page, if there was one, with another account. */
export function renderSignedOutPage(props: {
  readonly destination: Destination | undefined;
  readonly nonce: string;
}): string {
  const { destination } = props;
  const words = text.reader;
  const isOwn = destination !== undefined && !/^\/(p|d|files)\//.test(destination);
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
          <a class="button" href={`${signInPath(destination)}&account=other`}>
            {isOwn ? words.signInToOwn : words.signInAgain}
          </a>
        )}
        {destination && <p class="quiet small">{words.providerRemembers}</p>}
      </>
    ),
  });
}
