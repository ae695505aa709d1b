import type { ComponentChildren } from "preact";
import { limits } from "../core/limits.ts";
import { formatAddress } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";

interface ConfirmationPageProps {
  /** The person's user name at the identity provider. */
  readonly username: string;
  readonly namespace: string;
  readonly ownerUrl: string;
  /** Unverified name that the agent gave itself, or null. */
  readonly label: string | null;
  /** Verified device code, which the undo form submits. */
  readonly code: string;
  /** Device code if this browser started the sign-in without an agent, otherwise null. */
  readonly ownCode: string | null;
  readonly nonce: string;
}

/** Renders the last page of a sign-in, with the account, the next step, and a button to undo the sign-in. */
export function renderConfirmationPage(props: ConfirmationPageProps): string {
  const { namespace, code, ownCode, nonce } = props;
  return renderSheetPage({
    title: `Signed in as ${namespace}`,
    heading: ownCode === null ? "You’re connected" : "You’re signed in",
    sign: "done",
    nonce,
    children: (
      <>
        <Facts {...props} />
        {ownCode === null ? <AgentGoesOn code={code} /> : <OwnToken code={ownCode} />}
      </>
    ),
  });
}

function Facts({ username, ownerUrl, label, ownCode }: ConfirmationPageProps) {
  return (
    <dl class="facts">
      <Fact term="Account">{username}</Fact>
      <Fact term="Your public page">
        <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
      </Fact>
      {label !== null && (
        <Fact term={ownCode === null ? "Agent (name not verified)" : "Token name"}>{label}</Fact>
      )}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function AgentGoesOn({ code }: { code: string }) {
  return (
    <>
      <section>
        <h2>What happens next</h2>
        <p>Your agent gets its token within seconds. You can close this tab.</p>
      </section>
      <section>
        <h2>To revoke access</h2>
        <form method="post" action="/login/undo">
          <input type="hidden" name="code" value={code} />
          <Submit second>This wasn’t me: revoke access</Submit>
        </form>
        <p class="quiet small">
          The button works for up to {limits.deviceCodeSeconds / 60} minutes. After that, revoke the token on
          your tokens page, or ask one of your agents to revoke the token.
        </p>
        <pre class="calls">{"GET /api/tokens\nDELETE /api/tokens/{id}"}</pre>
      </section>
    </>
  );
}

/** Button that shows the token. A form and not a link, because the token can be shown only once. */
function OwnToken({ code }: { code: string }) {
  return (
    <form method="post" action="/login/token">
      <input type="hidden" name="code" value={code} />
      <p>The token is shown only once. Store it like a password.</p>
      <Submit>Show my token</Submit>
    </form>
  );
}

/** Renders the response to `POST /login/undo`. */
export function renderUndonePage({ nonce }: { readonly nonce: string }): string {
  return renderSheetPage({
    title: "Access revoked",
    nonce,
    children: (
      <>
        <p>
          The agent can’t publish under your name. Its sign-in was undone, and any token from this sign-in no
          longer works.
        </p>
        <p>
          If it has already published something, your public page lists it, and any of your agents can delete
          it.
        </p>
        <p>
          <a href="/">{text.error.home}</a>
        </p>
      </>
    ),
  });
}
