import { AccountChoice } from "../html/account-choice.tsx";
import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { proofField } from "../http/form-proof.ts";
import { type PageDestination, pagePath } from "../identity/destination.ts";
import { Permissions } from "../identity/permissions.tsx";
import type { Identity } from "../people/accounts.ts";
import type { TeamOfPerson } from "../people/teams.ts";
import { tokenDaysMax } from "../table/tokens.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { isDocumentUrl, isOnThisMachine, receiverOf } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import { showConsentRoute } from "./rows.ts";
import { toTokenScope } from "./scopes.ts";

/** Permissions that a program gets with the scope `all`. */
const allowed = [
  "publish pages and files under your name,",
  "read, change, lock and delete them,",
  "read pages that others share with you.",
];

/** Path of the consent page and its form. */
export const consentPath = showConsentRoute.path;

interface ConsentPageProps {
  readonly asked: Pick<AuthorizationRequest, "client" | "redirectUri" | "scope">;
  /** Destination that returns to this page after signing in with another account. */
  readonly destination: PageDestination;
  readonly proof: string;
  readonly identity: Pick<Identity, "username">;
  /** Teams that the person may choose instead of their own account. */
  readonly teams: readonly TeamOfPerson[];
  readonly nonce: string;
}

/**
 * Renders `GET /oauth/authorize?request=…`. The page shows the client, the receiver of the code, the account and the permissions, with a
 * button to allow and one to refuse.
 */
export function renderConsentPage(props: ConsentPageProps): string {
  const { asked, destination, proof, identity, teams, nonce } = props;
  const days = Math.min(oauthLimits.grantDays, tokenDaysMax() ?? oauthLimits.grantDays);
  const { client, redirectUri, scope } = asked;
  return renderSheetPage({
    title: "Connect a program",
    heading: "Connect a program?",
    nonce,
    children: (
      <>
        <div class="claim">
          <p class="quiet small">It calls itself</p>
          <strong dir="auto">{client.name ?? "A program without a name"}</strong>
          <p class="quiet small">
            {isDocumentUrl(client.id)
              ? `The name comes from ${new URL(client.id).host}. Continue only if you have just started this yourself.`
              : "The name is not verified. Continue only if you have just started this yourself."}
          </p>
        </div>
        <dl class="facts">
          <div>
            <dt>Then you return to</dt>
            <dd>{receiverOf(redirectUri)}</dd>
            {isOnThisMachine(redirectUri) && (
              <dd class="quiet small">Only a program on this computer gets access.</dd>
            )}
          </div>
          <div>
            <dt>You are signed in as</dt>
            <dd dir="auto">{identity.username}</dd>
          </div>
        </dl>
        <Permissions heading="The program will be able to" scope={toTokenScope(scope)} all={allowed} />
        <form class="decision" method="post" action={consentPath}>
          <input type="hidden" name={proofField} value={proof} />
          <input type="hidden" name="request" value={destination.request} />
          {teams.length > 0 && <AccountChoice ownName={identity.username} teams={teams} />}
          <button class="button arming" type="submit" name="decision" value="allow">
            Allow
          </button>
          <Submit second name="decision" value="deny">
            Don’t allow
          </Submit>
          <p class="quiet small">
            Access lasts up to {days === 1 ? "a day" : `${days} days`}, or until you revoke it on your tokens
            page. The program never sees your password.
          </p>
        </form>
        <form method="post" action="/login/sign-out">
          <input type="hidden" name="to" value={pagePath(destination)} />
          <button class="plain" type="submit">
            Use another account
          </button>
        </form>
      </>
    ),
  });
}
