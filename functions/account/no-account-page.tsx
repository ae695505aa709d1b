import { environmentNames, findEnvironment } from "../core/environment.ts";
import { Emblem } from "../html/icons.tsx";
import { renderSignedInPage } from "../html/signed-in-layout.tsx";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import { identityText } from "../identity/identity-text.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import accountStyle from "./account.css";
import { AccountSwitch } from "./account-switch.tsx";
import { accountText } from "./account-text.ts";

/** Props of the page for a signed-in person without an account. */
interface NoAccountPageProps {
  readonly signedIn: SignedIn;
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly destination: PageDestination;
  readonly nonce: string;
}

/** Page for a signed-in person without an account or membership: explains how to get an account, or whom to ask. */
export function renderNoAccountPage({ signedIn, baseUrl, destination, nonce }: NoAccountPageProps): string {
  const { isMember, userId, identity } = signedIn.reader;
  const words = isMember ? accountText.noAccount : identityText.membershipRefused;
  return renderSignedInPage({
    title: words.title,
    nonce,
    username: identity.username,
    path: pagePath(destination),
    style: accountStyle,
    children: (
      <>
        {signedIn.acting && <AccountSwitch signedIn={signedIn} destination={destination} />}
        <div class="empty">
          <Emblem sign={isMember ? "missing" : "locked"} />
          <h1>{words.heading}</h1>
          <p>{words.lead}</p>
          {isMember ? <HowToBegin baseUrl={baseUrl} /> : <WhomToAsk hasAccount={userId !== undefined} />}
        </div>
      </>
    ),
  });
}

function HowToBegin({ baseUrl }: { readonly baseUrl: string }) {
  const words = accountText.noAccount;
  return (
    <>
      <h2>{words.howHeading}</h2>
      <p>{words.how}</p>
      <p class="ask">
        <q>
          {words.ask} {baseUrl}
        </q>
      </p>
      <p>
        <a href="/login/token">{words.ownToken}</a>
      </p>
    </>
  );
}

function WhomToAsk({ hasAccount }: { readonly hasAccount: boolean }) {
  const words = identityText.membershipRefused;
  const contact = findEnvironment(environmentNames.securityContact);
  return (
    <>
      {hasAccount && <p>{words.kept}</p>}
      <p>{contact === undefined ? words.askHost : words.ask(contact.replace(/^mailto:/, ""))}</p>
    </>
  );
}
