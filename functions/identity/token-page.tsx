import copyScript from "../html/copy-buttons.client.ts?text";
import { formatAddress } from "../html/format.tsx";
import { renderSheetPage } from "../html/sheet.tsx";

interface TokenPageProps {
  /** The token's plaintext. Only this page shows it. */
  readonly plaintext: string;
  readonly tokenId: string;
  readonly baseUrl: string;
  readonly ownerUrl: string;
  readonly nonce: string;
}

/** Renders the response to `POST /login/token`: the token, and example commands that publish a first page and revoke the token. */
export function renderTokenPage({ plaintext, tokenId, baseUrl, ownerUrl, nonce }: TokenPageProps): string {
  return renderSheetPage({
    title: "Your token",
    nonce,
    script: copyScript,
    children: (
      <>
        <p>The token is shown only once, and Dropleaf keeps no copy. Store the token like a password.</p>
        <Copyable id="token" label="Copy token" buttonClass="button">
          {plaintext}
        </Copyable>
        <section>
          <h2>Publish your first page</h2>
          <p>
            The response contains the page’s URL. Your public page also lists your new page:{" "}
            <a href={ownerUrl}>{formatAddress(ownerUrl)}</a>
          </p>
          <Copyable id="publish" label="Copy call" buttonClass="button second">
            {publishCall(baseUrl, plaintext)}
          </Copyable>
        </section>
        <section>
          <h2>To revoke the token</h2>
          <p>Send this request with any of your tokens.</p>
          <pre class="calls">{`curl -X DELETE ${baseUrl}/api/tokens/${tokenId} \\
  -H 'Authorization: Bearer API_TOKEN'`}</pre>
        </section>
      </>
    ),
  });
}

/** Text that a click selects as a whole. If scripts are enabled, a button copies the text. */
function Copyable({
  id,
  label,
  buttonClass,
  children,
}: Readonly<Record<"id" | "label" | "buttonClass" | "children", string>>) {
  return (
    <div class="copyable">
      <pre class="calls" id={id}>
        {children}
      </pre>
      <button class={`${buttonClass} scripted`} type="button" data-copies={id} data-done="Copied">
        <span aria-live="polite">{label}</span>
      </button>
    </div>
  );
}

function publishCall(baseUrl: string, plaintext: string): string {
  const title = JSON.stringify("Hello");
  return `curl ${baseUrl}/api/drops \\
  -H 'Authorization: Bearer ${plaintext}' \\
  -H 'Content-Type: application/json' \\
  -d '{"title":${title},"html":"<!doctype html><h1>Hello</h1>"}'`;
}
