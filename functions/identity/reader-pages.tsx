import { hasReadTrail } from "../core/environment.ts";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import type { Identity } from "../people/accounts.ts";
import { type Destination, signInPath } from "./destination.ts";
import { SignedInIdentity, SignOut } from "./not-shared-page.tsx";

/** Renders `GET /login/read` without a destination: the reader's identity, and the form to sign out. */
export function renderSignedInPage(props: {
  readonly identity: Pick<Identity, "username" | "emails" | "groups">;
  readonly nonce: string;
}): string {
  const words = text.reader;
  return renderSheetPage({
    title: "Signed in",
    heading: "You’re signed in",
    sign: "done",
    nonce: props.nonce,
    children: (
      <>
        <p>In this browser, you can open pages that are shared with you.</p>
        {hasReadTrail() && <p>{words.readTrail}</p>}
        <SignedInIdentity {...props.identity} />
        <a class="button second" href="/account">
          Your pages
        </a>
        <SignOut to={undefined} label={words.signOut} />
      </>
    ),
  });
}

/** Renders the page that readers see after signing out. On a drop's page, a link leads back to the drop with another account. */
export function renderSignedOutPage(props: {
  readonly destination: Destination | undefined;
  readonly nonce: string;
}): string {
  const { destination } = props;
  const isOwn = destination !== undefined && !/^\/(p|d|files)\//.test(destination);
  return renderSheetPage({
    title: "Signed out",
    heading: "You’re signed out",
    nonce: props.nonce,
    children: (
      <>
        <p>
          {isOwn
            ? "Other people who use this browser can’t see or change your pages."
            : destination === undefined
              ? "To read pages that are shared with you, sign in again."
              : "Sign in with the account that the page was shared with."}
        </p>
        {destination && (
          <a class="button" href={`${signInPath(destination)}&account=other`}>
            {isOwn ? "Sign in again" : "Use another account"}
          </a>
        )}
        {destination && (
          <p class="quiet small">
            If you can’t choose an account, sign out at your identity provider and open the link again.
          </p>
        )}
      </>
    ),
  });
}
