import type { ComponentChildren } from "preact";
import { formatAddress } from "../html/format.tsx";
import { Emblem } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import { identityText } from "./identity-text.ts";

/** Props of the confirmation page. */
interface ConfirmationPageProps {
  /** The user name at the identity provider. */
  readonly username: string;
  readonly namespace: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
  /** Label of the agent, as it claims, or null. */
  readonly label: string | null;
  /** The verified code, which the undo form sends. */
  readonly code: string;
  /** The code of a sign-in without an agent, for a token of this browser's own; null where an agent started it. */
  readonly ownCode: string | null;
  readonly nonce: string;
}

/** The last page of a sign-in: the account, the next step, and how to undo it. */
export function renderConfirmationPage(props: ConfirmationPageProps): string {
  const { namespace, code, ownCode, nonce } = props;
  const words = identityText.confirmation;
  return renderSheetPage({
    title: words.title(namespace),
    nonce,
    children: (
      <>
        <Emblem sign="done" />
        <h1>{ownCode === null ? words.heading : words.ownHeading}</h1>
        <Facts {...props} />
        {ownCode === null ? <AgentGoesOn code={code} /> : <OwnToken code={ownCode} />}
      </>
    ),
  });
}

function Facts({ username, ownerUrl, label, ownCode }: ConfirmationPageProps) {
  const words = identityText.confirmation;
  return (
    <dl class="facts">
      <Fact term={words.account}>{username}</Fact>
      <Fact term={words.address}>
        <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
      </Fact>
      {label !== null && <Fact term={ownCode === null ? words.agent : words.tokenName}>{label}</Fact>}
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
  const words = identityText.confirmation;
  return (
    <>
      <section>
        <h2>{words.nextHeading}</h2>
        <p>{words.next}</p>
      </section>
      <section>
        <h2>{words.revokeHeading}</h2>
        <form method="post" action="/login/undo">
          <input type="hidden" name="code" value={code} />
          <button class="button second" type="submit">
            {words.undo}
          </button>
        </form>
        <p class="quiet small">{words.undoNote}</p>
        <pre class="calls">{"GET /api/tokens\nDELETE /api/tokens/{id}"}</pre>
      </section>
    </>
  );
}

/** The form that shows the token. It is a form, because the token is shown only once. */
function OwnToken({ code }: { code: string }) {
  const words = identityText.confirmation;
  return (
    <form method="post" action="/login/token">
      <input type="hidden" name="code" value={code} />
      <p>{words.ownNext}</p>
      <button class="button" type="submit">
        {words.showToken}
      </button>
    </form>
  );
}

/** `POST /login/undo`: the page that confirms the undo. */
export function renderUndonePage({ nonce }: { readonly nonce: string }): string {
  const words = identityText.undone;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <p>{words.published}</p>
        <p>
          <a href="/">{text.error.home}</a>
        </p>
      </>
    ),
  });
}
