import { environmentNames, findEnvironment } from "../core/environment.ts";
import { Emblem } from "../html/icons.tsx";
import { renderSignedInPage } from "../html/signed-in-layout.tsx";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import { membersOnly } from "../identity/not-a-member.tsx";
import type { SignedIn } from "../identity/signed-in-page.ts";
import accountStyle from "./account.css";
import { AccountSwitch } from "./account-switch.tsx";

interface NoAccountPageProps {
  readonly signedIn: SignedIn;
  readonly baseUrl: string;
  readonly destination: PageDestination;
  readonly nonce: string;
}

/** Renders the page for a signed-in person without an account or membership, which explains how to get an account or whom to ask. */
export function renderNoAccountPage({ signedIn, baseUrl, destination, nonce }: NoAccountPageProps): string {
  const { isMember, userId, identity } = signedIn.reader;
  const title = isMember ? "No pages yet" : "For members only";
  return renderSignedInPage({
    title,
    nonce,
    username: identity.username,
    path: pagePath(destination),
    style: accountStyle,
    children: (
      <>
        {signedIn.acting && <AccountSwitch signedIn={signedIn} destination={destination} />}
        <div class="empty">
          <Emblem sign={isMember ? "missing" : "locked"} />
          <h1>{title}</h1>
          {isMember ? <HowToBegin baseUrl={baseUrl} /> : <WhomToAsk hasAccount={userId !== undefined} />}
        </div>
      </>
    ),
  });
}

function HowToBegin({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <>
      <p>
        You are signed in and can read pages that are shared with you. You have not published anything here
        yet.
      </p>
      <h2>How to begin</h2>
      <p>
        Ask your agent to publish a page. The agent shows you a code. Sign in with this code once, and your
        pages appear here.
      </p>
      <p class="ask">
        <q>Publish this page with Dropleaf, at {baseUrl}</q>
      </p>
      <p>
        <a href="/login/token">Get a token without an agent</a>
      </p>
    </>
  );
}

function WhomToAsk({ hasAccount }: { readonly hasAccount: boolean }) {
  const contact = findEnvironment(environmentNames.securityContact);
  return (
    <>
      <p>{membersOnly}</p>
      {hasAccount && <p>Your published pages stay online.</p>}
      <p>Ask {contact?.replace(/^mailto:/, "") ?? "the operator of this service"}.</p>
    </>
  );
}
