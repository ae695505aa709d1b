import copyScript from "../html/copy-buttons.client.ts?text";
import { formatAddress } from "../html/format.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import { identityText } from "./identity-text.ts";

/** Props of the page that shows a token. */
interface TokenPageProps {
  /** The token itself: only this page shows it. */
  readonly plaintext: string;
  /** Id by which it is revoked. */
  readonly tokenId: string;
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  /** The owner's public page. */
  readonly ownerUrl: string;
  readonly nonce: string;
}

/** The response of `POST /login/token`: the token, the call that publishes a first page, and the one that revokes. */
export function renderTokenPage({ plaintext, tokenId, baseUrl, ownerUrl, nonce }: TokenPageProps): string {
  const words = identityText.token;
  return renderSheetPage({
    title: words.title,
    nonce,
    script: copyScript,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <Copyable id="token" label={words.copyToken} buttonClass="button">
          {plaintext}
        </Copyable>
        <section>
          <h2>{words.publishHeading}</h2>
          <p>
            {words.publish} <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
          </p>
          <Copyable id="publish" label={words.copyCall} buttonClass="button second">
            {publishCall(baseUrl, plaintext)}
          </Copyable>
        </section>
        <section>
          <h2>{words.revokeHeading}</h2>
          <p>{words.revoke}</p>
          <pre class="calls">{`curl -X DELETE ${baseUrl}/api/tokens/${tokenId} \\
  -H 'Authorization: Bearer API_TOKEN'`}</pre>
        </section>
      </>
    ),
  });
}

interface CopyableProps {
  readonly id: string;
  readonly label: string;
  readonly buttonClass: string;
  readonly children: string;
}

/** Text to copy: a click selects all of it. With scripts, a button copies it. */
function Copyable({ id, label, buttonClass, children }: CopyableProps) {
  return (
    <div class="copyable">
      <pre class="calls" id={id}>
        {children}
      </pre>
      <button
        class={`${buttonClass} scripted`}
        type="button"
        data-copies={id}
        data-done={identityText.token.copied}
      >
        <span aria-live="polite">{label}</span>
      </button>
    </div>
  );
}

function publishCall(baseUrl: string, plaintext: string): string {
  const title = JSON.stringify(text.exampleTitle);
  return `curl ${baseUrl}/api/drops \\
  -H 'Authorization: Bearer ${plaintext}' \\
  -H 'Content-Type: application/json' \\
  -d '{"title":${title},"html":"<!doctype html><h1>Hello</h1>"}'`;
}
