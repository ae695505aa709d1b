import { Emblem } from "./icons.tsx";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** What the confirmation page shows. */
export interface ConfirmationPageProps {
  /** The user name at the identity provider. */
  readonly username: string;
  readonly namespace: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
  /** What the agent calls itself: a claim, or null where it gave no label. */
  readonly label: string | null;
  readonly nonce: string;
}

/** The end of sign-in: which account it was, what happens next, and how to take it back. */
export function renderConfirmationPage(props: ConfirmationPageProps): string {
  const { username, namespace, ownerUrl, label, nonce } = props;
  const words = text.confirmation;
  return renderSheetPage({
    title: words.title(namespace),
    nonce,
    children: (
      <>
        <Emblem sign="done" />
        <h1>{words.heading}</h1>
        <dl class="facts">
          <div>
            <dt>{words.account}</dt>
            <dd dir="auto">{username}</dd>
          </div>
          <div>
            <dt>{words.address}</dt>
            <dd>
              <a href={ownerUrl}>{new URL(ownerUrl).host}</a>
            </dd>
          </div>
          {label !== null && (
            <div>
              <dt>{words.agent}</dt>
              <dd dir="auto">{label}</dd>
            </div>
          )}
        </dl>
        <section>
          <h2>{words.nextHeading}</h2>
          <p>{words.next}</p>
        </section>
        <section>
          <h2>{words.revokeHeading}</h2>
          <p>{words.revoke}</p>
          <pre class="calls">{"GET /api/tokens\nDELETE /api/tokens/{id}"}</pre>
        </section>
      </>
    ),
  });
}
